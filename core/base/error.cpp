// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace souk {

const ErrorTraits& traits(ErrorCode code) {
  static constexpr ErrorTraits kTable[] = {
      {"invalid_argument", 400, false},  {"not_found", 404, false},       {"gone", 410, false},
      {"corruption", 500, true},         {"unavailable", 503, true},      {"overloaded", 503, true},
      {"deadline_exceeded", 504, false}, {"version_mismatch", 409, true}, {"internal", 500, false},
  };
  return kTable[static_cast<size_t>(code)];
}

std::string to_string(const Error& error) {
  return error.argument.empty() ? error.message : error.message + " (" + error.argument + ")";
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
  std::abort();
}

}  // namespace souk
