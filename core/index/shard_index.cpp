// SPDX-License-Identifier: Apache-2.0
#include "core/index/shard_index.h"

#include <algorithm>
#include <ranges>

namespace souk::index {

namespace {

constexpr int64_t kMaxPrice = 1'000'000'000'000'000;  // 10^15 minor units

Status check_ordinals(std::span<const uint32_t> values, uint64_t limit, SectionId id) {
  const bool right = std::ranges::all_of(values, [&](uint32_t value) { return value < limit || value == kNoOrdinal; });
  return right ? Status{} : corrupt("an ordinal is beyond the dictionary", id);
}

Status check_range(std::span<const int64_t> values, int64_t least, int64_t most, SectionId id) {
  const bool right = std::ranges::all_of(values, [&](int64_t value) { return value >= least && value <= most; });
  return right ? Status{} : corrupt("a value is out of its bounds", id);
}

// n + 1 offsets from 0 to size, not descending, each list holding at least `least`.
Status check_offsets(std::span<const uint64_t> offsets, uint64_t size, uint64_t least, SectionId id) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != size)
    return corrupt("the offsets do not span the lists", id);
  for (size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1] || offsets[i] > size) return corrupt("the offsets descend", id);
    if (offsets[i] - offsets[i - 1] < least) return corrupt("a list is empty", id);
  }
  return {};
}

bool strictly_ascending(std::ranges::random_access_range auto values) {
  return std::ranges::adjacent_find(values, [](auto a, auto b) { return a >= b; }) == std::ranges::end(values);
}

SectionId after(SectionId base, uint32_t steps) {
  return static_cast<SectionId>(static_cast<uint32_t>(base) + steps);
}

}  // namespace

Result<PostingLists> PostingLists::open(const Container& file, SectionId base, uint64_t documents,
                                        uint8_t allowed_mask) {
  PostingLists lists;
  auto terms = StringTable::open(file, base, after(base, 1), StringTable::Order::kAscending);
  if (!terms) return std::unexpected(terms.error());
  lists.terms_ = *terms;
  auto docs = file.array<uint32_t>(after(base, 3));
  if (!docs) return std::unexpected(docs.error());
  lists.docs_ = *docs;
  const uint64_t postings = lists.docs_.size();
  if (Status done = file.read(after(base, 2), uint64_t{terms->size()} + 1, lists.offsets_); !done)
    return std::unexpected(done.error());
  if (Status done = file.read(after(base, 4), postings, lists.impacts_); !done) return std::unexpected(done.error());
  if (Status done = file.read(after(base, 5), postings, lists.masks_); !done) return std::unexpected(done.error());
  if (Status done = check_offsets(lists.offsets_, postings, 1, after(base, 2)); !done)
    return std::unexpected(done.error());
  for (uint32_t term = 0; term < lists.terms(); ++term) {
    const PostingList list = lists.list(term);
    if (!strictly_ascending(list.docs) || list.docs.back() >= documents) {
      return corrupt("the documents of a term are out of order or bounds", after(base, 3));
    }
  }
  const bool masks_right =
      std::ranges::all_of(lists.masks_, [&](uint8_t mask) { return mask != 0 && (mask & ~allowed_mask) == 0; });
  if (!masks_right) return corrupt("a field mask names no field, or one that is not there", after(base, 5));
  return lists;
}

PostingList PostingLists::list(uint32_t ordinal) const {
  const uint64_t begin = offsets_[ordinal];
  const uint64_t size = offsets_[ordinal + 1] - begin;
  return {docs_.subspan(begin, size), impacts_.subspan(begin, size), masks_.subspan(begin, size)};
}

PostingList PostingLists::find(std::string_view term) const {
  const auto ordinal = terms_.find(term);
  return ordinal ? list(*ordinal) : PostingList{};
}

Result<ShardIndex> ShardIndex::open(Bytes bytes) {
  auto file = Container::open(bytes, FileKind::kShard);
  if (!file) return std::unexpected(file.error());
  ShardIndex index;
  std::span<const ShardStats> stats;
  if (Status done = file->read(SectionId::kStats, 1, stats); !done) return std::unexpected(done.error());
  index.stats_ = stats[0];
  constexpr uint64_t kMost = kNoOrdinal;  // document numbers and ordinals are 32 bits and one is "none"
  const ShardStats& s = index.stats_;
  if (s.shard < 1 || s.shard > s.shards || s.documents >= kMost || s.groups > s.documents || s.categories >= kMost ||
      s.vendors >= kMost || s.shops >= kMost || s.param_values >= kMost) {
    return corrupt("a count is out of its bounds", SectionId::kStats);
  }
  auto main = PostingLists::open(*file, SectionId::kMainTermOffsets, s.documents, kMainMask);
  if (!main) return std::unexpected(main.error());
  index.main_ = *main;
  auto description = PostingLists::open(*file, SectionId::kDescriptionTermOffsets, s.documents, kDescriptionMask);
  if (!description) return std::unexpected(description.error());
  index.description_ = *description;
  if (Status done = index.open_columns(*file); !done) return std::unexpected(done.error());
  if (Status done = index.open_params(*file); !done) return std::unexpected(done.error());
  if (Status done = index.open_groups(*file); !done) return std::unexpected(done.error());
  if (Status done = index.open_order(*file); !done) return std::unexpected(done.error());
  return index;
}

