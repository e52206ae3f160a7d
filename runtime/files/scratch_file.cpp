// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace souk::files {

namespace {

std::unexpected<Error> io_error(const char* what, const std::string& path) {
  return fail(ErrorCode::kUnavailable, std::string(what) + ": " + std::strerror(errno), path);
}

}  // namespace

Result<std::unique_ptr<ScratchFile>> ScratchFile::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return io_error("cannot write", path);
  std::unique_ptr<ScratchFile> file(new ScratchFile(path, fd));
  if (::unlink(path.c_str()) != 0) return io_error("cannot write", path);
  return file;
}

ScratchFile::~ScratchFile() {
  ::close(fd_);
}

Status ScratchFile::write_through(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return io_error("cannot write", path_);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

Status ScratchFile::write(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBuffer) {
    if (Status done = flush(); !done) return done;
  }
  if (bytes.size() > kBuffer) return write_through(bytes);
  if (buffer_.empty()) buffer_.reserve(kBuffer);
  buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {};
}

Status ScratchFile::flush() {
  const Status done = write_through(std::as_bytes(std::span(buffer_)));
  buffer_.clear();
  return done;
}

Status ScratchFile::read(uint64_t at, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("cannot be read", path_);
    if (got == 0) return fail(ErrorCode::kUnavailable, "cannot be read: it ends too early", path_);
    at += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
  return {};
}

}  // namespace souk::files
