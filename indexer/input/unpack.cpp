// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/unpack.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

namespace souk::input {
namespace {
constexpr uint64_t kRatioFrom = 1 << 20;
constexpr uint64_t kMaxRatio = 500;
}  // namespace

bool check_unpacked(uint64_t unpacked, uint64_t packed, uint64_t max_bytes, Fault& fault) {
  if (unpacked > max_bytes) {
    fault = {"size_limit", 0, fmt::format("the feed is larger than {} bytes", max_bytes)};
    return false;
  }
  if (unpacked > kRatioFrom && unpacked / kMaxRatio > packed) {
    fault = {"size_limit", 0, fmt::format("the feed unpacks to more than {} times its packed size", kMaxRatio)};
    return false;
  }
  return true;
}

struct Unpacker::Gzip {
  Gzip() { ready = inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK; }
  ~Gzip() {
    if (ready) inflateEnd(&stream);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  z_stream stream{};
  bool ready = false;
  bool member_ended = false;
  std::array<unsigned char, kUnpackedBlock> out;
};

Unpacker::Unpacker(uint64_t max_bytes, Sink sink, Fault& fault)
    : max_bytes_(max_bytes), sink_(std::move(sink)), fault_(fault) {}
Unpacker::~Unpacker() = default;

bool Unpacker::push(std::string_view packed) {
  if (started_) return gzip_ ? push_gzip(packed) : push_plain(packed);
  head_ += packed.substr(0, kUnpackedBlock);
  packed.remove_prefix(std::min(packed.size(), kUnpackedBlock));
  if (head_.size() < 2) return true;
  return start() && (packed.empty() || push(packed));
}

bool Unpacker::start() {
  started_ = true;
  const std::string head = std::exchange(head_, {});
  if (!head.starts_with("\x1f\x8b")) return push_plain(head);
  gzip_ = std::make_unique<Gzip>();
  if (!gzip_->ready) {
    fault_ = {"bad_gzip", 0, "the gzip reader could not be started"};
    return false;
  }
  return push_gzip(head);
}

bool Unpacker::finish() {
  if ((!started_ && !start()) || refused_) return false;
  if (gzip_ && !gzip_->member_ended) {
    fault_ = {"truncated_gzip", 0, "the gzip file ends too early"};
    return false;
  }
  return true;
}

bool Unpacker::push_plain(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kUnpackedBlock))) {
    if (!emit(bytes.substr(0, kUnpackedBlock))) return false;
  }
  return true;
}

bool Unpacker::push_gzip(std::string_view packed) {
  z_stream& stream = gzip_->stream;
  while (!packed.empty()) {
    if (gzip_->member_ended) {
      inflateReset(&stream);
      gzip_->member_ended = false;
    }
    const size_t piece = std::min(packed.size(), kUnpackedBlock);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(piece);
    int code = Z_OK;
    do {
      stream.next_out = gzip_->out.data();
      stream.avail_out = kUnpackedBlock;
      const uInt before = stream.avail_in;
      code = inflate(&stream, Z_NO_FLUSH);
      packed_ += before - stream.avail_in;
      const std::string_view block(reinterpret_cast<const char*>(gzip_->out.data()), kUnpackedBlock - stream.avail_out);
      if (!block.empty() && !emit(block)) return false;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
        if (refused_) return false;
        fault_ = {"bad_gzip", 0, fmt::format("the gzip data are damaged: {}", stream.msg ? stream.msg : "no reason")};
        return false;
      }
    } while (code == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0));
    gzip_->member_ended = code == Z_STREAM_END;
    packed.remove_prefix(piece - stream.avail_in);
  }
  return true;
}

bool Unpacker::emit(std::string_view block) {
  unpacked_ += block.size();
  if (!check_unpacked(unpacked_, gzip_ ? packed_ : unpacked_, max_bytes_, fault_)) return false;
  refused_ = refused_ || !sink_(block);
  return !refused_ || (gzip_ && unpacked_ <= kRatioFrom);
}

}  // namespace souk::input
