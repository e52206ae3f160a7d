// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "indexer/offers/postgres_session.h"
#include "indexer/offers/postgres_transaction.h"
#include "indexer/offers/record.h"

namespace souk::offers {
namespace {

using Snapshot = pqxx::transaction<pqxx::repeatable_read, pqxx::read_only>;

constexpr const char* kOfferColumns = "key, shop, gone, first_seen, category, model, link_kind, link_evidence, record";

// PostgreSQL has no unsigned numbers.
int64_t bounded_bigint(uint64_t number) {
  return static_cast<int64_t>(std::min<uint64_t>(number, std::numeric_limits<int64_t>::max()));
}

DocKey key_in(const pqxx::field& field) {
  return DocKey(sql::read_number(field));
}

Result<Link> link_in(const pqxx::field& model, const pqxx::field& kind, const pqxx::field& evidence) {
  const auto known_kind = link_kind(sql::read_number(kind));
  if (!known_kind) return fail(ErrorCode::kCorruption, "the offer store is damaged: a link's kind");
  return Link{key_in(model), {*known_kind, evidence.c_str()}};
}

// A row of kOfferColumns.
Status take_offer(const pqxx::row& row, const Storage::EachOffer& take) {
  const std::string record = sql::read_bytes(row[8]);
  auto link = link_in(row[5], row[6], row[7]);
  if (!link) return std::unexpected(link.error());
  return take({key_in(row[0]), static_cast<uint32_t>(sql::read_number(row[1])), row[2].as<bool>(), row[3].as<int64_t>(),
               key_in(row[4]), record, std::move(*link)});
}

// Reads what a query gives piece by piece.
Status read_through(pqxx::transaction_base& work, const std::string& query, int piece,
                    const std::function<Status(const pqxx::row&)>& each) {
  work.exec("DECLARE souk_rows NO SCROLL CURSOR FOR " + query);
  const std::string fetch = fmt::format("FETCH {} FROM souk_rows", piece);
  while (true) {
    const pqxx::result rows = work.exec(fetch);
    for (const pqxx::row& row : rows) {
      Status done = each(row);
      if (!done) return done;
    }
    if (rows.size() < static_cast<pqxx::result::size_type>(piece)) break;
  }
  work.exec("CLOSE souk_rows");
  return {};
}

std::unexpected<Error> read_only() {
  return fail(ErrorCode::kUnavailable, "the offer store was opened to be read only");
}

class PostgresStorage final : public Storage {
 public:
  PostgresStorage(const std::string& connection, Access access)
      : connection_(connection), access_(access), reader_(connection, Access::kRead), writer_(connection, access) {}
  Status open();

  Result<Totals> totals() override;
  Result<std::vector<Shop>> shops() override { return shops_where("TRUE"); }
  Result<std::optional<Shop>> shop(uint32_t number) override { return one_shop(fmt::format("number = {}", number)); }
  Result<std::optional<Shop>> shop(std::string_view name) override { return one_shop("name = " + sql::text(name)); }
  Status scan(const EachOffer& each) override;
  Result<bool> read_offer(DocKey key, const EachOffer& take) override;
  Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view id) override;
  Status scan_known(uint32_t shop, const EachKnown& each) override;
  Result<std::vector<std::optional<Link>>> links(std::span<const DocKey> offers) override;
  Result<std::optional<DocKey>> category(const std::string& identity) override;
  Result<std::optional<StoredCategory>> category(DocKey key) override;
  Result<std::vector<StoredCategory>> categories() override { return categories_where("TRUE"); }
  Result<std::vector<StoredModel>> models() override;
  Result<AllCounters> counters() override { return counters_where("TRUE"); }
  Result<SlotCounters> counters(uint16_t slot) override;
  Result<std::vector<Change>> changes(uint16_t slot, uint64_t after, size_t limit) override;
  Result<std::unique_ptr<Transaction>> begin() override;
  Status trim_changes(uint64_t revision) override;

 private:
  Result<pqxx::result> query(const std::string& statement);
  Result<std::vector<Shop>> shops_where(const std::string& condition);
  Result<std::optional<Shop>> one_shop(const std::string& condition);
  Result<std::vector<StoredCategory>> categories_where(const std::string& condition);
  Result<AllCounters> counters_where(const std::string& condition);

  std::string connection_;
  Access access_;
  PostgresSession reader_;  // sees what was committed
  PostgresSession writer_;  // unused when the store is only read
};

Status PostgresStorage::open() {
  // The writer first: it makes the tables.
  if (access_ == Access::kWrite) {
    const Status opened = writer_.open();
    if (!opened) return opened;
  }
  return reader_.open();
}

Result<pqxx::result> PostgresStorage::query(const std::string& statement) {
  return reader_.run([&](pqxx::connection& connection) -> Result<pqxx::result> {
    return pqxx::nontransaction(connection).exec(statement);
  });
}

Result<Totals> PostgresStorage::totals() {
  const auto rows = query("SELECT revision, offers, models FROM souk.store WHERE id = 1");
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty()) return fail(ErrorCode::kCorruption, "the offer store is damaged: souk.store is empty");
  const pqxx::row row = rows->front();
  return Totals{sql::read_number(row[0]), sql::read_number(row[1]), sql::read_number(row[2])};
}

