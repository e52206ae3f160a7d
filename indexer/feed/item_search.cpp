// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/item_search.h"

#include <algorithm>

namespace souk::feed {

ItemSearch::Place ItemSearch::find_start(std::string_view text, size_t from) const {
  static constexpr std::string_view kAfterName = " \t\r\n/>";
  for (size_t at = text.find('<', from); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at);
    const std::string& mark = rest.starts_with("</") ? list_end_ : start_;
    if (rest.size() <= mark.size()) {
      if (mark.starts_with(rest)) return {at, false};
    } else if (rest.starts_with(mark) && kAfterName.contains(rest[mark.size()])) {
      return {at, true};
    }
  }
  return {text.size(), false};
}

size_t ItemSearch::end_of_item(std::string_view text) const {
  const size_t at = text.find(end_);
  return at == std::string_view::npos ? text.size() : std::min(text.find('>', at), text.size() - 1) + 1;
}

bool ItemSearch::may_end(std::string_view carried, std::string_view text) const {
  if (text.contains(end_)) return true;
  const std::string_view tail = carried.substr(carried.size() - std::min(carried.size(), end_.size()));
  return std::string(tail).append(text.substr(0, end_.size())).contains(end_);
}

}  // namespace souk::feed
