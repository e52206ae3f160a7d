// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/placement/slots.h"
#include "core/text/normalize.h"
#include "indexer/feed/codec.h"
#include "indexer/offers/category_keys.h"
#include "indexer/offers/feed_update.h"
#include "indexer/offers/relink.h"
#include "indexer/offers/storage.h"

namespace souk::offers {
namespace {

constexpr size_t kMaxShopName = 100;

Status check_shop_name(std::string_view name) {
  const bool has_control =
      std::ranges::any_of(name, [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; });
  if (!name.empty() && name.size() <= kMaxShopName && !has_control && text::is_utf8(name)) return {};
  return fail(ErrorCode::kInvalidArgument, "a shop's name is 1 to 100 bytes of UTF-8 without control characters",
              "shop");
}

std::unexpected<Error> damaged(const std::string& what) {
  return fail(ErrorCode::kCorruption, "the offer store is damaged: " + what);
}

// The offer without its category's path.
Result<StoredOffer> read_offer(const OfferView& view, feed::FeedOfferRecord& record) {
  if (!record.ParseFromArray(view.record.data(), static_cast<int>(view.record.size()))) {
    return damaged("offer " + to_string(view.key));
  }
  auto offer = feed::read_record(std::move(record));
  if (!offer) return damaged("offer " + to_string(view.key) + ": " + offer.error().argument);
  return StoredOffer{view.key,        view.link.model,  view.category,    view.shop,
                     view.first_seen, view.link.reason, std::move(*offer)};
}

// OfferStore over a database.
class Catalogue final : public OfferStore {
 public:
  Catalogue(std::unique_ptr<Storage> storage, const Clock& clock) : storage_(std::move(storage)), clock_(clock) {}

  Result<Shop> put_shop(uint32_t number, std::string_view name) override;
  Result<std::vector<Shop>> shops() override { return storage_->shops(); }
  Result<std::optional<Shop>> find_shop(std::string_view name) override { return storage_->shop(name); }
  Status save_settings(uint32_t shop, const ShopSettings& settings) override;
  Status save_state(uint32_t shop, const FeedState& state) override;
  Result<std::unique_ptr<Update>> begin(const Shop& shop) override;
  Result<std::unique_ptr<Relink>> begin_relink() override;
  Result<std::vector<DocKey>> put_categories(std::span<const std::vector<std::string>> paths) override;
  Result<uint64_t> revision() override;
  Status scan(const std::function<Status(const StoredOffer&)>& each) override;
  Result<std::optional<StoredOffer>> find(DocKey key) override;
  Result<std::optional<StoredOffer>> find(uint32_t shop, std::string_view offer_id) override;
  Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view offer_id) override {
    return storage_->key_of(shop, offer_id);
  }
  Result<std::vector<StoredCategory>> categories() override { return storage_->categories(); }
  Result<std::vector<StoredModel>> models() override { return storage_->models(); }
  Result<uint64_t> offers() override;
  Result<std::vector<Change>> changes(uint16_t slot, uint64_t after, size_t limit) override;
  Result<uint64_t> last_position(uint16_t slot) override;
  Status trim_changes(uint64_t revision) override;

 private:
  // Held by the one write under way.
  Result<std::shared_ptr<void>> take_lease();
  Result<Shop> shop_numbered(uint32_t number);
  Status save_shop(const Shop& shop, bool is_revision);

