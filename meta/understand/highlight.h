// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/analyzer.h"

namespace souk::understand {

// Where a shown text contains the query's terms: start and length in UTF-16 code units, ascending, not overlapping.
struct Highlight {
  size_t start;
  size_t length;
};
std::vector<Highlight> highlights(text::Analyzer& analyzer, std::string_view shown,
                                  const std::vector<std::string>& terms);

}  // namespace souk::understand
