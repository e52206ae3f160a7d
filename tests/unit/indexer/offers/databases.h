// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/unit/indexer/offers/store_fixture.h"
#include "tests/world/postgres_server.h"

namespace souk::offers {

// Every database passes the same tests.
enum class Kind { kRocksdb, kStagedRocksdb, kPostgres };
inline constexpr Kind kKinds[] = {Kind::kRocksdb, Kind::kStagedRocksdb, Kind::kPostgres};
std::string to_string(Kind kind);

// false where there is no PostgreSQL.
bool can_open(Kind kind);
// An empty store; that of PostgreSQL is the only one at a time.
World::Open opener(Kind kind);
World::Open read_opener(Kind kind);
world::PostgresServer& postgres_server();  // shared by all tests of the program

class DatabaseTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!can_open(GetParam())) GTEST_SKIP() << "PostgreSQL is not installed";
    world_ = std::make_unique<World>(opener(GetParam()));
  }
  World& world() { return *world_; }

 private:
  std::unique_ptr<World> world_;
};

#define SOUK_ON_ALL_DATABASES(suite)                                \
  INSTANTIATE_TEST_SUITE_P(All, suite, ::testing::ValuesIn(kKinds), \
                           [](const auto& info) { return to_string(info.param); })

}  // namespace souk::offers
