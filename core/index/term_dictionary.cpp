// SPDX-License-Identifier: Apache-2.0
#include "core/index/term_dictionary.h"

#include <array>
#include <cstring>

#include "core/base/hash.h"
#include "core/index/fields.h"

namespace souk::index {

namespace {

// The longest walk through the table. Terms that find no place within it are left to the binary search: so no choice of
// terms, however unlucky or malicious, makes opening or looking up slow.
constexpr uint64_t kMostProbes = 64;

// A length of up to 15 lies in its half of an entry's first byte, a greater one takes another byte.
constexpr uint32_t kInNibble = 15;

size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t i = 0;
  while (i < limit && a[i] == b[i]) ++i;
  return i;
}

struct Entry {
  uint32_t shared = 0;  // bytes in common with the term before
  std::string_view rest;
  size_t size() const { return shared + rest.size(); }
};

}  // namespace

// Reads a block's terms one after the other.
class TermDictionary::BlockReader {
 public:
  explicit BlockReader(std::string_view bytes) : rest_(bytes) {}

  // False where the bytes end before the entry does.
  bool next(Entry& entry) {
    uint32_t shared = 0;
    uint32_t size = 0;
    if (rest_.empty()) return false;
    const auto lengths = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    if (!length(lengths >> 4, shared) || !length(lengths & kInNibble, size)) return false;
    ++size;  // an entry adds at least one byte to what it shares
    if (size > rest_.size()) return false;
    entry = {shared, rest_.substr(0, size)};
    rest_.remove_prefix(size);
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  bool length(uint32_t nibble, uint32_t& out) {
    out = nibble;
    if (nibble != kInNibble) return true;
    if (rest_.empty()) return false;
    out += static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

Result<TermDictionary> TermDictionary::open(const Container& file, SectionId blocks, SectionId bytes, uint64_t terms) {
  if (terms >= kNoOrdinal) return corrupt("too many terms", blocks);
  TermDictionary dictionary;
  dictionary.terms_ = static_cast<uint32_t>(terms);
  auto offsets = Column::open(file, blocks, uint64_t{dictionary.blocks()} + 1);
  if (!offsets) return std::unexpected(offsets.error());
  auto text = file.section(bytes);
  if (!text) return std::unexpected(text.error());
  dictionary.offsets_ = *offsets;
  dictionary.bytes_ = {reinterpret_cast<const char*>(text->data()), text->size()};
  if ((*offsets)[0] != 0 || (*offsets)[dictionary.blocks()] != text->size()) {
    return corrupt("the blocks do not span the terms", blocks);
  }
  for (uint32_t block = 0; block < dictionary.blocks(); ++block) {
    if ((*offsets)[block + 1] <= (*offsets)[block] || (*offsets)[block + 1] > text->size()) {
      return corrupt("the blocks are not in ascending order", blocks);
    }
  }
  if (Status done = dictionary.check_and_index(bytes); !done) return std::unexpected(done.error());
  return dictionary;
}

Status TermDictionary::check_and_index(SectionId bytes) {
  // Ten slots for seven terms: short walks at 11.4 bytes a term.
  slots_.assign(uint64_t{terms_} * 10 / 7 + 1, Slot{0, kNoOrdinal});
  std::array<char, kMaxTermBytes> term{};
  size_t size = 0;  // of the term before
  std::array<uint64_t, kBlock> hashes{};
  for (uint32_t block = 0; block < blocks(); ++block) {
    BlockReader reader(bytes_.substr(offsets_[block], offsets_[block + 1] - offsets_[block]));
    const uint32_t count = terms_of(block);
    for (uint32_t i = 0; i < count; ++i) {
      Entry entry;
      if (!reader.next(entry)) return corrupt("a block ends within a term", bytes);
      if (entry.shared > size || entry.size() > kMaxTermBytes) return corrupt("a term's length is wrong", bytes);
      if (i == 0) {
        if (entry.shared != 0) return corrupt("a block's first term is not whole", bytes);
        if (block > 0 && entry.rest <= std::string_view(term.data(), size)) {
          return corrupt("the terms are not in ascending order", bytes);
        }
      } else if (entry.shared < size &&
                 static_cast<uint8_t>(entry.rest[0]) <= static_cast<uint8_t>(term[entry.shared])) {
        return corrupt("the terms are not in ascending order, or share more than is said", bytes);
      }
      std::ranges::copy(entry.rest, term.begin() + entry.shared);
      size = entry.size();
      hashes[i] = xxh3(std::string_view(term.data(), size));
      __builtin_prefetch(&slots_[slot_of(hashes[i])], 1);
    }
    if (!reader.at_end()) return corrupt("a block has bytes behind its terms", bytes);
    for (uint32_t i = 0; i < count; ++i) insert(hashes[i], block * kBlock + i);
  }
  return {};
}

// The upper bits choose the place and the lower ones are the fingerprint.
uint64_t TermDictionary::slot_of(uint64_t hash) const {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * slots_.size()) >> 64);
}

void TermDictionary::insert(uint64_t hash, uint32_t ordinal) {
  uint64_t at = slot_of(hash);
  for (uint64_t probe = 0; probe < kMostProbes; ++probe) {
    if (slots_[at].ordinal == kNoOrdinal) {
      slots_[at] = {static_cast<uint32_t>(hash), ordinal};
      return;
    }
    if (++at == slots_.size()) at = 0;
  }
}

std::optional<uint32_t> TermDictionary::find(std::string_view term) const {
  if (terms_ == 0) return std::nullopt;
  const uint64_t hash = xxh3(term);
  uint64_t at = slot_of(hash);
  for (uint64_t probe = 0; probe < kMostProbes; ++probe) {
    const Slot& slot = slots_[at];
    if (slot.ordinal == kNoOrdinal) return std::nullopt;
    if (slot.fingerprint == static_cast<uint32_t>(hash) && is(slot.ordinal, term)) return slot.ordinal;
    if (++at == slots_.size()) at = 0;
  }
  const uint32_t ordinal = lower_bound(term);
  if (ordinal < terms_ && is(ordinal, term)) return ordinal;
  return std::nullopt;
}

std::string_view TermDictionary::head(uint32_t block) const {
  Entry entry;
  BlockReader(bytes_.substr(offsets_[block])).next(entry);
  return entry.rest;
}

bool TermDictionary::is(uint32_t ordinal, std::string_view term) const {
  BlockReader reader(bytes_.substr(offsets_[ordinal / kBlock]));
  std::array<Entry, kBlock> entries;
  uint32_t i = 0;
  while (reader.next(entries[i]) && i < ordinal % kBlock) ++i;
  if (entries[i].size() != term.size()) return false;
  // Backwards: the end of the term is the entry's own, what it shares is of one before.
  for (size_t missing = term.size(); missing > 0; --i) {
    const Entry& entry = entries[i];
    if (entry.shared >= missing) continue;
    const size_t size = missing - entry.shared;
    if (entry.rest.substr(0, size) != term.substr(entry.shared, size)) return false;
    missing = entry.shared;
  }
  return true;
}

uint32_t TermDictionary::lower_bound(std::string_view term) const {
  uint32_t begin = 0;
  uint32_t end = blocks();  // the first block whose head is beyond the term
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (head(middle) <= term) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (end == 0) return 0;
  const uint32_t block = end - 1;
  BlockReader reader(bytes_.substr(offsets_[block]));
  Entry entry;
  size_t matched = 0;
  for (uint32_t i = 0; i < terms_of(block) && reader.next(entry); ++i) {
    if (entry.shared > matched) continue;                   // less, as the one before
    if (entry.shared < matched) return block * kBlock + i;  // it departs from the term upwards
    const std::string_view wanted = term.substr(matched);
    if (entry.rest >= wanted) return block * kBlock + i;
    matched += common_prefix(entry.rest, wanted);
  }
  return block * kBlock + terms_of(block);
}

std::string TermDictionary::term(uint32_t ordinal) const {
  BlockReader reader(bytes_.substr(offsets_[ordinal / kBlock]));
  Entry entry;
  std::string term;
  for (uint32_t i = 0; i <= ordinal % kBlock && reader.next(entry); ++i) {
    term.resize(entry.shared);
    term += entry.rest;
  }
  return term;
}

TermDictionary::Range TermDictionary::with_prefix(std::string_view prefix) const {
  // The least string beyond all that begin so: the last byte that can be raised is, and what follows it is dropped.
  std::string beyond(prefix);
  while (!beyond.empty() && static_cast<uint8_t>(beyond.back()) == 0xFF) beyond.pop_back();
  if (beyond.empty()) return {lower_bound(prefix), terms_};
  beyond.back() = static_cast<char>(static_cast<uint8_t>(beyond.back()) + 1);
  return {lower_bound(prefix), lower_bound(beyond)};
}

uint64_t TermDictionary::memory_bytes() const {
  return slots_.capacity() * sizeof(Slot);
}

namespace {

// A code point as its bytes. How many there are is for the first byte alone to say, so that a code point within a
// prefix does not depend on what follows; bytes that are no UTF-8 are compared all the same.
struct Symbol {
  uint32_t value;
  uint32_t end;  // where the first byte says it ends: beyond the text where that is cut short
};

Symbol symbol_at(std::string_view text, uint32_t at) {
  const auto first = static_cast<uint8_t>(text[at]);
  const uint32_t size = first < 0xC0 || first >= 0xF8 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  Symbol symbol{0, at + size};
  for (uint32_t i = at; i < symbol.end && i < text.size(); ++i) {
    symbol.value = symbol.value << 8 | static_cast<uint8_t>(text[i]);
  }
  return symbol;
}

}  // namespace

// Goes through the blocks with the matrix of Levenshtein's distance between the term that is looked for (columns) and
// the term at hand (rows, one per code point). Only the band of 2 x distance + 1 cells around the diagonal can be
// within the distance.
class TermDictionary::SimilarWalk {
 public:
  SimilarWalk(const TermDictionary& dictionary, std::string_view term, uint32_t distance)
      : dictionary_(dictionary), distance_(static_cast<int>(distance)), wanted_(kMargin, kNothing) {
    for (uint32_t at = 0; at < term.size();) {
      const Symbol symbol = symbol_at(term, at);
      wanted_.push_back(symbol.value);
      at = symbol.end;
    }
    length_ = static_cast<int>(wanted_.size()) - kMargin;
    wanted_.resize(wanted_.size() + kMargin, kNothing);
    rows_[0].fill(kFar);
    for (int j = 0; j <= distance_ && j <= length_; ++j) rows_[0][cell(0, j)] = static_cast<uint8_t>(j);
  }

