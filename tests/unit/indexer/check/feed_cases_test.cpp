// SPDX-License-Identifier: Apache-2.0
// The feed cases shared by the whole project: one folder per fault, with what each mode of reading must make of it.
// Those about fetching are tests of indexer/fetch.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include "indexer/check/offer_json.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/feed/kinds.h"

namespace souk::check {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using feed::Mode;
using feed::Offer;
using feed::OfferError;
using feed::Report;

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

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

fs::path feed_of(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("feed.")) return entry.path();
  }
  return {};
}

void check_accepted(const json::array& expected, const std::vector<Offer>& offers) {
  ASSERT_EQ(offers.size(), expected.size());
  for (size_t i = 0; i < offers.size(); ++i) {
    const json::object actual = offer_json(offers[i]);
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
    EXPECT_NE(feed::find_kind(error.kind), nullptr) << error.kind;
  }
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(report.rejected, report.errors.size());
}

void check_warnings(const json::array& expected, const Report& report) {
  std::set<std::string> kinds;
  for (const OfferError& warning : report.warnings) {
    kinds.insert(warning.kind);
    EXPECT_NE(feed::find_kind(warning.kind), nullptr) << warning.kind;
  }
  EXPECT_EQ(json::array(kinds.begin(), kinds.end()), expected);
  EXPECT_EQ(report.warning_kinds.size(), kinds.size());
  for (const auto& [kind, count] : report.repairs) EXPECT_NE(feed::find_kind(kind), nullptr) << kind;
}

class FeedCases : public testing::TestWithParam<std::tuple<std::string, Mode>> {};

TEST_P(FeedCases, AreReadAsExpected) {
  const auto& [name, mode] = GetParam();
  const fs::path folder = cases_folder() / name;
  std::ifstream file(folder / "expect.json");
  if (!file) GTEST_SKIP() << "the shared feed cases are not there: " << folder;
  const json::object expect =
      json::parse(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>())).as_object();
  if (expect.contains("http")) return;
  const bool same = mode == Mode::kLenient && expect.at("lenient") == "same";
  const json::object& wanted = expect.at(mode == Mode::kStrict || same ? "strict" : "lenient").as_object();
  feed::ReadOptions options;
  options.mode = mode;
  if (const auto* config = expect.if_contains("config")) {
    if (const auto* bytes = config->as_object().if_contains("max_unpacked_bytes")) {
      options.limits.unpacked_bytes = bytes->to_number<uint64_t>();
    }
  }

  Report report;
  std::vector<Offer> offers;
  const auto take = [&](Offer&& offer) { offers.push_back(std::move(offer)); };
  const feed::FeedHeader header = read_feed_file(feed_of(folder), options, take, report, {});

  EXPECT_EQ(text_or_null(report.feed_error.kind), wanted.at("feed_error")) << report.feed_error.message;
  EXPECT_EQ(report.ok() ? "accepted" : "rejected", wanted.at("feed").as_string());
  check_warnings(wanted.at("warnings").as_array(), report);
  check_rejected(wanted.at("rejected").as_array(), report);
  if (const auto* line = wanted.if_contains("line")) EXPECT_EQ(report.feed_error.line, line->to_number<uint64_t>());
  if (const auto* date = wanted.if_contains("date")) EXPECT_EQ(text_or_null(header.date), *date);
  if (!report.ok()) {
    EXPECT_GT(report.feed_error.line, 0U);
    EXPECT_NE(feed::find_kind(report.feed_error.kind), nullptr);
    EXPECT_EQ(report.accepted, 0U);
    return;
  }
  EXPECT_EQ(to_string(report.format), std::string_view(expect.at("format").as_string()));
  check_accepted(wanted.at("accepted").as_array(), offers);
}

INSTANTIATE_TEST_SUITE_P(Shared, FeedCases,
                         testing::Combine(testing::ValuesIn(case_names()),
                                          testing::Values(Mode::kStrict, Mode::kLenient)),
                         [](const auto& info) {
                           std::string name =
                               std::get<0>(info.param) + "_" + std::string(to_string(std::get<1>(info.param)));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace souk::check
