// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/identities.h"

#include <algorithm>

#include "core/base/ascii.h"
#include "core/base/hash.h"
#include "indexer/match/words.h"

namespace souk::match {
namespace {

constexpr uint64_t kEan8End = 100'000'000;
constexpr uint64_t kEan13End = 10'000'000'000'000;
constexpr size_t kLeastDigits = 5;
constexpr size_t kLeastCharacters = 4;

uint64_t tagged(IdentityKind kind, uint64_t value) {
  return (uint64_t{static_cast<uint8_t>(kind)} << 56U) | (value >> 8U);
}

}  // namespace

std::optional<uint64_t> normalize_gtin(std::string_view digits) {
  const bool sized = digits.size() == 8 || (digits.size() >= 12 && digits.size() <= 14);
  if (!sized || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  uint64_t number = 0;
  for (const char c : digits) number = number * 10 + static_cast<uint64_t>(c - '0');
  return number == 0 ? std::nullopt : std::optional(number);
}

bool is_restricted(uint64_t gtin) {
  if (gtin < kEan8End) {
    const uint64_t first = gtin / (kEan8End / 10);
    return first == 0 || first == 2;
  }
  if (gtin >= kEan13End) return false;  // a package
  const uint64_t prefix = gtin / (kEan13End / 100);
  return prefix == 2 || prefix == 4 || prefix / 10 == 2;
}

Identity barcode_identity(uint64_t gtin, uint32_t shop) {
  if (is_restricted(gtin)) return {tagged(IdentityKind::kShopBarcode, 0) | shop, gtin};
  return {tagged(IdentityKind::kBarcode, 0), gtin};
}

std::string normalize_code(std::string_view code) {
  std::string normal = compact(words_of(code));
  const bool has_digit = std::ranges::any_of(normal, is_digit);
  const bool all_digits = std::ranges::all_of(normal, is_digit);
  const auto characters = static_cast<size_t>(
      std::ranges::count_if(normal, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  const bool monotone = std::ranges::adjacent_find(normal, std::ranges::not_equal_to()) == normal.end();
  if (!has_digit || monotone || characters < (all_digits ? kLeastDigits : kLeastCharacters)) return {};
  return normal;
}

Identity code_identity(const VendorName& vendor, std::string_view normal_code) {
  return {tagged(IdentityKind::kVendorCode, xxh3(std::string_view(vendor.joined))), xxh3(normal_code)};
}

Identity group_identity(std::string_view group, uint32_t shop) {
  return {tagged(IdentityKind::kGroup, 0) | shop, xxh3(group)};
}

}  // namespace souk::match
