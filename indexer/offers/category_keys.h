// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "indexer/offers/commit_log.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// Finds the keys of categories, and allots those that are not there within a transaction. Every level of a path is a
// category of its own.
class CategoryKeys {
 public:
  CategoryKeys(Storage& storage, Transaction& transaction, CommitLog& log)
      : storage_(storage), transaction_(transaction), log_(log) {}

  Result<DocKey> of(const std::vector<std::string>& path);  // no key for no path
  bool has_new() const { return has_new_; }

 private:
  Result<DocKey> level(std::span<const std::string> path);

  Storage& storage_;
  Transaction& transaction_;
  CommitLog& log_;
  std::unordered_map<std::string, DocKey> paths_;   // as they are written
  std::unordered_map<std::string, DocKey> levels_;  // by identity
  bool has_new_ = false;
};

}  // namespace souk::offers
