// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace souk::ingest {

// A feed to read and the shop whose feed it is.
struct FeedArgument {
  std::string shop;
  std::string source;  // a file, or an http(s) address
};

// A name that can be a file's: 1..100 bytes of UTF-8 without control characters and slashes, not beginning with a dot.
Status check_shop_name(std::string_view name);

// "NAME=SOURCE", or "SOURCE" for the shop named as the file is without endings (".yml.gz", ".xml", …). A name that is
// not a shop's (check_shop_name), or comes twice, is kInvalidArgument.
Result<std::vector<FeedArgument>> parse_feed_arguments(const std::vector<std::string>& arguments);

}  // namespace souk::ingest
