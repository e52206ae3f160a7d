// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include "control/store/metastore.h"
#include "control/store/sqlite_statement.h"

namespace souk::control {

namespace {

constexpr int kBusyMs = 2000;
constexpr size_t kMaxKeyBytes = 512;
constexpr size_t kMaxValueBytes = 64 * 1024;
constexpr uint64_t kSchema = 1;

class SqliteMetastore final : public Metastore {
 public:
  explicit SqliteMetastore(std::string path) : path_(std::move(path)) {}
  ~SqliteMetastore() override { sqlite3_close(database_); }

  Status open();
  Result<std::optional<Entry>> get(std::string_view key) override;
  Result<uint64_t> commit(const Transaction& transaction) override;
  Result<std::vector<Entry>> changes(std::string_view prefix, uint64_t after_revision) override;
  Result<uint64_t> revision() override;

 private:
  SqliteStatement statement(std::string_view sql) const { return SqliteStatement(database_, path_, sql); }
  Status run(std::string_view sql) { return statement(sql).run(); }
  Status check_schema();
  Result<uint64_t> write(const Transaction& transaction);

  std::string path_;
  sqlite3* database_ = nullptr;
};

Status SqliteMetastore::open() {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  if (sqlite3_open_v2(path_.c_str(), &database_, flags, nullptr) != SQLITE_OK) {
    return std::unexpected(sqlite_error(database_, path_));
  }
  sqlite3_busy_timeout(database_, kBusyMs);
  for (const char* sql : {
           "PRAGMA journal_mode=WAL",
           "PRAGMA synchronous=FULL",
           "BEGIN IMMEDIATE",
           "CREATE TABLE IF NOT EXISTS entries(key TEXT PRIMARY KEY, value TEXT NOT NULL, revision INTEGER NOT NULL) "
           "WITHOUT ROWID",
           "CREATE INDEX IF NOT EXISTS entries_by_revision ON entries(revision)",
           "CREATE TABLE IF NOT EXISTS state(name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
           "INSERT OR IGNORE INTO state VALUES('schema', 1), ('revision', 0)",
           "COMMIT",
       }) {
    if (Status done = run(sql); !done) return done;
  }
  return check_schema();
}

Status SqliteMetastore::check_schema() {
  SqliteStatement select = statement("SELECT number FROM state WHERE name = 'schema'");
  const auto row = select.step();
  if (!row) return std::unexpected(row.error());
  if (!*row || select.number(0) != kSchema) {
    return fail(ErrorCode::kVersionMismatch, "the metastore was written by another version of souk", path_);
  }
  return {};
}

Result<std::optional<Entry>> SqliteMetastore::get(std::string_view key) {
  SqliteStatement select = statement("SELECT value, revision FROM entries WHERE key = ?1");
  const auto row = select.bind(1, key).step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  return Entry{std::string(key), select.text(0), select.number(1)};
}

Result<uint64_t> SqliteMetastore::commit(const Transaction& transaction) {
  for (const Transaction::Put& put : transaction.puts) {
    if (put.key.empty() || put.key.size() > kMaxKeyBytes || put.value.size() > kMaxValueBytes) {
      return fail(ErrorCode::kInvalidArgument, "a key or value is empty or too long", put.key.substr(0, 80));
    }
  }
  if (const Status begun = run("BEGIN IMMEDIATE"); !begun) return std::unexpected(begun.error());
  auto written = write(transaction);
  if (written) {
    const Status committed = run("COMMIT");
    if (committed) return written;
    written = std::unexpected(committed.error());
  }
  ignore(run("ROLLBACK"), "an error that made SQLite roll back by itself leaves nothing to roll back");
  return written;
}

// Inside a transaction.
Result<uint64_t> SqliteMetastore::write(const Transaction& transaction) {
  for (const Transaction::Condition& condition : transaction.conditions) {
    const auto entry = get(condition.key);
    if (!entry) return std::unexpected(entry.error());
    const uint64_t found = *entry ? (*entry)->revision : 0;
    if (found != condition.revision) {
      return fail(ErrorCode::kVersionMismatch, "changed by somebody else meanwhile", condition.key);
    }
  }
  const auto last = revision();
  if (!last) return last;
  const uint64_t next = *last + 1;
  for (const Transaction::Put& put : transaction.puts) {
    SqliteStatement insert = statement("INSERT OR REPLACE INTO entries VALUES(?1, ?2, ?3)");
    const Status done = insert.bind(1, put.key).bind(2, put.value).bind(3, next).run();
    if (!done) return std::unexpected(done.error());
  }
  SqliteStatement update = statement("UPDATE state SET number = ?1 WHERE name = 'revision'");
  if (const Status done = update.bind(1, next).run(); !done) return std::unexpected(done.error());
  return next;
}

Result<std::vector<Entry>> SqliteMetastore::changes(std::string_view prefix, uint64_t after_revision) {
  SqliteStatement select = statement(
      "SELECT key, value, revision FROM entries WHERE revision > ?1 AND substr(key, 1, length(?2)) = ?2 ORDER BY key");
  select.bind(1, after_revision).bind(2, prefix);
  std::vector<Entry> entries;
  for (;;) {
    const auto row = select.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return entries;
    entries.push_back(Entry{select.text(0), select.text(1), select.number(2)});
  }
}

Result<uint64_t> SqliteMetastore::revision() {
  SqliteStatement select = statement("SELECT number FROM state WHERE name = 'revision'");
  const auto row = select.step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return fail(ErrorCode::kCorruption, "the metastore has lost its revision", path_);
  return select.number(0);
}

}  // namespace

Result<std::unique_ptr<Metastore>> open_sqlite_metastore(const std::string& path) {
  auto store = std::make_unique<SqliteMetastore>(path);
  if (const Status opened = store->open(); !opened) return std::unexpected(opened.error());
  return store;
}

}  // namespace souk::control
