// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "core/index/dictionary_writer.h"
#include "core/index/manifest.h"
#include "core/index/shard_writer.h"
#include "core/rank/bm25f.h"
#include "indexer/build/posting_sorter.h"
#include "indexer/build/shard_spool.h"
#include "indexer/build/used_names.h"

namespace souk::build {

struct BuiltShard {
  index::Manifest::File file;
  uint64_t groups = 0;
  uint64_t runs = 0;  // of postings, in scratch files
};

// What every shard of a generation is built with; not changed meanwhile.
struct ShardInputs {
  const index::DictionaryWriter& dictionary;
  const UsedNames& names;
  const rank::Bm25f& model;
  std::filesystem::path folder;
  uint32_t shards;
};

// Builds one shard's file of its spool, with `spare_bytes` for sorting beyond what it holds anyway. Adds to
// documents_done as it goes.
Result<BuiltShard> build_shard(const ShardInputs& inputs, uint32_t shard, ShardSpool& spool, uint64_t spare_bytes,
                               std::atomic<uint64_t>& documents_done);

}  // namespace souk::build
