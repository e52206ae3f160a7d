// SPDX-License-Identifier: Apache-2.0
// What a query must give, from the definitions and the offers as they were written down: no ordinals, no shards, no
// postings. The engine is compared with it.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/unit/core/world.h"

namespace souk::test {

using Path = std::vector<std::string>;

// A query in names.
struct Query {
  std::vector<std::string> words;
  bool with_description = false;
  std::optional<std::vector<Path>> categories;  // with what hangs below
  std::optional<std::vector<std::string>> vendors;
  std::optional<std::vector<uint32_t>> shops;
  std::optional<int64_t> price_from, price_to;
  bool in_stock = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> params;  // by distinct names
  DocKey model, offer;
  std::vector<wire::FacetKind> facets;    // but params'
  std::vector<std::string> param_facets;  // names
  wire::Sort sort = wire::SORT_RELEVANCE;
  wire::Group group = wire::GROUP_MODEL;
  uint32_t limit = 10;
  uint32_t quality_weight = 0;
  bool explain = false;
};
std::ostream& operator<<(std::ostream& out, const Query& query);

wire::ShardRequest to_request(const World& world, const Query& query);

// An answer in lines of text, to be compared and read.
std::vector<std::string> naive_answer(const World& world, const Query& query);
std::vector<std::string> engine_answer(const World& world, const Query& query);

}  // namespace souk::test
