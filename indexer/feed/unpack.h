// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "indexer/feed/report.h"

namespace souk::feed {

// Takes a block of a stream. false = stop, the reason is in the shared FeedError.
using Sink = std::function<bool(std::string_view)>;

// First stage: gzip (known by its first two bytes, several members are one stream) or plain bytes, in blocks of at most
// 64 KiB to the sink. Refuses with bad_gzip, truncated_gzip and size_limit: more than max_bytes, or more than 500 times
// the packed size once 1 MiB is out.
class Unpacker {
 public:
  Unpacker(uint64_t max_bytes, Sink sink, FeedError& error);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  bool push(std::string_view packed);
  bool finish();

 private:
  struct Gzip;
  bool start();
  bool push_plain(std::string_view bytes);
  bool push_gzip(std::string_view packed);
  bool emit(std::string_view block);

  const uint64_t max_bytes_;
  Sink sink_;
  FeedError& error_;
  std::string head_;  // until the format is known
  bool started_ = false;
  uint64_t unpacked_ = 0;
  uint64_t packed_ = 0;
  std::unique_ptr<Gzip> gzip_;
};

}  // namespace souk::feed
