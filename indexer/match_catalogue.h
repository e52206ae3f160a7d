// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "indexer/match/match_models.h"

namespace souk::indexer {

// match_models() by DATA/model_rules.toml, which need not be there.
Result<match::MatchResult> match_catalogue(offers::OfferStore& store, const std::string& data);

}  // namespace souk::indexer
