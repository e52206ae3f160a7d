// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/placement/slots.h"
#include "indexer/offers/postgres_session.h"
#include "indexer/offers/storage.h"

namespace souk::offers {
namespace {

constexpr uint32_t kPartitions = 64;  // of the offers, each a range of slots

// Numbers that can be asked for stand in columns of their own, the rest in `record`. Nothing refers to another table by
// a foreign key, so that each can lie where its slot does.
constexpr const char* kTables = R"(
CREATE SCHEMA souk;
CREATE TABLE souk.store (
  id integer PRIMARY KEY, version bigint NOT NULL,
  revision bigint NOT NULL, offers bigint NOT NULL, models bigint NOT NULL);
CREATE TABLE souk.offers (
  slot integer NOT NULL, key bigint NOT NULL, shop bigint NOT NULL, offer_id text COLLATE "C" NOT NULL,
  gone boolean NOT NULL, first_seen bigint NOT NULL, digest bigint NOT NULL,
  category bigint NOT NULL, model bigint NOT NULL DEFAULT 0,
  link_kind integer NOT NULL DEFAULT 0, link_evidence text NOT NULL DEFAULT '',
  name text NOT NULL, vendor text NOT NULL, price bigint NOT NULL, currency text NOT NULL,
  available boolean NOT NULL, record bytea NOT NULL,
  PRIMARY KEY (slot, key), UNIQUE (shop, offer_id, slot)) PARTITION BY RANGE (slot);
CREATE TABLE souk.shops (
  number bigint PRIMARY KEY, key bigint NOT NULL, name text COLLATE "C" NOT NULL UNIQUE, display_name text NOT NULL,
  url text NOT NULL, offers bigint NOT NULL, record bytea NOT NULL);
CREATE TABLE souk.categories (
  key bigint PRIMARY KEY, identity_sha256 text COLLATE "C" NOT NULL UNIQUE, path text NOT NULL, record bytea NOT NULL);
CREATE TABLE souk.models (key bigint PRIMARY KEY, born bigint NOT NULL);
CREATE TABLE souk.changes (
  slot integer NOT NULL, position bigint NOT NULL, key bigint NOT NULL, kind integer NOT NULL,
  revision bigint NOT NULL, PRIMARY KEY (slot, position));
CREATE TABLE souk.counters (
  slot integer PRIMARY KEY, last_offer bigint NOT NULL, last_model bigint NOT NULL, last_shop bigint NOT NULL,
  last_category bigint NOT NULL, last_position bigint NOT NULL, trimmed bigint NOT NULL);
)";

bool has_tables(pqxx::transaction_base& work) {
  const pqxx::result found =
      work.exec("SELECT 1 FROM information_schema.tables WHERE table_schema = 'souk' AND table_name = 'store'");
  return !found.empty();
}

Status check_version(pqxx::transaction_base& work) {
  const pqxx::result version = work.exec("SELECT version FROM souk.store WHERE id = 1");
  if (version.empty()) return fail(ErrorCode::kCorruption, "the offer store is damaged: souk.store is empty");
  const uint64_t number = sql::read_number(version.front().front());
  if (number == kStoreFormat) return {};
  return fail(ErrorCode::kVersionMismatch,
              fmt::format("the offer store has format {}, this program reads {}: drop its schema (souk) and ingest the "
                          "feeds anew",
                          number, kStoreFormat));
}

}  // namespace

Status check_schema(pqxx::connection& connection) {
  pqxx::nontransaction work(connection);
  if (!has_tables(work)) return fail(ErrorCode::kNotFound, "there is no offer store (schema souk) in the database");
  return check_version(work);
}

Status make_schema(pqxx::connection& connection) {
  pqxx::work work(connection);
  if (has_tables(work)) return check_version(work);
  std::string statements = kTables;
  for (uint32_t i = 0; i < kPartitions; ++i) {
    statements +=
        fmt::format("CREATE TABLE souk.offers_{:02} PARTITION OF souk.offers FOR VALUES FROM ({}) TO ({});\n", i,
                    i * placement::kOpenSlots / kPartitions, (i + 1) * placement::kOpenSlots / kPartitions);
  }
  statements += fmt::format("INSERT INTO souk.store VALUES (1, {}, 0, 0, 0);", kStoreFormat);
  work.exec(statements);
  work.commit();
  return {};
}

}  // namespace souk::offers
