// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/indexer/offers/databases.h"

#include <pqxx/pqxx>
#include <stdexcept>

#include "indexer/offers/rocksdb_storage.h"

namespace souk::offers {
namespace {

// So little that most differences go by way of staged files.
constexpr size_t kLittle = 2048;

Result<std::unique_ptr<OfferStore>> open_staged(const std::string& folder, const Clock& clock) {
  auto storage = open_rocksdb_storage(folder, kLittle);
  if (!storage) return std::unexpected(storage.error());
  return make_catalogue(std::move(*storage), clock);
}

// Started by the first test that needs it, ended with the program.
class SharedServer : public ::testing::Environment {
 public:
  world::PostgresServer& server() {
    if (!server_) server_ = std::make_unique<world::PostgresServer>();
    return *server_;
  }
  void TearDown() override { server_.reset(); }

 private:
  std::unique_ptr<world::PostgresServer> server_;
};

// The framework owns it.
SharedServer* const kShared = dynamic_cast<SharedServer*>(::testing::AddGlobalTestEnvironment(new SharedServer));

}  // namespace

std::string to_string(Kind kind) {
  switch (kind) {
    case Kind::kRocksdb:
      return "rocksdb";
    case Kind::kStagedRocksdb:
      return "staged_rocksdb";
    case Kind::kPostgres:
      return "postgres";
  }
  return {};
}

bool can_open(Kind kind) {
  return kind != Kind::kPostgres || world::PostgresServer::is_installed();
}

world::PostgresServer& postgres_server() {
  return kShared->server();
}

World::Open opener(Kind kind) {
  if (kind == Kind::kStagedRocksdb) return open_staged;
  if (kind == Kind::kRocksdb) return open_rocksdb_store;
  const std::string connection = postgres_server().connection();
  pqxx::connection session(connection);
  pqxx::nontransaction work(session);
  if (!work.exec("SELECT to_regclass('souk.store')").front().front().is_null()) {
    // Far quicker than to make the tables anew.
    for (const char* table : {"offers", "shops", "categories", "models", "changes", "counters"}) {
      work.exec(std::string("DELETE FROM souk.") + table);
    }
    work.exec("UPDATE souk.store SET version = 2, revision = 0, offers = 0, models = 0");
  }
  return [connection](const std::string& /*folder*/, const Clock& clock) {
    return open_postgres_store(connection, clock);
  };
}

World::Open read_opener(Kind kind) {
  if (kind != Kind::kPostgres) return open_rocksdb_store_to_read;
  return [](const std::string& /*folder*/, const Clock& clock) {
    return open_postgres_store_to_read(postgres_server().connection(), clock);
  };
}

}  // namespace souk::offers
