// SPDX-License-Identifier: Apache-2.0
#include "snippet/store/table_options.h"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

namespace souk::snippet {

rocksdb::Options document_options(std::shared_ptr<rocksdb::Cache> cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 8 * 1024;  // a page's documents lie apart, so a block is read for one document
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.format_version = 5;
  if (cache) {
    table.block_cache = std::move(cache);
    // Indexes and filters count against the cache: the store's memory is bounded by one number.
    table.cache_index_and_filter_blocks = true;
    table.pin_l0_filter_and_index_blocks_in_cache = true;
  } else {
    table.no_block_cache = true;
  }
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = rocksdb::kZSTD;
  options.compression_opts.level = 1;
  return options;
}

}  // namespace souk::snippet
