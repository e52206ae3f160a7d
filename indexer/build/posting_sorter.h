// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/index/posting_writer.h"
#include "indexer/build/posting_buffer.h"
#include "indexer/build/run_merger.h"
#include "runtime/files/scratch_file.h"

namespace souk::build {

// External sort of one shard's postings: takes them in the order of documents, gives them by (term, document). What
// exceeds its memory goes to a scratch file in sorted runs, which are merged when read; the order does not depend on
// the limit.
class PostingSorter final : public index::PostingSource {
 public:
  static constexpr uint64_t kLeastMemory = 64 * 1024;
  // A posting in memory: itself, and its place in the other buffer while the run is sorted.
  static constexpr uint64_t kBytesPerPosting = 2 * sizeof(index::Posting);

  // The scratch file is made at `path` when it is needed.
  PostingSorter(std::string path, uint64_t memory_bytes);

  // Documents never descend; a term comes once per document.
  Status add(const index::Posting& posting) {
    if (size_ == buffer_.capacity()) {
      if (Status done = spill(); !done) return done;
    }
    buffer_[size_++] = posting;
    return {};
  }
  Result<std::span<const index::Posting>> next() override;  // after the last add()
  uint64_t runs() const { return runs_written_; }           // 0: memory held everything

 private:
  void sort_buffer();
  Status spill();
  Status prepare();
  Status merge_some_runs();

  std::string path_;
  uint64_t memory_;
  PostingBuffer buffer_, other_;
  size_t size_ = 0;  // postings in buffer_
  std::unique_ptr<files::ScratchFile> file_;
  std::vector<Run> runs_;
  uint64_t runs_written_ = 0;
  std::optional<RunMerger> merger_;
  bool reading_ = false;
};

}  // namespace souk::build
