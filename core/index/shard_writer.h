// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/ids.h"
#include "core/index/container.h"
#include "core/index/shard_index.h"

namespace souk::index {

// One term of a document, with its quantised weight there.
struct DocumentTerm {
  std::string_view term;
  uint8_t main_impact = 0;  // 0 = not in a main field
  uint8_t main_mask = 0;
  uint8_t description_impact = 0;  // 0 = not in the description
};

// A document as the shard stores it; ordinals are the dictionary's.
struct Document {
  DocKey key;
  DocKey group;  // its model, or itself
  uint64_t version = 0;
  uint32_t category = kNoOrdinal;
  uint32_t vendor = kNoOrdinal;
  uint32_t shop = 0;
  int64_t price = 0;
  int64_t old_price = 0;
  int64_t first_seen = 0;
  bool in_stock = false;
  uint8_t level = 0;
  std::vector<uint32_t> params;  // ascending, distinct
  std::vector<DocumentTerm> terms;
};

// Builds one shard file. Holds the shard's documents in memory: about 100 bytes a document and 12 a posting. The same
// documents give the same bytes in whatever order they are added.
class ShardWriter {
 public:
  // stats.documents and stats.groups are filled in here.
  explicit ShardWriter(ShardStats stats) : stats_(stats) {}
  void add(Document&& document);
  Status write(Sink sink);
  uint64_t groups() const { return stats_.groups; }  // after write()

 private:
  struct Posting {
    uint32_t term;
    uint32_t doc;
    uint8_t impact;
    uint8_t mask;
  };
  // Terms numbered as they come, with their postings.
  struct Lists {
    std::unordered_map<std::string, uint32_t> terms;
    std::vector<Posting> postings;
    void add(std::string_view term, Posting posting);
    Status write(ContainerWriter& file, SectionId base, const std::vector<uint32_t>& new_number);
  };
  Status write_columns(ContainerWriter& file) const;
  Status write_groups(ContainerWriter& file, const std::vector<uint32_t>& group_of,
                      const std::vector<uint64_t>& keys) const;

  ShardStats stats_;
  std::vector<Document> documents_;  // without their terms
  Lists main_;
  Lists description_;
};

}  // namespace souk::index
