// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/file_blocks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace souk::feed {
namespace {

constexpr size_t kBlock = 256 * 1024;

class File {
 public:
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::unexpected<Error> system_error(const std::string& path) {
  return fail(ErrorCode::kUnavailable, std::strerror(errno), path);
}

}  // namespace

Status read_file_blocks(const std::string& path, const TakeBlock& take) {
  const File file(path);
  struct stat info{};
  if (file.fd() < 0 || ::fstat(file.fd(), &info) != 0) return system_error(path);
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kUnavailable, "not a regular file", path);
  std::vector<char> buffer(kBlock);
  uint64_t done = 0;
  for (;;) {
    const ssize_t size = ::read(file.fd(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return system_error(path);
    if (size == 0) return {};
    done += static_cast<uint64_t>(size);
    if (!take({buffer.data(), static_cast<size_t>(size)}, done, static_cast<uint64_t>(info.st_size))) return {};
  }
}

}  // namespace souk::feed
