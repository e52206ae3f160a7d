// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/text/analyzer.h"

namespace souk::understand {

// What a query's text was understood as: distinct terms in the order of the text.
// kInvalidArgument when there are more than 32.
Result<std::vector<std::string>> query_terms(text::Analyzer& analyzer, std::string_view text);

// Where a shown text contains the query's terms: start and length in UTF-16 code units, ascending, not overlapping.
struct Highlight {
  size_t start;
  size_t length;
};
std::vector<Highlight> highlights(text::Analyzer& analyzer, std::string_view shown,
                                  const std::vector<std::string>& terms);

}  // namespace souk::understand
