// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace souk {

const ErrorTraits& traits(ErrorCode code) {
  static constexpr ErrorTraits kTable[] = {
      {"invalid_argument", 400},  {"not_found", 404},        {"gone", 410},
      {"corruption", 500},        {"unavailable", 503},      {"overloaded", 503},
      {"deadline_exceeded", 504}, {"version_mismatch", 409}, {"internal", 500},
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
