// SPDX-License-Identifier: Apache-2.0
#include "core/index/shard_writer.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "core/index/currency_code.h"

namespace souk::index {

namespace {

// The documents of each value, from the values of each document, by counting.
class ValuePostings final : public PostingSource {
 public:
  ValuePostings(std::span<const uint64_t> offsets, std::span<const uint32_t> values, uint64_t distinct)
      : begins_(distinct + 1), docs_(values.size()) {
    for (const uint32_t value : values) ++begins_[value + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<uint64_t> next(begins_.begin(), begins_.end() - 1);
    for (uint32_t doc = 0; doc + 1 < offsets.size(); ++doc) {
      for (uint64_t i = offsets[doc]; i < offsets[doc + 1]; ++i) docs_[next[values[i]]++] = doc;
    }
  }

  Result<std::span<const Posting>> next() override {
    constexpr size_t kBatch = 4096;
    batch_.clear();
    while (batch_.size() < kBatch && at_ < docs_.size()) {
      while (begins_[value_ + 1] == at_) ++value_;
      batch_.push_back({value_, docs_[at_++], 0, 0});
    }
    return std::span<const Posting>(batch_);
  }

 private:
  std::vector<uint64_t> begins_;
  std::vector<uint32_t> docs_;
  std::vector<Posting> batch_;
  uint64_t at_ = 0;
  uint32_t value_ = 0;
};

// Likewise from a column, where a document has one value or none.
ValuePostings column_postings(std::span<const uint32_t> column, uint64_t distinct) {
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> values;
  for (const uint32_t value : column) {
    if (value != kNoOrdinal) values.push_back(value);
    offsets.push_back(values.size());
  }
  return {offsets, values, distinct};
}

}  // namespace

Status ShardWriter::add(const Document& document) {
  const uint64_t group = document.group.value();
  const bool first = keys_.empty();
  if (!first) {
    const auto before = std::tuple(-levels_.back(), group_keys_.back(), keys_.back());
    if (before >= std::tuple(-document.level, group, document.key.value())) {
      return fail(ErrorCode::kInternal, "documents are out of order");
    }
  }
  const bool values_right =
      std::ranges::adjacent_find(document.params, std::greater_equal()) == document.params.end() &&
      (document.params.empty() || document.params.back() < stats_.param_values);
  const auto within = [](uint32_t ordinal, uint64_t limit) { return ordinal < limit || ordinal == kNoOrdinal; };
  const bool ordinals_right = within(document.category, stats_.categories) && within(document.vendor, stats_.vendors) &&
                              document.shop < stats_.shops;
  const bool own_right = document.currency == 0 || (document.currency <= kMostCurrency && document.own_price > 0);
  if (!values_right || !ordinals_right || !own_right || !are_flags(document.flags) || document.level >= kLevels)
    return fail(ErrorCode::kInternal, "a document's values are wrong");

  if (first || group_keys_.back() != group) {
    group_begins_.push_back(documents());
    group_keys_.push_back(group);
  }
  if (document.currency != 0) {
    foreign_docs_.push_back(documents());
    foreign_currencies_.push_back(document.currency);
    foreign_prices_.push_back(static_cast<uint64_t>(document.own_price));
    foreign_old_prices_.push_back(static_cast<uint64_t>(document.own_old_price));
  }
  keys_.push_back(document.key.value());
  versions_.push_back(document.version);
  prices_.push_back(static_cast<uint64_t>(document.price));
  old_prices_.push_back(static_cast<uint64_t>(document.old_price));
  first_seen_.push_back(static_cast<uint64_t>(document.first_seen));
  in_stock_.push_back(document.in_stock ? 1 : 0);
  flags_.push_back(document.flags);
  categories_.push_back(document.category);
  vendors_.push_back(document.vendor);
  shops_.push_back(document.shop);
  levels_.push_back(document.level);
  param_values_.insert(param_values_.end(), document.params.begin(), document.params.end());
  param_offsets_.push_back(param_values_.size());
  forward_.insert(forward_.end(), document.forward.begin(), document.forward.end());
  forward_offsets_.push_back(forward_.size());
  return {};
}

Status ShardWriter::write(Sink sink, PostingSource& main, PostingSource& description) {
  stats_.documents = keys_.size();
  stats_.groups = group_keys_.size();
  ContainerWriter file(FileKind::kShard, std::move(sink));
  Status done = file.add(SectionId::kStats, std::vector<ShardStats>{stats_});
  if (done) done = write_posting_lists(file, kMainLists, documents(), main);
  if (done) done = write_posting_lists(file, kDescriptionLists, documents(), description);
  if (done) done = write_filter_lists(file);
  if (done) done = write_columns(file);
  if (done) done = write_forward_index(file, forward_offsets_, forward_);
  if (done) done = file.finish();
  return done;
}

Status ShardWriter::write_filter_lists(ContainerWriter& file) const {
  const auto write = [&](const PostingSections& sections, ValuePostings postings) {
    return write_posting_lists(file, sections, documents(), postings);
  };
  Status done = write(kParamLists, ValuePostings(param_offsets_, param_values_, stats_.param_values));
  if (done) done = write(kCategoryLists, column_postings(categories_, stats_.categories));
  if (done) done = write(kVendorLists, column_postings(vendors_, stats_.vendors));
  return done;
}

Status ShardWriter::write_columns(ContainerWriter& file) const {
  std::vector<uint32_t> level_begins(kLevels + 1);
  for (const uint8_t level : levels_) ++level_begins[kLevels - level];  // counted one further, then summed up
  std::partial_sum(level_begins.begin(), level_begins.end(), level_begins.begin());
  std::vector<uint32_t> group_begins = group_begins_;
  group_begins.push_back(documents());
  std::vector<uint32_t> key_order(keys_.size());
  std::iota(key_order.begin(), key_order.end(), 0U);
  std::ranges::sort(key_order, {}, [this](uint32_t doc) { return keys_[doc]; });

  Status done = file.add(SectionId::kKeys, keys_);
  if (done) done = file.add(SectionId::kVersions, versions_);
  if (done) done = write_ordinals(file, SectionId::kCategories, categories_);
  if (done) done = write_ordinals(file, SectionId::kVendors, vendors_);
  if (done) done = write_ordinals(file, SectionId::kShops, shops_);
  if (done) done = write_column(file, SectionId::kPrices, prices_);
  if (done) done = write_column(file, SectionId::kOldPrices, old_prices_);
  if (done) done = write_column(file, SectionId::kFirstSeen, first_seen_);
  if (done) done = write_column(file, SectionId::kInStock, in_stock_);
  if (done) done = write_column(file, SectionId::kParamOffsets, param_offsets_);
  if (done) done = write_ordinals(file, SectionId::kParamValues, param_values_);
  const bool plain = std::ranges::all_of(flags_, [](uint8_t flags) { return flags == kDefaultFlags; });
  if (done && !plain) done = file.add(SectionId::kFlags, Coding::kNarrow, std::as_bytes(std::span(flags_)));
  if (done) done = file.add(SectionId::kKeyOrder, key_order);
  if (done) done = file.add(SectionId::kLevelBegins, level_begins);
  if (done) done = file.add(SectionId::kGroupKeys, group_keys_);
  if (done) done = file.add(SectionId::kGroupBegins, group_begins);
  return done && !foreign_docs_.empty() ? write_foreign_prices(file) : done;
}

Status ShardWriter::write_foreign_prices(ContainerWriter& file) const {
  Status done = file.add(SectionId::kForeignDocs, foreign_docs_);
  if (done) done = write_column(file, SectionId::kForeignCurrencies, foreign_currencies_);
  if (done) done = write_column(file, SectionId::kForeignPrices, foreign_prices_);
  if (done) done = write_column(file, SectionId::kForeignOldPrices, foreign_old_prices_);
  return done;
}

}  // namespace souk::index
