// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/rocksdb_storage.h"

#include <utility>

#include "indexer/feed/feed.pb.h"
#include "indexer/offers/database.h"
#include "indexer/offers/offer.pb.h"
#include "indexer/offers/record.h"
#include "indexer/offers/staged_writes.h"

namespace souk::offers {
namespace {

class RocksdbTransaction final : public Transaction {
 public:
  RocksdbTransaction(Database& database, size_t staging_bytes) : writes_(database, staging_bytes) {}

  Status put_offer(const OfferRow& row) override;
  Status put_link(DocKey offer, const Link& link) override { return writes_.put(keys::link(offer), to_bytes(link)); }
  Status put_category(DocKey key, const std::string& identity, std::span<const std::string> path) override {
    const Status put = writes_.put(keys::category_path(identity), keys::number(key.value()));
    return put ? writes_.put(keys::category(key), path_to_bytes(path)) : put;
  }
  Status put_model(const StoredModel& model) override {
    return writes_.put(keys::model(model.key), keys::number(model.born));
  }
  Status put_change(uint16_t slot, const Change& change) override {
    return writes_.put(keys::change(slot, change.position), to_bytes(change));
  }
  Status put_counters(uint16_t slot, const SlotCounters& counters) override {
    return writes_.put(keys::counters(slot), to_bytes(counters));
  }
  Status put_totals(const Totals& totals) override { return writes_.put(keys::totals(), to_bytes(totals)); }
  Status put_shop(const Shop& shop) override {
    const Status put = writes_.put(keys::shop(shop.number), to_bytes(shop));
    return put ? writes_.put(keys::shop_name(shop.name), keys::number(shop.number)) : put;
  }
  Status commit() override { return writes_.commit(); }

 private:
  StagedWrites writes_;
};

Status RocksdbTransaction::put_offer(const OfferRow& row) {
  OfferRecord record;
  if (row.gone) {
    feed::FeedOfferRecord id_only;
    id_only.set_id(row.id);
    record.set_offer(id_only.SerializeAsString());
  } else {
    record.set_offer(row.record);
  }
  record.set_shop(row.shop);
  record.set_first_seen(row.known.first_seen);
  record.set_gone(row.gone);
  record.set_category(row.category.value());
  const Status put = writes_.put(keys::offer(row.known.key), record.SerializeAsString());
  return put ? writes_.put(keys::offer_id(row.shop, row.id), to_bytes(row.known)) : put;
}

class RocksdbStorage final : public Storage {
 public:
  RocksdbStorage(Database database, size_t staging_bytes)
      : database_(std::move(database)), staging_bytes_(staging_bytes) {}

  Result<Totals> totals() override;
  Result<std::vector<Shop>> shops() override;
  Result<std::optional<Shop>> shop(uint32_t number) override;
  Result<std::optional<Shop>> shop(std::string_view name) override;
  Status scan(const EachOffer& each) override;
  Result<bool> read_offer(DocKey key, const EachOffer& take) override;
  Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view id) override;
  Status scan_known(uint32_t shop, const EachKnown& each) override;
  Result<std::vector<std::optional<Link>>> links(std::span<const DocKey> offers) override;
  Result<std::optional<DocKey>> category(const std::string& identity) override;
  Result<std::optional<StoredCategory>> category(DocKey key) override;
  Result<std::vector<StoredCategory>> categories() override;
  Result<std::vector<StoredModel>> models() override;
  Result<AllCounters> counters() override;
  Result<SlotCounters> counters(uint16_t slot) override;
  Result<std::vector<Change>> changes(uint16_t slot, uint64_t after, size_t limit) override;
  Result<std::unique_ptr<Transaction>> begin() override;
  Status trim_changes(uint64_t revision) override;

 private:
  Result<Link> link_of(DocKey offer) const;
  Result<uint64_t> trim_boundary(uint16_t slot, const SlotCounters& counters, uint64_t revision) const;

