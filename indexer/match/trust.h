// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "indexer/match/evidence.h"

namespace souk::match {

// What evidence can be trusted. Marks that cannot lose `trusted`. Each looks at all offers that bear an identity, never
// at the order in which they came.

inline constexpr size_t kMostOfShop = 16;      // offers of one shop with one barcode: beyond it is a placeholder
inline constexpr size_t kMostOfGroup = 1000;   // offers of a shop's group: beyond it is none
inline constexpr size_t kMostOffers = 20'000;  // of a model
inline constexpr size_t kSuspectOffers = 64;   // a chain of barcodes over more offers is looked at:
inline constexpr size_t kMostPerShop = 8;      // more than this many for each of its shops is no product

// Calls with each run of marks of one identity of these kinds.
void for_each_identity(std::span<Mark> marks, IdentityKind first, IdentityKind last,
                       const std::function<void(std::span<Mark>)>& each);

// Barcodes that obviously different vendors share: trusted only for the vendor that at least three of four shops name,
// if there is one. Returns how many have lost trust, in whole or in part.
uint64_t judge_barcodes(Evidence& evidence);

// Which roots are of too many offers to be one product, though each of their barcodes may be good.
std::vector<bool> oversized(const Evidence& evidence, std::span<const uint32_t> roots);

// Vendor codes that name several products. roots: what barcodes have joined. Returns how many.
uint64_t judge_codes(Evidence& evidence, std::span<const uint32_t> roots);

// A group joins its offers that nothing else identifies, with the one product that its other offers are; when they are
// several products, without them. roots: what barcodes and codes have joined.
void judge_groups(Evidence& evidence, std::span<const uint32_t> roots);

}  // namespace souk::match
