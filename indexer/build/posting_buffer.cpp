// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/posting_buffer.h"

#include <sys/mman.h>

#include <new>

namespace souk::build {

PostingBuffer::PostingBuffer(size_t capacity) : capacity_(capacity) {
  if (capacity == 0) return;
  void* memory =
      ::mmap(nullptr, capacity * sizeof(index::Posting), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<index::Posting*>(memory);
}

PostingBuffer::~PostingBuffer() {
  if (data_ != nullptr) ::munmap(data_, capacity_ * sizeof(index::Posting));
}

}  // namespace souk::build