Result<std::vector<Shop>> PostgresStorage::shops_where(const std::string& condition) {
  const auto rows = query("SELECT number, record FROM souk.shops WHERE " + condition + " ORDER BY number");
  if (!rows) return std::unexpected(rows.error());
  std::vector<Shop> shops;
  for (const pqxx::row& row : *rows) {
    auto shop = read_shop(static_cast<uint32_t>(sql::read_number(row[0])), sql::read_bytes(row[1]));
    if (!shop) return std::unexpected(shop.error());
    shops.push_back(std::move(*shop));
  }
  return shops;
}

Result<std::optional<Shop>> PostgresStorage::one_shop(const std::string& condition) {
  auto shops = shops_where(condition);
  if (!shops) return std::unexpected(shops.error());
  if (shops->empty()) return std::nullopt;
  return std::move(shops->front());
}

// By a connection of its own: each() may read other things meanwhile.
Status PostgresStorage::scan(const EachOffer& each) {
  PostgresSession session(connection_, Access::kRead);
  const auto connection = session.connected();
  if (!connection) return std::unexpected(connection.error());
  return guarded([&]() -> Status {
    Snapshot work(**connection);
    return read_through(work,
                        fmt::format("SELECT {} FROM souk.offers WHERE NOT gone ORDER BY slot, key", kOfferColumns),
                        1000, [&](const pqxx::row& row) { return take_offer(row, each); });
  });
}

Result<bool> PostgresStorage::read_offer(DocKey key, const EachOffer& take) {
  const auto rows = query(fmt::format("SELECT {} FROM souk.offers WHERE slot = {} AND key = {}", kOfferColumns,
                                      key.slot(), bounded_bigint(key.value())));
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty()) return false;
  const Status taken = guarded([&] { return take_offer(rows->front(), take); });
  if (!taken) return std::unexpected(taken.error());
  return true;
}

Result<std::optional<DocKey>> PostgresStorage::key_of(uint32_t shop, std::string_view id) {
  const auto rows = query(fmt::format("SELECT key FROM souk.offers WHERE shop = {} AND offer_id = {} AND slot = {}",
                                      shop, sql::text(id), placement::slot_of_offer(shop, id)));
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty()) return std::nullopt;
  return key_in(rows->front().front());
}

Status PostgresStorage::scan_known(uint32_t shop, const EachKnown& each) {
  const auto connection = reader_.connected();
  if (!connection) return std::unexpected(connection.error());
  return guarded([&]() -> Status {
    Snapshot work(**connection);
    const std::string rows =
        fmt::format("SELECT offer_id, key, digest, first_seen, price, currency FROM souk.offers WHERE shop = {}", shop);
    return read_through(work, rows, 10'000, [&](const pqxx::row& row) -> Status {
      const KnownOffer known{key_in(row[1]), sql::read_number(row[2]), row[3].as<int64_t>(), row[4].as<int64_t>(),
                             row[5].c_str()};
      return each(std::string_view(row[0].c_str(), row[0].size()), known);
    });
  });
}

Result<std::vector<std::optional<Link>>> PostgresStorage::links(std::span<const DocKey> offers) {
  std::vector<std::optional<Link>> links(offers.size());
  if (offers.empty()) return links;
  std::string wanted;
  for (size_t i = 0; i < offers.size(); ++i) {
    fmt::format_to(std::back_inserter(wanted), "{}({},{},{}::bigint)", i == 0 ? "" : ",", i, offers[i].slot(),
                   bounded_bigint(offers[i].value()));
  }
  const auto rows = query(fmt::format(
      "SELECT wanted.i, model, link_kind, link_evidence FROM (VALUES {}) AS wanted (i, slot, key) JOIN souk.offers ON "
      "offers.slot = wanted.slot AND offers.key = wanted.key",
      wanted));
  if (!rows) return std::unexpected(rows.error());
  for (const pqxx::row& row : *rows) {
    auto link = link_in(row[1], row[2], row[3]);
    if (!link) return std::unexpected(link.error());
    links.at(sql::read_number(row[0])) = std::move(*link);
  }
  return links;
}

Result<std::optional<DocKey>> PostgresStorage::category(const std::string& identity) {
  const auto rows =
      query("SELECT key FROM souk.categories WHERE identity_sha256 = '" + identity_sha256(identity) + "'");
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty()) return std::nullopt;
  return key_in(rows->front().front());
}

