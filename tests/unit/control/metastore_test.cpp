// SPDX-License-Identifier: Apache-2.0
#include "control/store/metastore.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/world/temporary_folder.h"

namespace souk::control {
namespace {

class MetastoreTest : public testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "metastore.sqlite").string(); }
  std::unique_ptr<Metastore> open() const {
    auto store = open_sqlite_metastore(path());
    EXPECT_TRUE(store) << to_string(store.error());
    return store ? std::move(*store) : nullptr;
  }

  world::TemporaryFolder folder_;
};

std::string value_of(Metastore& store, std::string_view key) {
  const auto entry = store.get(key);
  if (!entry) return "error: " + to_string(entry.error());
  return *entry ? (*entry)->value : "none";
}

TEST_F(MetastoreTest, AFreshStoreIsEmpty) {
  const auto store = open();
  EXPECT_EQ(store->revision(), 0U);
  EXPECT_EQ(value_of(*store, "generation/active"), "none");
  EXPECT_TRUE(store->changes("", 0)->empty());
}

TEST_F(MetastoreTest, ACommitWritesAllAndGivesItsRevision) {
  const auto store = open();
  EXPECT_EQ(store->commit({.conditions = {{"a", 0}}, .puts = {{"a", "1"}, {"b", "2"}}}), 1U);
  EXPECT_EQ(store->commit({.conditions = {}, .puts = {{"b", "3"}}}), 2U);
  const auto a = store->get("a");
  ASSERT_TRUE(a && *a);
  EXPECT_EQ((*a)->value, "1");
  EXPECT_EQ((*a)->revision, 1U);
  EXPECT_EQ((*store->get("b"))->revision, 2U);
}

TEST_F(MetastoreTest, AConflictWritesNothingAndNamesTheKey) {
  const auto store = open();
  ASSERT_TRUE(store->commit({.conditions = {}, .puts = {{"a", "1"}}}));
  ASSERT_TRUE(store->commit({.conditions = {{"a", 1}}, .puts = {{"a", "2"}}}));
  const auto stale = store->commit({.conditions = {{"a", 1}}, .puts = {{"a", "3"}, {"b", "3"}}});
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code, ErrorCode::kVersionMismatch);
  EXPECT_EQ(stale.error().argument, "a");
  const auto exists = store->commit({.conditions = {{"a", 0}}, .puts = {{"a", "3"}}});
  ASSERT_FALSE(exists);
  EXPECT_EQ(value_of(*store, "a"), "2");
  EXPECT_EQ(value_of(*store, "b"), "none");
  EXPECT_EQ(store->revision(), 2U);
}

TEST_F(MetastoreTest, TwoProcessesCannotBothWinARace) {
  const auto first = open();
  const auto second = open();
  ASSERT_TRUE(first->commit({.conditions = {{"counter", 0}}, .puts = {{"counter", "1"}}}));
  const auto seen = second->get("counter");
  ASSERT_TRUE(seen && *seen);
  ASSERT_TRUE(first->commit({.conditions = {{"counter", (*seen)->revision}}, .puts = {{"counter", "2"}}}));
  EXPECT_FALSE(second->commit({.conditions = {{"counter", (*seen)->revision}}, .puts = {{"counter", "2"}}}));
  EXPECT_EQ(value_of(*second, "counter"), "2");
}

TEST_F(MetastoreTest, ReopenKeepsEverything) {
  ASSERT_TRUE(open()->commit({.conditions = {}, .puts = {{"shop/by_name/Кот & Ко 'x'", "1"}, {"empty", ""}}}));
  const auto store = open();
  EXPECT_EQ(store->revision(), 1U);
  EXPECT_EQ(value_of(*store, "shop/by_name/Кот & Ко 'x'"), "1");
  EXPECT_EQ(value_of(*store, "empty"), "");
}

TEST_F(MetastoreTest, ChangesGiveWhatWasWrittenSince) {
  const auto store = open();
  ASSERT_TRUE(store->commit({.conditions = {}, .puts = {{"shop/b", "1"}, {"shop/a", "1"}, {"shopper", "1"}}}));
  ASSERT_TRUE(store->commit({.conditions = {}, .puts = {{"shop/b", "2"}, {"other", "2"}}}));
  const auto names = [&store](std::string_view prefix, uint64_t after) {
    std::vector<std::string> keys;
    for (const Entry& entry : store->changes(prefix, after).value()) keys.push_back(entry.key + "=" + entry.value);
    return keys;
  };
  EXPECT_EQ(names("shop/", 0), (std::vector<std::string>{"shop/a=1", "shop/b=2"}));
  EXPECT_EQ(names("shop/", 1), std::vector<std::string>{"shop/b=2"});
  EXPECT_TRUE(names("shop/", 2).empty());
  EXPECT_TRUE(names("sho%", 0).empty()) << "a prefix is no pattern";
}

TEST_F(MetastoreTest, RefusesWhatIsTooLong) {
  const auto store = open();
  EXPECT_FALSE(store->commit({.conditions = {}, .puts = {{std::string(513, 'k'), "1"}}}));
  EXPECT_FALSE(store->commit({.conditions = {}, .puts = {{"k", std::string(65537, 'v')}}}));
  EXPECT_FALSE(store->commit({.conditions = {}, .puts = {{"", "1"}}}));
  EXPECT_EQ(store->revision(), 0U);
}

TEST_F(MetastoreTest, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(path()) << std::string(4096, 'x');
  const auto store = open_sqlite_metastore(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kCorruption);
  EXPECT_EQ(store.error().argument, path());
}

TEST_F(MetastoreTest, AMissingFolderIsRefused) {
  const auto store = open_sqlite_metastore((folder_.path() / "none" / "m.sqlite").string());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
}

// Any mix of commits with right and wrong conditions leaves the store as a map that only right ones changed.
RC_GTEST_FIXTURE_PROP(MetastoreTest, BehavesAsAMapWithRevisions, ()) {
  std::filesystem::remove_all(folder_.path());
  std::filesystem::create_directories(folder_.path());
  const auto store = open();
  std::map<std::string, std::pair<std::string, uint64_t>> model;
  uint64_t revision = 0;
  const auto steps = *rc::gen::inRange(1, 12);
  for (int i = 0; i < steps; ++i) {
    const std::string key(1, *rc::gen::inRange('a', 'd'));
    const auto assumed = *rc::gen::inRange<uint64_t>(0, revision + 2);
    const auto value = *rc::gen::container<std::string>(rc::gen::inRange('0', '9'));
    const bool holds = (model.contains(key) ? model[key].second : 0) == assumed;
    const auto committed = store->commit({.conditions = {{key, assumed}}, .puts = {{key, value}}});
    RC_ASSERT(committed.has_value() == holds);
    if (holds) model[key] = {value, ++revision};
  }
  for (const auto& [key, entry] : model) {
    const auto found = store->get(key).value();
    RC_ASSERT(found.has_value());
    RC_ASSERT(found->value == entry.first);
    RC_ASSERT(found->revision == entry.second);
  }
  RC_ASSERT(store->revision().value() == revision);
}

}  // namespace
}  // namespace souk::control
