// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace souk::feed {

// How a shop's feed is read. strict: as documented. lenient: named repairs (kinds.h), each counted in the report.
enum class Mode : uint8_t { kStrict, kLenient };

enum class Format : uint8_t { kUnknown, kYml, kGoogleXml, kGoogleTsv, kJsonLines };

std::string_view to_string(Mode mode);      // "strict", "lenient"
std::string_view to_string(Format format);  // "unknown", "yml", "gmc-xml", "gmc-tsv", "json-lines"
std::optional<Mode> parse_mode(std::string_view name);

struct ReaderLimits {
  uint64_t unpacked_bytes = uint64_t{4} << 30;
  size_t token_bytes = 16 << 20;
  size_t depth = 64;
  size_t attributes = 64;
  size_t categories = 1'000'000;
  size_t offers = 20'000'000;
  size_t params = 1000;  // per offer
};

struct ReadOptions {
  Mode mode = Mode::kStrict;
  ReaderLimits limits;
  int64_t now = 0;  // unix seconds: which sale prices hold; 0 = the system's clock
};

}  // namespace souk::feed
