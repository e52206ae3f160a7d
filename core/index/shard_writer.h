// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/index/container.h"
#include "core/index/document_order.h"
#include "core/index/posting_writer.h"
#include "core/index/shard_index.h"

namespace souk::index {

// A document's columns and words as the shard stores them; ordinals are the dictionary's.
struct Document {
  DocKey key;
  DocKey group;  // its model, or itself
  uint64_t version = 0;
  uint32_t category = kNoOrdinal;
  uint32_t vendor = kNoOrdinal;
  uint32_t shop = 0;
  int64_t price = 0;  // in the base currency
  int64_t old_price = 0;
  uint32_t currency = 0;  // of its own prices: currency_code.h; 0 = the base one
  int64_t own_price = 0;  // where it has another currency
  int64_t own_old_price = 0;
  uint8_t flags = kDefaultFlags;
  int64_t first_seen = 0;
  bool in_stock = false;
  uint8_t level = 0;              // its group's
  std::vector<uint32_t> params;   // ascending, distinct value ordinals
  std::vector<uint32_t> forward;  // title and params: ForwardIndex
};

// Builds one shard file. Holds the columns: about 100 bytes a document, 4 a param value and 4 a word; the postings come
// from where the caller sorted them. The same documents give the same bytes.
class ShardWriter {
 public:
  // stats.documents and stats.groups are filled in here.
  explicit ShardWriter(ShardStats stats) : stats_(stats) {}

  // In document order (document_order.h); document number = how many were added before. kInternal when out of order.
  Status add(const Document& document);
  uint32_t documents() const { return static_cast<uint32_t>(keys_.size()); }
  uint64_t groups() const { return group_keys_.size(); }

  // The documents' own postings; the lists of params, categories and vendors are made from the columns.
  Status write(Sink sink, PostingSource& main, PostingSource& description);

 private:
  Status write_columns(ContainerWriter& file) const;
  Status write_foreign_prices(ContainerWriter& file) const;
  Status write_filter_lists(ContainerWriter& file) const;

  ShardStats stats_;
  std::vector<uint64_t> keys_, versions_, prices_, old_prices_, first_seen_, in_stock_, group_keys_,
      foreign_currencies_, foreign_prices_, foreign_old_prices_;
  std::vector<uint32_t> categories_, vendors_, shops_, group_begins_, param_values_, forward_, foreign_docs_;
  std::vector<uint64_t> param_offsets_{0}, forward_offsets_{0};
  std::vector<uint8_t> levels_, flags_;
};

}  // namespace souk::index
