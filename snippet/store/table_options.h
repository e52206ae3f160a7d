// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/options.h>

#include <memory>

namespace souk::snippet {

// How files of documents are laid out: the same for the writer and for the store's own compactions.
rocksdb::Options document_options(std::shared_ptr<rocksdb::Cache> cache);

}  // namespace souk::snippet
