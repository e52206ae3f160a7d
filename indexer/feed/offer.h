// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace souk::feed {

struct Param {
  std::string name;
  std::string value;
  std::string unit;  // empty when there is none
  auto operator<=>(const Param&) const = default;
};

// One way to get the goods: what it costs and how long it takes.
struct DeliveryOption {
  int64_t cost = 0;                     // hundredths of the offer's (the shop's: main) currency, 0..10^15
  uint16_t days_from = 0, days_to = 0;  // 0..255, from <= to
  uint8_t order_before = 24;            // by this hour of the day the days count from today; 24 = at any hour
  auto operator<=>(const DeliveryOption&) const = default;
};

// Absent = the shop's, and without one there: delivered, not picked up, no store.
struct DeliveryTerms {
  std::optional<bool> delivery, pickup, store;
  std::vector<DeliveryOption> delivery_options, pickup_options;  // at most 5 each
  bool operator==(const DeliveryTerms&) const = default;
};

enum class Availability : uint8_t { kInStock, kOutOfStock, kPreorder, kBackorder };
std::string_view to_string(Availability availability);  // "in_stock", "out_of_stock", "preorder", "backorder"

// Bounds of an Offer: texts in characters, lists in entries.
struct OfferLimits {
  static constexpr size_t kId = 255;
  static constexpr size_t kName = 500;
  static constexpr size_t kShortText = 200;  // vendor, model, type, units …
  static constexpr size_t kParamText = 500;
  static constexpr size_t kDescription = 3000;
  static constexpr size_t kUrl = 512;
  static constexpr size_t kCategoryDepth = 64;
  static constexpr size_t kPictures = 10;
  static constexpr size_t kBarcodes = 100;
  static constexpr size_t kParams = 1000;
  static constexpr size_t kExtras = 64;
  static constexpr size_t kDeliveryOptions = 5;
  static constexpr int64_t kPrice = 1'000'000'000'000'000;
};

// One accepted offer of a feed, in souk's terms; texts are valid UTF-8 with white space trimmed and folded.
struct Offer {
  uint64_t line = 0;  // of its element (row) in the feed, from 1
  std::string id;     // as the shop wrote it, trimmed; at most 255 characters
  std::string type;   // "simplified" or the type attribute
  std::string name;   // what a buyer sees; typePrefix + vendor + model for vendor.model
  std::string url;
  std::string vendor;
  std::string vendor_code;
  std::string model;
  std::string description;  // plain text, at most 3000 characters
  std::string currency;     // ISO 4217; RUR is RUB
  std::string group_id;
  std::string category_id;  // as in the feed; empty when it has none
  std::vector<std::string>
      category_path;  // names from the root, at most 64 (CategoryTree::kMaxDepth); empty = no category (lenient only)
  std::vector<std::string> pictures;  // at most 10
  std::vector<std::string> barcodes;  // digits with a right check digit
  std::vector<Param> params;
  // Common elements that are shown but neither searched nor filtered by, under their YML names ("sales_notes",
  // "country_of_origin", "weight" …), in the feed's order; at most 64.
  std::vector<Param> extras;
  std::string condition;  // "new", "used", "refurbished", or a YML condition type; empty = not said
  int64_t price = 0;      // what a buyer pays now: hundredths of `currency`, > 0, <= 10^15
  int64_t old_price = 0;  // hundredths; 0 = none
  bool available = true;  // can be bought now; only kInStock
  Availability availability = Availability::kInStock;
  bool adult = false;
  DeliveryTerms delivery;
};

struct FeedHeader {
  static constexpr size_t kMaxText = 500;  // characters of each text

  std::string shop_name;
  std::string company;
  std::string url;
  std::string date;      // "2026-01-10T12:00" by the shop's clock; empty when absent or not readable
  std::string currency;  // the feed's main one (rate 1), ISO 4217; empty when none is marked
  DeliveryTerms delivery;
};

}  // namespace souk::feed
