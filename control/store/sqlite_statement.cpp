// SPDX-License-Identifier: Apache-2.0
#include "control/store/sqlite_statement.h"

namespace souk::control {

Error sqlite_error(sqlite3* database, const std::string& path) {
  const int code = database == nullptr ? SQLITE_NOMEM : sqlite3_errcode(database);
  const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return Error{damaged ? ErrorCode::kCorruption : ErrorCode::kUnavailable,
               database == nullptr ? "out of memory" : sqlite3_errmsg(database), path};
}

SqliteStatement::SqliteStatement(sqlite3* database, const std::string& path, std::string_view sql)
    : database_(database), path_(path) {
  // A failure leaves no statement, which step() reports.
  sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
}

SqliteStatement::~SqliteStatement() {
  sqlite3_finalize(statement_);
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_, parameter, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, uint64_t number) {
  sqlite3_bind_int64(statement_, parameter, static_cast<int64_t>(number));
  return *this;
}

Result<bool> SqliteStatement::step() {
  if (statement_ == nullptr) return std::unexpected(sqlite_error(database_, path_));
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(sqlite_error(database_, path_));
}

Status SqliteStatement::run() {
  const auto stepped = step();
  if (!stepped) return std::unexpected(stepped.error());
  return {};
}

std::string SqliteStatement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  return std::string(reinterpret_cast<const char*>(bytes),
                     static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

uint64_t SqliteStatement::number(int column) const {
  return static_cast<uint64_t>(sqlite3_column_int64(statement_, column));
}

}  // namespace souk::control