  SimilarTerms run(size_t most, const std::function<bool()>& out_of_time) {
    SimilarTerms found;
    uint32_t steps = 0;
    for (uint32_t block = 0; block < dictionary_.blocks(); block = next(block)) {
      if (steps++ % kStepsPerQuestion == 0 && out_of_time && out_of_time()) {
        found.complete = false;
        return found;
      }
      if (!walk(block, most, found)) return found;
    }
    return found;
  }

 private:
  static constexpr int kMargin = 2;                 // the greatest distance
  static constexpr uint32_t kNothing = 0xFFFFFFFF;  // equal to no symbol: no first byte 0xFF takes four
  static constexpr uint8_t kFar = 100;
  static constexpr uint32_t kStepsPerQuestion = 16;  // blocks
  // Cell 1 + distance + j - i of row i is for column j; the outer two cells are never near.
  using Row = std::array<uint8_t, 2 * kMargin + 3>;
  size_t cell(int i, int j) const { return static_cast<size_t>(1 + distance_ + j - i); }

  // One block. False when `most` ends the search.
  bool walk(uint32_t block, size_t most, SimilarTerms& found) {
    BlockReader reader(dictionary_.bytes_.substr(dictionary_.offsets_[block]));
    Entry entry;
    for (uint32_t i = 0; i < dictionary_.terms_of(block) && reader.next(entry); ++i) {
      if (i == 0) entry.shared = static_cast<uint32_t>(common_prefix(entry.rest, known()));
      if (far_ != 0 && entry.shared >= far_) continue;
      if (i == 0) entry.rest.remove_prefix(entry.shared);
      std::ranges::copy(entry.rest, term_.begin() + entry.shared);
      size_ = static_cast<uint32_t>(entry.size());
      advance(entry.shared);
      if (far_ != 0) continue;
      const int over = length_ - static_cast<int>(depth_);
      if (over < -distance_ || over > distance_) continue;
      const uint8_t distance = rows_[depth_][cell(static_cast<int>(depth_), length_)];
      if (distance > distance_) continue;
      if (found.terms.size() == most) {
        found.complete = false;
        return false;
      }
      found.terms.push_back({block * kBlock + i, distance});
    }
    return true;
  }

