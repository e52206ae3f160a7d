// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"

namespace souk::snippet {

// Documents by (key, content version): 16 bytes, both big-endian, so that files sort by key. Values are serialized
// wire::SnippetDoc.
std::string store_key(DocKey key, uint64_t version);

// Writes one SST file for ingestion. Keys must come in ascending order of (key, version).
class SstWriter {
 public:
  SstWriter();
  ~SstWriter();
  Status open(const std::string& path);
  Status add(DocKey key, uint64_t version, std::string_view document);
  Status finish();  // an empty file is not allowed by RocksDB: without add() no file is left and this succeeds

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Thread-safe for reads.
class SnippetStore {
 public:
  static Result<std::unique_ptr<SnippetStore>> open(const std::string& folder);
  virtual ~SnippetStore() = default;
  // Documents of a generation, ingested as a file (copied, the source stays). Asking twice for one generation does
  // nothing: the store remembers which it has.
  virtual Status ingest(const std::string& sst_path, const GenerationId& generation) = 0;
  virtual bool has(const GenerationId& generation) const = 0;
  virtual std::vector<GenerationId> generations() const = 0;
  struct Id {
    DocKey key;
    uint64_t version;
  };
  // One value per id in order; empty = not there.
  virtual Result<std::vector<std::string>> get(const std::vector<Id>& ids) const = 0;
  virtual uint64_t memory_bytes() const = 0;
};

}  // namespace souk::snippet
