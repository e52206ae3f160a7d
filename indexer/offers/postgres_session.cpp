// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/postgres_session.h"

#include <array>

namespace souk::offers {
namespace {

// Of one database; any number that is always the same.
constexpr int64_t kLock = 0x736f756b;

// A server that does not answer is not waited for without end. Settings in the address come later or first, and count.
std::string with_time_limits(const std::string& connection) {
  constexpr std::string_view kLimits[] = {"connect_timeout=10", "keepalives_idle=30", "keepalives_interval=10",
                                          "keepalives_count=3", "tcp_user_timeout=60000"};
  const bool is_address = connection.starts_with("postgresql://") || connection.starts_with("postgres://");
  std::string all;
  for (const std::string_view limit : kLimits) {
    if (is_address && connection.contains(limit.substr(0, limit.find('=') + 1))) continue;
    all += (all.empty() ? "" : is_address ? "&" : " ");
    all += limit;
  }
  if (!is_address) return all + " " + connection;
  return connection + (connection.contains('?') ? "&" : "?") + all;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

void forbid_reconnecting(pqxx::connection& connection) {
  // The library would connect again by itself, without our lock. Deprecated because its next version never does.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  connection.inhibit_reactivation(true);
#pragma clang diagnostic pop
}

constexpr const char* kSettings =
    "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET bytea_output = 'hex'; "
    "SET statement_timeout = '10min'";
// Joins are of a thousand wanted rows with a table of millions: by its index, whatever the planner guesses. Only
// settings that this server has.
constexpr const char* kPlans =
    "SELECT set_config(name, 'off', false) FROM pg_settings WHERE name IN ('jit', 'enable_hashjoin', "
    "'enable_mergejoin')";
constexpr const char* kLockTimeout = "SET lock_timeout = '30s'";

}  // namespace

Error postgres_error(const std::exception& problem) {
  const std::string reason = one_line(problem.what());
  if (dynamic_cast<const pqxx::in_doubt_error*>(&problem) != nullptr) {
    return {ErrorCode::kUnavailable,
            "the connection to PostgreSQL was lost while the offer store committed; it did or did not: " + reason,
            {}};
  }
  if (dynamic_cast<const pqxx::broken_connection*>(&problem) != nullptr) {
    return {ErrorCode::kUnavailable, "PostgreSQL cannot be reached: " + reason, {}};
  }
  if (const auto* refused = dynamic_cast<const pqxx::sql_error*>(&problem)) {
    const std::string& state = refused->sqlstate();
    // Integrity that our own statements keep, and what PostgreSQL itself calls corrupted.
    if (state.starts_with("23") || state == "XX001" || state == "XX002") {
      return {ErrorCode::kCorruption, "the offer store is damaged: PostgreSQL: " + reason, {}};
    }
  }
  return {ErrorCode::kUnavailable, "the offer store failed: PostgreSQL: " + reason, {}};
}

Status PostgresSession::connect() {
  open_ = std::make_unique<pqxx::connection>(with_time_limits(connection_));
  forbid_reconnecting(*open_);
  pqxx::nontransaction work(*open_);
  work.exec(kSettings);
  work.exec(kPlans);
  const pqxx::result encoding = work.exec("SHOW server_encoding");
  if (std::string_view(encoding.front().front().c_str()) != "UTF8") {
    return fail(ErrorCode::kInvalidArgument,
                std::string("the offer store's database is not in UTF8 but in ") + encoding.front().front().c_str());
  }
  if (access_ == Access::kRead) return {};
  // A moment's patience: the server may not have noticed yet that the last writer is gone.
  work.exec("SET lock_timeout = '1s'");
  try {
    work.exec("SELECT pg_advisory_lock(" + std::to_string(kLock) + ")");
  } catch (const pqxx::sql_error& refused) {
    if (refused.sqlstate() != "55P03") throw;
    return fail(ErrorCode::kUnavailable, "the offer store is in use by another process");
  }
  work.exec(kLockTimeout);
  return {};
}

Status PostgresSession::open() {
  Status done = guarded([&]() -> Status {
    Status connected = connect();
    if (!connected) return connected;
    return access_ == Access::kWrite ? make_schema(*open_) : check_schema(*open_);
  });
  if (!done) open_.reset();
  return done;
}

Result<pqxx::connection*> PostgresSession::connected() {
  if (!is_open()) {
    const Status opened = open();
    if (!opened) return std::unexpected(opened.error());
  }
  return open_.get();
}

namespace sql {

void add_text(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\0') continue;
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

void add_bytes(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "'\\x";
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  out += '\'';
}

std::string text(std::string_view text) {
  std::string out;
  add_text(out, text);
  return out;
}

std::string bytes(std::string_view bytes) {
  std::string out;
  add_bytes(out, bytes);
  return out;
}

std::string read_bytes(const pqxx::field& field) {
  return pqxx::binarystring(field).str();
}

uint64_t read_number(const pqxx::field& field) {
  return static_cast<uint64_t>(field.as<int64_t>());
}

}  // namespace sql

}  // namespace souk::offers
