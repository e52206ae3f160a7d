// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/staged_writes.h"

#include <rocksdb/sst_file_writer.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

namespace souk::offers {

StagedWrites::~StagedWrites() {
  std::error_code ignored;  // what cannot be deleted now is deleted at the next open
  for (const std::string& file : files_) std::filesystem::remove(file, ignored);
}

Status StagedWrites::put(std::string key, std::string value) {
  used_bytes_ += key.capacity() + value.capacity() + sizeof(entries_.front());
  entries_.push_back({std::move(key), std::move(value), entries_.size()});
  return used_bytes_ < memory_bytes_ ? Status() : spill();
}

Status StagedWrites::spill() {
  std::error_code problem;
  std::filesystem::create_directories(database_.staging_folder(), problem);
  if (problem) {
    return fail(ErrorCode::kUnavailable, "the folder cannot be made: " + problem.message(), database_.staging_folder());
  }
  const std::filesystem::path folder(database_.staging_folder());
  files_.push_back((folder / (std::to_string(files_.size() + 1) + ".sst")).string());
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), database_.options());
  rocksdb::Status status = writer.Open(files_.back());
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return std::tie(entry.key, entry.number); });
  for (size_t i = 0; i < entries_.size() && status.ok(); ++i) {
    // A file has each key once.
    const bool overwritten = i + 1 < entries_.size() && entries_[i].key == entries_[i + 1].key;
    if (!overwritten) status = writer.Put(entries_[i].key, entries_[i].value);
  }
  if (status.ok()) status = writer.Finish();
  entries_.clear();
  used_bytes_ = 0;
  return database_.good(status);
}

Status StagedWrites::commit() {
  if (files_.empty()) {
    rocksdb::WriteBatch batch;
    for (const Entry& entry : entries_) batch.Put(entry.key, entry.value);
    entries_.clear();
    return database_.write(batch);
  }
  if (!entries_.empty()) {
    const Status spilled = spill();
    if (!spilled) return spilled;
  }
  return database_.ingest(files_);
}

}  // namespace souk::offers
