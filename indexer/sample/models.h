// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/sample/catalogue.h"
#include "indexer/sample/random.h"

namespace souk::sample {

// By what the offers of one model can be known to belong together.
enum class Identity {
  kBarcode,     // barcode and vendor code, in every shop that sells it
  kVendorCode,  // vendor and vendor code only
  kGroup,       // variants of one shop under one group_id
  kNone,
};

// A thing that is made by somebody and sold by some of the shops.
struct Model {
  struct Choice {
    const ParamSpec* spec;
    size_t value;  // index in spec->values; variants count on from it
  };

  size_t department = 0;  // index in departments()
  size_t kind = 0;        // index in its kinds
  std::string_view brand;
  Text noun;
  Text series;
  std::string number;  // "12 S", empty for lines without numbers
  Text exact_name;     // not empty: the title is this and nothing else
  std::vector<Choice> params;
  Text sentence;
  Text closing;
  Identity identity = Identity::kNone;
  std::string barcode;      // EAN-13
  std::string vendor_code;  // empty unless the identity needs it
  int64_t price = 0;        // roubles, about which the shops' prices lie
  size_t variants = 1;      // offers per shop
  std::vector<size_t> shops;
};

struct ModelCounts {
  size_t models;
  size_t russian_shops;  // shops [0, russian_shops) are Russian, the rest up to `shops` English
  size_t shops;
};

// The first six are the cats: angry with a squeaker, angry without, plain; in Russian, then in English.
std::vector<Model> make_models(const ModelCounts& counts, Random& random);

// The digit that makes 12 digits an EAN-13.
char ean13_check_digit(std::string_view twelve_digits);

}  // namespace souk::sample