Result<std::vector<StoredCategory>> PostgresStorage::categories_where(const std::string& condition) {
  const auto rows = query("SELECT key, record FROM souk.categories WHERE " + condition + " ORDER BY key");
  if (!rows) return std::unexpected(rows.error());
  std::vector<StoredCategory> categories;
  for (const pqxx::row& row : *rows) {
    auto category = read_category(key_in(row[0]), sql::read_bytes(row[1]));
    if (!category) return std::unexpected(category.error());
    categories.push_back(std::move(*category));
  }
  return categories;
}

Result<std::optional<StoredCategory>> PostgresStorage::category(DocKey key) {
  auto categories = categories_where(fmt::format("key = {}", bounded_bigint(key.value())));
  if (!categories) return std::unexpected(categories.error());
  if (categories->empty()) return std::nullopt;
  return std::move(categories->front());
}

Result<std::vector<StoredModel>> PostgresStorage::models() {
  const auto rows = query("SELECT key, born FROM souk.models ORDER BY key");
  if (!rows) return std::unexpected(rows.error());
  std::vector<StoredModel> models;
  models.reserve(rows->size());
  for (const pqxx::row& row : *rows) models.push_back({key_in(row[0]), sql::read_number(row[1])});
  return models;
}

Result<AllCounters> PostgresStorage::counters_where(const std::string& condition) {
  const auto rows = query(
      "SELECT slot, last_offer, last_model, last_shop, last_category, last_position, trimmed FROM souk.counters "
      "WHERE " +
      condition);
  if (!rows) return std::unexpected(rows.error());
  AllCounters all(placement::kOpenSlots);
  for (const pqxx::row& row : *rows) {
    const uint64_t slot = sql::read_number(row[0]);
    if (slot >= all.size()) return fail(ErrorCode::kCorruption, "the offer store is damaged: a slot's number");
    SlotCounters& counters = all[slot];
    for (size_t type = 0; type < SlotCounters::kTypes; ++type) {
      counters.last_local[type] = sql::read_number(row[static_cast<pqxx::row::size_type>(type + 1)]);
    }
    counters.last_position = sql::read_number(row[5]);
    counters.trimmed = sql::read_number(row[6]);
  }
  return all;
}

Result<SlotCounters> PostgresStorage::counters(uint16_t slot) {
  const auto all = counters_where(fmt::format("slot = {}", slot));
  if (!all) return std::unexpected(all.error());
  return slot < all->size() ? (*all)[slot] : SlotCounters();
}

Result<std::vector<Change>> PostgresStorage::changes(uint16_t slot, uint64_t after, size_t limit) {
  const auto rows =
      query(fmt::format("SELECT position, key, kind, revision FROM souk.changes WHERE slot = {} AND position > {} "
                        "ORDER BY position LIMIT "
                        "{}",
                        slot, bounded_bigint(after), bounded_bigint(limit)));
  if (!rows) return std::unexpected(rows.error());
  std::vector<Change> changes;
  for (const pqxx::row& row : *rows) {
    const auto kind = change_kind(sql::read_number(row[2]));
    if (!kind) return fail(ErrorCode::kCorruption, "the offer store is damaged: a change's kind");
    changes.push_back({sql::read_number(row[0]), key_in(row[1]), *kind, sql::read_number(row[3])});
  }
  return changes;
}

Result<std::unique_ptr<Transaction>> PostgresStorage::begin() {
  if (access_ == Access::kRead) return read_only();
  return writer_.run([](pqxx::connection& connection) -> Result<std::unique_ptr<Transaction>> {
    return std::make_unique<PostgresTransaction>(connection);
  });
}

Status PostgresStorage::trim_changes(uint64_t revision) {
  if (access_ == Access::kRead) return read_only();
  return writer_.run([&](pqxx::connection& connection) -> Status {
    pqxx::work work(connection);
    work.exec(fmt::format(
        "UPDATE souk.counters SET trimmed = forgotten.position FROM (SELECT slot, max(position) AS position FROM "
        "souk.changes WHERE revision <= {0} GROUP BY slot) AS forgotten WHERE counters.slot = forgotten.slot; "
        "DELETE FROM souk.changes WHERE revision <= {0}",
        bounded_bigint(revision)));
    work.commit();
    return {};
  });
}

Result<std::unique_ptr<OfferStore>> open_with(const std::string& connection, Access access, const Clock& clock) {
  auto storage = std::make_unique<PostgresStorage>(connection, access);
  const Status opened = storage->open();
  if (!opened) return std::unexpected(opened.error());
  return make_catalogue(std::move(storage), clock);
}

}  // namespace

Result<std::unique_ptr<OfferStore>> open_postgres_store(const std::string& connection, const Clock& clock) {
  return open_with(connection, Access::kWrite, clock);
}

Result<std::unique_ptr<OfferStore>> open_postgres_store_to_read(const std::string& connection, const Clock& clock) {
  return open_with(connection, Access::kRead, clock);
}

}  // namespace souk::offers
