// SPDX-License-Identifier: Apache-2.0
#include "tests/kill/check_store.h"

#include <fmt/format.h>

#include <set>

namespace souk::offers {
namespace {

std::string name_of(const History::Id& id) {
  return fmt::format("offer {} of shop {}", id.second, id.first);
}

// What a copy holds of an offer: changes with it.
std::string shown(const StoredOffer& stored) {
  return stored.offer.name + " " + to_string(stored.model);
}

bool is_same(const feed::Offer& stored, const feed::Offer& wanted) {
  return stored.name == wanted.name && stored.description == wanted.description && stored.price == wanted.price &&
         stored.category_path == wanted.category_path;
}

}  // namespace

std::string StoreChecker::problem_of(OfferStore& store, uint64_t least, uint64_t most) {
  const auto revision = store.revision();
  if (!revision) return to_string(revision.error());
  if (*revision < least || *revision > most) {
    return fmt::format("the revision is {}, not {} to {}", *revision, least, most);
  }
  while (history_.revision() < *revision) history_.advance();
  std::map<DocKey, StoredOffer> offers;
  std::string problem = offers_problem(store, offers);
  if (problem.empty()) problem = keys_problem(store);
  if (problem.empty()) problem = log_problem(store, offers);
  return problem.empty() ? problem : fmt::format("at revision {}: {}", *revision, problem);
}

std::string StoreChecker::offers_problem(OfferStore& store, std::map<DocKey, StoredOffer>& offers) {
  std::set<History::Id> missing;
  for (const auto& [id, entry] : history_.entries()) {
    if (entry.version != 0) missing.insert(id);
  }
  const size_t live = missing.size();
  std::string problem;
  const Status read = store.scan([&](const StoredOffer& stored) -> Status {
    const History::Id id{stored.shop, stored.offer.id};
    if (missing.erase(id) == 0) problem = name_of(id) + " is there and should not be, or twice";
    const auto entry = history_.entries().find(id);
    if (entry == history_.entries().end()) return {};
    if (!is_same(stored.offer, history_.offer(id.second, entry->second.version))) problem = name_of(id) + " differs";
    const DocKey known = keys_.try_emplace(id, stored.key).first->second;
    if (known != stored.key) problem = name_of(id) + " has another key";
    const uint64_t model = entry->second.model;
    const DocKey wanted = model == 0 ? DocKey() : models_.try_emplace(model, stored.model).first->second;
    if (wanted != stored.model || static_cast<bool>(stored.model) != (model != 0)) {
      problem = name_of(id) + " is of another model";
    }
    offers[stored.key] = stored;
    return {};
  });
  if (!read) return to_string(read.error());
  if (problem.empty() && !missing.empty()) problem = name_of(*missing.begin()) + " is lost";
  const auto counted = store.offers();
  if (problem.empty() && (!counted || *counted != live)) problem = "the count of offers is wrong";
  return problem;
}

std::string StoreChecker::keys_problem(OfferStore& store) {
  std::set<DocKey> all;
  for (const auto& [id, entry] : history_.entries()) {
    const auto key = store.key_of(id.first, id.second);
    if (!key) return to_string(key.error());
    if (!*key) return name_of(id) + " has lost its key";
    if (keys_.try_emplace(id, **key).first->second != **key) return name_of(id) + " has another key";
    if (!all.insert(**key).second) return name_of(id) + " shares its key";
  }
  const auto models = store.models();
  if (!models) return to_string(models.error());
  std::set<DocKey> known;
  for (const StoredModel& model : *models) known.insert(model.key);
  std::set<DocKey> used;
  for (const auto& [commit, key] : models_) {
    if (!known.contains(key)) return fmt::format("the model of commit {} is lost", commit);
    if (!used.insert(key).second) return fmt::format("the model of commit {} is another's", commit);
  }
  const auto shops = store.shops();
  if (!shops) return to_string(shops.error());
  for (const Shop& shop : *shops) {
    uint64_t live = 0;
    for (const auto& [id, entry] : history_.entries()) live += id.first == shop.number && entry.version != 0 ? 1 : 0;
    if (shop.live_offers != live) return shop.name + " has a wrong count of offers";
  }
  return {};
}

std::string StoreChecker::log_problem(OfferStore& store, const std::map<DocKey, StoredOffer>& offers) {
  std::set<uint16_t> slots;
  for (const auto& [id, key] : keys_) slots.insert(key.slot());
  for (const uint16_t slot : slots) {
    uint64_t& position = positions_[slot];
    const auto changes = store.changes(slot, position, 1'000'000);
    if (!changes) return to_string(changes.error());
    for (const Change& change : *changes) {
      if (change.position != ++position) return fmt::format("the log of slot {} has a gap at {}", slot, position);
      if (change.revision > history_.revision()) return fmt::format("the log of slot {} is ahead", slot);
      const auto offer = offers.find(change.key);
      if (offer == offers.end()) {
        copy_.erase(change.key);
      } else {
        copy_[change.key] = shown(offer->second);
      }
    }
    const auto last = store.last_position(slot);
    if (!last || *last != position) return fmt::format("the last position of slot {} is wrong", slot);
  }
  std::map<DocKey, std::string> wanted;
  for (const auto& [key, stored] : offers) wanted.emplace(key, shown(stored));
  return copy_ == wanted ? "" : "a copy that follows the log is not as the catalogue";
}

}  // namespace souk::offers
