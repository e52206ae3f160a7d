// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/address_policy.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "indexer/fetch/fetcher.h"

namespace souk::fetch {
namespace {

using V4 = std::array<uint8_t, 4>;
using V6 = std::array<uint8_t, 16>;

template <typename Address>
struct Block {
  Address prefix;
  int bits;
};

// The special-purpose registry of IANA, whole blocks even where single addresses of them are global.
constexpr std::array<Block<V4>, 16> kNotPublicV4{{
    {{0, 0, 0, 0}, 8},        // this network
    {{10, 0, 0, 0}, 8},       // private
    {{100, 64, 0, 0}, 10},    // shared (CGNAT)
    {{127, 0, 0, 0}, 8},      // loopback
    {{169, 254, 0, 0}, 16},   // link-local
    {{172, 16, 0, 0}, 12},    // private
    {{192, 0, 0, 0}, 24},     // protocol assignments
    {{192, 0, 2, 0}, 24},     // documentation
    {{192, 88, 99, 0}, 24},   // 6to4 relays
    {{192, 168, 0, 0}, 16},   // private
    {{198, 18, 0, 0}, 15},    // benchmarks
    {{198, 51, 100, 0}, 24},  // documentation
    {{203, 0, 113, 0}, 24},   // documentation
    {{224, 0, 0, 0}, 4},      // multicast
    {{240, 0, 0, 0}, 4},      // reserved
    {{255, 255, 255, 255}, 32},
}};

constexpr Block<V6> kGlobalUnicast{{0x20}, 3};
constexpr std::array<Block<V6>, 3> kNotPublicV6{{
    {{0x20, 0x01}, 23},              // protocol assignments: ORCHID, benchmarks …
    {{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    {{0x3f, 0xff}, 20},              // documentation
}};
constexpr Block<V6> kMapped{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96};
constexpr Block<V6> kNat64{{0x00, 0x64, 0xff, 0x9b}, 96};
constexpr Block<V6> k6to4{{0x20, 0x02}, 16};
constexpr Block<V6> kTeredo{{0x20, 0x01, 0x00, 0x00}, 32};

template <typename Address>
bool is_in(const Address& address, const Block<Address>& block) {
  int bits = block.bits;
  for (size_t i = 0; i < address.size() && bits > 0; ++i, bits -= 8) {
    const auto mask = static_cast<uint8_t>(bits >= 8 ? 0xFF : 0xFF << (8 - bits));
    if ((address[i] & mask) != (block.prefix[i] & mask)) return false;
  }
  return true;
}

bool is_public(const V4& address) {
  return std::ranges::none_of(kNotPublicV4, [&](const auto& block) { return is_in(address, block); });
}

V4 embedded(const V6& address, size_t at, uint8_t flip = 0) {
  V4 inner{};
  for (size_t i = 0; i < inner.size(); ++i) inner[i] = address[at + i] ^ flip;
  return inner;
}

bool is_public(const V6& address) {
  if (is_in(address, kMapped) || is_in(address, kNat64)) return is_public(embedded(address, 12));
  if (is_in(address, k6to4)) return is_public(embedded(address, 2));
  // The server, and the client in flipped bits.
  if (is_in(address, kTeredo)) return is_public(embedded(address, 4)) && is_public(embedded(address, 12, 0xFF));
  return is_in(address, kGlobalUnicast) &&
         std::ranges::none_of(kNotPublicV6, [&](const auto& block) { return is_in(address, block); });
}

}  // namespace

std::string to_text(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = address.sa_family == AF_INET6
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr);
  if (address.sa_family != AF_INET && address.sa_family != AF_INET6) return {};
  const char* done = ::inet_ntop(address.sa_family, bytes, text.data(), text.size());
  return done == nullptr ? "" : done;
}

bool is_public_address(const std::string& address) {
  V4 v4{};
  if (::inet_pton(AF_INET, address.c_str(), v4.data()) == 1) return is_public(v4);
  V6 v6{};
  if (::inet_pton(AF_INET6, address.c_str(), v6.data()) == 1) return is_public(v6);
  return false;
}

}  // namespace souk::fetch
