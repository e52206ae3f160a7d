// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/wire/shard.pb.h"
#include "meta/understand/catalogue.h"
#include "meta/understand/cursor.h"
#include "meta/understand/parameters.h"
#include "meta/understand/query_text.h"

namespace souk::understand {

// A facet of the answer; entry i of the request's facets.
struct PlannedFacet {
  std::string name;  // "vendor", "param.Цвет"
  wire::FacetKind kind = wire::FACET_CATEGORY;
};

// What the shards are asked: ordinals and weights of one generation instead of names.
struct Plan {
  wire::ShardRequest request;             // shard and budget_ms are left to the fan-out
  QueryText text;                         // word i is slot i of the request
  std::vector<std::string> terms;         // of the request: the words, and what their prefixes stand for
  std::vector<uint64_t> main_df, any_df;  // of the terms
  std::vector<PlannedFacet> facets;
  uint64_t query_hash = 0;       // of the parameters, for cursors
  std::vector<uint32_t> shards;  // to ask: all, or the one that holds the asked model
  std::vector<std::string> warnings;
};

// Hits asked for beyond the page, to take the place of those whose document is gone.
inline constexpr uint32_t kSpareHits = 10;

// parameters: those of a place with what it says where the request says nothing (apply_place).
// Errors: kInvalidArgument for an unknown place, a facet of no known kind and a cursor that is not of this query and
// generation. Names that the catalogue does not have match nothing, with a warning. With a cursor the plan is of the
// stage it continues.
Result<Plan> make_plan(const Parameters& parameters, QueryText text, const Catalogue& catalogue);

// The same plan for the second stage: description words count too.
void widen_to_description(Plan& plan, const Catalogue& catalogue);

// For the page that begins behind `last`, a hit of the plan's answer.
std::string next_cursor(const Plan& plan, const wire::After& last);

}  // namespace souk::understand
