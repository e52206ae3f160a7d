// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/identity.h"

#include "core/text/normalize.h"

namespace souk::offers {

std::string category_identity(std::span<const std::string> path) {
  constexpr char kSeparator = '\x1f';
  std::string identity;
  for (const std::string& name : path) {
    if (!identity.empty()) identity += kSeparator;
    identity += text::fold(name);
  }
  return identity;
}

}  // namespace souk::offers
