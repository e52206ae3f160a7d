// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "indexer/offers/database.h"

namespace souk::offers {

// Writes of any number in bounded memory, which become visible by one atomic step: few ones as a batch, many as sorted
// files beside the database that it then takes in together.
class StagedWrites {
 public:
  StagedWrites(Database& database, size_t memory_bytes) : database_(database), memory_bytes_(memory_bytes) {}
  ~StagedWrites();  // without commit: the files are deleted
  StagedWrites(const StagedWrites&) = delete;
  StagedWrites& operator=(const StagedWrites&) = delete;

  Status put(std::string key, std::string value);
  Status commit();

 private:
  struct Entry {
    std::string key, value;
    size_t number = 0;  // of two with one key the greater counts
  };
  Status spill();

  Database& database_;
  size_t memory_bytes_;
  size_t used_bytes_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::string> files_;  // each sorted, all may overlap
};

}  // namespace souk::offers
