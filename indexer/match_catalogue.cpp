// SPDX-License-Identifier: Apache-2.0
#include "indexer/match_catalogue.h"

#include <filesystem>
#include <utility>

namespace souk::indexer {

Result<match::MatchResult> match_catalogue(offers::OfferStore& store, const std::string& data) {
  const std::string path = data + "/model_rules.toml";
  match::ModelRules rules;
  std::error_code problem;
  if (std::filesystem::exists(path, problem)) {
    auto loaded = match::load_model_rules(path);
    if (!loaded) return std::unexpected(loaded.error());
    rules = std::move(*loaded);
  }
  return match::match_models(store, rules);
}

}  // namespace souk::indexer
