// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/model_keys.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace souk::match {
namespace {

// Offers of one model within one part.
struct Share {
  uint64_t born;
  uint32_t offers;
  uint32_t first;  // least place of an offer of the part; places follow keys
  uint32_t root;
  DocKey model;
};

Result<std::vector<Share>> shares_of(std::span<const OfferMarks> offers, std::span<const uint32_t> roots,
                                     const std::vector<bool>& has_model, std::span<const offers::StoredModel> models) {
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> first(offers.size(), kNone);
  std::vector<std::pair<DocKey, uint32_t>> links;  // model, root
  for (uint32_t offer = 0; offer < offers.size(); ++offer) {
    const uint32_t root = roots[offer];
    first[root] = std::min(first[root], offer);
    if (offers[offer].model && has_model[root]) links.emplace_back(offers[offer].model, root);
  }
  std::ranges::sort(links);
  std::vector<Share> shares;
  for (size_t i = 0; i < links.size();) {
    const auto [model, root] = links[i];
    const size_t begin = i;
    while (i < links.size() && links[i] == links[begin]) ++i;
    const auto known = std::ranges::lower_bound(models, model, {}, &offers::StoredModel::key);
    if (known == models.end() || known->key != model) {
      return fail(ErrorCode::kCorruption, "an offer is of a model that was never allotted", to_string(model));
    }
    shares.push_back({known->born, static_cast<uint32_t>(i - begin), first[root], root, model});
  }
  return shares;
}

}  // namespace

Result<ModelKeys> keep_keys(std::span<const OfferMarks> offers, std::span<const uint32_t> roots,
                            const std::vector<bool>& has_model, std::span<const offers::StoredModel> models) {
  auto shares = shares_of(offers, roots, has_model, models);
  if (!shares) return std::unexpected(shares.error());
  std::ranges::sort(*shares, {}, [](const Share& share) {
    return std::tuple(share.born, share.model, std::numeric_limits<uint32_t>::max() - share.offers, share.first);
  });
  ModelKeys keys;
  keys.of_root.resize(offers.size());
  for (size_t i = 0; i < shares->size();) {
    const DocKey model = (*shares)[i].model;
    bool kept = false;
    const size_t begin = i;
    for (; i < shares->size() && (*shares)[i].model == model; ++i) {
      DocKey& key = keys.of_root[(*shares)[i].root];
      if (kept || key) continue;
      key = model;
      kept = true;
    }
    if (i - begin > 1) ++keys.split;
    if (!kept) ++keys.merged;
  }
  return keys;
}

}  // namespace souk::match
