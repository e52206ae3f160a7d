// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/posting_sorter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace souk::build {

using index::Posting;

PostingSorter::PostingSorter(std::string path, uint64_t memory_bytes)
    : path_(std::move(path)),
      memory_(std::max(memory_bytes, kLeastMemory)),
      buffer_(memory_ / kBytesPerPosting),
      other_(buffer_.capacity()) {}

// Radix sort by term, from the least digit; it is stable, and the documents ascend already.
void PostingSorter::sort_buffer() {
  constexpr uint32_t kBits = 11;
  constexpr uint32_t kDigits = 1U << kBits;
  uint32_t greatest = 0;
  for (const Posting& posting : buffer_.first(size_)) greatest = std::max(greatest, posting.term);
  for (uint32_t shift = 0; shift < 32 && greatest >> shift != 0; shift += kBits) {
    std::array<size_t, kDigits> begins{};
    for (const Posting& posting : buffer_.first(size_)) ++begins[posting.term >> shift & (kDigits - 1)];
    size_t sum = 0;
    for (size_t& begin : begins) begin = std::exchange(sum, sum + begin);
    for (const Posting& posting : buffer_.first(size_)) {
      other_[begins[posting.term >> shift & (kDigits - 1)]++] = posting;
    }
    buffer_.swap(other_);
  }
}

Status PostingSorter::spill() {
  if (!file_) {
    auto file = files::ScratchFile::create(path_);
    if (!file) return std::unexpected(file.error());
    file_ = std::move(*file);
  }
  sort_buffer();
  runs_.push_back({file_->size(), size_});
  ++runs_written_;
  return file_->write(std::as_bytes(buffer_.first(std::exchange(size_, 0))));
}

// Neighbouring runs become one, as many at a time as memory allows, in another file.
Status PostingSorter::merge_some_runs() {
  auto merged_file = files::ScratchFile::create(path_);
  if (!merged_file) return std::unexpected(merged_file.error());
  std::vector<Run> merged;
  const size_t most = RunMerger::most_runs(memory_);
  for (size_t i = 0; i < runs_.size(); i += most) {
    RunMerger merger(*file_, std::span(runs_).subspan(i, std::min(most, runs_.size() - i)), memory_);
    Run run{(*merged_file)->size(), 0};
    for (;;) {
      const auto batch = merger.next();
      if (!batch) return std::unexpected(batch.error());
      if (batch->empty()) break;
      run.count += batch->size();
      if (Status done = (*merged_file)->write(std::as_bytes(*batch)); !done) return done;
    }
    merged.push_back(run);
  }
  runs_ = std::move(merged);
  file_ = std::move(*merged_file);
  return file_->flush();
}

Status PostingSorter::prepare() {
  reading_ = true;
  if (runs_.empty()) {
    sort_buffer();
    other_ = {};
    return {};
  }
  Status done;
  if (size_ > 0) done = spill();
  buffer_ = {};
  other_ = {};
  if (done) done = file_->flush();
  while (done && runs_.size() > RunMerger::most_runs(memory_)) done = merge_some_runs();
  merger_.emplace(*file_, runs_, memory_);
  return done;
}

Result<std::span<const Posting>> PostingSorter::next() {
  if (!reading_) {
    if (Status done = prepare(); !done) return std::unexpected(done.error());
    if (!merger_) return buffer_.first(size_);
  }
  if (merger_) return merger_->next();
  buffer_ = {};
  return buffer_.first(0);
}

}  // namespace souk::build
