// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "indexer/ingest/feed_service.h"

namespace souk::ingest {

// What became of the last kKept tries to take each shop's feed, one file each: FOLDER/SHOP/NUMBER. Beside them
// FOLDER/SHOP.json, the last real reading, for people and soukctl. Files are replaced whole, so one process may write
// while others read.
class RunLog {
 public:
  static constexpr size_t kKept = 20;

  explicit RunLog(std::string folder) : folder_(std::move(folder)) {}

  // Gives the run its number.
  Status add(FeedRun& run);
  Result<std::vector<FeedRun>> list(const std::string& shop) const;  // newest first; the reports' lists are left out
  Result<FeedRun> read(const std::string& shop, uint64_t number) const;  // kNotFound

 private:
  std::vector<uint64_t> numbers(const std::string& shop) const;  // ascending

  std::string folder_;
};

}  // namespace souk::ingest
