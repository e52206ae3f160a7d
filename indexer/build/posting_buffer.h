// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/index/posting_writer.h"

namespace souk::build {

// A large array of postings whose pages come from the kernel when they are first used and go back to it at once: an
// allocator would keep them, and the memory limit is for what the process really has.
class PostingBuffer {
 public:
  PostingBuffer() = default;
  explicit PostingBuffer(size_t capacity);  // std::bad_alloc
  ~PostingBuffer();
  PostingBuffer(PostingBuffer&& other) noexcept { swap(other); }
  PostingBuffer& operator=(PostingBuffer&& other) noexcept {
    PostingBuffer(std::move(other)).swap(*this);
    return *this;
  }
  void swap(PostingBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }

  size_t capacity() const { return capacity_; }
  index::Posting& operator[](size_t i) { return data_[i]; }
  std::span<const index::Posting> first(size_t count) const { return {data_, count}; }

 private:
  index::Posting* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace souk::build