Status ShardIndex::open_columns(const Container& file) {
  const uint64_t n = stats_.documents;
  Status done = file.read(SectionId::kKeys, n, keys_);
  if (done) done = file.read(SectionId::kVersions, n, versions_);
  if (done) done = file.read(SectionId::kGroups, n, group_of_);
  if (done) done = file.read(SectionId::kCategories, n, categories_);
  if (done) done = file.read(SectionId::kVendors, n, vendors_);
  if (done) done = file.read(SectionId::kShops, n, shops_);
  if (done) done = file.read(SectionId::kPrices, n, prices_);
  if (done) done = file.read(SectionId::kOldPrices, n, old_prices_);
  if (done) done = file.read(SectionId::kFirstSeen, n, first_seen_);
  if (done) done = file.read(SectionId::kInStock, n, in_stock_);
  if (done) done = check_ordinals(categories_, stats_.categories, SectionId::kCategories);
  if (done) done = check_ordinals(vendors_, stats_.vendors, SectionId::kVendors);
  if (done) done = check_ordinals(shops_, stats_.shops, SectionId::kShops);
  if (done) done = check_range(prices_, 1, kMaxPrice, SectionId::kPrices);
  if (done) done = check_range(old_prices_, 0, kMaxPrice, SectionId::kOldPrices);
  if (done) done = check_range(first_seen_, 0, kMaxPrice, SectionId::kFirstSeen);
  if (!done) return done;
  if (std::ranges::any_of(shops_, [](uint32_t shop) { return shop == kNoOrdinal; })) {
    return corrupt("an offer has no shop", SectionId::kShops);
  }
  if (std::ranges::any_of(in_stock_, [](uint8_t value) { return value > 1; })) {
    return corrupt("a value is neither 0 nor 1", SectionId::kInStock);
  }
  return {};
}

Status ShardIndex::open_params(const Container& file) {
  Status done = file.read(SectionId::kParamOffsets, stats_.documents + 1, param_offsets_);
  if (!done) return done;
  if (Status read_done = file.read(SectionId::kParamValues, param_offsets_.back(), param_values_); !read_done)
    return read_done;
  done = check_offsets(param_offsets_, param_values_.size(), 0, SectionId::kParamOffsets);
  if (!done) return done;
  for (uint32_t doc = 0; doc < documents(); ++doc) {
    const auto values = params(doc);
    if (!strictly_ascending(values) || (!values.empty() && values.back() >= stats_.param_values)) {
      return corrupt("the values of an offer are out of order or bounds", SectionId::kParamValues);
    }
  }
  return {};
}

Status ShardIndex::open_groups(const Container& file) {
  Status done = file.read(SectionId::kGroupKeys, stats_.groups, group_keys_);
  if (done) done = file.read(SectionId::kGroupOffsets, stats_.groups + 1, group_offsets_);
  if (done) done = file.read(SectionId::kGroupDocs, stats_.documents, group_docs_);
  if (done) done = check_offsets(group_offsets_, group_docs_.size(), 1, SectionId::kGroupOffsets);
  if (!done) return done;
  if (!strictly_ascending(group_keys_)) return corrupt("the keys are out of order", SectionId::kGroupKeys);
  for (uint32_t group = 0; group < groups(); ++group) {
    const auto docs = group_documents(group);
    const bool own = strictly_ascending(docs) && docs.back() < stats_.documents &&
                     std::ranges::all_of(docs, [&](uint32_t doc) { return group_of_[doc] == group; });
    if (!own)
      return corrupt("the offers of a group are out of order, out of bounds or another group's", SectionId::kGroupDocs);
  }
  return {};
}

Status ShardIndex::open_order(const Container& file) {
  Status done = file.read(SectionId::kKeyOrder, stats_.documents, key_order_);
  if (done) done = file.read(SectionId::kLevelBegins, kLevels + 1, level_begins_);
  if (!done) return done;
  if (std::ranges::any_of(key_order_, [this](uint32_t doc) { return doc >= stats_.documents; }) ||
      !strictly_ascending(key_order_ | std::views::transform([this](uint32_t doc) { return keys_[doc]; }))) {
    return corrupt("the order by key is wrong", SectionId::kKeyOrder);
  }
  if (level_begins_.front() != 0 || level_begins_.back() != stats_.documents ||
      !std::ranges::is_sorted(level_begins_)) {
    return corrupt("the levels do not span the documents", SectionId::kLevelBegins);
  }
  return {};
}

uint32_t ShardIndex::level(uint32_t doc) const {
  // level_begins_[i] is where level 15 - i begins.
  const auto next = std::ranges::upper_bound(level_begins_, doc);
  return kLevels - static_cast<uint32_t>(next - level_begins_.begin());
}

std::optional<uint32_t> ShardIndex::find_document(DocKey offer) const {
  const auto at = std::ranges::lower_bound(key_order_, offer.value(), {}, [this](uint32_t doc) { return keys_[doc]; });
  if (at == key_order_.end() || keys_[*at] != offer.value()) return std::nullopt;
  return *at;
}

std::optional<uint32_t> ShardIndex::find_group(DocKey key) const {
  const auto at = std::ranges::lower_bound(group_keys_, key.value());
  if (at == group_keys_.end() || *at != key.value()) return std::nullopt;
  return static_cast<uint32_t>(at - group_keys_.begin());
}

}  // namespace souk::index
