// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/index/lists_file.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

namespace souk::test {

namespace {

using index::ChunkView;

// Hands over a few postings at a time.
class Batches final : public index::PostingSource {
 public:
  explicit Batches(std::span<const index::Posting> postings) : rest_(postings) {}
  Result<std::span<const index::Posting>> next() override {
    constexpr size_t kBatch = 100;
    const auto batch = rest_.first(std::min(kBatch, rest_.size()));
    rest_ = rest_.subspan(batch.size());
    return batch;
  }

 private:
  std::span<const index::Posting> rest_;
};

std::vector<uint32_t> documents_of(const ChunkView& view) {
  std::vector<uint32_t> docs;
  for (uint32_t low = 0; low < index::kChunkDocuments && view.bits != nullptr; ++low) {
    if ((view.bits[low / 64] >> (low % 64) & 1) != 0) docs.push_back(low);
  }
  if (view.docs != nullptr) docs.assign(view.docs, view.docs + view.count);
  for (uint32_t& doc : docs) doc |= view.key << index::kChunkBits;
  return docs;
}

std::string wrong_in_bitmap(const ChunkView& view, const std::vector<uint32_t>& docs) {
  if (view.ranks == nullptr || view.count <= index::kMostInArray) return "a bitmap without ranks or need";
  for (uint32_t run = 0; run < index::kChunkDocuments / index::kRankBits; ++run) {
    const auto before = std::ranges::count_if(
        docs, [&](uint32_t doc) { return doc % index::kChunkDocuments < run * index::kRankBits; });
    if (view.ranks[run] != before) return "a rank";
  }
  return "";
}

// What the view says about itself against its own postings.
std::string wrong_in(const ChunkView& view, bool weighted, bool chunked) {
  if ((view.docs == nullptr) == (view.bits == nullptr)) return "neither or both containers";
  const std::vector<uint32_t> docs = documents_of(view);
  if (docs.size() != view.count || view.count == 0) return "the count";
  if (view.bits != nullptr) {
    if (const std::string wrong = wrong_in_bitmap(view, docs); !wrong.empty()) return wrong;
  }
  if (!weighted) {
    const bool none =
        view.impacts == nullptr && view.masks == nullptr && view.maxima == nullptr && view.max_impact == 0;
    return none ? "" : "weights where there are none";
  }
  if (view.max_impact != *std::max_element(view.impacts, view.impacts + view.count)) return "the greatest impact";
  const bool has_maxima = view.bits != nullptr || (chunked && view.count > index::kBlockPostings);
  if ((view.maxima != nullptr) != has_maxima) return "maxima where there are none, or none";
  std::map<uint32_t, uint8_t> maxima;
  for (uint32_t i = 0; i < view.count; ++i) {
    uint8_t& maximum = maxima[view.bits != nullptr ? docs[i] % index::kChunkDocuments / index::kWindowDocuments
                                                   : i / index::kBlockPostings];
    maximum = std::max(maximum, view.impacts[i]);
  }
  constexpr uint32_t kWindows = index::kChunkDocuments / index::kWindowDocuments;
  for (uint32_t window = 0; window < kWindows && view.bits != nullptr; ++window) maxima[window];  // 0 where it is empty
  for (const auto& [place, maximum] : maxima) {
    if (has_maxima && view.maxima[place] != maximum) return "a block's greatest impact";
  }
  return "";
}

}  // namespace

std::vector<uint32_t> some_documents(uint32_t df, uint32_t begin, uint32_t end, std::mt19937& random) {
  std::vector<uint32_t> docs;
  uint32_t wanted = df;
  for (uint32_t doc = begin; doc < end && wanted > 0; ++doc) {
    if (std::uniform_int_distribution<uint32_t>(1, end - doc)(random) > wanted) continue;
    docs.push_back(doc);
    --wanted;
  }
  return docs;
}

void add_list(Postings& postings, uint32_t term, const std::vector<uint32_t>& docs, bool weighted,
              std::mt19937& random) {
  std::geometric_distribution<uint32_t> impact(0.05);
  for (const uint32_t doc : docs) {
    const auto weight = static_cast<uint8_t>(std::min(255U, 1 + impact(random)));
    const auto mask = static_cast<uint8_t>(1 + random() % index::kMainMask);
    postings.push_back({term, doc, weighted ? weight : uint8_t{0}, weighted ? mask : uint8_t{0}});
  }
}

ListsFile write_lists(uint32_t documents, const index::PostingSections& sections, const Postings& postings) {
  ListsFile file{{}, documents, sections};
  index::ContainerWriter writer(index::FileKind::kShard, into(file.bytes));
  Batches source(postings);
  SOUK_CHECK(index::write_posting_lists(writer, sections, documents, source).has_value());
  SOUK_CHECK(writer.finish().has_value());
  return file;
}

Result<index::PostingLists> open_lists(index::Bytes file, const ListsFile& like) {
  auto container = index::Container::open(file, index::FileKind::kShard);
  if (!container) return std::unexpected(container.error());
  return index::PostingLists::open(*container, like.sections, like.documents, kListTerms, index::kMainMask);
}

Postings decode_all(const index::PostingLists& lists) {
  Postings all;
  for (uint32_t list = 0; list < lists.size(); ++list) {
    const index::DecodedList decoded = lists.decode(list);
    for (size_t i = 0; i < decoded.docs.size(); ++i) {
      const bool weighted = !decoded.impacts.empty();
      all.push_back({lists.term(list), decoded.docs[i], weighted ? decoded.impacts[i] : uint8_t{0},
                     weighted ? decoded.masks[i] : uint8_t{0}});
    }
  }
  return all;
}

std::string read_views(const index::PostingLists& lists, Postings& read) {
  std::vector<uint16_t> room(index::kMostInShortList + 32);
  for (uint32_t list = 0; list < lists.size(); ++list) {
    const bool weighted = lists.entry(list).max_impact > 0;
    const bool chunked = lists.kind(list) == index::ListKind::kChunked;
    std::vector<ChunkView> views;
    if (chunked) {
      for (const index::Chunk& chunk : lists.chunks(list)) views.push_back(lists.view(chunk));
    } else {
      lists.unpack(list, room.data(), views);
    }
    uint32_t next_key = 0;
    for (const ChunkView& view : views) {
      if (view.key < next_key) return "the keys";
      next_key = view.key + 1;
      if (const std::string wrong = wrong_in(view, weighted, chunked); !wrong.empty()) return wrong;
      const std::vector<uint32_t> docs = documents_of(view);
      for (uint32_t i = 0; i < view.count; ++i) {
        read.push_back({lists.term(list), docs[i], weighted ? view.impacts[i] : uint8_t{0},
                        weighted ? view.masks[i] : uint8_t{0}});
      }
    }
  }
  return "";
}

}  // namespace souk::test