  std::unique_ptr<Storage> storage_;
  const Clock& clock_;
  std::weak_ptr<int> lease_;
};

Result<std::shared_ptr<void>> Catalogue::take_lease() {
  if (!lease_.expired()) return fail(ErrorCode::kInternal, "another update of the offer store is under way");
  auto lease = std::make_shared<int>(0);
  lease_ = lease;
  return lease;
}

Result<Shop> Catalogue::put_shop(uint32_t number, std::string_view name) {
  const Status good = check_shop_name(name);
  if (!good) return std::unexpected(good.error());
  if (number == 0) return fail(ErrorCode::kInvalidArgument, "shops are numbered from 1", "shop");
  const auto known = storage_->shop(number);
  if (!known) return std::unexpected(known.error());
  if (*known && (*known)->name == name) return **known;
  if (*known) {
    return fail(ErrorCode::kVersionMismatch,
                "number " + std::to_string(number) + " is shop " + (*known)->name + " in the offer store",
                std::string(name));
  }
  const auto namesake = storage_->shop(name);
  if (!namesake) return std::unexpected(namesake.error());
  if (*namesake) {
    return fail(ErrorCode::kVersionMismatch,
                "the shop has number " + std::to_string((*namesake)->number) + " in the offer store, not " +
                    std::to_string(number),
                std::string(name));
  }
  const auto lease = take_lease();
  if (!lease) return std::unexpected(lease.error());
  const auto writes = storage_->begin();
  if (!writes) return std::unexpected(writes.error());
  CommitLog log(*storage_, {});
  const auto key = log.allot(placement::slot_of_name("shop:" + std::string(name)), KeyType::kShop);
  if (!key) return std::unexpected(key.error());
  Shop shop;
  shop.number = number;
  shop.key = *key;
  shop.name = name;
  Status done = (*writes)->put_shop(shop);
  if (done) done = log.write(**writes, 0, false);
  if (done) done = (*writes)->commit();
  if (!done) return std::unexpected(done.error());
  return shop;
}

Result<Shop> Catalogue::shop_numbered(uint32_t number) {
  auto shop = storage_->shop(number);
  if (!shop) return std::unexpected(shop.error());
  if (!*shop) {
    return fail(ErrorCode::kInvalidArgument, "the shop is not in the offer store", "shop " + std::to_string(number));
  }
  return std::move(**shop);
}

Status Catalogue::save_shop(const Shop& shop, bool is_revision) {
  const auto lease = take_lease();
  if (!lease) return std::unexpected(lease.error());
  const auto writes = storage_->begin();
  if (!writes) return std::unexpected(writes.error());
  const auto totals = storage_->totals();
  if (!totals) return std::unexpected(totals.error());
  Status done = (*writes)->put_shop(shop);
  if (done) done = CommitLog(*storage_, *totals).write(**writes, 0, is_revision);
  return done ? (*writes)->commit() : done;
}

Status Catalogue::save_settings(uint32_t number, const ShopSettings& settings) {
  auto shop = shop_numbered(number);
  if (!shop) return std::unexpected(shop.error());
  const ShopSettings before = std::exchange(shop->settings, settings);
  if (before == settings) return {};
  return save_shop(*shop, before.regions != settings.regions);
}

Status Catalogue::save_state(uint32_t number, const FeedState& state) {
  auto shop = shop_numbered(number);
  if (!shop) return std::unexpected(shop.error());
  if (std::exchange(shop->state, state) == state) return {};
  return save_shop(*shop, false);
}

Result<std::unique_ptr<OfferStore::Update>> Catalogue::begin(const Shop& shop) {
  auto current = shop_numbered(shop.number);
  if (!current) return std::unexpected(current.error());
  auto lease = take_lease();
  if (!lease) return std::unexpected(lease.error());
  return FeedUpdate::begin(*storage_, std::move(*current), clock_, std::move(*lease));
}

Result<std::unique_ptr<OfferStore::Relink>> Catalogue::begin_relink() {
  auto lease = take_lease();
  if (!lease) return std::unexpected(lease.error());
  return ModelRelink::begin(*storage_, std::move(*lease));
}

Result<std::vector<DocKey>> Catalogue::put_categories(std::span<const std::vector<std::string>> paths) {
  const auto lease = take_lease();
  if (!lease) return std::unexpected(lease.error());
  const auto writes = storage_->begin();
  if (!writes) return std::unexpected(writes.error());
  const auto totals = storage_->totals();
  if (!totals) return std::unexpected(totals.error());
  CommitLog log(*storage_, *totals);
  CategoryKeys categories(*storage_, **writes, log);
  std::vector<DocKey> keys;
  for (const std::vector<std::string>& path : paths) {
    const auto key = categories.of(path);
    if (!key) return std::unexpected(key.error());
    keys.push_back(*key);
  }
  if (!categories.has_new()) return keys;
  Status done = log.write(**writes, 0, false);
  if (done) done = (*writes)->commit();
  if (!done) return std::unexpected(done.error());
  return keys;
}

Result<uint64_t> Catalogue::revision() {
  const auto totals = storage_->totals();
  if (!totals) return std::unexpected(totals.error());
  return totals->revision;
}

Result<uint64_t> Catalogue::offers() {
  const auto totals = storage_->totals();
  if (!totals) return std::unexpected(totals.error());
  return totals->offers;
}

Status Catalogue::scan(const std::function<Status(const StoredOffer&)>& each) {
  const auto all = storage_->categories();
  if (!all) return std::unexpected(all.error());
  std::unordered_map<DocKey, const StoredCategory*> by_key;
  for (const StoredCategory& category : *all) by_key.emplace(category.key, &category);
  feed::FeedOfferRecord record;
  return storage_->scan([&](const OfferView& view) -> Status {
    auto stored = read_offer(view, record);
    if (!stored) return std::unexpected(stored.error());
    if (stored->category) {
      const auto found = by_key.find(stored->category);
      if (found == by_key.end()) return damaged("the category of offer " + to_string(view.key));
      stored->offer.category_path = found->second->path;
    }
    return each(*stored);
  });
}

Result<std::optional<StoredOffer>> Catalogue::find(DocKey key) {
  std::optional<StoredOffer> found;
  const auto is_there = storage_->read_offer(key, [&](const OfferView& view) -> Status {
    if (view.gone) return {};
    feed::FeedOfferRecord record;
    auto stored = read_offer(view, record);
    if (!stored) return std::unexpected(stored.error());
    found = std::move(*stored);
    return {};
  });
  if (!is_there) return std::unexpected(is_there.error());
  if (!found || !found->category) return found;
  auto category = storage_->category(found->category);
  if (!category) return std::unexpected(category.error());
  if (!*category) return damaged("the category of offer " + to_string(key));
  found->offer.category_path = std::move((*category)->path);
  return found;
}

Result<std::optional<StoredOffer>> Catalogue::find(uint32_t shop, std::string_view offer_id) {
  const auto key = key_of(shop, offer_id);
  if (!key) return std::unexpected(key.error());
  if (!*key) return std::nullopt;
  return find(**key);
}

Result<std::vector<Change>> Catalogue::changes(uint16_t slot, uint64_t after, size_t limit) {
  const auto counters = storage_->counters(slot);
  if (!counters) return std::unexpected(counters.error());
  if (after < counters->trimmed) {
    return fail(ErrorCode::kGone, "the changes after position " + std::to_string(after) + " were trimmed",
                "slot " + std::to_string(slot));
  }
  return storage_->changes(slot, after, limit);
}

Result<uint64_t> Catalogue::last_position(uint16_t slot) {
  const auto counters = storage_->counters(slot);
  if (!counters) return std::unexpected(counters.error());
  return counters->last_position;
}

Status Catalogue::trim_changes(uint64_t revision) {
  const auto lease = take_lease();
  if (!lease) return std::unexpected(lease.error());
  return storage_->trim_changes(revision);
}

}  // namespace

std::unique_ptr<OfferStore> make_catalogue(std::unique_ptr<Storage> storage, const Clock& clock) {
  return std::make_unique<Catalogue>(std::move(storage), clock);
}

}  // namespace souk::offers
