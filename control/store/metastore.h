// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace souk::control {

// A value and the revision of the commit that wrote it last.
struct Entry {
  std::string key;
  std::string value;
  uint64_t revision = 0;
};

struct Transaction {
  // The key's revision must still be this one; 0 = the key must not exist.
  struct Condition {
    std::string key;
    uint64_t revision = 0;
  };
  struct Put {
    std::string key;
    std::string value;
  };
  std::vector<Condition> conditions;
  std::vector<Put> puts;
};

// Small, precious facts about the world, shared by its control processes: keys of at most 512 bytes, values of at most
// 64 KiB. Calls block on the disk or the network; used from one thread at a time. Besides what is stated, calls fail
// with kUnavailable (locked, disk full, unreadable) and kCorruption.
class Metastore {
 public:
  virtual ~Metastore() = default;

  virtual Result<std::optional<Entry>> get(std::string_view key) = 0;

  // All or nothing, durable when it returns; gives the new revision. kVersionMismatch names the first condition that
  // does not hold: then nothing was written.
  virtual Result<uint64_t> commit(const Transaction& transaction) = 0;

  // The watch: entries under the prefix that were written after the revision, by key. 0 gives all of them.
  virtual Result<std::vector<Entry>> changes(std::string_view prefix, uint64_t after_revision) = 0;

  // Grows by one with every commit.
  virtual Result<uint64_t> revision() = 0;
};

// The embedded one: a SQLite file (WAL, full synchronisation). Its folder must exist.
Result<std::unique_ptr<Metastore>> open_sqlite_metastore(const std::string& path);

}  // namespace souk::control
