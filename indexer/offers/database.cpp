// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/database.h"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "indexer/offers/storage.h"

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
std::string link(DocKey offer) {
  return numbered(kLinkKind, offer.value(), 8);
}
std::string offer_id(uint32_t shop, std::string_view id) {
  return numbered('i', shop, 4).append(id);
}
std::string model(DocKey key) {
  return numbered(kModelKind, key.value(), 8);
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
std::string counters(uint16_t slot) {
  return numbered(kCountersKind, slot, 2);
}
std::string changes(uint16_t slot) {
  return numbered('L', slot, 2);
}
std::string change(uint16_t slot, uint64_t position) {
  return changes(slot) + number(position);
}
std::string totals() {
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
  // A large difference comes in as many files at once; writing goes on while they are compacted.
  options.level0_slowdown_writes_trigger = 1000;
  options.level0_stop_writes_trigger = 2000;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(64 << 20);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

}  // namespace

Database::Database(std::unique_ptr<rocksdb::DB> db, std::string folder, bool read_only)
    : db_(std::move(db)),
      options_(store_options()),
      folder_(std::move(folder)),
      staging_((std::filesystem::path(folder_) / "staging").string()),
      read_only_(read_only) {}

Result<Database> Database::open(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "the folder cannot be made: " + problem.message(), folder);
  rocksdb::DB* raw = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(store_options(), folder, &raw);
  if (!status.ok()) return database_error(status, folder);
  Database database(std::unique_ptr<rocksdb::DB>(raw), folder, false);
  const auto ours = database.has_our_format();
  if (!ours) return std::unexpected(ours.error());
  // Under the database's lock: no one else stages.
  std::filesystem::remove_all(database.staging_, problem);
  if (problem) {
    return fail(ErrorCode::kUnavailable, "the folder cannot be cleared: " + problem.message(), database.staging_);
  }
  if (!*ours) {
    rocksdb::WriteBatch batch;
    batch.Put(keys::format(), keys::number(kStoreFormat));
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
  Database database(std::unique_ptr<rocksdb::DB>(raw), folder, true);
  const auto ours = database.has_our_format();
  if (!ours) return std::unexpected(ours.error());
  if (!*ours) return none();
  return database;
}

Result<bool> Database::has_our_format() const {
  const auto format = get_number(keys::format());
  if (!format) return std::unexpected(format.error());
  if (*format && **format != kStoreFormat) {
    return fail(ErrorCode::kVersionMismatch,
                "the offer store has format " + std::to_string(**format) + ", this program reads " +
                    std::to_string(kStoreFormat) + ": delete it and ingest the feeds anew",
                folder_);
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

std::unique_ptr<rocksdb::Iterator> Database::iterator() const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  return std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(options));
}

Status Database::good(const rocksdb::Status& status) const {
  if (!status.ok()) return database_error(status, folder_);
  return {};
}

Status Database::scan(const std::string& prefix, const Each& each) const {
  const auto at = iterator();
  for (at->Seek(prefix); at->Valid() && at->key().starts_with(prefix); at->Next()) {
    const std::string_view key = at->key().ToStringView();
    const Status status = each(key.substr(prefix.size()), at->value().ToStringView());
    if (!status) return status;
  }
  return good(at->status());
}

Status Database::write(rocksdb::WriteBatch& batch) {
  rocksdb::WriteOptions options;
  options.sync = true;
  return good(db_->Write(options, &batch));
}

Status Database::ingest(const std::vector<std::string>& files) {
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  options.write_global_seqno = false;
  return good(db_->IngestExternalFile(files, options));
}

std::unexpected<Error> Database::corrupt(std::string what) const {
  return fail(ErrorCode::kCorruption, "the offer store is damaged: " + std::move(what), folder_);
}

}  // namespace souk::offers
