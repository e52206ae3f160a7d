// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace souk {

// XXH3 64 bit: checksums of sections, content versions, result digests. Not for anything an attacker gains by forging.
uint64_t xxh3(std::span<const std::byte> bytes);
uint64_t xxh3(std::string_view bytes);

// The same in pieces.
class Xxh3 {
 public:
  Xxh3();
  ~Xxh3();
  Xxh3(const Xxh3&) = delete;
  Xxh3& operator=(const Xxh3&) = delete;
  void reset();
  void update(std::span<const std::byte> bytes);
  uint64_t digest() const;  // of what came since the last reset

 private:
  void* state_;
};

std::array<uint8_t, 16> md5(std::string_view bytes);

// SHA-256 in pieces, for files.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(std::string_view bytes);
  std::string hex();  // 64 lower-case digits; call once

 private:
  void* context_;
};

}  // namespace souk
