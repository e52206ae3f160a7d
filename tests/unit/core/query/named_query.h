// SPDX-License-Identifier: Apache-2.0
// A query in names, and its answer in words: what the naive model and the engine are compared by.
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
  using Numbers = std::vector<uint32_t>;  // of words, from 0
  struct After {
    int64_t order = 0;
    DocKey group, key;
  };
  std::vector<std::string> words;  // each is one term
  std::vector<Numbers> slots;      // none: each word is one
  uint32_t min_match = 0;
  std::vector<Numbers> phrases;
  std::vector<uint32_t> variants;  // sets of slots
  bool with_description = false;
  std::optional<std::vector<Path>> categories;  // with what hangs below
  std::optional<std::vector<std::string>> vendors;
  std::optional<std::vector<uint32_t>> shops;
  std::optional<int64_t> price_from, price_to;
  bool in_stock = false;
  uint32_t ways = 0;
  std::optional<std::vector<std::string>> regions;
  bool no_adult = false;
  // What holds besides: the same of another query.
  struct Fixed {
    std::optional<std::vector<Path>> categories;
    std::optional<std::vector<std::string>> vendors, regions;
    std::optional<int64_t> price_from;
    bool in_stock = false;
  };
  Fixed fixed;
  std::vector<std::pair<std::string, std::vector<std::string>>> params;  // by distinct names
  DocKey model, offer;
  std::vector<wire::FacetKind> facets;    // but params'
  std::vector<std::string> param_facets;  // names
  wire::Sort sort = wire::SORT_RELEVANCE;
  wire::Group group = wire::GROUP_MODEL;
  uint32_t limit = 10;
  uint32_t quality_weight = 0;
  bool explain = false;
  wire::Totals totals = wire::TOTALS_EXACT;
  std::optional<After> after;
};
std::ostream& operator<<(std::ostream& out, const Query& query);

wire::ShardRequest to_request(const World& world, const Query& query);

struct Answer {
  uint64_t offers = 0, models = 0;
  bool at_least = false;
  std::vector<std::string> lines;  // the rest as text, to be compared and read
};
std::ostream& operator<<(std::ostream& out, const Answer& answer);

Answer answer_of(const World& world, const wire::ShardRequest& request, const merge::Merged& merged);
Answer engine_answer(const World& world, const Query& query, const Evaluator& evaluator);

// Whether the answer is the exact one; totals may be lower bounds where they say so.
bool agrees(const Answer& answer, const Answer& exact);

}  // namespace souk::test
