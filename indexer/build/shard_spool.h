// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "indexer/build/spool.pb.h"
#include "runtime/files/file_sink.h"

namespace souk::build {

// One shard's analysed offers in a file, between the two passes of a build.
class ShardSpool {
 public:
  static Result<ShardSpool> create(const std::string& path);
  Status add(const SpoolDoc& doc);
  Status close();
  uint64_t documents() const { return documents_; }

  // After close(), from any one thread; the file is removed at the end.
  Status read(const std::function<Status(const SpoolDoc&)>& each) const;

 private:
  explicit ShardSpool(std::string path, std::unique_ptr<files::FileSink> sink)
      : path_(std::move(path)), sink_(std::move(sink)) {}
  std::string path_;
  std::unique_ptr<files::FileSink> sink_;
  uint64_t documents_ = 0;
  std::string buffer_;
};

}  // namespace souk::build
