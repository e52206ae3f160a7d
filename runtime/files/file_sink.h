// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace souk::files {

// A new file, written front to back, hashed on the way. Errors name the file ("No space left on device").
class FileSink {
 public:
  static Result<std::unique_ptr<FileSink>> create(const std::string& path);
  Status write(std::string_view bytes);
  Status close();  // flushed to the disk; without it the file is not to be used

  uint64_t size() const { return size_; }
  std::string sha256() { return hash_.hex(); }  // after close()

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  FileSink(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  std::unexpected<Error> failure() const;

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  uint64_t size_ = 0;
  Sha256 hash_;
};

// Whole small files: written beside and renamed over, so that a reader sees the old or the new one.
Status replace_file(const std::string& path, std::string_view bytes);

}  // namespace souk::files
