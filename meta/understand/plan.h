// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/wire/shard.pb.h"
#include "meta/understand/catalogue.h"
#include "meta/understand/parameters.h"

namespace souk::understand {

// A facet of the answer; entry i of the request's facets.
struct PlannedFacet {
  std::string name;  // "vendor", "param.Цвет"
  wire::FacetKind kind = wire::FACET_CATEGORY;
};

// What the shards are asked: ordinals and weights of one generation instead of names.
struct Plan {
  wire::ShardRequest request;  // shard and budget_ms are left to the fan-out
  std::vector<std::string> terms;
  std::vector<uint64_t> main_df, any_df;  // of the terms
  std::vector<PlannedFacet> facets;
  std::vector<uint32_t> shards;  // to ask: all, or the one that holds the asked model
  std::vector<std::string> warnings;
};

// Hits asked for beyond the page, to take the place of those whose document is gone.
inline constexpr uint32_t kSpareHits = 10;

// Errors: kInvalidArgument for a facet of no known kind. Names that the catalogue does not have match nothing, with a
// warning.
Result<Plan> make_plan(const Parameters& parameters, std::vector<std::string> terms, const Catalogue& catalogue);

// The same plan for the second stage: description words count too.
void widen_to_description(Plan& plan, const Catalogue& catalogue);

}  // namespace souk::understand
