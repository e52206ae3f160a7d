// SPDX-License-Identifier: Apache-2.0
#include "indexer/sandbox/child_pipe.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace souk::sandbox {
namespace {

// What write_frame() sends.
std::string sent(FrameKind kind, std::string_view payload) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  EXPECT_TRUE(write_frame(ends[1], kind, payload));
  ::close(ends[1]);
  std::string bytes(payload.size() + 100, '\0');
  const ssize_t size = ::read(ends[0], bytes.data(), bytes.size());
  ::close(ends[0]);
  bytes.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return bytes;
}

RC_GTEST_PROP(ChildPipe, FramesComeWholeHoweverTheyAreCut, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  std::string stream;
  for (const std::string& text : texts) stream += sent(FrameKind::kReport, text);
  FrameReader reader;
  std::vector<std::string> got;
  for (size_t at = 0; at < stream.size();) {
    const size_t size = *rc::gen::inRange<size_t>(1, 20);
    reader.push(std::string_view(stream).substr(at, size));
    at += size;
    while (auto frame = reader.next()) got.push_back(std::move(frame->payload));
  }
  RC_ASSERT(got == texts);
  RC_ASSERT(!reader.bad());
  RC_ASSERT(reader.empty());
}

RC_GTEST_PROP(ChildPipe, AnyBytesAreFramesOrBad, (const std::string& bytes)) {
  FrameReader reader;
  reader.push(bytes);
  size_t taken = 0;
  while (auto frame = reader.next()) taken += frame->payload.size() + 5;
  RC_ASSERT(taken <= bytes.size());
}

TEST(ChildPipe, LengthsAreBounded) {
  const std::vector<std::pair<FrameKind, uint32_t>> too_long{
      {FrameKind::kReady, 1},
      {FrameKind::kProgress, 15},
      {FrameKind::kProgress, 17},
      {FrameKind::kReport, kMaxReportBytes + 1},
      {FrameKind::kFailed, kMaxTextBytes + 1},
      {FrameKind::kCrashed, kMaxTextBytes + 1},
      {static_cast<FrameKind>(0), 0},
      {static_cast<FrameKind>(6), 0},
  };
  for (const auto& [kind, size] : too_long) {
    FrameReader reader;
    std::string head(reinterpret_cast<const char*>(&size), sizeof size);
    head += static_cast<char>(kind);
    reader.push(head);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.bad()) << static_cast<int>(kind) << " " << size;
  }
}

TEST(ChildPipe, LongTextsAreCut) {
  FrameReader reader;
  reader.push(sent(FrameKind::kCrashed, std::string(5000, 'x')));
  const auto frame = reader.next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->payload.size(), kMaxTextBytes);
}

}  // namespace
}  // namespace souk::sandbox
