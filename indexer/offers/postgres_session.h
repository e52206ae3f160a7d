// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <pqxx/pqxx>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/error.h"

namespace souk::offers {

// What a library's exception means to us: kUnavailable (lost, refused, full) or kCorruption, in one line.
Error postgres_error(const std::exception& problem);

// Runs work(), whose exceptions become errors. It returns a Result or Status.
template <typename Work>
auto guarded(Work work) -> std::invoke_result_t<Work> {
  try {
    return work();
  } catch (const std::exception& problem) {
    return std::unexpected(postgres_error(problem));
  }
}

enum class Access { kRead, kWrite };

// A connection that is opened anew, at the next use, when it was lost. The one that writes holds the store's lock as
// long as it lives, so that there is one writer.
class PostgresSession {
 public:
  PostgresSession(std::string connection, Access access) : connection_(std::move(connection)), access_(access) {}

  Status open();
  Result<pqxx::connection*> connected();
  // work(connection), which may be done twice: when only it shows that the connection was lost meanwhile, it is done
  // again on a new one.
  template <typename Work>
  auto run(Work work) -> std::invoke_result_t<Work, pqxx::connection&> {
    const bool was_open = is_open();
    const auto attempt = [&]() -> std::invoke_result_t<Work, pqxx::connection&> {
      const auto connection = connected();
      if (!connection) return std::unexpected(connection.error());
      return work(**connection);
    };
    auto done = guarded(attempt);
    return !done && was_open && !is_open() ? guarded(attempt) : std::move(done);
  }

 private:
  bool is_open() const { return open_ && open_->is_open(); }
  Status connect();

  std::string connection_;
  Access access_;
  std::unique_ptr<pqxx::connection> open_;
};

// Makes the tables when there are none; another format is kVersionMismatch.
Status make_schema(pqxx::connection& connection);
// kNotFound when there are none.
Status check_schema(pqxx::connection& connection);

// Literals of SQL.
namespace sql {
void add_text(std::string& out, std::string_view text);  // quoted; without NUL, which PostgreSQL's text cannot hold
void add_bytes(std::string& out, std::string_view bytes);
std::string text(std::string_view text);
std::string bytes(std::string_view bytes);
std::string read_bytes(const pqxx::field& field);
uint64_t read_number(const pqxx::field& field);
}  // namespace sql

}  // namespace souk::offers
