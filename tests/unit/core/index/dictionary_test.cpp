// SPDX-License-Identifier: Apache-2.0
#include "core/index/dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/index/dictionary_writer.h"
#include "tests/unit/core/sections.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::Sections;

DocKey category(uint64_t number) {
  return DocKey::make(0, KeyType::kCategory, number);
}

const std::vector<std::pair<uint64_t, std::vector<std::string>>> kCategories = {
    {1, {"Зоотовары", "Игрушки"}},      {2, {"Зоотовары", "Корм", "Сухой"}}, {3, {"Дети", "Игрушки"}}, {4, {"Дети"}},
    {5, {"Дети", "Игрушки", "Мягкие"}},
};

// Everything above added in the order that `seed` says.
FileBytes write_in_order(unsigned seed) {
  DictionaryWriter writer;
  std::vector<std::function<void()>> steps;
  for (const auto& one : kCategories) {
    steps.push_back([&writer, &one] { writer.add_category(category(one.first), one.second); });
  }
  for (const char* vendor : {"Cygnus", "Lynx", "Ёж"}) steps.push_back([&writer, vendor] { writer.add_vendor(vendor); });
  for (const uint32_t shop : {2U, 1U, 3U}) {
    steps.push_back([&writer, shop] {
      writer.add_shop(test::shop_key(shop), "reg-" + std::to_string(shop), shop == 3 ? "reg-1" : test::shop_name(shop));
    });
  }
  for (const auto& [name, value] : {std::pair("Цвет", "Красный"), {"Цвет", "Белый"}, {"Вес", "5 кг"}}) {
    steps.push_back([&writer, name, value] { writer.add_param(name, value); });
  }
  for (const auto& [term, main] : {std::pair("кот", true), {"кот", false}, {"мышь", true}, {"мышь", true}}) {
    steps.push_back([&writer, term, main] { writer.add_term(term, main); });
  }
  for (int i = 0; i < 3; ++i) steps.push_back([&writer] { writer.add_document(); });
  std::shuffle(steps.begin(), steps.end(), std::mt19937(seed));
  for (const auto& step : steps) step();
  writer.number();
  EXPECT_EQ(writer.categories(), 7U);  // "Зоотовары" and "Корм" count too, though no offer hangs there
  FileBytes file;
  ContainerWriter container(FileKind::kDictionary, test::into(file));
  EXPECT_TRUE(writer.write(container, 2, "market"));
  EXPECT_TRUE(container.finish());
  return file;
}

class DictionaryTest : public testing::Test {
 protected:
  FileBytes file_ = write_in_order(1);
  Result<Dictionary> opened_ = Dictionary::open(file_);
  const Dictionary& dictionary_ = opened_.value();

  std::string path(uint32_t c) const {
    std::string text;
    for (const uint32_t part : dictionary_.category_path(c)) text += "/" + std::string(dictionary_.category_name(part));
    return text;
  }
};

TEST_F(DictionaryTest, TheOrderOfAddingDoesNotCount) {
  for (unsigned seed = 2; seed < 20; ++seed) ASSERT_EQ(write_in_order(seed), file_) << seed;
}

TEST_F(DictionaryTest, CategoriesAreNumberedDepthFirst) {
  ASSERT_EQ(dictionary_.categories(), 7U);
  std::vector<std::string> paths;
  for (uint32_t c = 0; c < dictionary_.categories(); ++c) paths.push_back(path(c));
  EXPECT_EQ(paths, (std::vector<std::string>{"/Дети", "/Дети/Игрушки", "/Дети/Игрушки/Мягкие", "/Зоотовары",
                                             "/Зоотовары/Игрушки", "/Зоотовары/Корм", "/Зоотовары/Корм/Сухой"}));
  for (uint32_t root = 0; root < dictionary_.categories(); ++root) {
    for (uint32_t c = 0; c < dictionary_.categories(); ++c) {
      const bool in_subtree = c >= root && c < dictionary_.category_end(root);
      EXPECT_EQ(in_subtree, (path(c) + "/").starts_with(path(root) + "/")) << path(c) << " in " << path(root);
    }
  }
}