  // Keeps the rows of the whole code points within `shared` bytes, and adds those behind them until the term ends or no
  // cell is within the distance.
  void advance(uint32_t shared) {
    while (ends_[depth_] > shared) --depth_;
    far_ = 0;
    for (uint32_t at = ends_[depth_]; at < size_;) {
      const Symbol symbol = symbol_at({term_.data(), size_}, at);
      const bool near = add_row(symbol.value);
      ends_[depth_] = at = symbol.end;
      if (!near) {
        far_ = symbol.end;
        return;
      }
    }
  }

  bool add_row(uint32_t symbol) {
    const Row& above = rows_[depth_];
    Row& row = rows_[++depth_];
    row.fill(kFar);
    const int i = static_cast<int>(depth_);
    const int last = std::min(length_, i + distance_);
    uint8_t least = kFar;
    // wanted_[kMargin + j - 1] is the symbol of column j.
    for (int j = i - distance_; j <= last; ++j) {
      const size_t at = cell(i, j);
      const int changed = above[at] + (j > 0 && wanted_[static_cast<size_t>(kMargin + j - 1)] == symbol ? 0 : 1);
      const int added = std::min(above[at + 1], row[at - 1]) + 1;
      row[at] = static_cast<uint8_t>(std::min(changed, added));
      least = std::min(least, row[at]);
    }
    return least <= distance_;
  }

