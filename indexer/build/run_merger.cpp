// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/run_merger.h"

#include <algorithm>

namespace souk::build {

namespace {

constexpr uint64_t kLeastBlock = 16 * 1024;  // bytes
constexpr size_t kMostRuns = 1024;

uint64_t head(uint32_t term, size_t cursor) {
  return uint64_t{term} << 32 | cursor;
}

}  // namespace

size_t RunMerger::most_runs(uint64_t memory_bytes) {
  const uint64_t blocks = memory_bytes / kLeastBlock;
  return std::clamp<size_t>(blocks == 0 ? 0 : blocks - 1, 2, kMostRuns);
}

RunMerger::RunMerger(const files::ScratchFile& file, std::span<const Run> runs, uint64_t memory_bytes)
    : file_(file), block_(std::max<size_t>(memory_bytes / (runs.size() + 1) / sizeof(index::Posting), 1)) {
  for (const Run& run : runs) cursors_.push_back({run, {}, 0});
}

Status RunMerger::fill(Cursor& cursor) {
  cursor.at = 0;
  cursor.block.resize(std::min<uint64_t>(block_, cursor.rest.count));
  const Status done = file_.read(cursor.rest.begin, std::as_writable_bytes(std::span(cursor.block)));
  cursor.rest.begin += cursor.block.size() * sizeof(index::Posting);
  cursor.rest.count -= cursor.block.size();
  return done;
}

Status RunMerger::open() {
  open_ = true;
  batch_.reserve(block_);
  for (size_t i = 0; i < cursors_.size(); ++i) {
    if (Status done = fill(cursors_[i]); !done) return done;
    if (!cursors_[i].block.empty()) heads_.push(head(cursors_[i].block[0].term, i));
  }
  return {};
}

// Moves the cursor's postings of the term to the batch, as far as there is room.
Status RunMerger::take(Cursor& cursor, uint32_t term) {
  while (batch_.size() < block_ && !cursor.block.empty() && cursor.block[cursor.at].term == term) {
    batch_.push_back(cursor.block[cursor.at++]);
    if (cursor.at < cursor.block.size()) continue;
    if (Status done = fill(cursor); !done) return done;
  }
  return {};
}

Result<std::span<const index::Posting>> RunMerger::next() {
  Status done;
  if (!open_) done = open();
  batch_.clear();
  while (done && batch_.size() < block_ && !heads_.empty()) {
    const uint64_t least = heads_.top();
    heads_.pop();
    const auto i = static_cast<uint32_t>(least);
    Cursor& cursor = cursors_[i];
    done = take(cursor, static_cast<uint32_t>(least >> 32));
    if (!cursor.block.empty()) heads_.push(head(cursor.block[cursor.at].term, i));
  }
  if (!done) return std::unexpected(done.error());
  return std::span<const index::Posting>(batch_);
}

}  // namespace souk::build