TEST_F(DictionaryTest, CategoriesAreFoundByKeyPathAndName) {
  for (const auto& [number, names] : kCategories) {
    const auto found = dictionary_.find_category(category(number));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(dictionary_.category_key(*found), category(number));
    EXPECT_EQ(dictionary_.category_name(*found), names.back());
  }
  EXPECT_FALSE(dictionary_.find_category(category(99)));
  EXPECT_EQ(dictionary_.find_categories({"игрушки"}), (std::vector<uint32_t>{1, 4}));  // an ambiguous name
  EXPECT_EQ(dictionary_.find_categories({"дети", "игрушки"}), (std::vector<uint32_t>{1}));
  EXPECT_TRUE(dictionary_.find_categories({"игрушки", "мягкие"}).empty());  // a path begins at the root
  EXPECT_TRUE(dictionary_.find_categories({"а", "дети"}).empty());
  EXPECT_TRUE(dictionary_.find_categories({}).empty());
}

TEST_F(DictionaryTest, NamesAndStatistics) {
  EXPECT_EQ(dictionary_.stats().documents, 3U);
  EXPECT_EQ(dictionary_.stats().models, 2U);
  EXPECT_EQ(dictionary_.term("кот").main_df, 1U);
  EXPECT_EQ(dictionary_.term("кот").any_df, 2U);
  EXPECT_EQ(dictionary_.term("мышь").main_df, 2U);
  EXPECT_EQ(dictionary_.term("слон").any_df, 0U);
  ASSERT_EQ(dictionary_.terms().size(), 2U);
  EXPECT_EQ(dictionary_.find_term("мышь"), 1U);
  EXPECT_FALSE(dictionary_.find_term("слон"));
  EXPECT_EQ(dictionary_.term_statistics(0).any_df, 2U);
  EXPECT_EQ(dictionary_.vendor_name(dictionary_.find_vendor("еж").value()), "Ёж");
  EXPECT_FALSE(dictionary_.find_vendor("Ёж"));  // not folded
  EXPECT_EQ(dictionary_.market_text(), "market");
}

TEST_F(DictionaryTest, WithoutRegionsThereAreNone) {
  EXPECT_EQ(dictionary_.regions(), 0U);
  EXPECT_FALSE(dictionary_.find_region("москва"));
}

TEST_F(DictionaryTest, ShopsAreFoundByRegisteredNameBeforeDisplayName) {
  ASSERT_EQ(dictionary_.shops(), 3U);
  EXPECT_EQ(dictionary_.shop_key(dictionary_.find_shop("reg-1").value()), test::shop_key(1));
  EXPECT_EQ(dictionary_.shop_key(dictionary_.find_shop("shop 2").value()), test::shop_key(2));
  EXPECT_EQ(dictionary_.shop_name(dictionary_.find_shop(test::shop_key(3)).value()), "reg-1");
  EXPECT_FALSE(dictionary_.find_shop("shop 3"));
  EXPECT_FALSE(dictionary_.find_shop(test::shop_key(4)));
}

TEST_F(DictionaryTest, ValuesOfAParamAreNeighbours) {
  ASSERT_EQ(dictionary_.params(), 2U);
  const uint32_t colour = dictionary_.find_param("цвет").value();
  EXPECT_EQ(dictionary_.param_begin(colour + 1) - dictionary_.param_begin(colour), 2U);
  EXPECT_EQ(dictionary_.param_value(dictionary_.find_param_value(colour, "красный").value()), "Красный");
  EXPECT_FALSE(dictionary_.find_param_value(colour, "5 кг"));
  EXPECT_EQ(dictionary_.param_name(dictionary_.find_param("вес").value()), "Вес");
}

TEST(DictionaryWriter, TheFirstSpellingIsShown) {
  DictionaryWriter writer;
  writer.add_vendor("LYNX");
  writer.add_vendor("Lynx");
  writer.number();
  EXPECT_EQ(writer.vendors(), 1U);
  EXPECT_EQ(writer.vendor("lynx"), 0U);
}

TEST(DictionaryWriter, ProvisionalIdsOfTermsBecomeOrdinals) {
  DictionaryWriter writer;
  EXPECT_EQ(writer.add_term("мышь", true), 0U);
  EXPECT_EQ(writer.add_term("кот", false), 1U);
  EXPECT_EQ(writer.add_term("мышь", false), 0U);
  writer.number();
  EXPECT_EQ(writer.terms(), 2U);
  EXPECT_EQ(writer.term(0), 1U);
  EXPECT_EQ(writer.term(1), 0U);
  EXPECT_EQ(writer.find_term("мышь"), 1U);
  EXPECT_EQ(writer.find_term("слон"), kNoOrdinal);
}

TEST(DictionaryWriter, AnEmptyGenerationOpens) {
  DictionaryWriter writer;
  writer.number();
  FileBytes file;
  ContainerWriter container(FileKind::kDictionary, test::into(file));
  ASSERT_TRUE(writer.write(container, 0, ""));
  ASSERT_TRUE(container.finish());
  const auto dictionary = Dictionary::open(file);
  ASSERT_TRUE(dictionary.has_value()) << to_string(dictionary.error());
  EXPECT_EQ(dictionary->categories() + dictionary->vendors() + dictionary->shops() + dictionary->params(), 0U);
}

