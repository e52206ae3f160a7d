// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace souk::feed {

// Finds tags of items, and the end of their list, in text that need not be XML.
class ItemSearch {
 public:
  ItemSearch() = default;
  ItemSearch(std::string_view item, std::string_view list)
      : start_("<" + std::string(item)), end_("</" + std::string(item)), list_end_("</" + std::string(list)) {}

  struct Place {
    size_t at = 0;  // where an item or the list's end begins; else where what may be the beginning of one does
    bool found = false;
  };
  // From the given byte on.
  Place find_start(std::string_view text, size_t from) const;

  // How far the first end tag of an item goes; all of the text when there is none.
  size_t end_of_item(std::string_view text) const;

  // Whether an item whose beginning is `carried` may end in the text that follows it.
  bool may_end(std::string_view carried, std::string_view text) const;

 private:
  std::string start_, end_, list_end_;
};

}  // namespace souk::feed
