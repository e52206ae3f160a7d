// SPDX-License-Identifier: Apache-2.0
// Any bytes as model_rules.toml: a refusal names the file in one line, and accepted rules are within their bounds.
#include <cstdint>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "indexer/match/match_models.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  const auto rules = match::parse_model_rules({reinterpret_cast<const char*>(data), size}, "rules.toml");
  if (!rules) {
    SOUK_CHECK(rules.error().message.starts_with("rules.toml:"));
    SOUK_CHECK(!rules.error().message.contains('\n'));
    return 0;
  }
  std::set<std::string_view> joined;
  for (const match::ModelRules::Offers& rule : rules->joined) {
    SOUK_CHECK(rule.offers.size() >= 2 && !rule.name.empty());
    for (const std::string& offer : rule.offers) SOUK_CHECK(joined.insert(offer).second);
  }
  for (const match::ModelRules::Offers& rule : rules->split) {
    SOUK_CHECK(rule.offers.size() >= 2 && !rule.name.empty());
    for (const std::string& offer : rule.offers) SOUK_CHECK(!joined.contains(offer));
  }
  return 0;
}
