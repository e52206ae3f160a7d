// SPDX-License-Identifier: Apache-2.0
#include "core/index/posting_writer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/index/posting_checks.h"

namespace souk::index {

namespace {

constexpr size_t kFlushBytes = 64 * 1024;

// One set of lists on its way into a file.
class ListsWriter {
 public:
  ListsWriter(ContainerWriter& file, const PostingSections& sections, uint32_t documents)
      : file_(file), sections_(sections), documents_(documents) {}

  Status write(PostingSource& source);

 private:
  Status add(const Posting& posting);
  Status close_list();
  Status write_short(TermEntry& entry);
  Status write_chunks(TermEntry& entry);
  Status write_chunk(uint32_t first, uint32_t end);
  void add_array(uint32_t first, uint32_t end);
  void add_bitmap(uint32_t first, uint32_t end);
  void add_weights(uint32_t first, uint32_t end);
  template <typename T>
  void add_bytes(const T* values, size_t count) {
    const auto bytes = std::as_bytes(std::span(values, count));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  uint8_t most(uint32_t first, uint32_t end) const {
    return first == end || !sections_.weighted ? uint8_t{0}
                                               : *std::max_element(impacts_.begin() + first, impacts_.begin() + end);
  }
  uint64_t end() const { return at_ + bytes_.size(); }
  Status flush();
  Status flush_when_full() { return bytes_.size() < kFlushBytes ? Status{} : flush(); }

  ContainerWriter& file_;
  PostingSections sections_;
  uint32_t documents_;
  uint64_t at_ = 0;  // bytes handed over
  std::vector<uint32_t> terms_;
  std::vector<TermEntry> entries_;
  std::vector<Chunk> chunks_;
  std::vector<std::byte> bytes_;  // not yet handed over
  // The list that is being gathered.
  uint32_t term_ = 0;
  std::vector<uint32_t> docs_;
  std::vector<uint8_t> impacts_, masks_;
};

Status ListsWriter::write(PostingSource& source) {
  Status done = file_.begin(sections_.bytes, Coding::kLists);
  while (done) {
    const auto batch = source.next();
    if (!batch) return std::unexpected(batch.error());
    if (batch->empty()) break;
    for (size_t i = 0; i < batch->size() && done; ++i) done = add((*batch)[i]);
  }
  if (done) done = close_list();
  bytes_.resize(bytes_.size() + kOverRead);
  if (done) done = flush();
  if (done) done = file_.end();
  if (done) done = file_.add(sections_.terms, terms_);
  if (done) done = file_.add(sections_.entries, entries_);
  if (done) done = file_.add(sections_.chunks, chunks_);
  return done;
}

Status ListsWriter::add(const Posting& posting) {
  const bool first = docs_.empty();
  const bool ascends = first || posting.term > term_ || (posting.term == term_ && posting.doc > docs_.back());
  const bool weights_right =
      sections_.weighted ? posting.impact > 0 && posting.mask > 0 : posting.impact == 0 && posting.mask == 0;
  if (!ascends || posting.doc >= documents_ || !weights_right) {
    return fail(ErrorCode::kInternal, "postings are out of order or bounds", std::string(name_of(sections_.bytes)));
  }
  if (!first && posting.term != term_) {
    if (Status done = close_list(); !done) return done;
  }
  term_ = posting.term;
  docs_.push_back(posting.doc);
  if (sections_.weighted) {
    impacts_.push_back(posting.impact);
    masks_.push_back(posting.mask);
  }
  return {};
}

Status ListsWriter::close_list() {
  if (docs_.empty()) return {};
  const auto df = static_cast<uint32_t>(docs_.size());
  TermEntry entry;
  entry.df = df;
  entry.max_impact = most(0, df);
  Status done;
  switch (list_kind(df, documents_)) {
    case ListKind::kSingle:
      entry.at = docs_[0] | (sections_.weighted ? uint64_t{masks_[0]} << 32 : 0);
      break;
    case ListKind::kShort:
      done = write_short(entry);
      break;
    case ListKind::kChunked:
      done = write_chunks(entry);
      break;
  }
  terms_.push_back(term_);
  entries_.push_back(entry);
  docs_.clear();
  impacts_.clear();
  masks_.clear();
  return done;
}

Status ListsWriter::flush() {
  at_ += bytes_.size();
  Status done = file_.append(bytes_);
  bytes_.clear();
  return done;
}

Status ListsWriter::write_short(TermEntry& entry) {
  uint32_t widest = 0;
  uint32_t next = 0;
  for (const uint32_t doc : docs_) {
    widest |= doc - next;
    next = doc + 1;
  }
  entry.gap_bits = static_cast<uint8_t>(std::bit_width(widest));
  entry.at = end();
  uint64_t waiting = 0;  // bits that are not yet a whole byte
  uint32_t bits = 0;
  next = 0;
  for (const uint32_t doc : docs_) {
    waiting |= uint64_t{doc - next} << bits;
    next = doc + 1;
    for (bits += entry.gap_bits; bits >= 8; bits -= 8, waiting >>= 8) bytes_.push_back(static_cast<std::byte>(waiting));
  }
  if (bits > 0) bytes_.push_back(static_cast<std::byte>(waiting));
  add_weights(0, entry.df);
  return flush_when_full();
}

Status ListsWriter::write_chunks(TermEntry& entry) {
  entry.at = chunks_.size();
  uint32_t first = 0;
  while (first < entry.df) {
    const uint32_t key = docs_[first] >> kChunkBits;
    uint32_t end = first;
    while (end < entry.df && docs_[end] >> kChunkBits == key) ++end;
    if (Status done = write_chunk(first, end); !done) return done;
    first = end;
  }
  entry.chunks_less_one = static_cast<uint16_t>(chunks_.size() - entry.at - 1);
  return {};
}

Status ListsWriter::write_chunk(uint32_t first, uint32_t end) {
  const bool bitmap = end - first > kMostInArray;
  while (this->end() % chunk_alignment(bitmap) != 0) bytes_.push_back(std::byte{0});
  Chunk chunk;
  chunk.at = this->end();
  chunk.key = static_cast<uint16_t>(docs_[first] >> kChunkBits);
  chunk.count_less_one = static_cast<uint16_t>(end - first - 1);
  chunk.max_impact = most(first, end);
  chunks_.push_back(chunk);
  if (bitmap) {
    add_bitmap(first, end);
  } else {
    add_array(first, end);
  }
  add_weights(first, end);
  return flush_when_full();
}

void ListsWriter::add_array(uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; ++i) {
    const auto low = static_cast<uint16_t>(docs_[i]);
    add_bytes(&low, 1);
  }
  const uint32_t bits = bucket_bits(end - first);
  uint16_t start = 0;
  for (uint32_t bucket = 0; bucket < buckets(end - first); ++bucket) {
    while (first + start < end && static_cast<uint16_t>(docs_[first + start]) >> bits < bucket) ++start;
    add_bytes(&start, 1);
  }
  if (buckets(end - first) != 0) {
    start = static_cast<uint16_t>(end - first);
    add_bytes(&start, 1);
  }
  if (!sections_.weighted || end - first <= kBlockPostings) return;
  for (uint32_t i = first; i < end; i += kBlockPostings) {
    const uint8_t maximum = most(i, std::min(end, i + kBlockPostings));
    add_bytes(&maximum, 1);
  }
}

void ListsWriter::add_bitmap(uint32_t first, uint32_t end) {
  std::array<uint64_t, kBitmapWords> words{};
  std::array<uint16_t, kChunkDocuments / kRankBits> ranks{};
  std::array<uint8_t, kChunkDocuments / kWindowDocuments> maxima{};
  for (uint32_t i = first; i < end; ++i) {
    const uint32_t low = docs_[i] % kChunkDocuments;
    words[low / 64] |= uint64_t{1} << (low % 64);
    if (!sections_.weighted) continue;
    uint8_t& maximum = maxima[low / kWindowDocuments];
    maximum = std::max(maximum, impacts_[i]);
  }
  uint32_t before = 0;
  for (uint32_t word = 0; word < kBitmapWords; ++word) {
    if (word % (kRankBits / 64) == 0) ranks[word / (kRankBits / 64)] = static_cast<uint16_t>(before);
    before += static_cast<uint32_t>(std::popcount(words[word]));
  }
  add_bytes(words.data(), words.size());
  add_bytes(ranks.data(), ranks.size());
  if (sections_.weighted) add_bytes(maxima.data(), maxima.size());
}

void ListsWriter::add_weights(uint32_t first, uint32_t end) {
  if (!sections_.weighted) return;
  add_bytes(impacts_.data() + first, end - first);
  add_bytes(masks_.data() + first, end - first);
}

}  // namespace

Result<std::span<const Posting>> PostingVector::next() {
  if (done_) return std::span<const Posting>();
  done_ = true;
  std::ranges::sort(postings_);
  return std::span<const Posting>(postings_);
}

Status write_posting_lists(ContainerWriter& file, const PostingSections& sections, uint32_t documents,
                           PostingSource& source) {
  return ListsWriter(file, sections, documents).write(source);
}

}  // namespace souk::index
