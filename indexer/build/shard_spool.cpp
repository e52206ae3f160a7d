// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/shard_spool.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/index/fields.h"

namespace souk::build {

namespace {

// Before each document in the file.
struct RecordHead {
  DocKey group;
  DocKey key;
  uint32_t bytes;
  uint32_t level;
};
static_assert(std::is_trivially_copyable_v<RecordHead>);

// A place's source: where the document begins, and its bytes.
constexpr int kLengthBits = 24;
constexpr uint64_t kMostBytes = (uint64_t{1} << kLengthBits) - 1;
constexpr uint64_t kMostOffset = (uint64_t{1} << (64 - kLengthBits)) - 1;

}  // namespace

Result<ShardSpool> ShardSpool::create(const std::string& path) {
  auto file = files::ScratchFile::create(path);
  if (!file) return std::unexpected(file.error());
  return ShardSpool(std::move(*file));
}

Status ShardSpool::add(index::DocumentPlace place, const SpoolDoc& doc) {
  if (!doc.SerializeToString(&record_) || record_.size() > kMostBytes || file_->size() > kMostOffset) {
    return fail(ErrorCode::kInternal, "an offer is too large to spool", to_string(place.key));
  }
  ++size_.documents;
  for (const char mask : doc.masks()) {
    const auto fields = static_cast<uint8_t>(mask);
    if ((fields & index::kMainMask) != 0) ++size_.main_postings;
    if ((fields & index::kDescriptionMask) != 0) ++size_.description_postings;
  }
  size_.words += static_cast<uint64_t>(doc.forward_size());
  if (doc.currency() != 0) ++size_.foreign;
  size_.params += static_cast<uint64_t>(doc.params_size());
  const RecordHead head{place.group, place.key, static_cast<uint32_t>(record_.size()), place.level};
  if (Status done = file_->write(std::as_bytes(std::span(&head, 1))); !done) return done;
  return file_->write(std::as_bytes(std::span(record_)));
}

Status ShardSpool::close() {
  return file_->flush();
}

Result<std::vector<index::DocumentPlace>> ShardSpool::places() const {
  std::vector<index::DocumentPlace> places;
  places.reserve(size_.documents);
  std::vector<std::byte> block(64 * 1024);
  uint64_t block_begin = 0;
  uint64_t block_end = 0;
  for (uint64_t at = 0; at < file_->size();) {
    if (at + sizeof(RecordHead) > block_end) {
      block_begin = at;
      block_end = std::min<uint64_t>(at + block.size(), file_->size());
      if (Status done = file_->read(at, std::span(block).first(block_end - at)); !done) {
        return std::unexpected(done.error());
      }
    }
    RecordHead head;
    std::memcpy(&head, block.data() + (at - block_begin), sizeof(head));
    at += sizeof(head);
    places.push_back({head.group, head.key, static_cast<uint8_t>(head.level), at << kLengthBits | head.bytes});
    at += head.bytes;
  }
  return places;
}

Status ShardSpool::read(const index::DocumentPlace& place, SpoolDoc& doc) {
  record_.resize(place.source & kMostBytes);
  if (Status done = file_->read(place.source >> kLengthBits, std::as_writable_bytes(std::span(record_))); !done) {
    return done;
  }
  if (doc.ParseFromString(record_)) return {};
  return fail(ErrorCode::kUnavailable, "the spool could not be read back", to_string(place.key));
}

}  // namespace souk::build
