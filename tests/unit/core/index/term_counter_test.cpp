// SPDX-License-Identifier: Apache-2.0
#include "core/index/term_counter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <random>
#include <string>

namespace souk::index {
namespace {

struct Expected {
  uint32_t id;
  uint32_t main_df = 0;
  uint32_t any_df = 0;
};

class Model {
 public:
  // False when the ids differ.
  bool add(const std::string& term, bool in_main) {
    Expected& expected = terms_.try_emplace(term, Expected{static_cast<uint32_t>(terms_.size())}).first->second;
    ++expected.any_df;
    if (in_main) ++expected.main_df;
    return counter_.add(term, in_main) == expected.id;
  }
  // After the last add.
  bool agrees() {
    counter_.sort();
    uint32_t ordinal = 0;
    for (const auto& [term, expected] : terms_) {
      const TermCounter::Counted counted = counter_[ordinal];
      if (counted.term != term || counted.main_df != expected.main_df || counted.any_df != expected.any_df)
        return false;
      if (counter_.ordinal(expected.id) != ordinal || counter_.find(term) != ordinal) return false;
      if (!terms_.contains(term + "?") && counter_.find(term + "?") != kNoOrdinal) return false;
      ++ordinal;
    }
    return counter_.size() == ordinal;
  }

 private:
  TermCounter counter_;
  std::map<std::string, Expected> terms_;
};

RC_GTEST_PROP(TermCounter, AgreesWithAMap, (const std::vector<std::pair<std::string, bool>>& adds)) {
  Model model;
  for (const auto& [term, in_main] : adds) {
    if (!term.empty()) RC_ASSERT(model.add(term, in_main));
  }
  RC_ASSERT(model.agrees());
}

TEST(TermCounter, AnEmptyOne) {
  TermCounter counter;
  EXPECT_EQ(counter.find("a"), kNoOrdinal);
  counter.sort();
  EXPECT_EQ(counter.size(), 0U);
  EXPECT_EQ(counter.find("a"), kNoOrdinal);
}

// Through several sizes of the table and pieces of the arena.
TEST(TermCounter, ManyTermsOfEveryLength) {
  std::mt19937 random(3);
  Model model;
  for (int i = 0; i < 60'000; ++i) {
    std::string term = std::to_string(random() % 30'000);
    term += std::string(std::min<size_t>(256 - term.size(), std::stoul(term) % 256), 'x');  // the same each time
    ASSERT_TRUE(model.add(term, random() % 2 == 0));
  }
  EXPECT_TRUE(model.agrees());
}

TEST(TermCounter, OrderIsThatOfBytes) {
  TermCounter counter;
  const std::vector<std::string> ascending = {std::string("\0", 1),
                                              std::string("a"),
                                              std::string("a\0", 2),
                                              "abcdefgh",
                                              "abcdefgha",
                                              "abcdefghb",
                                              "\x7F",
                                              "ё",
                                              "\xFF"};
  for (auto term = ascending.rbegin(); term != ascending.rend(); ++term) counter.add(*term, true);
  counter.sort();
  for (uint32_t i = 0; i < ascending.size(); ++i) EXPECT_EQ(counter[i].term, ascending[i]);
}

}  // namespace
}  // namespace souk::index
