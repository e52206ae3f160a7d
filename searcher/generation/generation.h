// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/index/dictionary.h"
#include "core/index/manifest.h"
#include "core/index/shard_index.h"
#include "runtime/config/market.h"

namespace souk::generation {

// A file's bytes in anonymous memory (a mapped file that shrinks would kill the process), aligned for reading in place.
class FileBytes {
 public:
  // Refuses a file of another size or SHA-256 (kCorruption) and one that cannot be read (kUnavailable); names it.
  // kind: to say which section is damaged.
  static Result<FileBytes> load(const std::string& folder, const index::Manifest::File& file, index::FileKind kind);
  index::Bytes bytes() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> data_;
  size_t size_ = 0;
};

// A generation as a node holds it: wholly in RAM, validated. Immutable, thread-safe.
struct Generation {
  GenerationId id;
  index::Manifest manifest;
  FileBytes dictionary_bytes;
  index::Dictionary dictionary;
  config::Market market;
  // Without the shard role there is no shard.
  FileBytes shard_bytes;
  std::unique_ptr<const index::ShardIndex> shard;

  uint64_t memory_bytes() const { return dictionary_bytes.bytes().size() + shard_bytes.bytes().size(); }
};

// Loads FOLDER/<content hash>/; shard 0 = dictionary only. Every error names the file.
Result<std::shared_ptr<const Generation>> load_generation(const std::string& folder, const GenerationId& id,
                                                          uint32_t shard);

}  // namespace souk::generation
