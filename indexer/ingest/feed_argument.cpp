// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/feed_argument.h"

#include <algorithm>
#include <set>

#include "indexer/input/utf8.h"

namespace souk::ingest {
namespace {

constexpr size_t kMaxName = 100;

std::string name_of_file(std::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  std::string_view name = path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : {".gz", ".zip", ".xml", ".yml", ".yaml", ".tsv", ".jsonl"}) {
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

Status check_shop_name(std::string_view name) {
  const bool is_plain =
      std::ranges::none_of(name, [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F || c == '/'; });
  const bool is_text = input::utf8_prefix(name).valid == name.size();
  if (!name.empty() && name.size() <= kMaxName && name.front() != '.' && is_plain && is_text) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      "a shop's name is 1 to 100 bytes of UTF-8 without control characters and slashes, and does not begin with "
      "a dot",
      std::string(name.substr(0, kMaxName)));
}

Result<std::vector<FeedArgument>> parse_feed_arguments(const std::vector<std::string>& arguments) {
  std::vector<FeedArgument> feeds;
  std::set<std::string> names;
  for (const std::string& argument : arguments) {
    FeedArgument feed = parse_one(argument);
    if (Status good = check_shop_name(feed.shop); !good) {
      return fail(ErrorCode::kInvalidArgument, good.error().message, argument);
    }
    if (feed.source.empty()) return fail(ErrorCode::kInvalidArgument, "the feed has no file", argument);
    if (!names.insert(feed.shop).second) {
      return fail(ErrorCode::kInvalidArgument, "two feeds are of the shop " + feed.shop, argument);
    }
    feeds.push_back(std::move(feed));
  }
  return feeds;
}

}  // namespace souk::ingest
