// SPDX-License-Identifier: Apache-2.0
// Posting lists as they lie in a shard file (docs/index-format.md, ADR 0007): cut into chunks of 65,536 documents, so
// that a document is 16 bits within its chunk and needs no decoding (after Roaring: Chambi, Lemire, Kaser, Godin,
// "Better bitmap performance with Roaring bitmaps", 2016; impacts and block maxima after Ding, Suel, "Faster top-k
// document retrieval using block-max indexes", 2011).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/index/container.h"
#include "core/index/fields.h"

namespace souk::index {

inline constexpr uint32_t kChunkBits = 16;
inline constexpr uint32_t kChunkDocuments = 1U << kChunkBits;
inline constexpr uint32_t kBlockPostings = 256;     // of an array chunk, with a maximum of their own
inline constexpr uint32_t kWindowDocuments = 4096;  // of a bitmap chunk, likewise
inline constexpr uint32_t kMostInArray = 4096;      // postings; a chunk with more is a bitmap
inline constexpr uint32_t kBitmapWords = kChunkDocuments / 64;
inline constexpr uint32_t kRankBits = 512;  // documents of a bitmap chunk between two counts
inline constexpr uint32_t kWindows = kChunkDocuments / kWindowDocuments;
inline constexpr uint32_t kWindowWords = kWindowDocuments / 64;
inline constexpr uint32_t kRanksPerWindow = kWindowDocuments / kRankBits;
// Array chunks say where each run of 1 << bits documents begins, so that a document is looked for among some 32
// postings at once; one with few postings does without (16 bits).
constexpr uint32_t bucket_bits(uint32_t count) {
  return count > 512 ? 10 : count > 64 ? 12 : kChunkBits;
}
inline constexpr uint32_t kMostInShortList = 1024;  // postings
inline constexpr uint32_t kOverRead = 64;  // zero bytes behind the postings, so that kernels may read beyond a list

// How a term's list is stored; a function of (df, documents of the shard) alone.
enum class ListKind : uint8_t {
  kSingle,   // in the entry
  kShort,    // one run of bit-packed gaps: up to 8 postings per chunk of the shard, at most kMostInShortList
  kChunked,  // a directory of chunks
};
ListKind list_kind(uint32_t df, uint32_t documents);

// One term's entry. 16 bytes.
struct TermEntry {
  uint32_t df = 0;               // postings, >= 1
  uint16_t chunks_less_one = 0;  // kChunked
  uint8_t max_impact = 0;        // over all postings; 0 in lists without weights
  uint8_t gap_bits = 0;          // kShort: 0..32 bits per gap
  uint64_t at = 0;  // kSingle: document | mask << 32; kShort: where its bytes begin; kChunked: its first chunk
};
static_assert(sizeof(TermEntry) == 16);

// Directory entry of one chunk. 16 bytes.
struct Chunk {
  uint64_t at = 0;              // where its bytes begin: even for an array, a multiple of 8 for a bitmap
  uint16_t key = 0;             // document >> 16
  uint16_t count_less_one = 0;  // postings
  uint8_t max_impact = 0;
  uint8_t unused[3] = {};  // zero
};
static_assert(sizeof(Chunk) == 16);

// The postings of one list in one chunk, ready to be read. Exactly one of docs and bits is set. Arrays run parallel; 64
// bytes behind each may be read. A short or single list looks like array chunks too, so that nothing else needs to
// know.
struct ChunkView {
  uint32_t key = 0;
  uint32_t count = 0;
  const uint16_t* docs = nullptr;    // document & 0xFFFF, ascending
  const uint16_t* starts = nullptr;  // with docs: where each bucket begins, and their count; null: there is only one
  const uint64_t* bits = nullptr;    // kBitmapWords
  const uint16_t* ranks = nullptr;   // with bits: postings before each run of kRankBits documents
  const uint8_t* maxima =
      nullptr;  // greatest impact of each block (docs) or window (bits); null: max_impact is all there is
  const uint8_t* impacts = nullptr;  // null in lists without weights
  const uint8_t* masks = nullptr;    // fields.h; null in lists without weights
  uint32_t max_impact = 0;
};

// A whole list as plain arrays.
struct DecodedList {
  std::vector<uint32_t> docs;           // ascending
  std::vector<uint8_t> impacts, masks;  // as many, or none in lists without weights
};

// Where the four sections of one set of lists are.
struct PostingSections {
  SectionId terms;    // u32, ascending: the term's ordinal (of the generation's lexicon or param values)
  SectionId entries;  // TermEntry, one per term
  SectionId chunks;   // Chunk
  SectionId bytes;
  bool weighted;  // with impacts, maxima and masks
};
inline constexpr PostingSections kMainLists{SectionId::kMainTerms, SectionId::kMainEntries, SectionId::kMainChunks,
                                            SectionId::kMainBytes, true};
inline constexpr PostingSections kDescriptionLists{SectionId::kDescriptionTerms, SectionId::kDescriptionEntries,
                                                   SectionId::kDescriptionChunks, SectionId::kDescriptionBytes, true};
inline constexpr PostingSections kParamLists{SectionId::kParamListTerms, SectionId::kParamListEntries,
                                             SectionId::kParamListChunks, SectionId::kParamListBytes, false};

inline constexpr PostingSections kCategoryLists{SectionId::kCategoryListTerms, SectionId::kCategoryListEntries,
                                                SectionId::kCategoryListChunks, SectionId::kCategoryListBytes, false};
inline constexpr PostingSections kVendorLists{SectionId::kVendorListTerms, SectionId::kVendorListEntries,
                                              SectionId::kVendorListChunks, SectionId::kVendorListBytes, false};

// Term ordinal -> posting list, in place. Immutable, thread-safe; the file's bytes must outlive it.
class PostingLists {
 public:
  // Checks everything: orders, bounds, counts, maxima, masks within allowed_mask, that the lists fill the bytes without
  // gaps or overlap, and that terms are below `terms`. kCorruption naming the section.
  static Result<PostingLists> open(const Container& file, const PostingSections& sections, uint32_t documents,
                                   uint64_t terms, uint8_t allowed_mask);

  uint32_t size() const { return static_cast<uint32_t>(terms_.size()); }  // lists
  uint32_t term(uint32_t list) const { return terms_[list]; }
  std::optional<uint32_t> find(uint32_t term) const;  // its list
  const TermEntry& entry(uint32_t list) const { return entries_[list]; }
  ListKind kind(uint32_t list) const { return list_kind(entries_[list].df, documents_); }
  uint64_t postings() const { return postings_; }

  // kChunked only.
  std::span<const Chunk> chunks(uint32_t list) const {
    return chunks_.subspan(entries_[list].at, entries_[list].chunks_less_one + 1U);
  }
  ChunkView view(const Chunk& chunk) const;

  // kSingle and kShort: the list as array chunks; docs (of at least df + 32 elements) takes the
  // documents, which the views point into. Appends at most df views. For kSingle impacts and masks point into the
  // entry.
  void unpack(uint32_t list, uint16_t* docs, std::vector<ChunkView>& views) const;

  DecodedList decode(uint32_t list) const;

 private:
  // 64 ordinals of the lexicon: which have a list, and how many before them do.
  struct Present {
    uint64_t terms = 0;
    uint64_t before = 0;
  };
  void mark_present();

  std::span<const uint32_t> terms_;
  std::vector<Present> present_;
  std::span<const TermEntry> entries_;
  std::span<const Chunk> chunks_;
  Bytes bytes_;
  uint32_t documents_ = 0;
  uint64_t postings_ = 0;
  bool weighted_ = false;
};

}  // namespace souk::index
