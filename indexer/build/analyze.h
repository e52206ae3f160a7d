// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/index/forward_index.h"
#include "core/rank/bm25f.h"
#include "core/text/analyzer.h"
#include "indexer/offers/offer_store.h"

namespace souk::build {

// An offer's words by field.
struct AnalyzedText {
  std::vector<std::string> terms;         // each once, in the order in which they first appear
  std::vector<rank::FieldCounts> counts;  // of each term
  rank::FieldCounts lengths{};
  // Title, then each param's value: places in `terms`, with a ForwardIndex::kBreak between two texts that have words.
  std::vector<uint32_t> forward;
};
AnalyzedText analyze(text::Analyzer& analyzer, const offers::StoredOffer& offer);

// A param's value as it is shown and filtered by: "500 г".
std::string shown_value(const feed::Param& param);

// Static quality, 0..15: how complete and buyable an offer is, whatever is searched for.
uint32_t quality_level(const offers::StoredOffer& offer);

}  // namespace souk::build
