// SPDX-License-Identifier: Apache-2.0
#include "runtime/obs/access_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json.hpp>
#include <thread>

namespace souk::obs {
namespace {

namespace json = boost::json;

AccessEntry whole() {
  return {.request_id = "7F000001-1",
          .trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
          .node = "node-1",
          .path = "/search",
          .query = "text=cat&page=2",
          .status = 200,
          .error = "",
          .took_us = 1234,
          .generation = "7-00000000000000bb",
          .complete = true,
          .models = 3,
          .offers = 9,
          .dropped = 1,
          .sub_requests = 8,
          .digest = "0123456789abcdef"};
}

TEST(AccessLog, OneQueryIsOneLine) {
  EXPECT_EQ(to_line(whole(), "2026-01-02T03:04:05.678Z"),
            R"({"time":"2026-01-02T03:04:05.678Z","node":"node-1","request_id":"7F000001-1",)"
            R"("traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","path":"/search",)"
            R"("query":"text=cat&page=2","status":200,"took_us":1234,"generation":"7-00000000000000bb",)"
            R"("complete":true,"models":3,"offers":9,"dropped":1,"sub_requests":8,"digest":"0123456789abcdef"})"
            "\n");
}

TEST(AccessLog, ARefusalHasItsCodeAndNoResult) {
  AccessEntry entry = whole();
  entry.status = 503;
  entry.error = "overloaded";
  entry.generation.clear();
  const json::object line = json::parse(to_line(entry, "t")).as_object();
  EXPECT_EQ(line.at("error"), "overloaded");
  EXPECT_FALSE(line.contains("complete"));
  EXPECT_FALSE(line.contains("digest"));
}

// A line is one JSON object of printable ASCII, and not long.
void expect_one_line(const std::string& line) {
  ASSERT_TRUE(line.ends_with("\n"));
  for (const char c : line.substr(0, line.size() - 1)) EXPECT_TRUE(c >= ' ' && c < 0x7F) << static_cast<int>(c);
  boost::system::error_code error;
  const json::value value = json::parse(line, error);
  EXPECT_FALSE(error) << line;
  EXPECT_TRUE(value.is_object());
  EXPECT_LT(line.size(), 32U * 1024);
}

TEST(AccessLog, NothingThatAUserSendsBreaksTheLine) {
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes += static_cast<char>(byte);
  const std::string hostile[] = {
      "a\nb\r\nc",
      "\"},{\"status\":200,\"query\":\"",
      "\\\" \\n \\u000a",
      "\x1B[2J\x1B[31mred",
      std::string("a\0b", 3),
      "\xE2\x80\xA8 a line separator of JavaScript's \xE2\x80\xA9",
      "\xC2\x85 NEL",
      "\xff\xfe\xC3",
      all_bytes,
      std::string(64 * 1024, 'x'),
      std::string(64 * 1024, '\n'),
      std::string(64 * 1024, '\xff'),
      std::string(64 * 1024, '"'),
  };
  for (const std::string& text : hostile) {
    AccessEntry entry = whole();
    entry.request_id = entry.trace = entry.path = entry.query = text;
    const std::string line = to_line(entry, "t");
    expect_one_line(line);
    EXPECT_EQ(json::parse(line).at("status"), json::value(200)) << "and its own members stay";
  }
}

TEST(AccessLog, BytesAreShownAsUrlsShowThem) {
  AccessEntry entry = whole();
  entry.query = "text=\xD0\xBA\x7F";
  EXPECT_EQ(json::parse(to_line(entry, "t")).at("query"), "text=%D0%BA%7F");
}

TEST(AccessLog, LongTextsAreCutAndSaySo) {
  AccessEntry entry = whole();
  entry.query = std::string(1024, 'x');
  EXPECT_EQ(json::parse(to_line(entry, "t")).at("query").as_string().size(), 1024U);
  entry.query += 'x';
  const json::value line = json::parse(to_line(entry, "t"));
  EXPECT_EQ(std::string_view(line.at("query").as_string()), std::string(1024, 'x') + "...");
}

RC_GTEST_PROP(AccessLogProperty, AnyBytesAreOneLine, (const std::string& id, const std::string& query)) {
  AccessEntry entry = whole();
  entry.request_id = id;
  entry.query = query;
  const std::string line = to_line(entry, "t");
  RC_ASSERT(std::ranges::count(line, '\n') == 1);
  RC_ASSERT(json::parse(line).is_object());
}

TEST(AccessLog, LinesOfThreadsDoNotMix) {
  constexpr int kThreads = 4;
  constexpr int kLines = 200;
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    AccessLog log(file);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&log, t] {
        AccessEntry entry = whole();
        entry.query = std::string(1000, static_cast<char>('a' + t));
        for (int i = 0; i < kLines; ++i) log.write(entry);
      });
    }
  }
  std::rewind(file);
  std::vector<char> line(4096);
  int lines = 0;
  while (std::fgets(line.data(), static_cast<int>(line.size()), file) != nullptr) {
    const json::object read = json::parse(line.data()).as_object();
    EXPECT_TRUE(std::string_view(read.at("time").as_string()).ends_with("Z"));
    const std::string_view query(read.at("query").as_string());
    EXPECT_EQ(query, std::string(1000, query[0]));
    ++lines;
  }
  std::fclose(file);
  EXPECT_EQ(lines, kThreads * kLines);
}

TEST(AccessLog, WithoutAStreamNothingIsWritten) {
  AccessLog(nullptr).write(whole());
}

}  // namespace
}  // namespace souk::obs
