// SPDX-License-Identifier: Apache-2.0
#include "runtime/obs/log.h"

#include <gtest/gtest.h>

#include <thread>

namespace souk::obs {
namespace {

template <typename Write>
std::string captured(const Write& write) {
  ::testing::internal::CaptureStderr();
  write();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, OneLineWithTimeLevelNameAndMessage) {
  const std::string text = captured([] { Log::to_stderr("node-1").warning("disk is 90 % full"); });
  EXPECT_TRUE(text.ends_with(" warning node-1 disk is 90 % full\n")) << text;
  EXPECT_EQ(text.find('T'), 10U);  // 2023-11-14T22:13:20.000+00:00
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(Log, ControlCharactersAreEscaped) {
  const std::string text = captured([] { Log::to_stderr("a").info("one\ntwo\x1B[31m\r\x7F"); });
  EXPECT_TRUE(text.ends_with(" info a one\\ntwo\\x1b[31m\\x0d\\x7f\n")) << text;
}

TEST(Log, BracesAreNotFormats) {
  EXPECT_TRUE(captured([] { Log::to_stderr("a").error("{} %v {0}"); }).ends_with(" error a {} %v {0}\n"));
}

TEST(Log, LongLinesAreCutBetweenCharacters) {
  std::string message;
  while (message.size() < 10'000) message += "кот";
  const std::string text = captured([&] { Log::to_stderr("a").info(message); });
  const std::string shown = text.substr(text.find("кот"));
  EXPECT_LE(shown.size(), 2049U);
  EXPECT_GT(shown.size(), 2000U);
  ASSERT_TRUE(shown.ends_with("...\n"));
  EXPECT_EQ((shown.size() - 4) % 2, 0U) << "half a letter";
}

TEST(Log, LevelsBelowTheLeastAreNotWritten) {
  EXPECT_EQ(captured([] { Log::to_stderr("a", Level::kWarning).info("no"); }), "");
  EXPECT_EQ(captured([] { Log::to_stderr("a").debug("no"); }), "");
  EXPECT_NE(captured([] { Log::to_stderr("a", Level::kDebug).debug("yes"); }), "");
  EXPECT_EQ(captured([] { Log::null().error("no"); }), "");
}

TEST(Log, SeveralLoggersOfOneNameAndThreads) {
  const std::string text = captured([] {
    const Log first = Log::to_stderr("same");
    const Log second = Log::to_stderr("same");
    std::thread other([&] {
      for (int i = 0; i < 100; ++i) first.info("first");
    });
    for (int i = 0; i < 100; ++i) second.info("second");
    other.join();
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 200);
}

}  // namespace
}  // namespace souk::obs
