// SPDX-License-Identifier: Apache-2.0
#include "core/index/shard_writer.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace souk::index {

namespace {

SectionId after(SectionId base, uint32_t steps) {
  return static_cast<SectionId>(static_cast<uint32_t>(base) + steps);
}

}  // namespace

void ShardWriter::Lists::add(std::string_view term, Posting posting) {
  posting.term = terms.emplace(std::string(term), static_cast<uint32_t>(terms.size())).first->second;
  postings.push_back(posting);
}

void ShardWriter::add(Document&& document) {
  const auto doc = static_cast<uint32_t>(documents_.size());
  for (const DocumentTerm& term : document.terms) {
    if (term.main_impact > 0) main_.add(term.term, {0, doc, term.main_impact, term.main_mask});
    if (term.description_impact > 0) description_.add(term.term, {0, doc, term.description_impact, kDescriptionMask});
  }
  document.terms = {};
  documents_.push_back(std::move(document));
}

Status ShardWriter::write(Sink sink) {
  std::vector<uint32_t> order(documents_.size());  // new number -> old
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [this](uint32_t a, uint32_t b) {
    return std::tuple(-documents_[a].level, documents_[a].key) < std::tuple(-documents_[b].level, documents_[b].key);
  });
  std::vector<uint32_t> new_number(order.size());
  std::vector<Document> sorted;
  sorted.reserve(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    new_number[order[i]] = i;
    sorted.push_back(std::move(documents_[order[i]]));
  }
  documents_ = std::move(sorted);

  std::vector<uint64_t> group_keys;
  for (const Document& document : documents_) group_keys.push_back(document.group.value());
  std::ranges::sort(group_keys);
  group_keys.erase(std::ranges::unique(group_keys).begin(), group_keys.end());
  std::vector<uint32_t> group_of;
  for (const Document& document : documents_) {
    const auto at = std::ranges::lower_bound(group_keys, document.group.value());
    group_of.push_back(static_cast<uint32_t>(at - group_keys.begin()));
  }

  stats_.documents = documents_.size();
  stats_.groups = group_keys.size();
  ContainerWriter file(FileKind::kShard, std::move(sink));
  Status done = file.add(SectionId::kStats, std::vector<ShardStats>{stats_});
  if (done) done = main_.write(file, SectionId::kMainTermOffsets, new_number);
  if (done) done = description_.write(file, SectionId::kDescriptionTermOffsets, new_number);
  if (done) done = write_columns(file);
  if (done) done = write_groups(file, group_of, group_keys);
  if (done) done = file.finish();
  return done;
}

Status ShardWriter::Lists::write(ContainerWriter& file, SectionId base, const std::vector<uint32_t>& new_number) {
  std::vector<std::string_view> sorted;
  for (const auto& [term, number] : terms) sorted.push_back(term);
  std::ranges::sort(sorted);
  std::vector<uint32_t> rank(sorted.size());
  StringTableWriter strings;
  for (uint32_t i = 0; i < sorted.size(); ++i) {
    rank[terms.at(std::string(sorted[i]))] = i;
    strings.add(sorted[i]);
  }
  for (Posting& posting : postings) {
    posting.term = rank[posting.term];
    posting.doc = new_number[posting.doc];
  }
  std::ranges::sort(postings, {}, [](const Posting& p) { return std::tuple(p.term, p.doc); });

  std::vector<uint64_t> offsets(sorted.size() + 1);
  std::vector<uint32_t> docs;
  std::vector<uint8_t> impacts, masks;
  for (const Posting& posting : postings) {
    ++offsets[posting.term + 1];
    docs.push_back(posting.doc);
    impacts.push_back(posting.impact);
    masks.push_back(posting.mask);
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  Status done = strings.write(file, base, after(base, 1));
  if (done) done = file.add(after(base, 2), offsets);
  if (done) done = file.add(after(base, 3), docs);
  if (done) done = file.add(after(base, 4), impacts);
  if (done) done = file.add(after(base, 5), masks);
  return done;
}

Status ShardWriter::write_columns(ContainerWriter& file) const {
  const auto column = [&]<typename T>(SectionId id, auto value_of, T /*type*/) {
    std::vector<T> values;
    values.reserve(documents_.size());
    for (const Document& document : documents_) values.push_back(static_cast<T>(value_of(document)));
    return file.add(id, values);
  };
  Status done = column(SectionId::kKeys, [](const Document& d) { return d.key.value(); }, uint64_t{});
  if (done) done = column(SectionId::kVersions, [](const Document& d) { return d.version; }, uint64_t{});
  if (done) done = column(SectionId::kCategories, [](const Document& d) { return d.category; }, uint32_t{});
  if (done) done = column(SectionId::kVendors, [](const Document& d) { return d.vendor; }, uint32_t{});
  if (done) done = column(SectionId::kShops, [](const Document& d) { return d.shop; }, uint32_t{});
  if (done) done = column(SectionId::kPrices, [](const Document& d) { return d.price; }, int64_t{});
  if (done) done = column(SectionId::kOldPrices, [](const Document& d) { return d.old_price; }, int64_t{});
  if (done) done = column(SectionId::kFirstSeen, [](const Document& d) { return d.first_seen; }, int64_t{});
  if (done) done = column(SectionId::kInStock, [](const Document& d) { return d.in_stock; }, uint8_t{});

  std::vector<uint64_t> param_offsets{0};
  std::vector<uint32_t> param_values, key_order(documents_.size()), level_begins(kLevels + 1);
  for (const Document& document : documents_) {
    param_values.insert(param_values.end(), document.params.begin(), document.params.end());
    param_offsets.push_back(param_values.size());
    ++level_begins[kLevels - document.level];  // level 15 begins at [0]; counted one further, then summed up
  }
  std::partial_sum(level_begins.begin(), level_begins.end(), level_begins.begin());
  std::iota(key_order.begin(), key_order.end(), 0U);
  std::ranges::sort(key_order, {}, [this](uint32_t doc) { return documents_[doc].key; });
  if (done) done = file.add(SectionId::kParamOffsets, param_offsets);
  if (done) done = file.add(SectionId::kParamValues, param_values);
  if (done) done = file.add(SectionId::kKeyOrder, key_order);
  if (done) done = file.add(SectionId::kLevelBegins, level_begins);
  return done;
}

Status ShardWriter::write_groups(ContainerWriter& file, const std::vector<uint32_t>& group_of,
                                 const std::vector<uint64_t>& keys) const {
  std::vector<uint64_t> offsets(keys.size() + 1);
  for (const uint32_t group : group_of) ++offsets[group + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<uint32_t> docs(group_of.size());
  std::vector<uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (uint32_t doc = 0; doc < group_of.size(); ++doc) docs[next[group_of[doc]]++] = doc;
  Status done = file.add(SectionId::kGroups, group_of);
  if (done) done = file.add(SectionId::kGroupKeys, keys);
  if (done) done = file.add(SectionId::kGroupOffsets, offsets);
  if (done) done = file.add(SectionId::kGroupDocs, docs);
  return done;
}

}  // namespace souk::index
