// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "core/index/posting_writer.h"
#include "runtime/files/scratch_file.h"

namespace souk::build {

// Sorted postings in a scratch file.
struct Run {
  uint64_t begin;  // bytes
  uint64_t count;  // postings
};

// Merges runs whose documents do not overlap and ascend from run to run, so that of equal terms the earlier run's come
// first. Reads each run through a buffer of its own; they and the batch share the memory.
class RunMerger {
 public:
  // As many runs as may be merged at once: with more, the buffers would be too small to read a disk by.
  static size_t most_runs(uint64_t memory_bytes);

  RunMerger(const files::ScratchFile& file, std::span<const Run> runs, uint64_t memory_bytes);
  Result<std::span<const index::Posting>> next();  // as PostingSource

 private:
  struct Cursor {
    Run rest;  // not yet in the block
    std::vector<index::Posting> block;
    size_t at = 0;
  };
  Status open();
  Status fill(Cursor& cursor);  // leaves an empty block at the end of the run
  Status take(Cursor& cursor, uint32_t term);

  const files::ScratchFile& file_;
  size_t block_;  // postings
  std::vector<Cursor> cursors_;
  // (term, cursor), the least first
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> heads_;
  std::vector<index::Posting> batch_;
  bool open_ = false;
};

}  // namespace souk::build
