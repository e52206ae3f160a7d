// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/database.h"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace souk::offers {
namespace keys {
namespace {

void append(std::string& out, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

std::string numbered(char kind, uint64_t value, int bytes) {
  std::string key(1, kind);
  append(key, value, bytes);
  return key;
}

std::string named(char kind, std::string_view name) {
  std::string key(1, kind);
  key += name;
  return key;
}

}  // namespace

std::string offer(DocKey key) {
  return numbered(kOfferKind, key.value(), 8);
}
std::string offer_id(uint32_t shop, std::string_view id) {
  return numbered(kOfferIdKind, shop, 4).append(id);
}
std::string model(std::string_view identity) {
  return named('m', identity);
}
std::string category_path(std::string_view identity) {
  return named('c', identity);
}
std::string category(DocKey key) {
  return numbered(kCategoryKind, key.value(), 8);
}
std::string shop(uint32_t number) {
  return numbered(kShopKind, number, 4);
}
std::string shop_name(std::string_view name) {
  return named('S', name);
}
std::string counter(uint16_t slot, KeyType type) {
  std::string key = numbered('n', slot, 2);
  append(key, static_cast<uint16_t>(type), 2);
  return key;
}
std::string revision() {
  return "v";
}
std::string format() {
  return "f";
}

std::string number(uint64_t value) {
  std::string bytes;
  append(bytes, value, 8);
  return bytes;
}

std::optional<uint64_t> parse_number(std::string_view bytes) {
  if (bytes.size() > 8) return std::nullopt;
  uint64_t value = 0;
  for (const char c : bytes) value = (value << 8U) | static_cast<uint8_t>(c);
  return value;
}

}  // namespace keys

namespace {

constexpr uint64_t kFormat = 1;

std::unexpected<Error> database_error(const rocksdb::Status& status, const std::string& folder) {
  if (status.IsNoSpace() || status.subcode() == rocksdb::Status::kNoSpace) {
    return fail(ErrorCode::kUnavailable, "the offer store cannot be written: no space left on the device", folder);
  }
  std::string text = status.ToString();
  std::ranges::replace(text, '\n', ' ');
  if (status.IsCorruption()) return fail(ErrorCode::kCorruption, "the offer store is damaged: " + text, folder);
  if (status.IsIOError() && (text.contains("While lock file") || text.contains("lock hold by"))) {
    return fail(ErrorCode::kUnavailable, "the offer store is in use by another process", folder);
  }
  return fail(ErrorCode::kUnavailable, "the offer store failed: " + text, folder);
}

rocksdb::Options store_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.max_background_jobs = 2;
  options.max_open_files = 512;
  options.compression = rocksdb::kZSTD;
  options.info_log_level = rocksdb::WARN_LEVEL;
  options.max_log_file_size = 1 << 20;
  options.keep_log_file_num = 2;
  options.stats_dump_period_sec = 0;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(64 << 20);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

}  // namespace

Result<Database> Database::open(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "the folder cannot be made: " + problem.message(), folder);
  rocksdb::DB* raw = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(store_options(), folder, &raw);
  if (!status.ok()) return database_error(status, folder);
  Database database(std::unique_ptr<rocksdb::DB>(raw), folder);
  const auto ours = database.has_our_format();
  if (!ours) return std::unexpected(ours.error());
  if (!*ours) {
    rocksdb::WriteBatch batch;
    batch.Put(keys::format(), keys::number(kFormat));
    const Status written = database.write(batch);
    if (!written) return std::unexpected(written.error());
  }
  return database;
}

Result<Database> Database::open_to_read(const std::string& folder) {
  const auto none = [&folder] { return fail(ErrorCode::kNotFound, "there is no offer store", folder); };
  std::error_code problem;
  if (!std::filesystem::exists(std::filesystem::path(folder) / "CURRENT", problem)) return none();
  rocksdb::Options options = store_options();
  options.create_if_missing = false;
  rocksdb::DB* raw = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, folder, &raw);
  if (!status.ok()) return database_error(status, folder);
  Database database(std::unique_ptr<rocksdb::DB>(raw), folder);
  const auto ours = database.has_our_format();
  if (!ours) return std::unexpected(ours.error());
  if (!*ours) return none();
  return database;
}

// false when nothing was written yet.
Result<bool> Database::has_our_format() const {
  const auto format = get_number(keys::format());
  if (!format) return std::unexpected(format.error());
  if (*format && **format != kFormat) {
    return fail(ErrorCode::kVersionMismatch, "the offer store was written by another version", folder_);
  }
  return format->has_value();
}

Result<std::optional<std::string>> Database::get(const std::string& key) const {
  std::string value;
  const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), key, &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return database_error(status, folder_);
  return value;
}

Result<std::optional<uint64_t>> Database::get_number(const std::string& key) const {
  const auto bytes = get(key);
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  const auto number = keys::parse_number(**bytes);
  if (!number) return corrupt("a number is too long");
  return number;
}

Status Database::scan(const std::string& prefix,
                      const std::function<Status(std::string_view, std::string_view)>& each) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
  for (at->Seek(prefix); at->Valid() && at->key().starts_with(prefix); at->Next()) {
    const std::string_view key = at->key().ToStringView();
    const Status status = each(key.substr(prefix.size()), at->value().ToStringView());
    if (!status) return status;
  }
  if (!at->status().ok()) return database_error(at->status(), folder_);
  return {};
}

Status Database::write(rocksdb::WriteBatch& batch) {
  rocksdb::WriteOptions options;
  options.sync = true;
  const rocksdb::Status status = db_->Write(options, &batch);
  if (!status.ok()) return database_error(status, folder_);
  return {};
}

std::unexpected<Error> Database::corrupt(std::string what) const {
  return fail(ErrorCode::kCorruption, "the offer store is damaged: " + std::move(what), folder_);
}

}  // namespace souk::offers
