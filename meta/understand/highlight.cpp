// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/highlight.h"

#include <algorithm>

#include "core/text/normalize.h"

namespace souk::understand {

std::vector<Highlight> highlights(text::Analyzer& analyzer, std::string_view shown,
                                  const std::vector<std::string>& terms) {
  std::vector<Highlight> found;
  size_t bytes = 0;
  size_t units = 0;
  for (const text::Token& token : analyzer.analyze(shown)) {
    if (std::ranges::find(terms, token.term) == terms.end()) continue;
    units += text::utf16_length(shown.substr(bytes, token.begin - bytes));
    const size_t length = text::utf16_length(shown.substr(token.begin, token.end - token.begin));
    found.push_back({units, length});
    units += length;
    bytes = token.end;
  }
  return found;
}

}  // namespace souk::understand
