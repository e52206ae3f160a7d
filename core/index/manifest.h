// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/placement/slots.h"

namespace souk::index {

// manifest.json of a generation. Its content hash covers everything that is searched or shown, and no build time, no
// generation number: the same offer store and market file give the same hash.
struct Manifest {
  static constexpr uint32_t kSchema = 1;  // of this file
  // Raised whenever texts are analysed, weighed or ordered in another way: a reader of a lower level must not load it,
  // and the next build builds anew.
  static constexpr uint32_t kEngineLevel = 3;

  struct File {
    std::string name;  // within the generation's folder: "shard-1.souk"
    uint64_t size = 0;
    std::string sha256;
  };

  uint64_t content_hash = 0;
  uint32_t engine_level = kEngineLevel;  // of the builder
  uint32_t shards = 0;
  uint64_t offers = 0;
  uint64_t models = 0;
  placement::SlotTable slots;  // slot -> shard
  File dictionary;
  std::vector<File> shard_files;  // [0] is shard 1
  File snippets;  // its hash serves transport only: RocksDB puts a session id in; empty name = no offers
};

std::string to_json(const Manifest& manifest);

// Refuses (kCorruption, or kVersionMismatch for another schema or a higher engine level): a wrong checksum, not JSON,
// over 1 MiB, a missing or unknown shape, a file name that is not the expected one, a broken slot table.
Result<Manifest> parse_manifest(std::string_view json);

// What the content hash of a manifest with these shard files and this dictionary must be. They hold every document's
// content version, so they cover the snippets too.
uint64_t content_hash_of(const Manifest& manifest);

std::string shard_file_name(uint32_t shard);
inline constexpr std::string_view kDictionaryFile = "dictionary.souk";
inline constexpr std::string_view kSnippetFile = "snippets.sst";
inline constexpr std::string_view kManifestFile = "manifest.json";

}  // namespace souk::index
