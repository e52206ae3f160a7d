// SPDX-License-Identifier: Apache-2.0
#include "control/cli/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace souk::control {

namespace {

std::unexpected<Error> failed(const char* what, const std::string& path) {
  return fail(ErrorCode::kUnavailable, std::string(what) + ": " + std::strerror(errno), path);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Status write_whole_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".new";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return failed("cannot write", temporary);
  const bool written = write_all(file, text) && ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  if (!written) errno = error;
  const auto failure = failed("cannot write", path);
  ::unlink(temporary.c_str());
  return failure;
}

}  // namespace souk::control
