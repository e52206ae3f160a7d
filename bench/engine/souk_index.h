// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/index/dictionary.h"
#include "core/index/shard_index.h"

namespace souk::bench {

// Builds the corpus into one shard and its dictionary, as the indexer builds a generation, on two threads. Returns JSON
// members: seconds, sizes.
Result<std::string> build_souk_index(const std::string& corpus, const std::string& folder);

// The two files as a node holds them: in anonymous memory, checked.
class SoukIndex {
 public:
  static Result<SoukIndex> load(const std::string& folder);
  const index::ShardIndex& shard() const { return shard_; }
  const index::Dictionary& dictionary() const { return dictionary_; }

 private:
  std::unique_ptr<std::byte[]> dictionary_bytes_, shard_bytes_;
  index::Dictionary dictionary_;
  index::ShardIndex shard_;
};

}  // namespace souk::bench
