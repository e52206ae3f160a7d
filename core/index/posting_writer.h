// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index/posting_lists.h"

namespace souk::index {

// One term in one document.
struct Posting {
  uint32_t term;
  uint32_t doc;
  uint8_t impact;  // 0 in lists without weights
  uint8_t mask;
  friend auto operator<=>(const Posting&, const Posting&) = default;
};

// Postings ascending by (term, doc), each pair once, in batches; an empty batch is the end. A batch is valid until the
// next call.
class PostingSource {
 public:
  virtual ~PostingSource() = default;
  virtual Result<std::span<const Posting>> next() = 0;
};

// Postings held in memory: add in any order, then read.
class PostingVector final : public PostingSource {
 public:
  void add(Posting posting) { postings_.push_back(posting); }
  Result<std::span<const Posting>> next() override;  // sorts at the first call; everything in one batch

 private:
  std::vector<Posting> postings_;
  bool done_ = false;
};

// Writes one set of lists, the bytes first and as they come; holds one list (6 bytes a posting) and the directories (16
// bytes a term and a chunk). kInternal when the source breaks its order.
Status write_posting_lists(ContainerWriter& file, const PostingSections& sections, uint32_t documents,
                           PostingSource& source);

}  // namespace souk::index
