// SPDX-License-Identifier: Apache-2.0
// What a shard file's columns are checked for when it is opened; each gives kCorruption naming the section. Private to
// core/index. Loops gather what is wrong without branches: they run over every row.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/index/column.h"
#include "core/index/posting_lists.h"

namespace souk::index {

Status check_range(const Column& column, uint64_t least, uint64_t most, SectionId id);
Status check_ordinals(const OrdinalColumn& column, uint64_t limit, bool none_allowed, SectionId id);  // below limit

// From 0, not descending.
Status check_offsets(const Column& offsets, SectionId id);
// From 0 to documents, not descending; with not_empty ascending.
Status check_begins(std::span<const uint32_t> begins, uint32_t documents, bool not_empty, SectionId id);

Status check_flags(const Column& flags);
// Ascending and below `documents`; at least one.
Status check_foreign_docs(std::span<const uint32_t> docs, uint32_t documents);

// Values ascend within a document and are below limit; the offsets are right.
Status check_params(const Column& offsets, const OrdinalColumn& values, uint64_t limit);
// The lists say the same as the columns, which are right: compared by hashes, so only a forger could deceive it.
Status check_param_lists(const PostingLists& lists, const Column& offsets, const OrdinalColumn& values);

// The lists say the same as a column, likewise.
Status check_column_lists(const PostingLists& lists, const OrdinalColumn& column, const PostingSections& sections);

// Keys ascend within a level, and none occurs twice or is 0. level_begins count groups.
Status check_group_keys(std::span<const uint64_t> keys, const std::array<uint32_t, kLevels + 1>& level_begins);
Status check_keys_in_groups(std::span<const uint64_t> keys, std::span<const uint32_t> group_begins);
// Every document once, by ascending key; none is 0.
Status check_key_order(std::span<const uint32_t> order, std::span<const uint64_t> keys);

}  // namespace souk::index