  // What is known of the term before: of one that is too far off only as much as made it so.
  std::string_view known() const { return {term_.data(), far_ == 0 ? size_ : std::min(far_, size_)}; }

  // The next block to go through: past those that lie wholly within the prefix that is too far off.
  uint32_t next(uint32_t block) const {
    const std::string_view prefix = known();
    const auto skipped = [&](uint32_t b) {
      return b < dictionary_.blocks() && dictionary_.head(b).starts_with(prefix);
    };
    if (far_ == 0 || far_ > size_ || !skipped(block + 1)) return block + 1;
    uint32_t within = block + 1;
    uint32_t step = 1;
    while (skipped(within + step)) {
      within += step;
      step *= 2;
    }
    uint32_t beyond = within + step;
    while (beyond - within > 1) {
      const uint32_t middle = within + (beyond - within) / 2;
      if (skipped(middle)) {
        within = middle;
      } else {
        beyond = middle;
      }
    }
    return within;  // its last terms may be beyond the prefix
  }

  const TermDictionary& dictionary_;
  int distance_;
  std::vector<uint32_t> wanted_;  // symbols, with a margin on both sides
  int length_ = 0;                // symbols
  std::array<char, kMaxTermBytes> term_{};
  uint32_t size_ = 0;
  uint32_t far_ = 0;    // bytes of the term whose row has no cell within the distance; 0: it has no such row
  uint32_t depth_ = 0;  // rows behind the first
  std::array<Row, kMaxTermBytes + 1> rows_{};
  std::array<uint32_t, kMaxTermBytes + 1> ends_{};  // bytes that a row's code points take
};

TermDictionary::SimilarTerms TermDictionary::similar(std::string_view term, uint32_t distance, size_t most,
                                                     const std::function<bool()>& out_of_time) const {
  // Longer ones are too far from every term (and bound nothing else below).
  if (term.size() > 4 * (kMaxTermBytes + 2)) return {};
  return SimilarWalk(*this, term, std::min(distance, 2U)).run(most, out_of_time);
}

void TermDictionaryWriter::add(std::string_view term) {
  if (term.empty() || term.size() > TermDictionary::kMaxTermBytes || (terms_ > 0 && term <= last_)) {
    if (status_) status_ = fail(ErrorCode::kInternal, "a term is out of order, empty or too long");
    return;
  }
  const bool whole = terms_++ % TermDictionary::kBlock == 0;
  if (whole) offsets_.push_back(bytes_.size());
  const size_t shared = whole ? 0 : common_prefix(term, last_);
  const size_t more = term.size() - shared - 1;
  const size_t shared_nibble = std::min<size_t>(shared, kInNibble);
  const size_t more_nibble = std::min<size_t>(more, kInNibble);
  bytes_ += static_cast<char>(shared_nibble << 4 | more_nibble);
  if (shared_nibble == kInNibble) bytes_ += static_cast<char>(shared - kInNibble);
  if (more_nibble == kInNibble) bytes_ += static_cast<char>(more - kInNibble);
  bytes_ += term.substr(shared);
  last_ = term;
}

Status TermDictionaryWriter::write(ContainerWriter& file, SectionId blocks, SectionId bytes) const {
  if (!status_) return status_;
  std::vector<uint64_t> offsets = offsets_;
  offsets.push_back(bytes_.size());
  if (Status done = write_column(file, blocks, offsets); !done) return done;
  return file.add(bytes, Coding::kPlain, std::as_bytes(std::span(bytes_)));
}

}  // namespace souk::index
