// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace souk::control {

// The last error of a connection in our terms; path names the file.
Error sqlite_error(sqlite3* database, const std::string& path);

// One prepared statement, made where it is used: control does a few of them a second.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, const std::string& path, std::string_view sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // Parameters are numbered from 1. The text must live until the statement ends.
  SqliteStatement& bind(int parameter, std::string_view text);
  SqliteStatement& bind(int parameter, uint64_t number);

  // true = a row stands, false = the end.
  Result<bool> step();
  // For statements without rows.
  Status run();

  // Columns of the row that stands, numbered from 0.
  std::string text(int column) const;
  uint64_t number(int column) const;

 private:
  sqlite3* database_;
  const std::string& path_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace souk::control
