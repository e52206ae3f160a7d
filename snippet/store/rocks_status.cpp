// SPDX-License-Identifier: Apache-2.0
#include "snippet/store/rocks_status.h"

#include <algorithm>

namespace souk::snippet {

Status to_status(const rocksdb::Status& status, const std::string& argument) {
  if (status.ok()) return {};
  std::string message = status.ToString();
  std::ranges::replace_if(message, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (status.IsCorruption() || status.IsInvalidArgument()) {
    return fail(ErrorCode::kCorruption, std::move(message), argument);
  }
  return fail(ErrorCode::kUnavailable, std::move(message), argument);
}

}  // namespace souk::snippet
