// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "indexer/offers/offer_store.h"

namespace souk::match {

// What people know better than barcodes.
struct ModelRules {
  struct Offers {
    std::string name;                 // of the rule, for the stored reason
    std::vector<std::string> offers;  // "SHOP/ID"
  };
  std::vector<Offers> joined;          // these offers are one model, whatever else
  std::vector<Offers> split;           // none of these offers may be of one model with another of the list
  std::vector<std::string> bad_codes;  // barcodes and "vendor code" pairs that join nothing
};

// model_rules.toml. Refused, with file, line and reason: an unknown key, a bad value, an offer in two `joined` rules or
// in a joined and a split one. Over 1 MiB, 100,000 offers.
Result<ModelRules> load_model_rules(const std::string& path);
Result<ModelRules> parse_model_rules(std::string_view text, const std::string& file_name);

struct MatchResult {
  uint64_t offers = 0;               // looked at
  uint64_t models = 0;               // with at least one offer
  uint64_t relinked = 0;             // links that changed
  uint64_t merged = 0;               // models that others took in
  uint64_t split = 0;                // models whose offers are now of several
  uint64_t distrusted_barcodes = 0;  // shared by obviously different vendors
  uint64_t distrusted_codes = 0;     // vendor + code pairs that name several products
};

// Decides for the whole catalogue which offers are one product and writes the links that changed as one difference
// (docs/adr/0008-feeds.md): barcode, vendor + code, the shop's group, transitively; a model keeps its key. The same
// catalogue and rules give the same models, whatever order the feeds came in. Reads the store twice; memory: about 100
// bytes per offer and 24 per identity of one.
Result<MatchResult> match_models(offers::OfferStore& store, const ModelRules& rules);

}  // namespace souk::match
