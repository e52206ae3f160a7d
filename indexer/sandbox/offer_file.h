// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "indexer/feed/offer.h"

namespace souk::sandbox {

constexpr size_t kMaxOfferBytes = size_t{16} << 20;

// Writes offers as length-delimited feed::FeedOfferRecords to an open file, in large blocks.
class OfferFileWriter {
 public:
  explicit OfferFileWriter(int fd);
  ~OfferFileWriter();
  OfferFileWriter(const OfferFileWriter&) = delete;
  OfferFileWriter& operator=(const OfferFileWriter&) = delete;

  Status write(const feed::Offer& offer);
  Status finish();  // without it the file is not whole

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souk::sandbox
