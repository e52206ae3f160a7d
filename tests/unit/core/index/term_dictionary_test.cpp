// SPDX-License-Identifier: Apache-2.0
#include "core/index/term_dictionary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/base/hash.h"
#include "tests/unit/core/sections.h"

namespace souk::index {
namespace {

using test::FileBytes;
using Terms = std::vector<std::string>;

constexpr SectionId kBlocks = SectionId::kLexiconBlocks;
constexpr SectionId kBytes = SectionId::kLexiconBytes;

FileBytes file_of(const Terms& terms) {
  FileBytes file;
  ContainerWriter writer(FileKind::kDictionary, test::into(file));
  TermDictionaryWriter out;
  for (const std::string& term : terms) out.add(term);
  EXPECT_TRUE(out.write(writer, kBlocks, kBytes));
  EXPECT_TRUE(writer.finish());
  return file;
}

struct Opened {
  FileBytes file;
  Result<TermDictionary> result;

  explicit Opened(const Terms& terms) : Opened(file_of(terms), terms.size()) {}
  Opened(FileBytes bytes, uint64_t terms) : file(std::move(bytes)), result(TermDictionary()) {
    result = TermDictionary::open(*Container::open(file, FileKind::kDictionary), kBlocks, kBytes, terms);
  }
  const TermDictionary& operator*() const { return result.value(); }
  const TermDictionary* operator->() const { return &result.value(); }
};

std::vector<std::string> code_points(std::string_view text) {
  std::vector<std::string> points;
  for (const char byte : text) {
    if ((static_cast<uint8_t>(byte) & 0xC0) != 0x80) points.emplace_back();
    points.back() += byte;
  }
  return points;
}

// What is more than `most` need not be exact.
uint32_t levenshtein(const std::vector<std::string>& a, const std::vector<std::string>& b, uint32_t most) {
  std::vector<uint32_t> row(b.size() + 1);
  for (uint32_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (uint32_t i = 1; i <= a.size(); ++i) {
    uint32_t diagonal = row[0];
    row[0] = i;
    for (uint32_t j = 1; j <= b.size(); ++j) {
      const uint32_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
    if (*std::ranges::min_element(row) > most) return most + 1;
  }
  return row[b.size()];
}

// (ordinal, distance)
using Found = std::vector<std::pair<uint32_t, uint32_t>>;

Found similar_by_force(const Terms& terms, std::string_view term, uint32_t most) {
  Found found;
  const auto wanted = code_points(term);
  for (uint32_t i = 0; i < terms.size(); ++i) {
    const auto points = code_points(terms[i]);
    if (std::max(points.size(), wanted.size()) - std::min(points.size(), wanted.size()) > most) continue;
    if (const uint32_t distance = levenshtein(points, wanted, most); distance <= most) found.emplace_back(i, distance);
  }
  return found;
}

Found similar(const TermDictionary& dictionary, std::string_view term, uint32_t distance) {
  const auto result = dictionary.similar(term, distance, 1'000'000, {});
  EXPECT_TRUE(result.complete);
  Found found;
  for (const auto& one : result.terms) found.emplace_back(one.ordinal, one.distance);
  return found;
}

// Words over few letters, so that they share much; behind a prefix of some length. Letters of 1 to 4 bytes.
std::string some_word(std::mt19937& random, size_t longest) {
  static const std::vector<std::string> kLetters = {"a", "b", "а", "б", "ё", "€", "😀"};
  static const std::vector<std::string> kPrefixes = {"", "", "корм", "кормушка", std::string(40, 'p')};
  std::string word = kPrefixes[random() % kPrefixes.size()];
  for (size_t size = 1 + random() % longest; size > 0; --size) {
    const size_t most = std::min<size_t>(kLetters.size(), 1 + random() % kLetters.size());
    word += kLetters[random() % most];
  }
  return word;
}

Terms some_terms(std::mt19937& random, size_t most, size_t longest) {
  std::set<std::string> terms;
  for (size_t i = random() % (most + 1); i > 0; --i) terms.insert(some_word(random, longest));
  return {terms.begin(), terms.end()};
}

RC_GTEST_PROP(TermDictionary, TermsComeBackAndAreFound, (const std::set<std::string>& any)) {
  Terms terms;
  for (const std::string& term : any) {
    if (!term.empty() && term.size() <= TermDictionary::kMaxTermBytes) terms.push_back(term);
  }
  const Opened dictionary(terms);
  RC_ASSERT(dictionary.result.has_value());
  RC_ASSERT(dictionary->size() == terms.size());
  for (uint32_t i = 0; i < terms.size(); ++i) {
    RC_ASSERT(dictionary->term(i) == terms[i]);
    RC_ASSERT(dictionary->find(terms[i]) == i);
    RC_ASSERT(dictionary->find(terms[i] + '\x01').has_value() == any.contains(terms[i] + '\x01'));
  }
}

RC_GTEST_PROP(TermDictionary, EveryAccessAgreesWithASortedList, (unsigned seed)) {
  std::mt19937 random(seed);
  const Terms terms = some_terms(random, 100, 6);
  const Opened dictionary(terms);
  RC_ASSERT(dictionary.result.has_value());
  for (uint32_t i = 0; i < terms.size(); ++i) RC_ASSERT(dictionary->find(terms[i]) == i);
  for (int i = 0; i < 8; ++i) {
    std::string word = some_word(random, 7);
    RC_ASSERT(dictionary->find(word).has_value() == std::ranges::binary_search(terms, word));
    for (uint32_t distance = 0; distance <= 2; ++distance) {
      RC_ASSERT(similar(*dictionary, word, distance) == similar_by_force(terms, word, distance));
    }
    word.resize(random() % (word.size() + 1));  // within a letter too
    const auto [begin, end] = dictionary->with_prefix(word);
    for (uint32_t at = 0; at < terms.size(); ++at) {
      RC_ASSERT((at >= begin && at < end) == terms[at].starts_with(word));
    }
    RC_ASSERT(begin <= end && end <= terms.size());
  }
}

TEST(TermDictionary, AnEmptyOneFindsNothing) {
  const Opened dictionary{Terms{}};
  ASSERT_TRUE(dictionary.result.has_value()) << to_string(dictionary.result.error());
  EXPECT_EQ(dictionary->size(), 0U);
  EXPECT_FALSE(dictionary->find("a"));
  EXPECT_EQ(dictionary->with_prefix("").end, 0U);
  EXPECT_TRUE(similar(*dictionary, "a", 2).empty());
}

TEST(TermDictionary, BlocksOfEveryFill) {
  for (size_t size = 1; size <= 49; ++size) {
    Terms terms;
    for (size_t i = 0; i < size; ++i) terms.push_back("слово" + std::to_string(1000 + 2 * i));
    const Opened dictionary(terms);
    ASSERT_TRUE(dictionary.result.has_value()) << size;
    for (uint32_t i = 0; i < size; ++i) {
      ASSERT_EQ(dictionary->find(terms[i]), i);
      ASSERT_EQ(dictionary->term(i), terms[i]);
      ASSERT_EQ(dictionary->with_prefix(terms[i]).begin, i);
      ASSERT_EQ(dictionary->with_prefix(terms[i]).end, i + 1);
      const auto between = dictionary->with_prefix("слово" + std::to_string(1001 + 2 * i));
      ASSERT_EQ(between.begin, i + 1);
      ASSERT_EQ(between.end, i + 1);
    }
    EXPECT_EQ(dictionary->with_prefix("слово").end, size);
    EXPECT_EQ(dictionary->with_prefix("а").end, 0U);
    EXPECT_EQ(dictionary->with_prefix("я").begin, size);
  }
}

TEST(TermDictionary, LengthsAroundTheBoundsOfTheirCoding) {
  std::set<std::string> terms;
  for (const size_t shared : {1, 14, 15, 16, 17, 239, 240, 254, 255}) {
    for (const size_t more : {1, 2, 14, 15, 16, 17, 18, 239, 240, 241, 255}) {
      if (shared + more > TermDictionary::kMaxTermBytes) continue;
      terms.insert(std::string(shared, 'm') + std::string(more, 'z'));
      terms.insert(std::string(shared, 'm'));
    }
  }
  terms.insert(std::string(256, 'a'));
  const Terms list(terms.begin(), terms.end());
  const Opened dictionary(list);
  ASSERT_TRUE(dictionary.result.has_value()) << to_string(dictionary.result.error());
  for (uint32_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(dictionary->term(i), list[i]);
    EXPECT_EQ(dictionary->find(list[i]), i);
    EXPECT_EQ(similar(*dictionary, list[i], 2), similar_by_force(list, list[i], 2));
  }
  EXPECT_FALSE(dictionary->find(std::string(257, 'a')));
  EXPECT_EQ(similar(*dictionary, std::string(258, 'a'), 2).size(), 1U);
  EXPECT_TRUE(similar(*dictionary, std::string(5000, 'a'), 2).empty());
}

TEST(TermDictionary, PrefixesAreBytes) {
  const Terms terms = {"a", "a\xFF", "a\xFF\xFF", "a\xFF\xFFz", "b", "\xFF", "\xFF\xFF"};
  const Opened dictionary(terms);
  EXPECT_EQ(dictionary->with_prefix("a\xFF\xFF").begin, 2U);
  EXPECT_EQ(dictionary->with_prefix("a\xFF\xFF").end, 4U);
  EXPECT_EQ(dictionary->with_prefix("\xFF").begin, 5U);
  EXPECT_EQ(dictionary->with_prefix("\xFF\xFF").begin, 6U);
  EXPECT_EQ(dictionary->with_prefix("\xFF\xFF").end, 7U);
}

TEST(TermDictionary, DistanceCountsLettersNotBytes) {
  const Opened dictionary({"кит", "кот", "коты", "крот", "скот", "ток"});
  EXPECT_EQ(similar(*dictionary, "кот", 0), (Found{{1, 0}}));
  EXPECT_EQ(similar(*dictionary, "кот", 1), (Found{{0, 1}, {1, 0}, {2, 1}, {3, 1}, {4, 1}}));
  EXPECT_EQ(similar(*dictionary, "окт", 1), (Found{}));  // a swap counts two
  EXPECT_EQ(similar(*dictionary, "тко", 2), (Found{{1, 2}, {4, 2}, {5, 2}}));
  EXPECT_EQ(similar(*dictionary, "", 2), (Found{}));
}

// Enough terms that whole runs of blocks are skipped.
TEST(TermDictionary, SimilarOfManyBlocks) {
  std::mt19937 random(4);
  std::set<std::string> all;
  static const std::vector<std::string> kLetters = {"а", "о", "е", "к", "т", "р", "н", "a", "t", "7"};
  while (all.size() < 8000) {
    std::string word;
    for (size_t size = 3 + random() % 5; size > 0; --size) word += kLetters[random() % kLetters.size()];
    all.insert(word);
  }
  const Terms terms(all.begin(), all.end());
  const Opened dictionary(terms);
  for (int i = 0; i < 12; ++i) {
    std::string word = terms[random() % terms.size()];
    if (i % 3 == 0) word += "а";
    if (i % 3 == 1) word = "к" + word;
    for (uint32_t distance = 1; distance <= 2; ++distance) {
      ASSERT_EQ(similar(*dictionary, word, distance), similar_by_force(terms, word, distance)) << word;
    }
  }
}

TEST(TermDictionary, SimilarEndsWhenToldTo) {
  Terms terms;
  for (int i = 10000; i < 20000; ++i) terms.push_back(std::to_string(i));
  const Opened dictionary(terms);
  const auto all = dictionary->similar("15555", 2, 100'000, {});
  ASSERT_TRUE(all.complete);
  ASSERT_GT(all.terms.size(), 100U);
  EXPECT_TRUE(dictionary->similar("15555", 2, all.terms.size(), {}).complete);
  const auto bounded = dictionary->similar("15555", 2, 100, {});
  EXPECT_FALSE(bounded.complete);
  ASSERT_EQ(bounded.terms.size(), 100U);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(bounded.terms[i].ordinal, all.terms[i].ordinal);

  int asked = 0;
  const auto late = dictionary->similar("15555", 2, 100'000, [&] { return ++asked == 5; });
  EXPECT_FALSE(late.complete);
  EXPECT_EQ(asked, 5);
  EXPECT_LT(late.terms.size(), all.terms.size());
  asked = 0;
  EXPECT_TRUE(dictionary->similar("15555", 2, 100'000, [&] { return ++asked < 0; }).complete);
  EXPECT_LE(asked, 10000 / 256 + 2);
}

// Terms made to fall on one place of the table: those beyond the longest walk are found by the binary search.
TEST(TermDictionary, ManyTermsOnOnePlaceOfTheTable) {
  constexpr size_t kTerms = 150;
  constexpr uint64_t kSlots = kTerms * 10 / 7 + 1;
  std::set<std::string> all;
  std::string other;  // falls there too
  for (int i = 0; other.empty(); ++i) {
    const std::string term = "t" + std::to_string(i);
    if (static_cast<unsigned __int128>(xxh3(std::string_view(term))) * kSlots >> 64 != 7) continue;
    if (all.size() < kTerms) {
      all.insert(term);
    } else {
      other = term;
    }
  }
  const Terms terms(all.begin(), all.end());
  const Opened dictionary(terms);
  for (uint32_t i = 0; i < kTerms; ++i) EXPECT_EQ(dictionary->find(terms[i]), i);
  EXPECT_FALSE(dictionary->find(other));
  EXPECT_LE(dictionary->memory_bytes(), 16 * kTerms);
}

TEST(TermDictionaryWriter, RefusesTermsThatAreNotWhatTheyMustBe) {
  for (const Terms& terms : {Terms{"b", "a"}, Terms{"a", "a"}, Terms{""}, Terms{std::string(257, 'a')}}) {
    FileBytes file;
    ContainerWriter writer(FileKind::kDictionary, test::into(file));
    TermDictionaryWriter out;
    for (const std::string& term : terms) out.add(term);
    const Status done = out.write(writer, kBlocks, kBytes);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::kInternal);
  }
}

// Right checksums around wrong content.
class HostileTermDictionary : public testing::Test {
 protected:
  static FileBytes build(const std::vector<uint64_t>& offsets, std::string_view bytes) {
    FileBytes file;
    ContainerWriter writer(FileKind::kDictionary, test::into(file));
    EXPECT_TRUE(write_column(writer, kBlocks, offsets));
    EXPECT_TRUE(writer.add(kBytes, Coding::kPlain, std::as_bytes(std::span(bytes))));
    EXPECT_TRUE(writer.finish());
    return file;
  }
  static std::string refused(const std::vector<uint64_t>& offsets, std::string_view bytes, uint64_t terms) {
    const Opened opened(build(offsets, bytes), terms);
    if (opened.result) return "";
    EXPECT_EQ(opened.result.error().code, ErrorCode::kCorruption);
    return opened.result.error().argument + ": " + opened.result.error().message;
  }
};

// An entry: lengths (shared, size - 1), bytes.
TEST_F(HostileTermDictionary, EntriesThatAreWrong) {
  EXPECT_EQ(refused({0, 5},
                    std::string_view("\x00"
                                     "a"
                                     "\x11"
                                     "bc",
                                     5),
                    2),
            "");
  const std::string blocks = "lexicon_blocks: ";
  const std::string bytes = "lexicon_bytes: ";
  EXPECT_EQ(refused({0, 2},
                    std::string_view("\x01"
                                     "a",
                                     2),
                    1),
            bytes + "a block ends within a term");
  EXPECT_EQ(refused({0, 1}, "\x0F", 1), bytes + "a block ends within a term");
  EXPECT_EQ(refused({0, 1}, "\xF0", 1), bytes + "a block ends within a term");
  EXPECT_EQ(refused({0, 2},
                    std::string_view("\x00"
                                     "a",
                                     2),
                    2),
            bytes + "a block ends within a term");
  EXPECT_EQ(refused({0, 4},
                    std::string_view("\x00"
                                     "a"
                                     "\x00"
                                     "b",
                                     4),
                    1),
            bytes + "a block has bytes behind its terms");
  EXPECT_EQ(refused({0, 2},
                    "\x10"
                    "a",
                    1),
            bytes + "a term's length is wrong");  // shares with nothing
  EXPECT_EQ(refused({0, 4},
                    std::string_view("\x00"
                                     "a"
                                     "\x20"
                                     "b",
                                     4),
                    2),
            bytes + "a term's length is wrong");
  const std::string order = bytes + "the terms are not in ascending order, or share more than is said";
  EXPECT_EQ(refused({0, 4},
                    std::string_view("\x00"
                                     "b"
                                     "\x00"
                                     "a",
                                     4),
                    2),
            order);
  EXPECT_EQ(refused({0, 4},
                    std::string_view("\x00"
                                     "a"
                                     "\x00"
                                     "a",
                                     4),
                    2),
            order);
  EXPECT_EQ(refused({0, 5},
                    std::string_view("\x00"
                                     "a"
                                     "\x01"
                                     "ab",
                                     5),
                    2),
            order);
  std::string long_one = "\x0F";
  long_one += '\xFF';
  long_one += std::string(271, 'a');  // 15 + 255 + 1
  EXPECT_EQ(refused({0, long_one.size()}, long_one, 1), bytes + "a term's length is wrong");

  EXPECT_EQ(refused({0, 2},
                    std::string_view("\x00"
                                     "a"
                                     "\x00"
                                     "b",
                                     4),
                    2),
            blocks + "the blocks do not span the terms");
  EXPECT_EQ(refused({1, 2},
                    std::string_view("\x00"
                                     "a",
                                     2),
                    1),
            blocks + "the blocks do not span the terms");
  EXPECT_EQ(refused({0, 2, 2},
                    std::string_view("\x00"
                                     "a",
                                     2),
                    17),
            blocks + "the blocks are not in ascending order");
  EXPECT_EQ(refused({0, 9, 2},
                    std::string_view("\x00"
                                     "a",
                                     2),
                    17),
            blocks + "the blocks are not in ascending order");
  EXPECT_EQ(refused({0, 2},
                    std::string_view("\x00"
                                     "a",
                                     2),
                    0xFFFFFFFF),
            blocks + "too many terms");
  EXPECT_NE(refused({0, 2},
                    std::string_view("\x00"
                                     "a",
                                     2),
                    33),
            "");
}

TEST_F(HostileTermDictionary, TheHeadOfABlockComesBehindTheBlockBefore) {
  std::string bytes;
  for (char c = 'b'; c < 'b' + 16; ++c) {
    bytes += '\0';
    bytes += c;
  }
  const uint64_t first = bytes.size();
  for (const auto& [head, fine] : {std::pair("a", false), {"q", false}, {"r", true}}) {
    const std::string all = bytes + '\0' + head;
    EXPECT_EQ(refused({0, first, all.size()}, all, 17) == "", fine) << head;
  }
  const std::string shares = bytes + '\x10' + "z";  // with a term of the block before
  EXPECT_EQ(refused({0, first, shares.size()}, shares, 17), "lexicon_bytes: a block's first term is not whole");
}

// Whatever opens answers, and stays within the file (which the sanitizers watch).
TEST_F(HostileTermDictionary, EveryByteChanged) {
  std::mt19937 random(9);
  const Terms terms = some_terms(random, 60, 6);
  const test::Sections sections(file_of(terms), FileKind::kDictionary);
  const auto good = sections.get<char>(kBytes);
  for (size_t at = 0; at < good.size(); ++at) {
    for (const int change : {1, 0x10, 0x80, 0xFF}) {
      test::Sections changed = sections;
      std::vector<char> bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      changed.set(kBytes, bytes);
      const Opened opened(changed.build(), terms.size());
      if (!opened.result) continue;
      for (uint32_t i = 0; i < opened->size(); ++i) {
        const std::string term = opened->term(i);
        ASSERT_EQ(opened->find(term), i);
        if (i > 0) ASSERT_LT(opened->term(i - 1), term);
        const auto [begin, end] = opened->with_prefix(term);
        ASSERT_TRUE(begin == i && end > i);
      }
      for (const char* word : {"кормab", "\xD0", "ё\xFF"}) {
        ASSERT_LE(opened->similar(word, 1, 1000, {}).terms.size(), opened->similar(word, 2, 1000, {}).terms.size());
      }
    }
  }
}

}  // namespace
}  // namespace souk::index
