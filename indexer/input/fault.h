// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace souk::input {

// Why a feed is refused, or what of it was repaired. Kinds are the names of FEEDS.md section 5: stable, for programs.
struct Fault {
  std::string kind;  // empty = none
  uint64_t line = 0;
  std::string message;
};

// Takes a block of a stream. false = stop, the reason is in the stream's shared Fault.
using Sink = std::function<bool(std::string_view)>;

// Takes the repairs of a lenient reading.
using Warn = std::function<void(Fault&&)>;

}  // namespace souk::input
