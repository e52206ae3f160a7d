// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/category_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/index/dictionary.h"
#include "indexer/build/generation_builder.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::build {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Path = config::CategoryPath;

config::CategoryTree tree_of(std::vector<config::CategoryRule> rules) {
  return {"Прочее", {{"Игрушки", "Мягкие"}, {"Дом", "Лампы"}}, std::move(rules)};
}

TEST(CategoryRules, TheFirstThatFitsCounts) {
  const config::CategoryTree tree = tree_of({{"", {"Toys", "Soft"}, {"Игрушки", "Мягкие"}},
                                             {"", {"toys", "*"}, {"Игрушки"}},
                                             {"north", {"Toys", "Soft"}, {"Дом"}},
                                             {"north", {"Garden"}, {"Дом"}},
                                             {"", {"*"}, {"Дом", "Лампы"}}});
  const CategoryRules rules(tree);
  EXPECT_EQ(rules.target("south", Path{"TOYS", "soft"}), (Path{"Игрушки", "Мягкие"}));
  EXPECT_EQ(rules.target("north", Path{"Toys", "Soft"}), (Path{"Игрушки", "Мягкие"}));
  EXPECT_EQ(rules.target("north", Path{"Toys"}), (Path{"Игрушки"}));
  EXPECT_EQ(rules.target("north", Path{"Toys", "Cars", "Red"}), (Path{"Игрушки"}));
  EXPECT_EQ(rules.target("north", Path{"Garden"}), (Path{"Дом"}));
  EXPECT_EQ(rules.target("south", Path{"Garden"}), (Path{"Дом", "Лампы"}));
}

TEST(CategoryRules, AStarInTheMiddleIsOneName) {
  const config::CategoryTree tree = tree_of(
      {{"", {"*", "Toys", "*", "Soft"}, {"Игрушки", "Мягкие"}}, {"", {"A", "*", "Lamps", "*"}, {"Дом", "Лампы"}}});
  const CategoryRules rules(tree);
  EXPECT_TRUE(rules.target("s", Path{"X", "Toys", "Y", "Soft"}));
  EXPECT_FALSE(rules.target("s", Path{"X", "Toys", "Soft"}));
  EXPECT_FALSE(rules.target("s", Path{"X", "Toys", "Y", "Soft", "Z"}));
  EXPECT_TRUE(rules.target("s", Path{"A", "B", "Lamps"}));
  EXPECT_TRUE(rules.target("s", Path{"A", "B", "Lamps", "C", "D"}));
  EXPECT_FALSE(rules.target("s", Path{"A", "Lamps"}));
}

TEST(CategoryRules, APathOfTheTreeIsItself) {
  const config::CategoryTree tree = tree_of({{"", {"Дом", "Лампы", "Старые"}, {"Дом"}}});
  const CategoryRules rules(tree);
  EXPECT_EQ(rules.target("s", Path{"ДОМ", "лампы"}), (Path{"Дом", "Лампы"}));
  EXPECT_EQ(rules.target("s", Path{"игрушки"}), (Path{"Игрушки"}));
  EXPECT_EQ(rules.target("s", Path{"Дом", "Лампы", "Новые"}), std::nullopt);
}

TEST(CategoryRules, TheOthersHangBelowOther) {
  const config::CategoryTree tree = tree_of({});
  const CategoryRules rules(tree);
  EXPECT_EQ(rules.below_other(Path{"Cars", "Red"}), (Path{"Прочее", "Cars", "Red"}));
  EXPECT_EQ(rules.below_other(Path{"прочее", "Red"}), (Path{"Прочее", "Red"}));
  EXPECT_EQ(rules.below_other(Path{"Прочее"}), (Path{"Прочее"}));
  EXPECT_EQ(rules.below_other(Path(64, "A")).size(), 64U);
}

