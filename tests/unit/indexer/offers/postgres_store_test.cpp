// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pqxx/pqxx>

#include "tests/unit/indexer/offers/databases.h"

namespace souk::offers {
namespace {

using ::testing::HasSubstr;

class PostgresStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_open(Kind::kPostgres)) GTEST_SKIP() << "PostgreSQL is not installed";
    world_ = std::make_unique<World>(opener(Kind::kPostgres));
  }

  World& world() { return *world_; }
  static pqxx::result query(const std::string& statement) {
    pqxx::connection session(postgres_server().connection());
    return pqxx::nontransaction(session).exec(statement);
  }
  static std::string value(const std::string& statement) { return query(statement).front().front().c_str(); }
  // As when the network or the server's process fails.
  static void break_connections() {
    query(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type "
        "= 'client backend'");
  }

 private:
  std::unique_ptr<World> world_;
};

TEST_F(PostgresStoreTest, PeopleCanLookAtTheirCatalogue) {
  feed::Offer offer = make_offer("O'1\\", "Лампа \"Свет\"");
  offer.vendor = "Норвик";
  offer.barcodes = {"4600000000008"};
  world().apply(world().shop(1), {offer, make_offer("2")});
  world().link_barcodes();
  world().apply(world().shop(1), {offer}, "h2");
  const pqxx::row row =
      query(
          "SELECT offer_id, offers.name, vendor, price, currency, available, path, shops.name, link_evidence, revision "
          "FROM souk.offers JOIN souk.categories ON category = categories.key JOIN souk.shops ON shop = number, "
          "souk.store WHERE NOT gone")
          .front();
  std::vector<std::string> shown;
  for (const pqxx::field& field : row) shown.emplace_back(field.c_str());
  EXPECT_EQ(shown, (std::vector<std::string>{"O'1\\", "Лампа \"Свет\"", "Норвик", "10000", "RUB", "t", "Дом > Лампы",
                                             "shop-1", "4600000000008", "3"}));
  EXPECT_EQ(value("SELECT string_agg(offer_id, ',') FROM souk.offers WHERE gone"), "2");
  EXPECT_EQ(value("SELECT count(*) FROM pg_inherits WHERE inhparent = 'souk.offers'::regclass"), "64");
  EXPECT_EQ(value("SELECT count(*) FROM souk.changes"), "4");
  EXPECT_EQ(value("SELECT count(*) FROM souk.models"), "1");
}

TEST_F(PostgresStoreTest, AnUnchangedFeedWritesNothing) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1"), make_offer("2")});
  const auto next_transaction = [] { return value("SELECT pg_snapshot_xmax(pg_current_snapshot())"); };
  const std::string before = next_transaction();
  world().apply(shop, {make_offer("2"), make_offer("1")});
  EXPECT_EQ(next_transaction(), before);
  world().apply(shop, {make_offer("2"), make_offer("1")}, "h2");
  EXPECT_NE(next_transaction(), before) << "the hash is written, so the comparison can fail";
}

TEST_F(PostgresStoreTest, ALostConnectionLosesTheUpdateOnly) {
  const Shop shop = world().shop(1);
  OfferStore& store = *world().store;
  world().apply(shop, {make_offer("1")});
  {
    auto update = store.begin(shop);
    ASSERT_TRUE((*update)->put(make_offer("2")));
    break_connections();
    const Status committed = (*update)->commit({}, "x");
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(committed.error().message, HasSubstr("PostgreSQL"));
    EXPECT_EQ(committed.error().message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(*store.revision(), 1U) << "the next call connects again";
  EXPECT_FALSE(*store.find(1, "2"));
  EXPECT_EQ(world().apply(shop, {make_offer("1"), make_offer("2")}).added, 1U);
  EXPECT_EQ((*store.key_of(1, "2"))->local(), 1U);
}

TEST_F(PostgresStoreTest, AServerThatIsDownIsUnavailable) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1")});
  postgres_server().kill();
  const auto down = world().store->revision();
  EXPECT_EQ(down.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(down.error().message, HasSubstr("PostgreSQL cannot be reached"));
  EXPECT_EQ(down.error().message.find('\n'), std::string::npos);
  EXPECT_EQ(open_postgres_store(postgres_server().connection(), world().clock).error().code, ErrorCode::kUnavailable);
  postgres_server().start();
  EXPECT_EQ(*world().store->revision(), 1U);
  EXPECT_EQ(world().apply(shop, {make_offer("1"), make_offer("2")}).added, 1U);
}

TEST_F(PostgresStoreTest, AWriterThatLostItsLockDoesNotWriteBesideTheNext) {
  const Shop shop = world().shop(1);
  auto update = world().store->begin(shop);
  ASSERT_TRUE(update);
  break_connections();
  auto second = open_postgres_store(postgres_server().connection(), world().clock);
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_TRUE((*update)->put(make_offer("1"))) << "only gathered";
  EXPECT_EQ((*update)->commit({}, "x").error().code, ErrorCode::kUnavailable);
  update->reset();
  const auto locked_out = world().store->begin(shop);
  ASSERT_FALSE(locked_out);
  EXPECT_THAT(locked_out.error().message, HasSubstr("in use by another process"));
  second->reset();
  const auto own_again = [&] { return world().store->begin(shop).has_value(); };
  for (int i = 0; i < 1000 && !own_again(); ++i)
    query("SELECT pg_sleep(0.01)");  // until the server has let the lock go
  EXPECT_TRUE(own_again());
}

TEST_F(PostgresStoreTest, SaysClearlyWhyItDoesNotOpen) {
  world().store.reset();
  const std::string connection = postgres_server().connection();
  query("UPDATE souk.store SET version = 1");
  for (const Error& refused : {open_postgres_store(connection, world().clock).error(),
                               open_postgres_store_to_read(connection, world().clock).error()}) {
    EXPECT_EQ(refused.code, ErrorCode::kVersionMismatch);
    EXPECT_THAT(refused.message, HasSubstr("format 1, this program reads 2"));
  }
  query("DROP SCHEMA souk CASCADE");
  EXPECT_EQ(open_postgres_store_to_read(connection, world().clock).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(query("SELECT 1 FROM pg_namespace WHERE nspname = 'souk'").size(), 0U) << "reading makes nothing";
  const auto nowhere = open_postgres_store("postgresql://127.0.0.1:1/x", world().clock);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kUnavailable);
  const auto nonsense = open_postgres_store("no such setting", world().clock);
  EXPECT_EQ(nonsense.error().code, ErrorCode::kUnavailable);
  query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
  const auto latin = open_postgres_store(connection + " dbname=latin", world().clock);
  EXPECT_EQ(latin.error().code, ErrorCode::kInvalidArgument);
  query("DROP DATABASE latin");
}

}  // namespace
}  // namespace souk::offers
