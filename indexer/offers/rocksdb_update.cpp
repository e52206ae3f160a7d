// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/rocksdb_update.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/placement/slots.h"
#include "indexer/offers/identity.h"

namespace souk::offers {

RocksdbUpdate::RocksdbUpdate(Database& database, Shop shop, const Clock& clock, std::shared_ptr<void> lease)
    : database_(database), shop_(std::move(shop)), clock_(clock), lease_(std::move(lease)), allotter_(database) {}

Status RocksdbUpdate::put(feed::Offer&& offer) {
  StoredOffer stored;
  stored.shop = shop_.number;
  const auto model = model_of(offer);
  if (!model) return std::unexpected(model.error());
  const auto category = category_of(offer.category_path);
  if (!category) return std::unexpected(category.error());
  stored.model = *model;
  stored.category = *category;

  const std::string id_key = keys::offer_id(shop_.number, offer.id);
  const auto known = database_.get_number(id_key);
  if (!known) return std::unexpected(known.error());
  std::optional<std::string> before;
  bool was_gone = true;
  if (*known) {
    stored.key = DocKey(**known);
    auto bytes = database_.get(keys::offer(stored.key));
    if (!bytes) return std::unexpected(bytes.error());
    if (!*bytes || !record_.ParseFromString(**bytes)) return database_.corrupt("offer " + to_string(stored.key));
    before = std::move(*bytes);
    stored.first_seen = record_.first_seen();
    was_gone = record_.gone();
  } else {
    const auto key = allotter_.allot(placement::slot_of_offer(shop_.number, offer.id), KeyType::kOffer);
    if (!key) return std::unexpected(key.error());
    stored.key = *key;
    stored.first_seen = clock_.unix_seconds();
    batch_.Put(id_key, keys::number(stored.key.value()));
  }
  seen_.push_back(stored.key);
  stored.offer = std::move(offer);
  fill_record(record_, stored);
  record_.SerializeToString(&bytes_);
  if (before && *before == bytes_) return {};
  ++(was_gone ? difference_.added : difference_.changed);
  batch_.Put(keys::offer(stored.key), bytes_);
  return {};
}

Result<DocKey> RocksdbUpdate::model_of(const feed::Offer& offer) {
  const std::string identity = model_identity(shop_.number, offer);
  if (identity.empty()) return DocKey();
  bool is_new = false;
  return find_or_allot(keys::model(identity), "model:" + identity, KeyType::kModel, is_new);
}

Result<DocKey> RocksdbUpdate::category_of(const std::vector<std::string>& path) {
  std::string joined;
  for (const std::string& name : path) joined.append(name) += '\x1f';
  const auto [place, is_new] = category_keys_.try_emplace(std::move(joined));
  if (!is_new) return place->second;
  // Every level is a category of its own.
  for (size_t depth = 1; depth <= path.size(); ++depth) {
    const auto key = category_level(std::span(path).first(depth));
    if (!key) {
      category_keys_.erase(place);
      return key;
    }
    place->second = *key;
  }
  return place->second;
}

Result<DocKey> RocksdbUpdate::category_level(std::span<const std::string> path) {
  const std::string identity = category_identity(path);
  bool is_new = false;
  const auto key = find_or_allot(keys::category_path(identity), "category:" + identity, KeyType::kCategory, is_new);
  if (!key || !is_new) return key;
  CategoryRecord record;
  for (const std::string& name : path) record.add_path(name);
  batch_.Put(keys::category(*key), record.SerializeAsString());
  return key;
}

Result<DocKey> RocksdbUpdate::find_or_allot(const std::string& index_key, const std::string& slot_name, KeyType type,
                                            bool& is_new) {
  const auto pending = new_keys_.find(index_key);
  if (pending != new_keys_.end()) return pending->second;
  const auto stored = database_.get_number(index_key);
  if (!stored) return std::unexpected(stored.error());
  if (*stored) return DocKey(**stored);
  const auto key = allotter_.allot(placement::slot_of_name(slot_name), type);
  if (!key) return key;
  is_new = true;
  new_keys_.emplace(index_key, *key);
  batch_.Put(index_key, keys::number(key->value()));
  return key;
}

Status RocksdbUpdate::remove_unseen() {
  std::ranges::sort(seen_);
  return database_.scan(keys::offer_id(shop_.number, {}), [&](std::string_view, std::string_view value) -> Status {
    const DocKey key(keys::parse_number(value).value_or(0));
    if (std::ranges::binary_search(seen_, key)) return {};
    const auto bytes = database_.get(keys::offer(key));
    if (!bytes) return std::unexpected(bytes.error());
    if (!*bytes || !record_.ParseFromString(**bytes)) return database_.corrupt("offer " + to_string(key));
    if (record_.gone()) return {};
    OfferRecord tombstone;
    tombstone.set_shop(record_.shop());
    tombstone.set_id(record_.id());
    tombstone.set_first_seen(record_.first_seen());
    tombstone.set_gone(true);
    batch_.Put(keys::offer(key), tombstone.SerializeAsString());
    ++difference_.removed;
    return {};
  });
}

Result<Difference> RocksdbUpdate::commit(const feed::FeedHeader& header, const std::string& feed_hash) {
  if (std::exchange(finished_, true)) return fail(ErrorCode::kInternal, "an update was committed twice");
  const Status removed = remove_unseen();
  if (!removed) return std::unexpected(removed.error());
  Shop after = shop_;
  after.display_name = header.shop_name;
  after.url = header.url;
  const bool shop_changed = after.display_name != shop_.display_name || after.url != shop_.url;
  after.feed_hash = feed_hash;
  const bool offers_changed = difference_.added + difference_.changed + difference_.removed > 0;
  if (!offers_changed && !shop_changed && after.feed_hash == shop_.feed_hash) return difference_;

  allotter_.write_counters(batch_);
  ShopRecord record;
  fill_record(record, after);
  batch_.Put(keys::shop(after.number), record.SerializeAsString());
  if (offers_changed || shop_changed) {
    const auto revision = database_.get_number(keys::revision());
    if (!revision) return std::unexpected(revision.error());
    batch_.Put(keys::revision(), keys::number(revision->value_or(0) + 1));
  }
  const Status written = database_.write(batch_);
  if (!written) return std::unexpected(written.error());
  return difference_;
}

}  // namespace souk::offers
