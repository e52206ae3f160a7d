// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace souk::config {

struct FieldWeight {
  double weight = 1.0;  // 0..100
  double b = 0.75;      // 0..1, length normalisation of the field
};

// The shop window: what the whole market agrees on. One file, part of a generation's content hash.
struct Market {
  std::string name = "souk";
  std::string base_currency = "RUB";  // ISO 4217; the only currency of prices so far
  double k1 = 1.2;                    // BM25, 0..10
  uint32_t quality_weight = 2000;     // score units per level of static quality, 0..1,000,000
  // BM25F weights: title, vendor, model, codes, category, params, description.
  std::map<std::string, FieldWeight> fields;
  // Facets a page asks for when it names none, in order: category, vendor, shop, price, param.NAME.
  std::vector<std::string> default_facets;
  // The same for a category (with its subtree), by path "A > B".
  std::map<std::string, std::vector<std::string>> category_facets;

  std::string canonical_text;  // the file's bytes, for the content hash
};

// Every field has a default; an unknown key, a bad type or a value out of bounds is refused with file, line, reason.
Result<Market> load_market(const std::string& path);
Result<Market> parse_market(std::string_view text, const std::string& file_name);

}  // namespace souk::config