class CategoryBuildTest : public ::testing::Test {
 protected:
  void put(uint32_t shop, const std::vector<Path>& paths) {
    std::vector<feed::Offer> offers;
    for (size_t i = 0; i < paths.size(); ++i) {
      offers.push_back(offers::make_offer(std::to_string(i)));
      offers.back().category_path = paths[i];
    }
    world_.apply(world_.shop(shop), std::move(offers));
  }
  BuildResult build(const std::string& market) {
    const auto parsed = config::parse_market(market, "market.toml");
    EXPECT_TRUE(parsed) << to_string(parsed.error());
    const auto quiet = [](std::string_view, uint64_t, uint64_t) {};
    const BuildTarget target{1, (folder() / "generations").string(), uint64_t{1} << 30, report_path().string()};
    auto built = build_generation(*world_.store, *parsed, target, quiet);
    EXPECT_TRUE(built) << to_string(built.error());
    return built.value_or(BuildResult{});
  }
  std::filesystem::path folder() const { return world_.folder.path(); }
  std::filesystem::path report_path() const { return folder() / "reports" / "unmapped_categories.json"; }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // "A > B" -> key, as the generation's dictionary has it.
  std::map<std::string, DocKey> tree(const BuildResult& built) {
    const std::string text = text_of(folder() / "generations" / hex16(built.content_hash) / "dictionary.souk");
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    const index::Dictionary dictionary = index::Dictionary::open(bytes).value();
    std::map<std::string, DocKey> all;
    for (uint32_t category = 0; category < dictionary.categories(); ++category) {
      std::string path;
      for (const uint32_t level : dictionary.category_path(category)) {
        path += (path.empty() ? "" : " > ") + std::string(dictionary.category_name(level));
      }
      all[path] = dictionary.category_key(category);
    }
    return all;
  }

  offers::World world_;
};

constexpr const char* kMarket = R"([category_tree]
other = "Прочее"
categories = ["Игрушки > Мягкие", "Дом"]
[[category_rules]]
from = "Toys > *"
to = "Игрушки > Мягкие"
)";

TEST_F(CategoryBuildTest, TheMarketsTreeTakesTheShopsIn) {
  put(1, {{"Toys", "Bears"}, {"Toys"}, {"дом"}, {"Cars", "Red"}, {"Cars", "Red"}});
  put(2, {{"Cars", "Red"}, {}});
  const BuildResult built = build(kMarket);
  std::vector<std::string> paths;
  for (const auto& [path, key] : tree(built)) {
    paths.push_back(path);
    EXPECT_TRUE(key) << path;
  }
  EXPECT_THAT(paths,
              ElementsAre("Дом", "Игрушки", "Игрушки > Мягкие", "Прочее", "Прочее > Cars", "Прочее > Cars > Red"));
  EXPECT_THAT(built.warnings,
              ElementsAre("2 categories of shops with 3 offers are not mapped: they are under 'Прочее'"));

  const boost::json::value report = boost::json::parse(text_of(report_path()));
  EXPECT_EQ(report.at("categories"), 2);
  EXPECT_EQ(report.at("offers"), 3);
  const boost::json::array& list = report.at("unmapped").as_array();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].at("path"), "Cars > Red");
  EXPECT_EQ(list[0].at("shop").as_string(), std::string_view(world_.shop(1).name));
  EXPECT_EQ(list[0].at("offers"), 2);
  EXPECT_EQ(list[0].at("examples").as_array().size(), 2U);
  EXPECT_EQ(list[1].at("shop").as_string(), std::string_view(world_.shop(2).name));
}

TEST_F(CategoryBuildTest, ARuleTakesEffectWithTheNextBuildAndKeysStay) {
  put(1, {{"Toys", "Bears"}, {"Cars"}});
  const auto before = tree(build(kMarket));
  const BuildResult built = build(std::string(kMarket) + "[[category_rules]]\nfrom = \"Cars\"\nto = \"Дом\"\n");
  EXPECT_FALSE(built.reused);
  EXPECT_THAT(built.warnings, IsEmpty());
  const auto after = tree(built);
  EXPECT_FALSE(after.contains("Прочее > Cars"));
  for (const auto& [path, key] : after) EXPECT_EQ(key, before.at(path)) << path;
  EXPECT_EQ(boost::json::parse(text_of(report_path())).at("categories"), 0);

  const auto again = tree(build(kMarket));
  EXPECT_EQ(again, before);
  const uint64_t revision = world_.store->revision().value();
  EXPECT_TRUE(build(kMarket).reused);
  EXPECT_EQ(world_.store->revision().value(), revision);
}

TEST_F(CategoryBuildTest, WithoutATreeItIsTheShopsUnion) {
  put(1, {{"Toys", "Bears"}});
  put(2, {{"toys"}, {"Cars"}});
  build(kMarket);  // its keys are of no use now
  const auto all = tree(build(""));
  EXPECT_TRUE(all.contains("Toys > Bears"));
  EXPECT_TRUE(all.contains("Cars"));
}

TEST_F(CategoryBuildTest, ARenamedOtherDoesNotNest) {
  put(1, {{"Cars"}});
  build(kMarket);
  std::string renamed = kMarket;
  renamed.replace(renamed.find("Прочее"), std::string("Прочее").size(), "Иное");
  const auto all = tree(build(renamed));
  EXPECT_TRUE(all.contains("Иное > Cars"));
  EXPECT_FALSE(all.contains("Иное > Прочее"));
  EXPECT_FALSE(all.contains("Прочее"));
}

}  // namespace
}  // namespace souk::build