// Right checksums around wrong content.
class HostileDictionary : public DictionaryTest {
 protected:
  Sections sections_{file_, FileKind::kDictionary};

  template <typename T>
  std::string refused(SectionId id, size_t at, T value) const {
    Sections changed = sections_;
    auto values = changed.get<T>(id);
    values.at(at) = value;
    changed.set(id, values);
    return refused(changed);
  }
  static std::string refused(const Sections& changed) {
    const FileBytes file = changed.build();
    const auto opened = Dictionary::open(file);
    if (opened) return "";
    EXPECT_EQ(opened.error().code, ErrorCode::kCorruption);
    return opened.error().argument;
  }
};

TEST_F(HostileDictionary, UnchangedItOpens) {
  EXPECT_EQ(refused(sections_), "");
}

TEST_F(HostileDictionary, EveryMissingOrShortenedSectionIsRefused) {
  for (const auto& [id, bytes] : sections_.all()) {
    Sections changed = sections_;
    changed.erase(id);
    EXPECT_EQ(refused(changed), name_of(id));
    if (bytes.empty() || id == SectionId::kMarket) continue;
    changed.all()[id] = FileBytes(bytes.begin(), bytes.end() - 1);
    EXPECT_NE(refused(changed), "") << name_of(id);
  }
}

TEST_F(HostileDictionary, FrequenciesOutOfBounds) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kLexiconMainDf, 0, 3), "lexicon_any_df");  // more than anywhere
  EXPECT_EQ(refused<uint32_t>(SectionId::kLexiconAnyDf, 0, 4), "lexicon_any_df");   // more than documents
  Sections changed = sections_;
  changed.set<uint32_t>(SectionId::kLexiconAnyDf, {0, 2});
  changed.set<uint32_t>(SectionId::kLexiconMainDf, {0, 2});
  EXPECT_EQ(refused(changed), "lexicon_any_df");
}

TEST_F(HostileDictionary, TermsOutOfOrderOrNumber) {
  Sections changed = sections_;
  auto bytes = changed.get<char>(SectionId::kLexiconBytes);
  std::ranges::fill(bytes, '\0');
  changed.set(SectionId::kLexiconBytes, bytes);
  EXPECT_EQ(refused(changed), "lexicon_bytes");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, 2, 3), "lexicon_bytes");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, 2, 17), "lexicon_blocks");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, 2, ~uint64_t{0}), "lexicon_blocks");
}

TEST_F(HostileDictionary, ATreeThatIsNone) {
  const auto parent = SectionId::kCategoryParents;
  EXPECT_EQ(refused<uint32_t>(parent, 1, 1), "category_ends");  // its own parent
  EXPECT_EQ(refused<uint32_t>(parent, 1, 5), "category_ends");  // a parent behind it
  EXPECT_EQ(refused<uint32_t>(parent, 1, 0xFFFFFFFE), "category_ends");
  EXPECT_EQ(refused<uint32_t>(parent, 2, 0), "category_ends");  // lies in 1's range, but is said to be 0's child
  EXPECT_EQ(refused<uint32_t>(parent, 4, kNoOrdinal), "category_ends");  // a root within another's range
  const auto end = SectionId::kCategoryEnds;
  EXPECT_EQ(refused<uint32_t>(end, 0, 0), "category_ends");
  EXPECT_EQ(refused<uint32_t>(end, 1, 4), "category_ends");  // reaches beyond its parent
  EXPECT_EQ(refused<uint32_t>(end, 3, 8), "category_ends");  // beyond all
  EXPECT_EQ(refused<uint32_t>(end, 1, 2), "category_ends");  // leaves its child out
}

TEST_F(HostileDictionary, NamesOutOfOrder) {
  const auto swap = [this](SectionId offsets, SectionId bytes) {
    Sections changed = sections_;
    changed.set<uint64_t>(offsets, {0, 1, 2, 3});
    changed.set<char>(bytes, {'c', 'b', 'a'});
    return refused(changed);
  };
  EXPECT_EQ(swap(SectionId::kVendorFoldedOffsets, SectionId::kVendorFoldedBytes), "vendor_folded_offsets");
  EXPECT_EQ(swap(SectionId::kParamNameFoldedOffsets, SectionId::kParamNameFoldedBytes), "param_name_folded_offsets");
  EXPECT_EQ(swap(SectionId::kParamValueFoldedOffsets, SectionId::kParamValueFoldedBytes), "param_value_folded_offsets");
}

