// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "runtime/files/read_file.h"
#include "tests/world/temporary_folder.h"

namespace souk::ingest {
namespace {

FeedRun run_of(const std::string& shop, FeedRun::Outcome outcome) {
  FeedRun run;
  run.at = 1234;
  run.outcome = outcome;
  run.note = "a note";
  run.report.shop = shop;
  run.report.file = "https://shop.example/feed.xml";
  run.report.accepted = 7;
  run.report.added = 3;
  run.report.reject({12, "x1", "bad_price", "the price \"-\" is not a number"});
  run.report.warn({13, "x2", "bad_picture", "no picture"});
  return run;
}

class RunLogTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  world::TemporaryFolder folder_;
  RunLog log_{folder_.path().string()};
};

TEST_F(RunLogTest, GivesBackWhatItTook) {
  FeedRun run = run_of("north", FeedRun::Outcome::kIngested);
  ASSERT_TRUE(log_.add(run));
  EXPECT_EQ(run.number, 1U);
  const auto whole = log_.read("north", 1);
  ASSERT_TRUE(whole) << to_string(whole.error());
  EXPECT_EQ(whole->at, 1234);
  EXPECT_EQ(whole->note, "a note");
  EXPECT_EQ(whole->report.file, "https://shop.example/feed.xml");
  EXPECT_EQ(whole->report.accepted, 7U);
  ASSERT_EQ(whole->report.errors.size(), 1U);
  EXPECT_EQ(whole->report.errors[0].message, "the price \"-\" is not a number");
  ASSERT_EQ(whole->report.warnings.size(), 1U);
  const auto list = log_.list("north");
  ASSERT_TRUE(list) << to_string(list.error());
  ASSERT_EQ(list->size(), 1U);
  EXPECT_EQ((*list)[0].report.rejected, 1U);
  EXPECT_TRUE((*list)[0].report.errors.empty());
  EXPECT_EQ(log_.read("north", 2).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(log_.list("nobody")->empty());
}

TEST_F(RunLogTest, KeepsTheLastOnes) {
  for (size_t i = 0; i < RunLog::kKept + 5; ++i) {
    FeedRun run = run_of("north", FeedRun::Outcome::kRefused);
    ASSERT_TRUE(log_.add(run));
    EXPECT_EQ(run.number, i + 1);
  }
  const auto list = log_.list("north");
  ASSERT_EQ(list->size(), RunLog::kKept);
  EXPECT_EQ(list->front().number, RunLog::kKept + 5);
  EXPECT_EQ(list->back().number, 6U);
  EXPECT_EQ(log_.read("north", 5).error().code, ErrorCode::kNotFound);
}

TEST_F(RunLogTest, ThePageIsOfTheLastRealReading) {
  FeedRun read = run_of("north", FeedRun::Outcome::kIngested);
  ASSERT_TRUE(log_.add(read));
  const auto page = files::read_file(path("north.json"), 1 << 20);
  ASSERT_TRUE(page);
  EXPECT_EQ(boost::json::parse(*page).at("offers").at("accepted"), 7);
  FeedRun same = run_of("north", FeedRun::Outcome::kUnchanged);
  same.report.unchanged = true;
  ASSERT_TRUE(log_.add(same));
  FeedRun lost = run_of("north", FeedRun::Outcome::kFetchFailed);
  lost.report.accepted = 0;
  ASSERT_TRUE(log_.add(lost));
  EXPECT_EQ(*files::read_file(path("north.json"), 1 << 20), *page);
}

TEST_F(RunLogTest, ADamagedFileIsNamed) {
  FeedRun run = run_of("north", FeedRun::Outcome::kIngested);
  ASSERT_TRUE(log_.add(run));
  std::ofstream(path("north/1"), std::ios::binary | std::ios::trunc) << "\xff\xff nonsense";
  const auto read = log_.read("north", 1);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorruption);
  EXPECT_THAT(to_string(read.error()), ::testing::HasSubstr("north/1"));
  ASSERT_TRUE(log_.add(run));
  ASSERT_EQ(log_.list("north")->size(), 1U);  // it hides no other
  EXPECT_EQ(log_.list("north")->front().number, 2U);
}

}  // namespace
}  // namespace souk::ingest
