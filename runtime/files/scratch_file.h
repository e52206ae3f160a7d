// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/error.h"

namespace souk::files {

// A file for what does not fit in memory. Its name is gone as soon as it is open, so nothing stays whatever happens to
// the process. Errors are kUnavailable and name the file that it was.
class ScratchFile {
 public:
  static Result<std::unique_ptr<ScratchFile>> create(const std::string& path);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  Status write(std::span<const std::byte> bytes);  // at the end; one thread at a time
  Status flush();                                  // what was written can be read afterwards
  uint64_t size() const { return size_; }
  // Exactly these bytes, from any thread.
  Status read(uint64_t at, std::span<std::byte> out) const;

 private:
  static constexpr size_t kBuffer = 16 * 1024;
  ScratchFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  Status write_through(std::span<const std::byte> bytes);

  std::string path_;
  int fd_;
  uint64_t size_ = 0;
  std::string buffer_;
};

}  // namespace souk::files
