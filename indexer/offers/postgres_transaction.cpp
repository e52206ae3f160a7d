// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/postgres_transaction.h"

#include <fmt/format.h>

#include <iterator>

#include "core/base/hash.h"
#include "indexer/offers/record.h"

namespace souk::offers {
namespace {

constexpr size_t kBatchRows = 1000;
constexpr size_t kBatchBytes = 4 << 20;

// The model and its reason are not the feed's.
constexpr const char* kOfferHead =
    "INSERT INTO souk.offers (slot, key, shop, offer_id, gone, first_seen, digest, category, name, vendor, price, "
    "currency, available, record) VALUES ";
constexpr const char* kOfferTail =
    " ON CONFLICT (slot, key) DO UPDATE SET gone = excluded.gone, digest = excluded.digest, category = "
    "excluded.category, name = excluded.name, vendor = excluded.vendor, price = excluded.price, currency = "
    "excluded.currency, available = excluded.available, record = excluded.record";
constexpr const char* kLinkHead =
    "UPDATE souk.offers SET model = new.model, link_kind = new.kind, link_evidence = new.evidence FROM (VALUES ";
constexpr const char* kLinkTail =
    ") AS new (slot, key, model, kind, evidence) WHERE offers.slot = new.slot AND offers.key = new.key";
constexpr const char* kCounterHead =
    "INSERT INTO souk.counters (slot, last_offer, last_model, last_shop, last_category, last_position, trimmed) "
    "VALUES ";
constexpr const char* kCounterTail =
    " ON CONFLICT (slot) DO UPDATE SET last_offer = excluded.last_offer, last_model = excluded.last_model, last_shop = "
    "excluded.last_shop, last_category = excluded.last_category, last_position = excluded.last_position, trimmed = "
    "excluded.trimmed";

std::string shown_path(std::span<const std::string> path) {
  std::string shown;
  for (const std::string& name : path) shown += (shown.empty() ? "" : " > ") + name;
  return shown;
}

// PostgreSQL has no unsigned numbers.
int64_t as_bigint(uint64_t number) {
  return static_cast<int64_t>(number);
}

}  // namespace

std::string identity_sha256(const std::string& identity) {
  Sha256 sha;
  sha.update(identity);
  return sha.hex();
}

std::string& RowBatch::row(pqxx::transaction_base& work) {
  if (rows_ >= kBatchRows || statement_.size() >= kBatchBytes) send(work);
  statement_ += rows_ == 0 ? head_ : ",";
  statement_ += '(';
  ++rows_;
  return statement_;
}

void RowBatch::send(pqxx::transaction_base& work) {
  if (rows_ == 0) return;
  statement_ += tail_;
  work.exec(statement_);
  statement_.clear();
  rows_ = 0;
}

PostgresTransaction::PostgresTransaction(pqxx::connection& connection)
    : work_(connection),
      offers_(kOfferHead, kOfferTail),
      links_(kLinkHead, kLinkTail),
      categories_("INSERT INTO souk.categories (key, identity_sha256, path, record) VALUES ", ""),
      models_("INSERT INTO souk.models (key, born) VALUES ", ""),
      changes_("INSERT INTO souk.changes (slot, position, key, kind, revision) VALUES ", ""),
      counters_(kCounterHead, kCounterTail) {}

Status PostgresTransaction::put_offer(const OfferRow& row) {
  return guarded([&]() -> Status {
    std::string& out = offers_.row(work_);
    fmt::format_to(std::back_inserter(out), "{},{},{},", row.known.key.slot(), row.known.key.value(), row.shop);
    sql::add_text(out, row.id);
    fmt::format_to(std::back_inserter(out), ",{},{},{},{},", row.gone, row.known.first_seen,
                   as_bigint(row.known.digest), row.category.value());
    sql::add_text(out, row.name);
    out += ',';
    sql::add_text(out, row.vendor);
    fmt::format_to(std::back_inserter(out), ",{},", row.known.price);
    sql::add_text(out, row.known.currency);
    fmt::format_to(std::back_inserter(out), ",{},", row.available);
    sql::add_bytes(out, row.record);
    out += ')';
    return {};
  });
}

Status PostgresTransaction::put_link(DocKey offer, const Link& link) {
  return guarded([&]() -> Status {
    std::string& out = links_.row(work_);
    fmt::format_to(std::back_inserter(out), "{},{}::bigint,{}::bigint,{},", offer.slot(), offer.value(),
                   link.model.value(), static_cast<int>(link.reason.kind));
    sql::add_text(out, link.reason.evidence);
    out += ')';
    return {};
  });
}

Status PostgresTransaction::put_category(DocKey key, const std::string& identity, std::span<const std::string> path) {
  return guarded([&]() -> Status {
    std::string& out = categories_.row(work_);
    fmt::format_to(std::back_inserter(out), "{},'{}',", key.value(), identity_sha256(identity));
    sql::add_text(out, shown_path(path));
    out += ',';
    sql::add_bytes(out, path_to_bytes(path));
    out += ')';
    return {};
  });
}

Status PostgresTransaction::put_model(const StoredModel& model) {
  return guarded([&]() -> Status {
    fmt::format_to(std::back_inserter(models_.row(work_)), "{},{})", model.key.value(), model.born);
    return {};
  });
}

Status PostgresTransaction::put_change(uint16_t slot, const Change& change) {
  return guarded([&]() -> Status {
    fmt::format_to(std::back_inserter(changes_.row(work_)), "{},{},{},{},{})", slot, change.position,
                   change.key.value(), static_cast<int>(change.kind), change.revision);
    return {};
  });
}

Status PostgresTransaction::put_counters(uint16_t slot, const SlotCounters& counters) {
  return guarded([&]() -> Status {
    fmt::format_to(std::back_inserter(counters_.row(work_)), "{},{},{},{})", slot, fmt::join(counters.last_local, ","),
                   counters.last_position, counters.trimmed);
    return {};
  });
}

Status PostgresTransaction::put_totals(const Totals& totals) {
  return guarded([&]() -> Status {
    work_.exec(fmt::format("UPDATE souk.store SET revision = {}, offers = {}, models = {} WHERE id = 1",
                           totals.revision, totals.offers, totals.models));
    return {};
  });
}

Status PostgresTransaction::put_shop(const Shop& shop) {
  return guarded([&]() -> Status {
    work_.exec(fmt::format(
        "INSERT INTO souk.shops (number, key, name, display_name, url, offers, record) VALUES ({},{},{},{},{},{},{}) "
        "ON CONFLICT (number) DO UPDATE SET display_name = excluded.display_name, url = excluded.url, offers = "
        "excluded.offers, record = excluded.record",
        shop.number, shop.key.value(), sql::text(shop.name), sql::text(shop.display_name), sql::text(shop.url),
        shop.live_offers, sql::bytes(to_bytes(shop))));
    return {};
  });
}

Status PostgresTransaction::commit() {
  return guarded([&]() -> Status {
    for (RowBatch* batch : {&offers_, &links_, &categories_, &models_, &changes_, &counters_}) batch->send(work_);
    work_.commit();
    return {};
  });
}

}  // namespace souk::offers
