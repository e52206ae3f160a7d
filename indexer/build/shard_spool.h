// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/index/document_order.h"
#include "indexer/build/spool.pb.h"
#include "runtime/files/scratch_file.h"

namespace souk::build {

// How much a shard has of everything, known before it is built.
struct ShardSize {
  uint64_t documents = 0;
  uint64_t main_postings = 0;
  uint64_t description_postings = 0;
  uint64_t words = 0;    // of forward sequences, with breaks
  uint64_t params = 0;   // values
  uint64_t foreign = 0;  // documents with prices in another currency
};

// One shard's analysed offers in a scratch file, between the two passes of a build.
class ShardSpool {
 public:
  static Result<ShardSpool> create(const std::string& path);
  // place.source is filled in here.
  Status add(index::DocumentPlace place, const SpoolDoc& doc);
  Status close();
  const ShardSize& size() const { return size_; }

  // After close(), from any one thread.
  Result<std::vector<index::DocumentPlace>> places() const;  // in the order of adding
  Status read(const index::DocumentPlace& place, SpoolDoc& doc);

 private:
  explicit ShardSpool(std::unique_ptr<files::ScratchFile> file) : file_(std::move(file)) {}
  std::unique_ptr<files::ScratchFile> file_;
  ShardSize size_;
  std::string record_;
};

}  // namespace souk::build
