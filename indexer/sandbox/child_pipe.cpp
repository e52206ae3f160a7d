// SPDX-License-Identifier: Apache-2.0
#include "indexer/sandbox/child_pipe.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace souk::sandbox {
namespace {

constexpr size_t kHead = 5;

bool is_allowed(FrameKind kind, size_t size) {
  switch (kind) {
    case FrameKind::kReady:
      return size == 0;
    case FrameKind::kProgress:
      return size == sizeof(Progress);
    case FrameKind::kReport:
      return size <= kMaxReportBytes;
    case FrameKind::kFailed:
    case FrameKind::kCrashed:
      return size <= kMaxTextBytes;
  }
  return false;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

}  // namespace

bool write_frame(int fd, FrameKind kind, std::string_view payload) {
  if (kind == FrameKind::kFailed || kind == FrameKind::kCrashed) payload = payload.substr(0, kMaxTextBytes);
  char head[kHead];
  const auto size = static_cast<uint32_t>(payload.size());
  std::memcpy(head, &size, sizeof size);
  head[4] = static_cast<char>(kind);
  return write_all(fd, {head, kHead}) && write_all(fd, payload);
}

bool write_progress(int fd, uint64_t done, uint64_t total) {
  const Progress progress{done, total};
  char bytes[sizeof progress];
  std::memcpy(bytes, &progress, sizeof progress);
  return write_frame(fd, FrameKind::kProgress, {bytes, sizeof bytes});
}

std::optional<Frame> FrameReader::next() {
  if (bad_ || buffer_.size() < kHead) return std::nullopt;
  uint32_t size = 0;
  std::memcpy(&size, buffer_.data(), sizeof size);
  const auto kind = static_cast<FrameKind>(buffer_[4]);
  bad_ = !is_allowed(kind, size);
  if (bad_ || buffer_.size() - kHead < size) return std::nullopt;
  Frame frame{kind, buffer_.substr(kHead, size)};
  buffer_.erase(0, kHead + size);
  return frame;
}

Progress read_progress(const Frame& frame) {
  Progress progress;
  if (frame.payload.size() == sizeof progress) std::memcpy(&progress, frame.payload.data(), sizeof progress);
  return progress;
}

}  // namespace souk::sandbox
