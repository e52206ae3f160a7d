// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/index/dictionary.h"
#include "core/index/shard_index.h"
#include "core/wire/shard.pb.h"

namespace souk::query {

// What a shard searches: its own file and the generation's dictionary.
struct ShardView {
  const index::ShardIndex& shard;
  const index::Dictionary& dictionary;
};

// When to give up.
struct Stop {
  const Clock& clock;
  Deadline deadline;
};

// Bounds of a sub-request; meta asks within them, anything beyond is refused.
inline constexpr size_t kMaxTerms = 32;
inline constexpr size_t kMaxTermBytes = 256;
inline constexpr size_t kMaxParamFilters = 32;
inline constexpr size_t kMaxFilterValues = 256;
inline constexpr size_t kMaxFacets = 32;
inline constexpr size_t kMaxLimit = 10'100;  // page x per_page and a few hits to spare

// kInvalidArgument, naming the field, when the request is out of bounds or names ordinals the dictionary does not have.
Status check_request(const wire::ShardRequest& request, const index::Dictionary& dictionary);

// The exhaustive evaluator: looks at every posting of every term, applies every filter to every match, counts
// everything exactly. Slow and simple: the oracle that faster ways are tested against. Pure; thread-safe.
// Conjunction: a document matches when every term occurs in a main field (with_description: or in the description).
// Time O(documents + postings), memory 5 bytes a document and 16 a match and facet value.
// The request must have passed check_request. Error: kDeadlineExceeded.
Result<wire::ShardReply> search(const ShardView& view, const wire::ShardRequest& request, const Stop& stop);

}  // namespace souk::query
