// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "indexer/match/vendor_name.h"

namespace souk::match {

// One piece of evidence in 16 bytes; equal evidence has equal bytes, whatever feed it came in. Ordered: barcodes, then
// vendor codes, then groups.
struct Identity {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Identity&) const = default;
  explicit operator bool() const { return high != 0; }
};

enum class IdentityKind : uint8_t { kBarcode = 1, kShopBarcode = 2, kVendorCode = 3, kGroup = 4 };
inline IdentityKind kind_of(const Identity& identity) {
  return static_cast<IdentityKind>(identity.high >> 56U);
}

// A GTIN as its 14 digits' number; nothing when it is not 8, 12, 13 or 14 digits, or all zeros.
std::optional<uint64_t> normalize_gtin(std::string_view digits);

// Numbers that a shop may give as it likes (GS1 restricted circulation: EAN-13 from 02, 04 and 2, EAN-8 from 0 and 2)
// are evidence within the shop only.
bool is_restricted(uint64_t gtin);

Identity barcode_identity(uint64_t gtin, uint32_t shop);

// A maker's code as it is compared: folded, without separators. Empty when it is no code that could name one product:
// without a digit, one character over and over, shorter than 4 characters or 5 digits.
std::string normalize_code(std::string_view code);

Identity code_identity(const VendorName& vendor, std::string_view normal_code);  // neither may be empty
Identity group_identity(std::string_view group, uint32_t shop);

}  // namespace souk::match
