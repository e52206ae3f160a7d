// SPDX-License-Identifier: Apache-2.0
// The feed cases shared by the whole project: one folder per fault, with what a strict reader must make of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "indexer/feed/feed_reader.h"

namespace souk::feed {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path cases_folder() {
  if (const char* shared = std::getenv("SOUK_SHARED")) return fs::path(shared) / "cases" / "feeds";
  return fs::path(SOUK_SOURCE_DIR).parent_path() / "shared" / "cases" / "feeds";
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(cases_folder(), problem)) {
    if (entry.is_directory()) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  if (names.empty()) names.emplace_back("none");
  return names;
}

std::string price_text(int64_t hundredths) {
  std::string text = std::to_string(hundredths / 100) + ".";
  const std::string cents = std::to_string(hundredths % 100);
  return text + (cents.size() < 2 ? "0" : "") + cents;
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::array strings(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::object as_json(const Offer& offer) {
  json::array params;
  for (const Param& param : offer.params) {
    params.push_back(json::array{param.name, text_or_null(param.unit), param.value});
  }
  return {{"id", offer.id},
          {"name", offer.name},
          {"url", offer.url},
          {"vendor", text_or_null(offer.vendor)},
          {"vendor_code", text_or_null(offer.vendor_code)},
          {"model", text_or_null(offer.model)},
          {"type", offer.type},
          {"available", offer.available},
          {"group_id", text_or_null(offer.group_id)},
          {"barcodes", strings(offer.barcodes)},
          {"pictures", strings(offer.pictures)},
          {"price", price_text(offer.price)},
          {"old_price", offer.old_price == 0 ? json::value(nullptr) : json::value(price_text(offer.old_price))},
          {"currency", offer.currency},
          {"category", offer.category_id},
          {"category_path", strings(offer.category_path)},
          {"params", params},
          {"description", offer.description}};
}

void check_accepted(const json::array& expected, const std::vector<Offer>& offers) {
  ASSERT_EQ(offers.size(), expected.size());
  for (size_t i = 0; i < offers.size(); ++i) {
    const json::object actual = as_json(offers[i]);
    for (const auto& [field, value] : expected[i].as_object()) {
      ASSERT_TRUE(actual.contains(field)) << field;
      EXPECT_EQ(actual.at(field), value) << "offer " << offers[i].id << ", " << field;
    }
  }
}

void check_rejected(const json::array& expected, const Report& report) {
  json::array actual;
  for (const OfferError& error : report.errors) {
    actual.push_back(json::object{{"id", text_or_null(error.id)}, {"error", error.kind}});
    EXPECT_GT(error.line, 0U);
    EXPECT_FALSE(error.message.empty());
  }
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(report.rejected, report.errors.size());
}

class FeedCases : public testing::TestWithParam<std::string> {};

TEST_P(FeedCases, StrictReading) {
  const fs::path folder = cases_folder() / GetParam();
  std::ifstream file(folder / "expect.json");
  if (!file) GTEST_SKIP() << "the shared feed cases are not there: " << folder;
  const json::object expect =
      json::parse(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>())).as_object();
  if (expect.at("format") != "yml") GTEST_SKIP() << "format " << expect.at("format") << " is not read yet";
  if (expect.contains("http")) GTEST_SKIP() << "feeds are not fetched yet";
  fs::path feed;
  for (const char* name : {"feed.xml", "feed.xml.gz"}) {
    if (fs::exists(folder / name)) feed = folder / name;
  }
  if (feed.empty()) GTEST_SKIP() << "zip is not read yet";
  ReaderLimits limits;
  if (const auto* config = expect.if_contains("config")) {
    if (const auto* bytes = config->as_object().if_contains("max_unpacked_bytes")) {
      limits.unpacked_bytes = bytes->to_number<uint64_t>();
    }
  }

  Report report;
  std::vector<Offer> offers;
  const FeedHeader header =
      read_feed_file(feed, {.mode = Mode::kStrict, .limits = limits}, [&](Offer&& offer) { offers.push_back(std::move(offer)); }, report, {});

  const json::object& strict = expect.at("strict").as_object();
  const bool accepted = strict.at("feed") == "accepted";
  EXPECT_EQ(text_or_null(report.feed_error.kind), strict.at("feed_error")) << report.feed_error.message;
  EXPECT_EQ(report.ok(), accepted);
  if (!report.ok()) EXPECT_GT(report.feed_error.line, 0U);
  if (const auto* line = strict.if_contains("line")) EXPECT_EQ(report.feed_error.line, line->to_number<uint64_t>());
  if (const auto* date = strict.if_contains("date")) EXPECT_EQ(text_or_null(header.date), *date);
  if (!accepted) return;
  check_accepted(strict.at("accepted").as_array(), offers);
  check_rejected(strict.at("rejected").as_array(), report);
  std::set<std::string> kinds;
  for (const OfferError& warning : report.warnings) kinds.insert(warning.kind);
  EXPECT_EQ(json::array(kinds.begin(), kinds.end()), strict.at("warnings").as_array());
}

INSTANTIATE_TEST_SUITE_P(Shared, FeedCases, testing::ValuesIn(case_names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace souk::feed