TEST_F(HostileDictionary, ValuesNotDividedAmongNames) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kParamNameBegins, 0, 1), "param_name_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kParamNameBegins, 1, 4), "param_name_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kParamNameBegins, 2, 4), "param_name_begins");
}

// Regions: A, A > B, C. Shop 1 delivers everywhere, shop 2 to C and B, shop 3 to what is not there.
FileBytes with_regions() {
  DictionaryWriter writer;
  writer.add_region("Край А", std::nullopt);
  writer.add_region("Город Б", 0);
  writer.add_region("Край В", std::nullopt);
  EXPECT_EQ(writer.add_shop(test::shop_key(1), "1", "1"), 0U);
  EXPECT_EQ(writer.add_shop(test::shop_key(2), "2", "2", {"край в", "Город Б", "Край В"}), 0U);
  EXPECT_EQ(writer.add_shop(test::shop_key(3), "3", "3", {"Край Г", "Край Д"}), 2U);
  writer.number();
  FileBytes file;
  ContainerWriter container(FileKind::kDictionary, test::into(file));
  EXPECT_TRUE(writer.write(container, 0, ""));
  EXPECT_TRUE(container.finish());
  return file;
}

TEST(DictionaryRegions, ComeBackWithTheShopsThatServeThem) {
  const FileBytes file = with_regions();
  const Dictionary dictionary = Dictionary::open(file).value();
  ASSERT_EQ(dictionary.regions(), 3U);
  EXPECT_EQ(dictionary.region_name(1), "Город Б");
  EXPECT_EQ(dictionary.region_parent(0), kNoOrdinal);
  EXPECT_EQ(dictionary.region_parent(1), 0U);
  EXPECT_EQ(dictionary.find_region("край в"), 2U);
  EXPECT_EQ(dictionary.find_region("край г"), std::nullopt);
  const auto regions = [&](uint32_t shop) {
    const auto span = dictionary.shop_regions(dictionary.find_shop(test::shop_key(shop)).value());
    return std::vector<uint32_t>(span.begin(), span.end());
  };
  EXPECT_EQ(regions(1), std::vector<uint32_t>{kNoOrdinal});
  EXPECT_EQ(regions(2), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(regions(3), std::vector<uint32_t>{});
}

TEST(DictionaryRegions, WrongOnesAreRefused) {
  const FileBytes file = with_regions();
  const Sections sections{file, FileKind::kDictionary};
  const auto with = [&](SectionId id, std::vector<uint32_t> values) {
    Sections changed = sections;
    changed.set(id, values);
    const FileBytes bytes = changed.build();
    const auto opened = Dictionary::open(bytes);
    return opened ? "" : opened.error().argument;
  };
  EXPECT_EQ(with(SectionId::kRegionParents, {kNoOrdinal, 0, 1}), "");
  EXPECT_EQ(with(SectionId::kRegionParents, {kNoOrdinal, 1, 1}), "region_parents") << "its own parent";
  EXPECT_EQ(with(SectionId::kRegionParents, {2, 0, kNoOrdinal}), "region_parents");
  EXPECT_EQ(with(SectionId::kRegionParents, {kNoOrdinal, 0}), "region_parents");
  EXPECT_EQ(with(SectionId::kShopRegionBegins, {0, 1, 3, 2}), "shop_region_begins");
  EXPECT_EQ(with(SectionId::kShopRegionBegins, {0, 1, 3, 4}), "shop_region_begins");
  EXPECT_EQ(with(SectionId::kShopRegionBegins, {0, 3}), "shop_region_begins");
  EXPECT_EQ(with(SectionId::kShopRegions, {kNoOrdinal, 1, 3}), "shop_regions");
  EXPECT_EQ(with(SectionId::kShopRegions, {kNoOrdinal, 2, 1}), "shop_regions");
  EXPECT_EQ(with(SectionId::kShopRegions, {kNoOrdinal, 1, kNoOrdinal}), "shop_regions") << "everywhere stands alone";
  for (const SectionId id : {SectionId::kRegionNameOffsets, SectionId::kRegionNameBytes, SectionId::kShopRegionBegins,
                             SectionId::kShopRegions}) {
    Sections changed = sections;
    changed.erase(id);
    const FileBytes bytes = changed.build();
    EXPECT_EQ(Dictionary::open(bytes).error().argument, name_of(id));
  }
}

}  // namespace
}  // namespace souk::index
