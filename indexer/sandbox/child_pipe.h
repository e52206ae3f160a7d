// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace souk::sandbox {

// The child's file descriptors.
constexpr int kFeedFd = 3;
constexpr int kOutputFd = 4;
constexpr int kPipeFd = 5;

// What the child tells its parent: frames of a length (4 bytes, little-endian), a kind (1 byte) and that many bytes.
enum class FrameKind : uint8_t {
  kReady = 1,     // locked in, the feed is read from here on
  kProgress = 2,  // two 8-byte numbers: read, in all
  kReport = 3,    // a feed::ReportRecord; the last frame
  kFailed = 4,    // this machine failed: a text
  kCrashed = 5,   // the feed was too much: a text
};

constexpr size_t kMaxReportBytes = size_t{64} << 20;
constexpr size_t kMaxTextBytes = 1000;

struct Frame {
  FrameKind kind = FrameKind::kReady;
  std::string payload;
};

// False when the pipe is gone.
bool write_frame(int fd, FrameKind kind, std::string_view payload);
bool write_progress(int fd, uint64_t done, uint64_t total);

// The parent's side. The child may be anything by now: whatever it sends is bounded and checked.
class FrameReader {
 public:
  void push(std::string_view bytes) { buffer_ += bytes; }
  // The next whole frame; nullopt when there is none yet, or bad().
  std::optional<Frame> next();
  bool bad() const { return bad_; }  // for good
  bool empty() const { return buffer_.empty(); }

 private:
  std::string buffer_;
  bool bad_ = false;
};

struct Progress {
  uint64_t done = 0, total = 0;
};
Progress read_progress(const Frame& frame);

}  // namespace souk::sandbox
