// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/wire/shard.pb.h"
#include "meta/understand/parameters.h"

namespace souk::understand {

// Where the next page begins: behind this hit, in this generation's order of this query's hits.
struct Cursor {
  GenerationId generation;
  uint64_t query = 0;        // query_hash
  bool description = false;  // the stage that found the hits
  wire::After after;
};

// Two queries with equal hashes list the same hits in the same order; page, facets, totals and debug do not matter.
uint64_t query_hash(const Parameters& parameters);

// 113 characters of a-z and 0-9 that end in a checksum. It is no secret and no proof: one that is forged only begins
// elsewhere.
std::string to_text(const Cursor& cursor);
// kInvalidArgument naming `cursor` for anything that to_text does not write.
Result<Cursor> parse_cursor(std::string_view text);

}  // namespace souk::understand
