// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace souk::feed {

// What becomes of what has the fault.
enum class Severity : uint8_t {
  kFeed,     // the whole feed is refused, the shop's earlier offers stay
  kOffer,    // that offer is left out
  kWarning,  // the offer is taken, something in it is not
  kRepair    // lenient only: read as it was plainly meant; counted, not listed
};

// A kind of error, warning or repair, explained to the people of a shop. Some errors are warnings in a lenient reading
// (unknown_category), so the texts say what is wrong, not what follows.
struct Kind {
  std::string_view name;
  Severity severity = Severity::kWarning;  // the gravest it has
  std::string_view english, russian;       // one sentence each
  bool lenient_warning = false;            // an error that a lenient reading turns into a warning
};

// "http_404" is found as "http_NNN". nullptr = no such kind.
const Kind* find_kind(std::string_view name);
// By severity, then by name.
std::span<const Kind> all_kinds();

}  // namespace souk::feed
