// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace souk::index {

// The fields of an offer's text. A posting's mask has bit 1 << field for each field that holds the term.
enum class Field : uint8_t { kTitle, kVendor, kModel, kCodes, kCategory, kParams, kDescription };
inline constexpr size_t kFields = 7;
inline constexpr size_t kMainFields = 6;  // all but the description, which has lists of its own
inline constexpr std::array<std::string_view, kFields> kFieldNames = {"title",    "vendor", "model",      "codes",
                                                                      "category", "params", "description"};
inline constexpr uint8_t kMainMask = (1U << kMainFields) - 1;
inline constexpr uint8_t kDescriptionMask = 1U << static_cast<uint8_t>(Field::kDescription);

// "None" in a column of ordinals.
inline constexpr uint32_t kNoOrdinal = 0xFFFFFFFF;

// What is said of an offer by one bit each: how it can be had, and for whom it is. Free delivery is delivery.
inline constexpr uint8_t kDelivered = 1, kPickup = 2, kStore = 4, kFreeDelivery = 8, kAdult = 16;
inline constexpr uint8_t kWays = kDelivered | kPickup | kStore | kFreeDelivery;
inline constexpr uint8_t kAllFlags = kWays | kAdult;
inline constexpr uint8_t kDefaultFlags = kDelivered;
constexpr bool are_flags(uint64_t flags) {
  return flags <= kAllFlags && ((flags & kFreeDelivery) == 0 || (flags & kDelivered) != 0);
}

// Static quality is one of 16 levels over the whole generation, 15 the best.
inline constexpr uint32_t kLevels = 16;

}  // namespace souk::index
