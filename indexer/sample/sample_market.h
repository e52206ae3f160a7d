// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace souk::sample {

// A made-up Russian-English market: about 20,000 offers of 9,000 models in 12 shops, the same for the same seed.
// Names are those of files ("shop-01.yml.gz"), bytes are whole YML feeds. One shop writes windows-1251, two do not
// pack.
std::vector<std::pair<std::string, std::string>> make_sample_market(uint64_t seed);

// Writes it into the folder, which is made when it is not there. kUnavailable names the file that cannot be written.
Status write_sample_market(const std::string& folder, uint64_t seed);

}  // namespace souk::sample
