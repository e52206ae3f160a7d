// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace souk::match {

// What a title says that tells a product from its like: colours, and measures with a unit ("8 GB", "2,5 м"). English
// and Russian; unknown words say nothing.
// Each is a kind (a unit, or "colour") in the upper 8 bits and a hash of the value below; ascending, at most 16.
std::vector<uint32_t> title_facts(std::string_view title);

// Whether two titles cannot be of one product: both name something of one kind and nothing of it in common.
bool contradict(std::span<const uint32_t> a, std::span<const uint32_t> b);

}  // namespace souk::match
