// SPDX-License-Identifier: Apache-2.0
#include "snippet/store/snippet_store.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/utilities/memory_util.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "snippet/store/rocks_status.h"
#include "snippet/store/table_options.h"

namespace souk::snippet {

namespace {

constexpr size_t kBlockCacheBytes = 64 << 20;
constexpr size_t kWriteBufferBytes = 1 << 20;  // only the list of generations is written through memtables
constexpr const char* kGenerationsFamily = "generations";

rocksdb::DBOptions database_options() {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.max_open_files = 256;
  options.info_log_level = rocksdb::WARN_LEVEL;
  options.max_log_file_size = 1 << 20;
  options.keep_log_file_num = 2;
  options.max_background_jobs = 1;
  return options;
}

class RocksSnippetStore final : public SnippetStore {
 public:
  explicit RocksSnippetStore(std::string folder)
      : folder_(std::move(folder)), cache_(rocksdb::NewLRUCache(kBlockCacheBytes)) {}

  ~RocksSnippetStore() override {
    for (rocksdb::ColumnFamilyHandle* family : {documents_, known_}) {
      if (family != nullptr) db_->DestroyColumnFamilyHandle(family);
    }
  }

  Status open();
  Status ingest(const std::string& sst_path, const GenerationId& generation) override;
  bool has(const GenerationId& generation) const override;
  std::vector<GenerationId> generations() const override;
  Result<std::vector<std::string>> get(const std::vector<Id>& ids) const override;
  uint64_t memory_bytes() const override;

 private:
  Status read_generations();
  Status ingest_file(const std::string& sst_path, const GenerationId& generation);

  std::string folder_;
  std::shared_ptr<rocksdb::Cache> cache_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* documents_ = nullptr;
  rocksdb::ColumnFamilyHandle* known_ = nullptr;
  std::mutex ingest_mutex_;         // one ingestion at a time; never taken while list_mutex_ is held
  mutable std::mutex list_mutex_;   // short: has() is asked on IO threads
  std::vector<GenerationId> list_;  // ascending
};

Status RocksSnippetStore::open() {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  if (failure) return fail(ErrorCode::kUnavailable, "cannot make the folder: " + failure.message(), folder_);
  rocksdb::Options documents = document_options(cache_);
  documents.write_buffer_size = kWriteBufferBytes;
  rocksdb::ColumnFamilyOptions known;
  known.write_buffer_size = kWriteBufferBytes;
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, documents},
      {kGenerationsFamily, known},
  };
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const Status opened = to_status(rocksdb::DB::Open(database_options(), folder_, families, &handles, &db), folder_);
  if (!opened) {
    const std::string& reason = opened.error().message;
    const bool locked = reason.contains("While lock file") || reason.contains("lock hold by current process");
    return locked ? fail(ErrorCode::kUnavailable, "another process uses this folder", folder_) : opened;
  }
  db_.reset(db);
  documents_ = handles[0];
  known_ = handles[1];
  // Links that a crash left between making and ingesting them.
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failure)) {
    if (entry.path().extension() == ".incoming") std::filesystem::remove(entry.path(), failure);
  }
  return read_generations();
}

Status RocksSnippetStore::read_generations() {
  const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(rocksdb::ReadOptions(), known_));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const auto id = parse_generation(it->key().ToStringView());
    if (!id) return fail(ErrorCode::kCorruption, "the list of generations is damaged", folder_);
    list_.push_back(*id);
  }
  std::ranges::sort(list_);
  return to_status(it->status(), folder_);
}

Status RocksSnippetStore::ingest(const std::string& sst_path, const GenerationId& generation) {
  const std::lock_guard one_at_a_time(ingest_mutex_);
  if (has(generation)) return {};
  std::error_code failure;
  if (!std::filesystem::is_regular_file(sst_path, failure)) {
    return fail(ErrorCode::kNotFound, "no such file of documents", sst_path);
  }
  if (const Status ingested = ingest_file(sst_path, generation); !ingested) return ingested;
  // A crash between the two steps makes the next start ingest the same documents once more, which changes nothing.
  rocksdb::WriteOptions durable;
  durable.sync = true;
  const Status noted = to_status(db_->Put(durable, known_, to_string(generation), ""), folder_);
  if (!noted) return noted;
  const std::lock_guard lock(list_mutex_);
  list_.insert(std::ranges::upper_bound(list_, generation), generation);
  return {};
}

// On one file system the store shares the file with the generation by a hard link (both treat it as immutable: RocksDB
// is told not to write its sequence number into it); elsewhere RocksDB copies it.
Status RocksSnippetStore::ingest_file(const std::string& sst_path, const GenerationId& generation) {
  rocksdb::IngestExternalFileOptions options;
  options.write_global_seqno = false;
  options.verify_checksums_before_ingest = true;
  const std::string link = folder_ + "/" + to_string(generation) + ".incoming";
  ::unlink(link.c_str());
  options.move_files = ::link(sst_path.c_str(), link.c_str()) == 0;
  options.failed_move_fall_back_to_copy = true;
  const std::string& source = options.move_files ? link : sst_path;
  const Status ingested = to_status(db_->IngestExternalFile(documents_, {source}, options), sst_path);
  ::unlink(link.c_str());
  return ingested;
}

bool RocksSnippetStore::has(const GenerationId& generation) const {
  const std::lock_guard lock(list_mutex_);
  return std::ranges::binary_search(list_, generation);
}

std::vector<GenerationId> RocksSnippetStore::generations() const {
  const std::lock_guard lock(list_mutex_);
  return list_;
}

Result<std::vector<std::string>> RocksSnippetStore::get(const std::vector<Id>& ids) const {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const Id& id : ids) names.push_back(store_key(id.key, id.version));
  const std::vector<rocksdb::Slice> slices(names.begin(), names.end());
  std::vector<rocksdb::PinnableSlice> values(ids.size());
  std::vector<rocksdb::Status> outcomes(ids.size());
  db_->MultiGet(rocksdb::ReadOptions(), documents_, ids.size(), slices.data(), values.data(), outcomes.data());
  std::vector<std::string> documents(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (outcomes[i].IsNotFound()) continue;
    if (const Status outcome = to_status(outcomes[i], folder_); !outcome) return std::unexpected(outcome.error());
    documents[i].assign(values[i].data(), values[i].size());
  }
  return documents;
}

uint64_t RocksSnippetStore::memory_bytes() const {
  std::map<rocksdb::MemoryUtil::UsageType, uint64_t> usage;
  const auto status = rocksdb::MemoryUtil::GetApproximateMemoryUsageByType({db_.get()}, {cache_.get()}, &usage);
  if (!status.ok()) return 0;
  return usage[rocksdb::MemoryUtil::kMemTableTotal] + usage[rocksdb::MemoryUtil::kTableReadersTotal] +
         usage[rocksdb::MemoryUtil::kCacheTotal];
}

}  // namespace

Result<std::unique_ptr<SnippetStore>> SnippetStore::open(const std::string& folder) {
  auto store = std::make_unique<RocksSnippetStore>(folder);
  if (const Status opened = store->open(); !opened) return std::unexpected(opened.error());
  return store;
}

}  // namespace souk::snippet
