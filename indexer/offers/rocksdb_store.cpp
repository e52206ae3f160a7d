// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/placement/slots.h"
#include "core/text/normalize.h"
#include "indexer/offers/database.h"
#include "indexer/offers/key_allotter.h"
#include "indexer/offers/offer_store.h"
#include "indexer/offers/record.h"
#include "indexer/offers/rocksdb_update.h"

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

class RocksdbStore final : public OfferStore {
 public:
  RocksdbStore(Database database, const Clock& clock) : database_(std::move(database)), clock_(clock) {}

  Result<Shop> put_shop(uint32_t number, std::string_view name) override;
  Result<std::vector<Shop>> shops() override;
  Result<std::unique_ptr<Update>> begin(const Shop& shop) override;
  Result<uint64_t> revision() override;
  Status scan(const std::function<Status(const StoredOffer&)>& each) override;
  Result<std::optional<StoredOffer>> find(DocKey key) override;
  Result<std::optional<StoredOffer>> find(uint32_t shop, std::string_view offer_id) override;
  Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view offer_id) override;
  Result<std::vector<StoredCategory>> categories() override;

 private:
  Result<std::optional<Shop>> read_shop(uint32_t number) const;
  Result<std::vector<std::string>> category_path(DocKey key) const;

  Database database_;
  const Clock& clock_;
  std::weak_ptr<int> lease_;  // of the update under way
};

Result<std::optional<Shop>> RocksdbStore::read_shop(uint32_t number) const {
  const auto bytes = database_.get(keys::shop(number));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  ShopRecord record;
  if (!record.ParseFromString(**bytes)) return database_.corrupt("shop " + std::to_string(number));
  return read_record(number, record);
}

Result<Shop> RocksdbStore::put_shop(uint32_t number, std::string_view name) {
  const Status good = check_shop_name(name);
  if (!good) return std::unexpected(good.error());
  if (number == 0) return fail(ErrorCode::kInvalidArgument, "shops are numbered from 1", "shop");
  const auto known = read_shop(number);
  if (!known) return std::unexpected(known.error());
  const auto number_of_name = database_.get_number(keys::shop_name(name));
  if (!number_of_name) return std::unexpected(number_of_name.error());
  if (*known && (*known)->name == name) return **known;
  if (*known) {
    return fail(ErrorCode::kVersionMismatch,
                "number " + std::to_string(number) + " is shop " + (*known)->name + " in the offer store",
                std::string(name));
  }
  if (*number_of_name) {
    return fail(ErrorCode::kVersionMismatch,
                "the shop has number " + std::to_string(**number_of_name) + " in the offer store, not " +
                    std::to_string(number),
                std::string(name));
  }
  KeyAllotter allotter(database_);
  const auto key = allotter.allot(placement::slot_of_name("shop:" + std::string(name)), KeyType::kShop);
  if (!key) return std::unexpected(key.error());
  Shop shop;
  shop.number = number;
  shop.key = *key;
  shop.name = name;
  ShopRecord record;
  fill_record(record, shop);
  rocksdb::WriteBatch batch;
  batch.Put(keys::shop(number), record.SerializeAsString());
  batch.Put(keys::shop_name(name), keys::number(number));
  allotter.write_counters(batch);
  const Status written = database_.write(batch);
  if (!written) return std::unexpected(written.error());
  return shop;
}

Result<std::vector<Shop>> RocksdbStore::shops() {
  std::vector<Shop> shops;
  const Status read =
      database_.scan(std::string(1, keys::kShopKind), [&](std::string_view key, std::string_view value) -> Status {
        ShopRecord record;
        const auto number = static_cast<uint32_t>(keys::parse_number(key).value_or(0));
        if (!record.ParseFromArray(value.data(), static_cast<int>(value.size()))) {
          return database_.corrupt("shop " + std::to_string(number));
        }
        shops.push_back(read_record(number, record));
        return {};
      });
  if (!read) return std::unexpected(read.error());
  return shops;
}

Result<std::unique_ptr<OfferStore::Update>> RocksdbStore::begin(const Shop& shop) {
  if (!lease_.expired()) return fail(ErrorCode::kInternal, "another update is under way");
  auto current = read_shop(shop.number);
  if (!current) return std::unexpected(current.error());
  if (!*current) return fail(ErrorCode::kInvalidArgument, "the shop is not in the offer store", shop.name);
  auto lease = std::make_shared<int>(0);
  lease_ = lease;
  return std::make_unique<RocksdbUpdate>(database_, std::move(**current), clock_, std::move(lease));
}

