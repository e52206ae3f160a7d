// SPDX-License-Identifier: Apache-2.0
#include "core/index/shard_checks.h"

#include <algorithm>
#include <vector>

namespace souk::index {

namespace {

// Two rounds of multiplying by the golden ratio's bits, with the high half folded in between.
uint64_t hash_of(uint64_t doc, uint32_t value) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  uint64_t hash = (doc << 32 | value) * kOdd;
  hash ^= hash >> 32;
  hash *= kOdd;
  return hash ^ hash >> 32;
}

// Of all that lists say.
uint64_t hash_of(const PostingLists& lists) {
  uint64_t sum = 0;
  for (uint32_t list = 0; list < lists.size(); ++list) {
    const uint32_t value = lists.term(list);
    for (const uint32_t doc : lists.decode(list).docs) sum += hash_of(doc, value);
  }
  return sum;
}

}  // namespace

Status check_range(const Column& column, uint64_t least, uint64_t most, SectionId id) {
  bool wrong = false;
  for (uint64_t row = 0; row < column.size(); ++row) {
    const uint64_t value = column[row];
    wrong |= (value < least) | (value > most);
  }
  return wrong ? corrupt("a value is out of its bounds", id) : Status{};
}

Status check_ordinals(const OrdinalColumn& column, uint64_t limit, bool none_allowed, SectionId id) {
  bool wrong = false;
  for (uint64_t row = 0; row < column.size(); ++row) {
    const uint32_t value = column[row];
    const bool none = none_allowed & (value == kNoOrdinal);
    wrong |= !none & (value >= limit);
  }
  return wrong ? corrupt("an ordinal is beyond the dictionary", id) : Status{};
}

Status check_offsets(const Column& offsets, SectionId id) {
  uint64_t before = 0;
  bool wrong = offsets[0] != 0;
  for (uint64_t row = 0; row < offsets.size(); ++row) {
    const uint64_t offset = offsets[row];
    wrong |= offset < before;
    before = offset;
  }
  return wrong ? corrupt("the offsets do not begin with 0, or descend", id) : Status{};
}

Status check_begins(std::span<const uint32_t> begins, uint32_t documents, bool not_empty, SectionId id) {
  bool wrong = begins.front() != 0 || begins.back() != documents;
  const uint32_t least = not_empty ? 1 : 0;
  for (size_t i = 1; i < begins.size(); ++i) {
    wrong |= begins[i] < begins[i - 1];
    wrong |= begins[i] - begins[i - 1] < least;
  }
  return wrong ? corrupt("the begins do not span the documents, or are out of order", id) : Status{};
}

Status check_flags(const Column& flags) {
  bool wrong = false;
  for (uint64_t row = 0; row < flags.size(); ++row) wrong |= !are_flags(flags[row]);
  return wrong ? corrupt("a bit is not known, or contradicts another", SectionId::kFlags) : Status{};
}

Status check_foreign_docs(std::span<const uint32_t> docs, uint32_t documents) {
  bool wrong = docs.empty() || docs.back() >= documents;
  for (size_t i = 1; i < docs.size(); ++i) wrong |= docs[i] <= docs[i - 1];
  return wrong ? corrupt("the documents are none, out of order or out of bounds", SectionId::kForeignDocs) : Status{};
}

Status check_params(const Column& offsets, const OrdinalColumn& values, uint64_t limit) {
  bool wrong = false;
  uint64_t begin = 0;
  for (uint64_t doc = 0; doc + 1 < offsets.size(); ++doc) {
    const uint64_t end = offsets[doc + 1];
    uint64_t next = 0;  // the least that the next value can be
    for (uint64_t i = begin; i < end; ++i) {
      const uint32_t value = values[i];
      wrong |= (value < next) | (value >= limit);
      next = uint64_t{value} + 1;
    }
    begin = end;
  }
  return wrong ? corrupt("the values of an offer are out of order or bounds", SectionId::kParamValues) : Status{};
}

Status check_param_lists(const PostingLists& lists, const Column& offsets, const OrdinalColumn& values) {
  if (lists.postings() != values.size()) {
    return corrupt("the lists have another number of postings than there are values", kParamLists.entries);
  }
  // Both are sets of (document, value): equal when as many pairs come to the same sum of hashes. Following each posting
  // to its document's values instead took longer than all other checks together: memory in no order.
  uint64_t sum = 0;
  for (uint64_t doc = 0; doc + 1 < offsets.size(); ++doc) {
    for (uint64_t i = offsets[doc]; i < offsets[doc + 1]; ++i) sum += hash_of(doc, values[i]);
  }
  return sum == hash_of(lists) ? Status{}
                               : corrupt("the lists do not say what the documents' values do", kParamLists.bytes);
}

Status check_column_lists(const PostingLists& lists, const OrdinalColumn& column, const PostingSections& sections) {
  uint64_t sum = 0;
  uint64_t values = 0;
  for (uint64_t doc = 0; doc < column.size(); ++doc) {
    const uint32_t value = column[doc];
    if (value == kNoOrdinal) continue;
    sum += hash_of(doc, value);
    ++values;
  }
  const bool same = values == lists.postings() && sum == hash_of(lists);
  return same ? Status{} : corrupt("the lists do not say what the column does", sections.bytes);
}

Status check_group_keys(std::span<const uint64_t> keys, const std::array<uint32_t, kLevels + 1>& level_begins) {
  bool wrong = false;
  for (uint32_t level = 0; level < kLevels; ++level) {
    for (uint32_t i = level_begins[level] + 1; i < level_begins[level + 1]; ++i) wrong |= keys[i] <= keys[i - 1];
  }
  if (wrong) return corrupt("the keys are out of order", SectionId::kGroupKeys);
  // Merges the levels: what comes out must ascend.
  std::array<uint32_t, kLevels> next;
  std::copy_n(level_begins.begin(), kLevels, next.begin());
  uint64_t before = 0;
  for (size_t i = 0; i < keys.size() && !wrong; ++i) {
    uint32_t least = kLevels;
    for (uint32_t level = 0; level < kLevels; ++level) {
      const bool left = next[level] < level_begins[level + 1];
      if (left && (least == kLevels || keys[next[level]] < keys[next[least]])) least = level;
    }
    const uint64_t key = keys[next[least]++];
    wrong = key == before;  // before the first: no key is 0
    before = key;
  }
  return wrong ? corrupt("a key is 0 or occurs twice", SectionId::kGroupKeys) : Status{};
}

Status check_keys_in_groups(std::span<const uint64_t> keys, std::span<const uint32_t> group_begins) {
  bool wrong = false;
  for (size_t group = 0; group + 1 < group_begins.size(); ++group) {
    for (uint32_t doc = group_begins[group] + 1; doc < group_begins[group + 1]; ++doc)
      wrong |= keys[doc] <= keys[doc - 1];
  }
  return wrong ? corrupt("the offers of a group are out of order", SectionId::kKeys) : Status{};
}

Status check_key_order(std::span<const uint32_t> order, std::span<const uint64_t> keys) {
  if (std::ranges::any_of(order, [&](uint32_t doc) { return doc >= keys.size(); })) {
    return corrupt("a document is out of bounds", SectionId::kKeyOrder);
  }
  bool wrong = !order.empty() && keys[order[0]] == 0;  // which is no key
  for (size_t i = 1; i < order.size(); ++i) wrong |= keys[order[i]] <= keys[order[i - 1]];
  return wrong ? corrupt("the order by key is wrong", SectionId::kKeyOrder) : Status{};
}

}  // namespace souk::index
