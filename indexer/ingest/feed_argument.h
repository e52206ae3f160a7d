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
  std::string path;
};

// "NAME=FILE", or "FILE" for the shop named as the file is without endings (".yml.gz", ".xml", …). A name that cannot
// be a file name, or comes twice, is kInvalidArgument.
Result<std::vector<FeedArgument>> parse_feed_arguments(const std::vector<std::string>& arguments);

}  // namespace souk::ingest
