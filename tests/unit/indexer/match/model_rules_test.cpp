// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "indexer/match/match_models.h"

namespace souk::match {
namespace {

std::string refusal(std::string_view text) {
  const auto rules = parse_model_rules(text, "model_rules.toml");
  return rules ? "accepted" : rules.error().message;
}

TEST(ModelRules, AreRead) {
  const auto rules = parse_model_rules(R"(
bad_codes = ["4006381333931", "Норвик LX-10"]
[[joined]]
name = "same lamp"
offers = ["north/1", "south/A-7"]
[[split]]
name = "two lamps"
offers = ["north/2", "south/3", "west/4"]
)",
                                       "model_rules.toml");
  ASSERT_TRUE(rules) << to_string(rules.error());
  EXPECT_EQ(rules->bad_codes, (std::vector<std::string>{"4006381333931", "Норвик LX-10"}));
  ASSERT_EQ(rules->joined.size(), 1U);
  EXPECT_EQ(rules->joined[0].name, "same lamp");
  EXPECT_EQ(rules->joined[0].offers, (std::vector<std::string>{"north/1", "south/A-7"}));
  ASSERT_EQ(rules->split.size(), 1U);
  EXPECT_EQ(rules->split[0].offers.size(), 3U);
  EXPECT_TRUE(parse_model_rules("", "model_rules.toml"));
}

TEST(ModelRules, AreRefusedWithLineAndReason) {
  EXPECT_EQ(refusal("joind = 1\n").substr(0, 20), "model_rules.toml:1: ");
  EXPECT_NE(refusal("[[joined]]\nname = \"a\"\noffers = [\"s/1\", \"s/2\"]\nwhy = 1\n").find("model_rules.toml:4: "),
            std::string::npos);
  EXPECT_NE(refusal("[[joined]]\nname = \"a\"\noffers = [\"s/1\"]\n").find("two offers or more"), std::string::npos);
  EXPECT_NE(refusal("[[joined]]\nname = \"a\"\noffers = [\"s/1\", \"s\"]\n").find("SHOP/ID"), std::string::npos);
  EXPECT_NE(refusal("[[joined]]\nname = \"a\"\noffers = [\"s/1\", \"s/1\"]\n").find("named twice"), std::string::npos);
  const std::string joined = "[[joined]]\nname = \"a\"\noffers = [\"s/1\", \"s/2\"]\n";
  EXPECT_EQ(refusal(joined + "[[joined]]\nname = \"b\"\noffers = [\"s/2\", \"s/3\"]\n"),
            "model_rules.toml:6: 's/2' is also in the joined rule 'a'");
  EXPECT_EQ(refusal(joined + "[[split]]\nname = \"b\"\noffers = [\"s/2\", \"s/3\"]\n"),
            "model_rules.toml:6: 's/2' is also in the joined rule 'a'");
  EXPECT_NE(refusal("bad_codes = [1]\n"), "accepted");
  EXPECT_NE(refusal("bad_codes = [\"\"]\n"), "accepted");
}

TEST(ModelRules, AMissingFileIsSaid) {
  EXPECT_EQ(load_model_rules("/nonexistent/model_rules.toml").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace souk::match
