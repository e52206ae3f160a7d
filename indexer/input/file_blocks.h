// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace souk::input {

// A regular file, open for reading.
class InputFile {
 public:
  // kUnavailable with the system's reason when there is none.
  static Result<InputFile> open(const std::string& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  int fd() const { return fd_; }

 private:
  explicit InputFile(int fd) : fd_(fd) {}
  int fd_;
};

// Takes a block of a file, how much has been read with it and the file's size; false = stop reading (no error).
using TakeBlock = std::function<bool(std::string_view block, uint64_t done, uint64_t total)>;

// Reads a regular file in blocks, from its start. kUnavailable with the system's reason when it cannot be read; the
// fd's position does not matter and is kept.
Status read_file_blocks(int fd, const TakeBlock& take);
Status read_file_blocks(const std::string& path, const TakeBlock& take);

}  // namespace souk::input
