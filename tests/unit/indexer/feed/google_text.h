// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace souk::feed {

// Elements of an item with all that is required; more = further ones.
inline std::string google_item(const std::string& id, const std::string& more = {},
                               const std::string& price = "15.00 USD") {
  return "<g:id>" + id + "</g:id><title>Lamp</title><description>Warm</description><link>https://shop.example/" + id +
         "</link><g:image_link>https://img.example/1.jpg</g:image_link><g:price>" + price +
         "</g:price><g:availability>in_stock</g:availability>" + more;
}

// Line 3 is the first of `items`.
inline std::string rss_with(const std::string& items) {
  return "<?xml version=\"1.0\"?>\n<rss xmlns:g=\"http://base.google.com/ns/1.0\" version=\"2.0\"><channel><title>Shop"
         "</title><link>https://shop.example/</link>\n" +
         items + "</channel></rss>\n";
}

inline std::string rss_item(const std::string& elements) {
  return "<item>" + elements + "</item>\n";
}

}  // namespace souk::feed
