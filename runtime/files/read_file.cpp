// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace souk::files {

Result<std::string> read_file(const std::string& path, size_t max_bytes) {
  auto text = read_head(path, max_bytes + 1);
  if (text && text->size() > max_bytes) return fail(ErrorCode::kCorruption, "is too large", path);
  return text;
}

Result<std::string> read_head(const std::string& path, size_t max_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
    return fail(code, std::string("cannot be read: ") + std::strerror(errno), path);
  }
  constexpr size_t kBlock = 64 * 1024;
  std::string text;
  while (text.size() < max_bytes) {
    const size_t before = text.size();
    const size_t wanted = std::min(kBlock, max_bytes - before);
    text.resize(before + wanted);
    const size_t got = std::fread(text.data() + before, 1, wanted, file.get());
    text.resize(before + got);
    if (got < wanted) break;
  }
  if (std::ferror(file.get()) != 0) return fail(ErrorCode::kUnavailable, "cannot be read", path);
  return text;
}

}  // namespace souk::files
