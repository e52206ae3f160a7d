// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/file_blocks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace souk::input {
namespace {

constexpr size_t kBlock = 256 * 1024;

std::unexpected<Error> system_error() {
  return fail(ErrorCode::kUnavailable, std::strerror(errno));
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  InputFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info{};
  if (file.fd() < 0 || ::fstat(file.fd(), &info) != 0) {
    return fail(ErrorCode::kUnavailable, std::strerror(errno), path);
  }
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kUnavailable, "not a regular file", path);
  return file;
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

InputFile::InputFile(InputFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Status read_file_blocks(int fd, const TakeBlock& take) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return system_error();
  std::vector<char> buffer(kBlock);
  uint64_t done = 0;
  for (;;) {
    const ssize_t size = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(done));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return system_error();
    if (size == 0) return {};
    done += static_cast<uint64_t>(size);
    if (!take({buffer.data(), static_cast<size_t>(size)}, done, static_cast<uint64_t>(info.st_size))) return {};
  }
}

Status read_file_blocks(const std::string& path, const TakeBlock& take) {
  const auto file = InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  return read_file_blocks(file->fd(), take);
}

}  // namespace souk::input
