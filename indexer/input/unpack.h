// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "indexer/input/fault.h"

namespace souk::input {

inline constexpr size_t kUnpackedBlock = 64 * 1024;  // bytes, the most that is handed on at once

// Whether a packed feed may unpack to so much: at most max_bytes, and at most 500 times its packed size once 1 MiB is
// out. If not, fault says so (size_limit).
bool check_unpacked(uint64_t unpacked, uint64_t packed, uint64_t max_bytes, Fault& fault);

// First stage: gzip (known by its first two bytes, several members are one stream) or plain bytes, in blocks of at most
// kUnpackedBlock to the sink. Refuses with bad_gzip, truncated_gzip and size_limit (check_unpacked; plain bytes have no
// ratio). A packed feed whose text the sink refuses is unpacked until it would be known for a bomb, which is the graver
// fault.
class Unpacker {
 public:
  Unpacker(uint64_t max_bytes, Sink sink, Fault& fault);
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
  Fault& fault_;
  std::string head_;  // until the format is known
  bool started_ = false;
  uint64_t unpacked_ = 0;
  uint64_t packed_ = 0;
  bool refused_ = false;  // by the sink
  std::unique_ptr<Gzip> gzip_;
};

}  // namespace souk::input
