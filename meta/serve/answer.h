// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/index/region_ways.h"
#include "core/merge/merge.h"
#include "core/text/analyzer.h"
#include "core/wire/snippet.pb.h"
#include "meta/fanout/fanout.h"
#include "meta/understand/plan.h"

namespace souk::meta_serve {

// Pieces of the JSON of DESIGN 8. Keys are decimal strings, prices decimal numbers, in the base currency where they do
// not say another; offsets UTF-16.
class AnswerWriter {
 public:
  AnswerWriter(const understand::Catalogue& catalogue, const understand::Plan& plan, text::Analyzer& analyzer)
      : catalogue_(catalogue), plan_(plan), analyzer_(analyzer) {
    add_regions(plan.request.filters());
    add_regions(plan.request.fixed());
  }

  boost::json::object item(const merge::Hit& hit, const wire::SnippetDoc& doc, bool debug);
  boost::json::array facets(const std::vector<merge::FacetTotals>& totals) const;

 private:
  void add_regions(const wire::Filters& filters);
  uint32_t flags_there(const merge::Hit& hit) const;  // where the buyer is
  boost::json::object facet(const understand::PlannedFacet& facet, const merge::FacetTotals& totals) const;
  boost::json::object facet_value(wire::FacetKind kind, const merge::FacetTotals::Value& value) const;
  boost::json::object score(const merge::Hit& hit) const;
  boost::json::object word_score(const merge::Hit& hit, const wire::Slot& slot) const;
  boost::json::object price(const merge::Hit& hit) const;  // of its group

  const understand::Catalogue& catalogue_;
  const understand::Plan& plan_;
  text::Analyzer& analyzer_;
  std::vector<index::RegionWays> regions_;  // each of them counts
};

// The whole document, for /offer/KEY.
boost::json::object document(const merge::Hit& hit, const wire::SnippetDoc& doc,
                             const understand::Catalogue& catalogue);

// {terms, phrases, match}: what the text was understood as.
boost::json::object understood(const understand::Plan& plan);

// {models, offers, relation}
boost::json::object total(const merge::Merged& merged, bool complete);

// {asked, answered, missing: [shard numbers]}
boost::json::object coverage(const std::vector<fanout::Outcome>& outcomes);
// Per shard: where, how long, how much; for debug=1.
boost::json::array timings(const std::vector<fanout::Outcome>& outcomes);

double decimal(int64_t minor_units);

}  // namespace souk::meta_serve
