// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace souk {

enum class ErrorCode {
  kInvalidArgument,
  kNotFound,
  kGone,
  kCorruption,
  kUnavailable,
  kOverloaded,
  kDeadlineExceeded,
  kVersionMismatch,
  kInternal,
};
inline constexpr size_t kErrorCodes = static_cast<size_t>(ErrorCode::kInternal) + 1;

// What went wrong, for a person and for a program.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;   // one line, no trailing full stop
  std::string argument;  // the offending argument, file or section; empty when there is none
};

// Everything that a user, peer, disk or clock can cause is returned as a Result. The compiler does not warn of a
// dropped one (clang-tidy's bugprone-unused-return-value does); a wanted drop is written ignore(result, "why").
template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string argument = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(argument)});
}

template <typename T>
void ignore(const Result<T>& /*result*/, std::string_view /*why*/) {}

// The one table from code to the world outside.
struct ErrorTraits {
  std::string_view label;  // metric label and the `code` of a JSON error
  int http_status;
};
const ErrorTraits& traits(ErrorCode code);

// "message (argument)" for logs and command lines.
std::string to_string(const Error& error);

}  // namespace souk

// Invariants of our own code, never for input: aborts with a message.
#define SOUK_CHECK(condition)                                               \
  do {                                                                      \
    if (!(condition)) ::souk::check_failed(#condition, __FILE__, __LINE__); \
  } while (false)

namespace souk {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace souk
