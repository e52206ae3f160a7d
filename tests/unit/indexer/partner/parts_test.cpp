// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "indexer/partner/failure_limiter.h"
#include "indexer/partner/html.h"
#include "indexer/partner/language.h"
#include "indexer/partner/sessions.h"
#include "indexer/partner/texts.h"
#include "runtime/net/utf8.h"
#include "runtime/testing/fake_clock.h"

namespace souk::partner {
namespace {

using std::chrono::seconds;

TEST(SessionsTest, ASessionEndsByItselfByItsOwnerAndWithTheToken) {
  testing::FakeClock clock;
  Sessions sessions(clock);
  const std::string first = sessions.begin("Север");
  const std::string second = sessions.begin("Север");
  const std::string other = sessions.begin("Юг");
  EXPECT_EQ(first.size(), 64);
  EXPECT_NE(first, second);
  EXPECT_EQ(sessions.shop_of(first), "Север");
  EXPECT_EQ(sessions.shop_of(other), "Юг");
  EXPECT_EQ(sessions.shop_of(""), std::nullopt);
  EXPECT_EQ(sessions.shop_of(first.substr(1)), std::nullopt);

  sessions.end(first);
  EXPECT_EQ(sessions.shop_of(first), std::nullopt);
  EXPECT_EQ(sessions.shop_of(second), "Север");
  sessions.end_all("Север");
  EXPECT_EQ(sessions.shop_of(second), std::nullopt);
  EXPECT_EQ(sessions.shop_of(other), "Юг");

  clock.advance(Sessions::kAge - seconds(1));
  EXPECT_EQ(sessions.shop_of(other), "Юг");
  clock.advance(seconds(1));
  EXPECT_EQ(sessions.shop_of(other), std::nullopt);
}

TEST(SessionsTest, AreBoundedByShopAndInAll) {
  testing::FakeClock clock;
  Sessions sessions(clock);
  const std::string old = sessions.begin("Север");
  const std::string other = sessions.begin("Юг");
  for (size_t i = 0; i < Sessions::kPerShop; ++i) sessions.begin("Север");
  EXPECT_EQ(sessions.size(), Sessions::kPerShop + 1);
  EXPECT_EQ(sessions.shop_of(old), std::nullopt);
  EXPECT_EQ(sessions.shop_of(other), "Юг");
  clock.advance(Sessions::kAge);
  sessions.begin("Юг");
  EXPECT_EQ(sessions.size(), 1);
}

TEST(FailureLimiterTest, AnAddressThatFailsOftenWaits) {
  testing::FakeClock clock;
  FailureLimiter limiter(clock);
  for (int i = 0; i < static_cast<int>(FailureLimiter::kAtOnce); ++i) {
    EXPECT_TRUE(limiter.allows("10.0.0.1"));
    limiter.note_failure("10.0.0.1");
  }
  EXPECT_FALSE(limiter.allows("10.0.0.1"));
  EXPECT_TRUE(limiter.allows("10.0.0.2"));
  clock.advance(FailureLimiter::kOneMore);
  EXPECT_TRUE(limiter.allows("10.0.0.1"));
  limiter.note_failure("10.0.0.1");
  EXPECT_FALSE(limiter.allows("10.0.0.1"));
}

TEST(FailureLimiterTest, Ipv6CountsBySite) {
  testing::FakeClock clock;
  FailureLimiter limiter(clock);
  for (int i = 0; i < 20; ++i) limiter.note_failure("2001:db8:1:2::" + std::to_string(i));
  EXPECT_FALSE(limiter.allows("2001:db8:1:2:ffff::1"));
  EXPECT_TRUE(limiter.allows("2001:db8:1:3::1"));
  for (int i = 0; i < 20; ++i) limiter.note_failure("::ffff:10.0.0.1");
  EXPECT_FALSE(limiter.allows("::ffff:10.0.0.1"));
  EXPECT_TRUE(limiter.allows("::ffff:10.0.0.2"));
}

TEST(FailureLimiterTest, ManyAddressesCostBoundedMemory) {
  testing::FakeClock clock;
  FailureLimiter limiter(clock);
  for (size_t i = 0; i < FailureLimiter::kAddresses + 100; ++i) {
    const std::string ip = "10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250);
    limiter.note_failure(ip);
    ASSERT_TRUE(limiter.allows(ip));
  }
}

TEST(LanguageTest, TheBrowsersPreferenceCounts) {
  EXPECT_EQ(accepted_language("en-GB,en;q=0.9,ru;q=0.8"), Language::kEnglish);
  EXPECT_EQ(accepted_language("de, ru-RU;q=0.7, en;q=0.3"), Language::kRussian);
  EXPECT_EQ(accepted_language("ru;q=0.1, en; q=0.2"), Language::kEnglish);
  EXPECT_EQ(accepted_language("en;q=0"), Language::kRussian);
  EXPECT_EQ(accepted_language("en;q=nan"), Language::kRussian);
  EXPECT_EQ(accepted_language("english"), Language::kRussian);
  EXPECT_EQ(accepted_language(""), Language::kRussian);
  EXPECT_EQ(accepted_language(std::string(5000, ',')), Language::kRussian);
}

TEST(HtmlTest, NothingOfATextIsMarkup) {
  EXPECT_EQ(escape("<script>\"a\" & 'b'"), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;");
  EXPECT_EQ(escape("кот"), "кот");
  EXPECT_EQ(escape(std::string("a\0b\x1b", 4)), "a\ufffdb\ufffd");
  EXPECT_TRUE(net::is_utf8(escape("\xff\xfe<")));
}

RC_GTEST_PROP(HtmlTest, EscapedTextIsUtf8WithoutMarkup, (const std::string& text)) {
  const std::string out = escape(text);
  RC_ASSERT(net::is_utf8(out));
  RC_ASSERT(out.find_first_of("<>\"'") == std::string::npos);
}

TEST(HtmlTest, NumbersAndTimes) {
  const auto number = [](uint64_t value, Language language) { return Html().number(value, language).take(); };
  EXPECT_EQ(number(0, Language::kEnglish), "0");
  EXPECT_EQ(number(999, Language::kEnglish), "999");
  EXPECT_EQ(number(1'234'567, Language::kEnglish), "1,234,567");
  EXPECT_EQ(number(1'000, Language::kRussian), "1\u00a0000");
  EXPECT_EQ(Html().time(0).take(), "—");
  EXPECT_EQ(Html().time(1'769'861'100).take(), "<time datetime=\"2026-01-31T12:05:00Z\">2026-01-31 12:05 UTC</time>");
  EXPECT_EQ(utc_time(INT64_MAX), "9999-12-31T23:59:59Z");
  EXPECT_EQ(utc_time(-5), "1970-01-01T00:00:00Z");
}

TEST(TextsTest, EveryOutcomeAndHoldIsSaidInBothLanguages) {
  std::set<std::string_view> names;
  for (int i = 0; i < 6; ++i) {
    const OutcomeText& text = outcome_text(static_cast<ingest::FeedRun::Outcome>(i));
    EXPECT_NE(in(Language::kRussian, text), in(Language::kEnglish, text));
    names.insert(text.name);
  }
  EXPECT_EQ(names.size(), 6);
  for (const char* reason : {"shop_shrinks", "catalogue_shrinks", "prices_jump"}) {
    EXPECT_EQ(hold_text(reason).name, reason);
  }
  EXPECT_FALSE(hold_text("something new").english.empty());
}

}  // namespace
}  // namespace souk::partner