Result<uint64_t> RocksdbStore::revision() {
  const auto number = database_.get_number(keys::revision());
  if (!number) return std::unexpected(number.error());
  return number->value_or(0);
}

Status RocksdbStore::scan(const std::function<Status(const StoredOffer&)>& each) {
  const auto all = categories();
  if (!all) return std::unexpected(all.error());
  std::unordered_map<DocKey, const StoredCategory*> by_key;
  for (const StoredCategory& category : *all) by_key.emplace(category.key, &category);
  OfferRecord record;
  return database_.scan(std::string(1, keys::kOfferKind),
                        [&](std::string_view raw_key, std::string_view value) -> Status {
                          const DocKey key(keys::parse_number(raw_key).value_or(0));
                          if (!record.ParseFromArray(value.data(), static_cast<int>(value.size()))) {
                            return database_.corrupt("offer " + to_string(key));
                          }
                          if (record.gone()) return {};
                          StoredOffer stored = read_record(key, std::move(record));
                          if (stored.category) {
                            const auto found = by_key.find(stored.category);
                            if (found == by_key.end())
                              return database_.corrupt("the category of offer " + to_string(key));
                            stored.offer.category_path = found->second->path;
                          }
                          return each(stored);
                        });
}

Result<std::vector<std::string>> RocksdbStore::category_path(DocKey key) const {
  const auto bytes = database_.get(keys::category(key));
  if (!bytes) return std::unexpected(bytes.error());
  CategoryRecord record;
  if (!*bytes || !record.ParseFromString(**bytes)) return database_.corrupt("category " + to_string(key));
  return std::vector<std::string>(record.path().begin(), record.path().end());
}

Result<std::optional<StoredOffer>> RocksdbStore::find(DocKey key) {
  const auto bytes = database_.get(keys::offer(key));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  OfferRecord record;
  if (!record.ParseFromString(**bytes)) return database_.corrupt("offer " + to_string(key));
  if (record.gone()) return std::nullopt;
  StoredOffer stored = read_record(key, std::move(record));
  if (stored.category) {
    auto path = category_path(stored.category);
    if (!path) return std::unexpected(path.error());
    stored.offer.category_path = std::move(*path);
  }
  return stored;
}

Result<std::optional<StoredOffer>> RocksdbStore::find(uint32_t shop, std::string_view offer_id) {
  const auto key = key_of(shop, offer_id);
  if (!key) return std::unexpected(key.error());
  if (!*key) return std::nullopt;
  return find(**key);
}

Result<std::optional<DocKey>> RocksdbStore::key_of(uint32_t shop, std::string_view offer_id) {
  const auto key = database_.get_number(keys::offer_id(shop, offer_id));
  if (!key) return std::unexpected(key.error());
  if (!*key) return std::nullopt;
  return DocKey(**key);
}

Result<std::vector<StoredCategory>> RocksdbStore::categories() {
  std::vector<StoredCategory> all;
  const Status read =
      database_.scan(std::string(1, keys::kCategoryKind), [&](std::string_view key, std::string_view value) -> Status {
        CategoryRecord record;
        const DocKey category(keys::parse_number(key).value_or(0));
        if (!record.ParseFromArray(value.data(), static_cast<int>(value.size()))) {
          return database_.corrupt("category " + to_string(category));
        }
        all.push_back({category, {record.path().begin(), record.path().end()}});
        return {};
      });
  if (!read) return std::unexpected(read.error());
  return all;
}

}  // namespace

Result<std::unique_ptr<OfferStore>> open_rocksdb_store(const std::string& folder, const Clock& clock) {
  auto database = Database::open(folder);
  if (!database) return std::unexpected(database.error());
  return std::make_unique<RocksdbStore>(std::move(*database), clock);
}

Result<std::unique_ptr<OfferStore>> open_rocksdb_store_to_read(const std::string& folder, const Clock& clock) {
  auto database = Database::open_to_read(folder);
  if (!database) return std::unexpected(database.error());
  return std::make_unique<RocksdbStore>(std::move(*database), clock);
}

}  // namespace souk::offers
