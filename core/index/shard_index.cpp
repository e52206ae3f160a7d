// SPDX-License-Identifier: Apache-2.0
#include "core/index/shard_index.h"

#include <algorithm>

#include "core/index/currency_code.h"
#include "core/index/shard_checks.h"

namespace souk::index {

namespace {

constexpr uint64_t kMaxPrice = 1'000'000'000'000'000;  // 10^15 minor units

// Opens what a file has and keeps the first failure.
class Opener {
 public:
  explicit Opener(const Container& file) : file_(file) {}

  template <typename Thing, typename... Arguments>
  void open(Thing& thing, Arguments... arguments) {
    if (!status_) return;
    auto opened = Thing::open(file_, arguments...);
    if (opened) {
      thing = std::move(*opened);
    } else {
      status_ = std::unexpected(opened.error());
    }
  }
  template <typename T>
  void read(std::span<const T>& values, SectionId id, uint64_t size) {
    if (status_) status_ = file_.read(id, size, values);
  }
  const Status& status() const { return status_; }

 private:
  const Container& file_;
  Status status_;
};

Result<ShardStats> read_stats(const Container& file) {
  std::span<const ShardStats> stats;
  if (Status done = file.read(SectionId::kStats, 1, stats); !done) return std::unexpected(done.error());
  constexpr uint64_t kMost = kNoOrdinal;  // document numbers and ordinals are 32 bits and one is "none"
  const ShardStats& s = stats[0];
  if (s.shard < 1 || s.shard > s.shards || s.documents >= kMost || s.groups > s.documents || s.categories >= kMost ||
      s.vendors >= kMost || s.shops >= kMost || s.param_values >= kMost || s.terms >= kMost) {
    return corrupt("a count is out of its bounds", SectionId::kStats);
  }
  return s;
}

}  // namespace

Result<ShardIndex> ShardIndex::open(Bytes bytes) {
  auto file = Container::open(bytes, FileKind::kShard);
  if (!file) return std::unexpected(file.error());
  auto stats = read_stats(*file);
  if (!stats) return std::unexpected(stats.error());
  ShardIndex index;
  index.stats_ = *stats;
  index.section_bytes_ = file->section_bytes();
  Opener opener(*file);
  const uint32_t n = index.documents();
  opener.open(index.main_, kMainLists, n, stats->terms, kMainMask);
  opener.open(index.description_, kDescriptionLists, n, stats->terms, kDescriptionMask);
  opener.open(index.param_lists_, kParamLists, n, stats->param_values, uint8_t{0});
  opener.open(index.category_lists_, kCategoryLists, n, stats->categories, uint8_t{0});
  opener.open(index.vendor_lists_, kVendorLists, n, stats->vendors, uint8_t{0});
  opener.open(index.forward_, n, static_cast<uint32_t>(stats->terms));
  Status done = opener.status();
  if (done) done = index.open_columns(*file);
  if (done) done = index.open_flags(*file);
  if (done) done = index.open_foreign_prices(*file);
  if (done) done = index.open_params(*file);
  if (done) done = index.open_groups(*file);
  if (done) done = index.open_order(*file);
  if (!done) return std::unexpected(done.error());
  return index;
}

Status ShardIndex::open_columns(const Container& file) {
  const uint64_t n = stats_.documents;
  Opener opener(file);
  opener.read(keys_, SectionId::kKeys, n);
  opener.read(versions_, SectionId::kVersions, n);
  opener.open(categories_, SectionId::kCategories, n);
  opener.open(vendors_, SectionId::kVendors, n);
  opener.open(shops_, SectionId::kShops, n);
  opener.open(prices_, SectionId::kPrices, n);
  opener.open(old_prices_, SectionId::kOldPrices, n);
  opener.open(first_seen_, SectionId::kFirstSeen, n);
  opener.open(in_stock_, SectionId::kInStock, n);
  Status done = opener.status();
  if (done) done = check_ordinals(categories_, stats_.categories, true, SectionId::kCategories);
  if (done) done = check_ordinals(vendors_, stats_.vendors, true, SectionId::kVendors);
  if (done) done = check_column_lists(category_lists_, categories_, kCategoryLists);
  if (done) done = check_column_lists(vendor_lists_, vendors_, kVendorLists);
  if (done) done = check_ordinals(shops_, stats_.shops, false, SectionId::kShops);
  if (done) done = check_range(prices_, 1, kMaxPrice, SectionId::kPrices);
  if (done) done = check_range(old_prices_, 0, kMaxPrice, SectionId::kOldPrices);
  if (done) done = check_range(first_seen_, 0, kMaxPrice, SectionId::kFirstSeen);
  if (done) done = check_range(in_stock_, 0, 1, SectionId::kInStock);
  return done;
}

Status ShardIndex::open_flags(const Container& file) {
  has_flags_ = file.has(SectionId::kFlags);
  if (!has_flags_) return {};
  Opener opener(file);
  opener.open(flags_, SectionId::kFlags, stats_.documents);
  return opener.status() ? check_flags(flags_) : opener.status();
}

Status ShardIndex::open_foreign_prices(const Container& file) {
  if (!file.has(SectionId::kForeignDocs)) return {};
  auto docs = file.array<uint32_t>(SectionId::kForeignDocs);
  if (!docs) return std::unexpected(docs.error());
  foreign_docs_ = *docs;
  const uint64_t n = foreign_docs_.size();
  Opener opener(file);
  opener.open(foreign_currencies_, SectionId::kForeignCurrencies, n);
  opener.open(foreign_prices_, SectionId::kForeignPrices, n);
  opener.open(foreign_old_prices_, SectionId::kForeignOldPrices, n);
  Status done = opener.status();
  if (done) done = check_foreign_docs(foreign_docs_, documents());
  if (done) done = check_range(foreign_currencies_, 1, kMostCurrency, SectionId::kForeignCurrencies);
  if (done) done = check_range(foreign_prices_, 1, kMaxPrice, SectionId::kForeignPrices);
  if (done) done = check_range(foreign_old_prices_, 0, kMaxPrice, SectionId::kForeignOldPrices);
  return done;
}

Status ShardIndex::open_params(const Container& file) {
  Opener opener(file);
  opener.open(param_offsets_, SectionId::kParamOffsets, stats_.documents + 1);
  Status done = opener.status();
  if (done) done = check_offsets(param_offsets_, SectionId::kParamOffsets);
  if (!done) return done;
  opener.open(param_values_, SectionId::kParamValues, param_offsets_[stats_.documents]);
  done = opener.status();
  if (done) done = check_params(param_offsets_, param_values_, stats_.param_values);
  if (done) done = check_param_lists(param_lists_, param_offsets_, param_values_);
  return done;
}

Status ShardIndex::open_groups(const Container& file) {
  Opener opener(file);
  opener.read(group_keys_, SectionId::kGroupKeys, stats_.groups);
  opener.read(group_begins_, SectionId::kGroupBegins, stats_.groups + 1);
  opener.read(level_begins_, SectionId::kLevelBegins, uint64_t{kLevels} + 1);
  Status done = opener.status();
  if (done) done = check_begins(group_begins_, documents(), true, SectionId::kGroupBegins);
  if (done) done = check_begins(level_begins_, documents(), false, SectionId::kLevelBegins);
  if (!done) return done;
  group_runs_ = GroupRuns(group_begins_);
  for (uint32_t i = 0; i <= kLevels; ++i) {
    const uint32_t begin = level_begins_[i];
    group_level_begins_[i] = begin < documents() ? group_of(begin) : groups();
    if (group_begins_[group_level_begins_[i]] != begin) {
      return corrupt("a level begins within a group", SectionId::kLevelBegins);
    }
  }
  return check_group_keys(group_keys_, group_level_begins_);
}

Status ShardIndex::open_order(const Container& file) {
  Opener opener(file);
  opener.read(key_order_, SectionId::kKeyOrder, stats_.documents);
  Status done = opener.status();
  if (done) done = check_keys_in_groups(keys_, group_begins_);
  if (done) done = check_key_order(key_order_, keys_);
  return done;
}

std::optional<ShardIndex::OwnPrice> ShardIndex::own_price(uint32_t doc) const {
  const auto at = std::ranges::lower_bound(foreign_docs_, doc);
  if (at == foreign_docs_.end() || *at != doc) return std::nullopt;
  const auto row = static_cast<uint64_t>(at - foreign_docs_.begin());
  return OwnPrice{static_cast<uint32_t>(foreign_currencies_[row]), static_cast<int64_t>(foreign_prices_[row]),
                  static_cast<int64_t>(foreign_old_prices_[row])};
}

uint32_t ShardIndex::level(uint32_t doc) const {
  uint32_t begun = 0;  // levels below the best one that begin at or before doc
  for (uint32_t i = 1; i < kLevels; ++i) begun += level_begins_[i] <= doc ? 1 : 0;
  return kLevels - 1 - begun;
}

std::optional<uint32_t> ShardIndex::find_document(DocKey offer) const {
  const auto at = std::ranges::lower_bound(key_order_, offer.value(), {}, [this](uint32_t doc) { return keys_[doc]; });
  if (at == key_order_.end() || keys_[*at] != offer.value()) return std::nullopt;
  return *at;
}

std::optional<uint32_t> ShardIndex::find_group(DocKey key) const {
  for (uint32_t i = 0; i < kLevels; ++i) {
    const uint32_t begin = group_level_begins_[i];
    const auto level = group_keys_.subspan(begin, group_level_begins_[i + 1] - begin);
    const auto at = std::ranges::lower_bound(level, key.value());
    if (at != level.end() && *at == key.value()) return begin + static_cast<uint32_t>(at - level.begin());
  }
  return std::nullopt;
}

}  // namespace souk::index
