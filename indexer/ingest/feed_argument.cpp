// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/feed_argument.h"

#include <array>
#include <set>

namespace souk::ingest {
namespace {

std::string name_of_file(std::string_view path) {
  std::string_view name = path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : {".gz", ".xml", ".yml", ".yaml"}) {
      if (name.size() > ending.size() && name.ends_with(ending)) {
        name.remove_suffix(ending.size());
        cut = true;
      }
    }
  }
  return std::string(name);
}

FeedArgument parse_one(const std::string& argument) {
  const size_t equals = argument.find('=');
  const bool named = equals != std::string::npos && argument.find('/') > equals;
  if (named) return {argument.substr(0, equals), argument.substr(equals + 1)};
  return {name_of_file(argument), argument};
}

}  // namespace

Result<std::vector<FeedArgument>> parse_feed_arguments(const std::vector<std::string>& arguments) {
  std::vector<FeedArgument> feeds;
  std::set<std::string> names;
  for (const std::string& argument : arguments) {
    FeedArgument feed = parse_one(argument);
    if (feed.shop.empty() || feed.shop.starts_with('.') || feed.shop.contains('/')) {
      return fail(ErrorCode::kInvalidArgument, "a shop's name must not be empty, begin with a dot or hold a slash",
                  argument);
    }
    if (feed.path.empty()) return fail(ErrorCode::kInvalidArgument, "the feed has no file", argument);
    if (!names.insert(feed.shop).second) {
      return fail(ErrorCode::kInvalidArgument, "two feeds are of the shop " + feed.shop, argument);
    }
    feeds.push_back(std::move(feed));
  }
  return feeds;
}

}  // namespace souk::ingest
