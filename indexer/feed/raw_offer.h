// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace souk::feed {

// Elements of an offer that occur once; of several ones that are not empty the first counts.
enum class Field : uint8_t {
  kUrl,
  kPrice,
  kOldPrice,
  kCurrency,
  kCategory,
  kName,
  kVendor,
  kVendorCode,
  kModel,
  kTypePrefix,
  kDescription,
  kTitle,
  kArtist,
  kPublisher,
  kCount,
  // Those below occur many times and have lists of their own.
  kPicture,
  kBarcode,
  kParam,
  kOwn,  // of one of the special offer types, shown as a param
};

struct OfferElement {
  std::string_view name;
  Field field;
  std::string_view param_name;  // of kOwn
};

// Elements read from an offer; the others are ignored. Names are case-sensitive.
const OfferElement* find_offer_element(std::string_view name);

struct RawParam {
  std::string name;
  std::string value;
  std::string unit;
  bool own = false;
};

// An offer as it is written: texts decoded by XML and not yet looked at. Kept and filled again for each offer.
struct RawOffer {
  uint64_t line = 0;
  std::optional<std::string> id;
  std::optional<std::string> available;
  std::string type;
  std::string group_id;
  std::array<std::string, static_cast<size_t>(Field::kCount)> fields;
  std::vector<std::string> pictures;
  std::vector<std::string> barcodes;
  std::vector<RawParam> params;
  size_t dropped_params = 0;
  bool description_cut = false;

  std::string& operator[](Field field) { return fields[static_cast<size_t>(field)]; }
  void clear();
};

}  // namespace souk::feed
