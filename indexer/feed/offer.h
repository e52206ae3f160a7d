// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace souk::feed {

struct Param {
  std::string name;
  std::string value;
  std::string unit;  // empty when there is none
  auto operator<=>(const Param&) const = default;
};

// One accepted offer of a feed, in souk's terms; texts are valid UTF-8 with white space trimmed and folded.
struct Offer {
  uint64_t line = 0;  // of its element in the feed, from 1
  std::string id;     // as the shop wrote it, trimmed
  std::string type;   // "simplified" or the type attribute
  std::string name;   // what a buyer sees; typePrefix + vendor + model for vendor.model
  std::string url;
  std::string vendor;
  std::string vendor_code;
  std::string model;
  std::string description;  // plain text, at most 3000 characters
  std::string currency;     // ISO 4217; RUR is RUB
  std::string group_id;
  std::string category_id;                 // as in the feed
  std::vector<std::string> category_path;  // names from the root, at most 64 (CategoryTree::kMaxDepth)
  std::vector<std::string> pictures;       // at most 10
  std::vector<std::string> barcodes;       // digits with a right check digit
  std::vector<Param> params;
  int64_t price = 0;      // hundredths, > 0, <= 10^15
  int64_t old_price = 0;  // hundredths; 0 = none
  bool available = true;
};

struct FeedHeader {
  std::string shop_name;
  std::string company;
  std::string url;
  std::string date;  // "2026-01-10T12:00" by the shop's clock; empty when absent or not readable
};

}  // namespace souk::feed