  Database database_;
  size_t staging_bytes_;
};

uint64_t number_in(std::string_view key) {
  return keys::parse_number(key).value_or(0);
}

Result<Totals> RocksdbStorage::totals() {
  const auto bytes = database_.get(keys::totals());
  if (!bytes) return std::unexpected(bytes.error());
  return *bytes ? read_totals(**bytes) : Totals();
}

Result<std::vector<Shop>> RocksdbStorage::shops() {
  std::vector<Shop> shops;
  const Status read = database_.scan({keys::kShopKind}, [&](std::string_view key, std::string_view value) -> Status {
    auto shop = read_shop(static_cast<uint32_t>(number_in(key)), value);
    if (!shop) return std::unexpected(shop.error());
    shops.push_back(std::move(*shop));
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return shops;
}

Result<std::optional<Shop>> RocksdbStorage::shop(uint32_t number) {
  const auto bytes = database_.get(keys::shop(number));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  return read_shop(number, **bytes);
}

Result<std::optional<Shop>> RocksdbStorage::shop(std::string_view name) {
  const auto number = database_.get_number(keys::shop_name(name));
  if (!number) return std::unexpected(number.error());
  if (!*number) return std::nullopt;
  return shop(static_cast<uint32_t>(**number));
}

// Offers and links lie in the same order.
Status RocksdbStorage::scan(const EachOffer& each) {
  const auto link_at = database_.iterator();
  const std::string link_prefix(1, keys::kLinkKind);
  link_at->Seek(link_prefix);
  OfferRecord record;
  const Status done =
      database_.scan({keys::kOfferKind}, [&](std::string_view raw_key, std::string_view value) -> Status {
        const DocKey key(number_in(raw_key));
        if (!record.ParseFromArray(value.data(), static_cast<int>(value.size()))) {
          return database_.corrupt("offer " + to_string(key));
        }
        if (record.gone()) return {};
        OfferView view{key, record.shop(), false, record.first_seen(), DocKey(record.category()), record.offer(), {}};
        const auto behind = [&] {
          return link_at->Valid() && link_at->key().starts_with(link_prefix) &&
                 link_at->key().ToStringView().substr(1) < raw_key;
        };
        while (behind()) link_at->Next();
        if (link_at->Valid() && link_at->key().ToStringView() == keys::link(key)) {
          auto link = read_link(link_at->value().ToStringView());
          if (!link) return std::unexpected(link.error());
          view.link = std::move(*link);
        }
        return each(view);
      });
  return done ? database_.good(link_at->status()) : done;
}

Result<Link> RocksdbStorage::link_of(DocKey offer) const {
  const auto bytes = database_.get(keys::link(offer));
  if (!bytes) return std::unexpected(bytes.error());
  return *bytes ? read_link(**bytes) : Link();
}

Result<bool> RocksdbStorage::read_offer(DocKey key, const EachOffer& take) {
  const auto bytes = database_.get(keys::offer(key));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return false;
  OfferRecord record;
  if (!record.ParseFromString(**bytes)) return database_.corrupt("offer " + to_string(key));
  auto link = link_of(key);
  if (!link) return std::unexpected(link.error());
  const Status taken = take({key, record.shop(), record.gone(), record.first_seen(), DocKey(record.category()),
                             record.offer(), std::move(*link)});
  if (!taken) return std::unexpected(taken.error());
  return true;
}

Result<std::optional<DocKey>> RocksdbStorage::key_of(uint32_t shop, std::string_view id) {
  const auto bytes = database_.get(keys::offer_id(shop, id));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  const auto known = read_known(**bytes);
  if (!known) return std::unexpected(known.error());
  return known->key;
}

Status RocksdbStorage::scan_known(uint32_t shop, const EachKnown& each) {
  return database_.scan(keys::offer_id(shop, {}), [&](std::string_view id, std::string_view value) -> Status {
    const auto known = read_known(value);
    if (!known) return std::unexpected(known.error());
    return each(id, *known);
  });
}

Result<std::vector<std::optional<Link>>> RocksdbStorage::links(std::span<const DocKey> offers) {
  std::vector<std::optional<Link>> links;
  for (const DocKey offer : offers) {
    auto link = link_of(offer);
    if (!link) return std::unexpected(link.error());
    // One that has no link may be no offer at all.
    if (!link->model) {
      const auto bytes = database_.get(keys::offer(offer));
      if (!bytes) return std::unexpected(bytes.error());
      if (!*bytes) {
        links.emplace_back(std::nullopt);
        continue;
      }
    }
    links.emplace_back(std::move(*link));
  }
  return links;
}

Result<std::optional<DocKey>> RocksdbStorage::category(const std::string& identity) {
  const auto key = database_.get_number(keys::category_path(identity));
  if (!key) return std::unexpected(key.error());
  if (!*key) return std::nullopt;
  return DocKey(**key);
}

Result<std::optional<StoredCategory>> RocksdbStorage::category(DocKey key) {
  const auto bytes = database_.get(keys::category(key));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return std::nullopt;
  return read_category(key, **bytes);
}

Result<std::vector<StoredCategory>> RocksdbStorage::categories() {
  std::vector<StoredCategory> all;
  const Status read =
      database_.scan({keys::kCategoryKind}, [&](std::string_view key, std::string_view value) -> Status {
        auto category = read_category(DocKey(number_in(key)), value);
        if (!category) return std::unexpected(category.error());
        all.push_back(std::move(*category));
        return {};
      });
  if (!read) return std::unexpected(read.error());
  return all;
}

Result<std::vector<StoredModel>> RocksdbStorage::models() {
  std::vector<StoredModel> all;
  const Status read = database_.scan({keys::kModelKind}, [&](std::string_view key, std::string_view value) -> Status {
    all.push_back({DocKey(number_in(key)), number_in(value)});
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return all;
}

Result<AllCounters> RocksdbStorage::counters() {
  AllCounters all(placement::kOpenSlots);
  const Status read =
      database_.scan({keys::kCountersKind}, [&](std::string_view key, std::string_view value) -> Status {
        const uint64_t slot = number_in(key);
        const auto counters = read_counters(value);
        if (!counters) return std::unexpected(counters.error());
        if (slot >= all.size()) return database_.corrupt("slot " + std::to_string(slot));
        all[slot] = *counters;
        return {};
      });
  if (!read) return std::unexpected(read.error());
  return all;
}

Result<SlotCounters> RocksdbStorage::counters(uint16_t slot) {
  const auto bytes = database_.get(keys::counters(slot));
  if (!bytes) return std::unexpected(bytes.error());
  return *bytes ? read_counters(**bytes) : SlotCounters();
}

Result<std::vector<Change>> RocksdbStorage::changes(uint16_t slot, uint64_t after, size_t limit) {
  std::vector<Change> changes;
  const auto at = database_.iterator();
  const std::string prefix = keys::changes(slot);
  for (at->Seek(keys::change(slot, after + 1)); changes.size() < limit && at->Valid() && at->key().starts_with(prefix);
       at->Next()) {
    const auto change =
        read_change(number_in(at->key().ToStringView().substr(prefix.size())), at->value().ToStringView());
    if (!change) return std::unexpected(change.error());
    changes.push_back(*change);
  }
  const Status read = database_.good(at->status());
  if (!read) return std::unexpected(read.error());
  return changes;
}

Result<std::unique_ptr<Transaction>> RocksdbStorage::begin() {
  if (database_.is_read_only()) return fail(ErrorCode::kUnavailable, "the offer store was opened to be read only");
  return std::make_unique<RocksdbTransaction>(database_, staging_bytes_);
}

// The last position whose revision is up to this one; revisions grow with positions.
Result<uint64_t> RocksdbStorage::trim_boundary(uint16_t slot, const SlotCounters& counters, uint64_t revision) const {
  uint64_t boundary = counters.trimmed;
  const auto at = database_.iterator();
  const std::string prefix = keys::changes(slot);
  for (at->Seek(keys::change(slot, boundary + 1)); at->Valid() && at->key().starts_with(prefix); at->Next()) {
    const uint64_t position = number_in(at->key().ToStringView().substr(prefix.size()));
    const auto change = read_change(position, at->value().ToStringView());
    if (!change) return std::unexpected(change.error());
    if (change->revision > revision) break;
    boundary = position;
  }
  const Status read = database_.good(at->status());
  if (!read) return std::unexpected(read.error());
  return boundary;
}

Status RocksdbStorage::trim_changes(uint64_t revision) {
  if (database_.is_read_only()) return fail(ErrorCode::kUnavailable, "the offer store was opened to be read only");
  auto all = counters();
  if (!all) return std::unexpected(all.error());
  rocksdb::WriteBatch batch;
  for (uint32_t i = 0; i < all->size(); ++i) {
    const auto slot = static_cast<uint16_t>(i);
    SlotCounters& counters = (*all)[i];
    if (counters.last_position == counters.trimmed) continue;
    const auto boundary = trim_boundary(slot, counters, revision);
    if (!boundary) return std::unexpected(boundary.error());
    if (*boundary == counters.trimmed) continue;
    batch.DeleteRange(keys::change(slot, counters.trimmed + 1), keys::change(slot, *boundary + 1));
    counters.trimmed = *boundary;
    batch.Put(keys::counters(slot), to_bytes(counters));
  }
  return batch.Count() == 0 ? Status() : database_.write(batch);
}

}  // namespace

Result<std::unique_ptr<Storage>> open_rocksdb_storage(const std::string& folder, size_t staging_bytes) {
  auto database = Database::open(folder);
  if (!database) return std::unexpected(database.error());
  return std::make_unique<RocksdbStorage>(std::move(*database), staging_bytes);
}

Result<std::unique_ptr<OfferStore>> open_rocksdb_store(const std::string& folder, const Clock& clock) {
  auto storage = open_rocksdb_storage(folder, kStagingBytes);
  if (!storage) return std::unexpected(storage.error());
  return make_catalogue(std::move(*storage), clock);
}

Result<std::unique_ptr<OfferStore>> open_rocksdb_store_to_read(const std::string& folder, const Clock& clock) {
  auto database = Database::open_to_read(folder);
  if (!database) return std::unexpected(database.error());
  return make_catalogue(std::make_unique<RocksdbStorage>(std::move(*database), kStagingBytes), clock);
}

}  // namespace souk::offers
