// SPDX-License-Identifier: Apache-2.0
#include "tests/kill/history.h"

#include <algorithm>

#include "bench/datasets/random.h"

namespace souk::offers {
namespace {

constexpr uint64_t kIds = 300;  // of a shop
constexpr uint64_t kStepsPerRelink = 5;
constexpr size_t kDescription = 3000;

Status commit_feed(OfferStore& store, const Shop& shop, std::vector<feed::Offer> offers, const std::string& hash) {
  auto update = store.begin(shop);
  if (!update) return std::unexpected(update.error());
  for (feed::Offer& offer : offers) {
    const Status put = (*update)->put(std::move(offer));
    if (!put) return put;
  }
  return (*update)->commit({shop.name, "Company", "https://shop.example/", "", "RUB", {}}, hash);
}

}  // namespace

History::Step History::next_step() const {
  bench::Random random(seed_ ^ ((revision_ + 1) << 20U));
  Step step;
  if (revision_ % kStepsPerRelink == kStepsPerRelink - 1) {
    for (const auto& [id, entry] : entries_) {
      if (entry.version != 0 && random.chance(0.3)) step.linked.push_back(id);
    }
    if (!step.linked.empty()) return step;
  }
  step.shop = static_cast<uint32_t>(random.between(1, kHistoryShops));
  const double share = random.chance(0.3) ? 0.9 : 0.2;
  for (uint64_t i = 0; i < kIds; ++i) {
    const std::string id = std::to_string(i);
    const bool is_there = i == 0 || random.chance(share);
    const bool is_changed = i == 0 || random.chance(0.3);
    if (!is_there) continue;
    const auto known = entries_.find({step.shop, id});
    const bool keeps = known != entries_.end() && known->second.version != 0 && !is_changed;
    step.offers[id] = keeps ? known->second.version : revision_ + 1;
  }
  return step;
}

void History::advance() {
  const Step step = next_step();
  ++revision_;
  for (const Id& id : step.linked) entries_[id].model = revision_;
  if (step.shop == 0) return;
  for (auto& [id, entry] : entries_) {
    if (id.first == step.shop) entry.version = 0;
  }
  for (const auto& [id, version] : step.offers) entries_[{step.shop, id}].version = version;
}

Status History::apply_next(OfferStore& store) const {
  const Step step = next_step();
  if (step.shop != 0) {
    const auto shop = store.put_shop(step.shop, "shop-" + std::to_string(step.shop));
    if (!shop) return std::unexpected(shop.error());
    std::vector<feed::Offer> offers;
    for (const auto& [id, version] : step.offers) offers.push_back(offer(id, version));
    return commit_feed(store, *shop, std::move(offers), std::to_string(revision_ + 1));
  }
  auto relink = store.begin_relink();
  if (!relink) return std::unexpected(relink.error());
  const auto model = (*relink)->new_model("model");
  if (!model) return std::unexpected(model.error());
  for (const auto& [shop, id] : step.linked) {
    const auto key = store.key_of(shop, id);
    if (!key) return std::unexpected(key.error());
    if (!*key) return fail(ErrorCode::kInternal, "an offer that was put is not there", id);
    const Status linked = (*relink)->link(**key, *model, {LinkReason::Kind::kRule, std::to_string(revision_ + 1)});
    if (!linked) return linked;
  }
  const auto changed = (*relink)->commit();
  if (!changed) return std::unexpected(changed.error());
  return {};
}

feed::Offer History::offer(const std::string& id, uint64_t version) const {
  bench::Random random(seed_ ^ version ^ (std::stoull(id) << 40U));
  feed::Offer offer;
  offer.id = id;
  offer.type = "simplified";
  offer.name = "Offer " + id + ", " + std::to_string(version);
  offer.currency = "RUB";
  offer.category_id = "1";
  offer.category_path = {"Category " + std::to_string(version % 50)};
  offer.price = static_cast<int64_t>(random.between(1, 1'000'000));
  const size_t length = random.below(kDescription);
  while (offer.description.size() < length) offer.description += static_cast<char>(random.between('a', 'z'));
  return offer;
}

}  // namespace souk::offers
