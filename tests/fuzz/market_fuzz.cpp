// SPDX-License-Identifier: Apache-2.0
// Any bytes as market.toml: a refusal names the file in one line, and accepted numbers are within their bounds.
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "runtime/config/market.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto market = config::parse_market(text, "market.toml");
  if (!market) {
    SOUK_CHECK(market.error().message.starts_with("market.toml:"));
    SOUK_CHECK(!market.error().message.contains('\n'));
    return 0;
  }
  SOUK_CHECK(market->canonical_text == text);
  SOUK_CHECK(market->k1 >= 0 && market->k1 <= 10 && market->quality_weight <= 1'000'000);
  SOUK_CHECK(market->base_currency.size() == 3);
  for (const auto& [name, field] : market->fields) {
    SOUK_CHECK(field.weight >= 0 && field.weight <= 100 && field.b >= 0 && field.b <= 1);
  }
  for (const auto& [currency, rate] : market->rates) {
    SOUK_CHECK(currency.size() == 3 && currency != market->base_currency);
    SOUK_CHECK(rate.billionths() >= 1 && rate.billionths() <= config::ExchangeRate::kMost);
    SOUK_CHECK(rate.convert(config::ExchangeRate::kMaxAmount).value_or(0) >= 0);
  }
  if (market->category_tree) {
    SOUK_CHECK(!market->category_tree->other.empty() && !market->category_tree->categories.empty());
    for (const config::CategoryPath& path : market->category_tree->categories)
      SOUK_CHECK(!path.empty() && path.size() <= 32);
    for (const config::CategoryRule& rule : market->category_tree->rules)
      SOUK_CHECK(!rule.from.empty() && !rule.to.empty());
  }
  for (size_t i = 0; i < market->regions.size(); ++i) SOUK_CHECK(market->regions[i].parent.value_or(0) <= i);
  for (const config::Place& place : market->places) {
    SOUK_CHECK(market->find_place(place.name) == &place);
    SOUK_CHECK(place.per_page >= 1 && place.per_page <= 100);
  }
  return 0;
}
