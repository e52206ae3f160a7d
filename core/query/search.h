// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/index/dictionary.h"
#include "core/index/shard_index.h"
#include "core/wire/shard.pb.h"

namespace souk::query {

struct Kernels;
struct Scratch;

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
inline constexpr size_t kMaxTerms = 256;  // a prefix stands for many
inline constexpr size_t kMaxSlots = 32;
inline constexpr size_t kMaxPhrases = 8;
inline constexpr size_t kMaxVariants = 32;
inline constexpr size_t kMaxTermBytes = 256;
inline constexpr size_t kMaxParamFilters = 32;
inline constexpr size_t kMaxFilterValues = 256;
inline constexpr size_t kMaxFacets = 32;
inline constexpr size_t kMaxLimit = 10'100;       // page x per_page and a few hits to spare
inline constexpr size_t kMaxExplained = 262'144;  // hits x terms

// kInvalidArgument, naming the field, when the request is out of bounds or names ordinals the dictionary does not have.
Status check_request(const wire::ShardRequest& request, const index::Dictionary& dictionary);

// What a request means (core/oracle says the same in code, by looking at everything):
// - a slot matches a document that has one of its terms in a main field (with_description: or in the description); of
//   impact x weight the greatest is its score;
// - a document matches when at least min_match slots do (0: all), every phrase is there, and it is the asked offer or
//   of the asked model; without slots every document matches. Its score is the sum over the slots that match;
// - filters, facets, grouping and order: core/oracle/{filter,facets,grouping}.h.
//
// Gives the oracle's reply, but for totals where TOTALS_AT_LEAST allows it. Thread-safe with one Scratch per thread.
// Memory beyond the scratch: the reply, and 150 bytes for each list that is walked. The cost is estimated before
// anything is walked: what cannot be done in the time left is refused at once. The request must have passed
// check_request. Error: kDeadlineExceeded.
Result<wire::ShardReply> search(const ShardView& view, const wire::ShardRequest& request, const Stop& stop,
                                const Kernels& kernels, Scratch& scratch);

}  // namespace souk::query
