// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/category_keys.h"

#include <utility>

#include "core/placement/slots.h"
#include "indexer/offers/identity.h"

namespace souk::offers {

Result<DocKey> CategoryKeys::of(const std::vector<std::string>& path) {
  std::string joined;
  for (const std::string& name : path) joined.append(name) += '\x1f';
  const auto known = paths_.find(joined);
  if (known != paths_.end()) return known->second;
  DocKey category;
  for (size_t depth = 1; depth <= path.size(); ++depth) {
    const auto key = level(std::span(path).first(depth));
    if (!key) return key;
    category = *key;
  }
  paths_.emplace(std::move(joined), category);
  return category;
}

Result<DocKey> CategoryKeys::level(std::span<const std::string> path) {
  std::string identity = category_identity(path);
  const auto known = levels_.find(identity);
  if (known != levels_.end()) return known->second;
  const auto stored = storage_.category(identity);
  if (!stored) return std::unexpected(stored.error());
  if (*stored) return levels_.emplace(std::move(identity), **stored).first->second;
  const auto key = log_.allot(placement::slot_of_name("category:" + identity), KeyType::kCategory);
  if (!key) return key;
  const Status put = transaction_.put_category(*key, identity, path);
  if (!put) return std::unexpected(put.error());
  has_new_ = true;
  return levels_.emplace(std::move(identity), *key).first->second;
}

}  // namespace souk::offers
