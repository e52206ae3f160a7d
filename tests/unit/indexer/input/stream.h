// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/input/fault.h"

namespace souk::input {

// What a stage made of a stream.
struct Passed {
  std::string text;
  Fault fault;
  std::vector<std::string> warnings;  // "kind:line"
  bool good = false;

  Sink sink() {
    return [this](std::string_view block) {
      text += block;
      return true;
    };
  }
  Warn warn() {
    return [this](Fault&& warning) { warnings.push_back(warning.kind + ":" + std::to_string(warning.line)); };
  }
};

// Pushes the bytes in blocks of the given size.
template <typename Stage>
bool push_all(Stage& stage, std::string_view bytes, size_t block) {
  for (size_t at = 0; at < bytes.size(); at += std::min(block, bytes.size() - at)) {
    if (!stage.push(bytes.substr(at, block))) return false;
  }
  return stage.finish();
}

}  // namespace souk::input
