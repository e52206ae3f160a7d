// SPDX-License-Identifier: Apache-2.0
#include "indexer/sample/sample_market.h"

#include <expat.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "indexer/sample/feed_text.h"
#include "indexer/sample/models.h"

namespace souk::sample {
namespace {

constexpr uint64_t kSeed = 1;

std::string unpack(const std::string& bytes) {
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(4 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

// What expat, told nothing about our formats, sees in one feed.
struct Seen {
  size_t offers = 0;
  size_t categories = 0;
  std::set<std::string> ids;
  std::set<std::string> vendors;
  std::set<std::string> names;
  std::vector<std::string> barcodes;
  std::string text;  // of the element being read
};

void XMLCALL on_start(void* user, const XML_Char* name, const XML_Char** attributes) {
  auto& seen = *static_cast<Seen*>(user);
  const std::string_view element = name;
  if (element == "category") ++seen.categories;
  if (element == "offer") {
    ++seen.offers;
    EXPECT_TRUE(seen.ids.insert(attributes[1]).second) << attributes[1];
  }
  seen.text.clear();
}

void XMLCALL on_end(void* user, const XML_Char* name) {
  auto& seen = *static_cast<Seen*>(user);
  const std::string_view element = name;
  if (element == "vendor") seen.vendors.insert(seen.text);
  if (element == "name") seen.names.insert(seen.text);
  if (element == "barcode") seen.barcodes.push_back(seen.text);
}

void XMLCALL on_text(void* user, const XML_Char* text, int length) {
  static_cast<Seen*>(user)->text.append(text, static_cast<size_t>(length));
}

Seen parse(const std::string& file_name, const std::string& bytes) {
  const std::string text = unpack(bytes);
  const bool one_byte = text.find("encoding=\"windows-1251\"") < 60;
  // expat does not know windows-1251; for the structure any one-byte table will do.
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser(
      XML_ParserCreate(one_byte ? "ISO-8859-1" : nullptr), &XML_ParserFree);
  Seen seen;
  XML_SetUserData(parser.get(), &seen);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  EXPECT_EQ(XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), 1), XML_STATUS_OK)
      << file_name << ": line " << XML_GetCurrentLineNumber(parser.get()) << ": "
      << XML_ErrorString(XML_GetErrorCode(parser.get()));
  EXPECT_NE(text.find("<!DOCTYPE yml_catalog SYSTEM \"shops.dtd\">"), std::string::npos) << file_name;
  return seen;
}

const auto& sample_market() {
  static const auto files = make_sample_market(kSeed);
  return files;
}

TEST(SampleMarket, TheSameSeedGivesTheSameBytes) {
  EXPECT_EQ(sample_market(), make_sample_market(kSeed));
  EXPECT_NE(sample_market(), make_sample_market(kSeed + 1));
}

TEST(SampleMarket, HasTheSizeItPromisesAndIsWellFormed) {
  const auto& files = sample_market();
  ASSERT_EQ(files.size(), 12U);
  size_t offers = 0;
  size_t plain = 0;
  size_t windows_1251 = 0;
  std::set<std::string> vendors;
  std::map<std::string, size_t> barcodes;
  for (const auto& [name, bytes] : files) {
    const Seen seen = parse(name, bytes);
    EXPECT_GT(seen.offers, 1000U) << name;
    EXPECT_EQ(seen.categories, 40U) << name;
    offers += seen.offers;
    if (name.ends_with(".yml")) ++plain;
    if (unpack(bytes).find("encoding=\"windows-1251\"") < 60) {
      ++windows_1251;
    } else {
      vendors.insert(seen.vendors.begin(), seen.vendors.end());
    }
    for (const std::string& barcode : seen.barcodes) ++barcodes[barcode];
  }
  EXPECT_GT(offers, 19'000U);
  EXPECT_LT(offers, 21'000U);
  EXPECT_EQ(plain, 2U);
  EXPECT_EQ(windows_1251, 1U);
  EXPECT_GE(vendors.size(), 145U);
  EXPECT_LE(vendors.size(), 160U);
  size_t shared = 0;
  for (const auto& [barcode, shops] : barcodes) {
    ASSERT_EQ(barcode.size(), 13U);
    EXPECT_EQ(barcode.back(), ean13_check_digit(barcode.substr(0, 12)));
    EXPECT_LE(shops, 6U);
    if (shops > 1) ++shared;
  }
  EXPECT_GT(shared, 2000U);
}

TEST(SampleMarket, SellsTheCatsInSeveralShops) {
  std::map<std::string, size_t> shops;
  for (const auto& [name, bytes] : sample_market()) {
    const std::string text = unpack(bytes);
    for (const char* cat : {"Злой кот с пищалкой", "Злой кот без пищалки", "Кот плюшевый", "Angry cat with a squeaker",
                            "Angry cat without squeaker", "Plain cat"}) {
      const std::string element = std::string("<name>") + cat + "</name>";
      if (text.find(element) != std::string::npos || text.find(to_windows_1251(element)) != std::string::npos) {
        ++shops[cat];
      }
    }
  }
  ASSERT_EQ(shops.size(), 6U);
  for (const auto& [cat, count] : shops) EXPECT_GE(count, 3U) << cat;
}

TEST(SampleMarket, WritesFilesAndSaysWhenItCannot) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "souk_sample_market_test";
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(write_sample_market(folder.string(), kSeed).has_value());
  for (const auto& [name, bytes] : sample_market()) {
    std::ifstream file(folder / name, std::ios::binary);
    const std::string written((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_EQ(xxh3(written), xxh3(bytes)) << name;
  }
  const std::string not_a_folder = (folder / "shop-01.yml.gz").string();
  const Status failed = write_sample_market(not_a_folder, kSeed);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(failed.error().argument, not_a_folder);
  std::filesystem::remove_all(folder);
}

TEST(SampleMarket, KnowsWindows1251AndCheckDigits) {
  EXPECT_EQ(to_windows_1251("Ёжик «А»"), "\xA8\xE6\xE8\xEA \xAB\xC0\xBB");
  EXPECT_EQ(to_windows_1251("½"), "&#189;");
  EXPECT_EQ(ean13_check_digit("400638133393"), '1');
  EXPECT_EQ(ean13_check_digit("978020137962"), '4');
}

}  // namespace
}  // namespace souk::sample
