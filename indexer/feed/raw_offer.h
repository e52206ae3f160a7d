// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/offer.h"

namespace souk::feed {

// Values of an offer that occur once; of several ones that are not empty the first counts.
enum class Field : uint8_t {
  kUrl,
  kPrice,
  kSalePrice,  // Google: what a buyer pays
  kSaleDates,  // Google: when
  kOldPrice,
  kCurrency,
  kCategory,      // id of a listed category, or a path "A > B"
  kCategoryPath,  // Google: its second choice
  kName,
  kNameRu,
  kNameUa,
  kVendor,
  kVendorCode,
  kModel,
  kTypePrefix,
  kDescription,
  kDescriptionRu,
  kDescriptionUa,
  kTitle,
  kArtist,
  kPublisher,
  kAvailable,     // true or false
  kAvailability,  // in_stock …
  kAvailabilityDate,
  kCondition,
  kAdult,
  kDelivery,
  kPickup,
  kStore,
  kGroup,
  kCount,
};
inline constexpr size_t kFields = static_cast<size_t>(Field::kCount);

struct RawParam {
  std::string name;
  std::string value;
  std::string unit;
  bool own = false;  // an element of one of the special offer types, shown as a param
};

struct RawDeliveryOption {
  std::string cost, days, order_before;
};

// An offer as it is written: texts decoded and not yet looked at. Kept and filled again for each offer.
struct RawOffer {
  static constexpr size_t kMaxRepeated = 1000;  // pictures, barcodes

  uint64_t line = 0;
  std::string id;
  bool has_available = false;  // an empty one is there, but says nothing
  std::string type;
  std::array<std::string, kFields> fields;
  std::vector<std::string> category_path;  // of formats that give it name by name
  std::vector<std::string> pictures;
  std::vector<std::string> barcodes;
  std::vector<RawParam> params;
  std::vector<RawParam> extras;
  std::vector<RawDeliveryOption> delivery_options, pickup_options;
  size_t dropped_params = 0;
  bool description_cut = false;

  std::string& operator[](Field field) { return fields[static_cast<size_t>(field)]; }
  void clear();
  // Takes the text unless the field has one already; text is left with anything. true = taken.
  bool set(Field field, std::string& text);
  // Adds one unless there are `most` already.
  void add_param(RawParam&& param, size_t most);
};

}  // namespace souk::feed
