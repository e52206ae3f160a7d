// SPDX-License-Identifier: Apache-2.0
// Walking an answer by next_cursor: every hit once, in order, whatever happens to documents on the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/wire/snippet.pb.h"
#include "runtime/net/http.h"
#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;
using ::testing::IsEmpty;

class CursorPagesTest : public ::testing::Test {
 protected:
  CursorPagesTest() { fill(world_); }

  world::Answer good(const std::string& query, size_t node = 0) {
    world::Answer answer = world_.get("/search?" + query, node);
    EXPECT_EQ(answer.status, 200) << query << ": " << json::serialize(answer.body);
    return answer;
  }

  static std::string next_of(const world::Answer& answer) {
    const json::value& next = answer.body.at("next_cursor");
    return next.is_null() ? "" : "&cursor=" + std::string(next.as_string());
  }

  // Every page from the first on, each from another node.
  std::vector<world::Answer> walk(const std::string& query) {
    std::vector<world::Answer> pages;
    pages.push_back(good(query));
    for (std::string next = next_of(pages.back()); !next.empty() && pages.size() < 400; next = next_of(pages.back())) {
      pages.push_back(good(query + next, pages.size() % 2));
    }
    return pages;
  }

  static std::vector<std::string> keys(const std::vector<world::Answer>& pages) {
    std::vector<std::string> out;
    for (const world::Answer& page : pages) {
      for (std::string& key : texts(page.body.at("items"), "key")) out.push_back(std::move(key));
    }
    return out;
  }

  // The snippet server loses the documents of every key for which `lost` is true.
  void lose(std::function<bool(uint64_t)> lost) {
    world_.transport().serve(world_.snippet_address(),
                             [this, lost](net::Request request) { return poor(request, lost); });
  }
  boost::asio::awaitable<net::Response> poor(net::Request request, std::function<bool(uint64_t)> lost) {
    wire::SnippetRequest asked;
    EXPECT_TRUE(asked.ParseFromString(request.body));
    const net::Handler whole = world_.snippets().handler();
    net::Response response = co_await whole(std::move(request));
    wire::SnippetReply reply;
    EXPECT_TRUE(reply.ParseFromString(response.body));
    for (int i = 0; i < reply.documents_size(); ++i) {
      if (lost(asked.keys(i))) reply.mutable_documents(i)->clear();
    }
    response.body = reply.SerializeAsString();
    co_return response;
  }

  world::World world_{{.shards = 2}};
};

TEST_F(CursorPagesTest, PagesByCursorAreThosesByNumber) {
  for (const char* sort : {"relevance", "price", "price_desc", "discount", "newest"}) {
    for (const char* group : {"model", "offer"}) {
      const std::string query =
          std::string("text=") + net::percent_encode("серия") + "&per_page=7&sort=" + sort + "&group=" + group;
      const std::vector<world::Answer> pages = walk(query);
      EXPECT_GT(pages.size(), 5U);
      for (size_t i = 0; i < pages.size(); ++i) {
        const world::Answer numbered = good(query + "&page=" + std::to_string(i + 1));
        for (const char* same : {"result_digest", "items", "total", "facets", "next_cursor"}) {
          ASSERT_EQ(pages[i].body.at(same), numbered.body.at(same)) << query << ", page " << i + 1 << ": " << same;
        }
        EXPECT_EQ(pages[i].body.contains("page"), i == 0);
      }
      EXPECT_TRUE(good(query + "&page=999").body.at("next_cursor").is_null());
    }
  }
}

TEST_F(CursorPagesTest, BrowsingShowsEveryOfferOnce) {
  const std::vector<std::string> all = keys(walk("group=offer&per_page=11&facets="));
  EXPECT_EQ(all.size(), 180U);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 180U);
}

TEST_F(CursorPagesTest, DroppedHitsLoseAndDoubleNothing) {
  const std::vector<std::string> all = keys(walk("group=offer&sort=price&per_page=100&facets="));
  lose([](uint64_t key) { return key % 3 == 0; });
  const std::vector<world::Answer> pages = walk("group=offer&sort=price&per_page=4&facets=");
  std::vector<std::string> expected;
  for (const std::string& key : all) {
    if (std::stoull(key) % 3 != 0) expected.push_back(key);
  }
  EXPECT_EQ(keys(pages), expected);
  uint64_t dropped = 0;
  for (const world::Answer& page : pages) dropped += page.body.at("dropped").to_number<uint64_t>();
  EXPECT_EQ(dropped, all.size() - expected.size()) << "each once";
}

TEST_F(CursorPagesTest, APageOfNothingButDroppedHitsLeadsOn) {
  lose([](uint64_t) { return true; });
  const std::vector<world::Answer> pages = walk("group=offer&per_page=4&facets=");
  EXPECT_THAT(keys(pages), IsEmpty());
  EXPECT_EQ(pages.size(), (180 + 13) / 14U) << "a page's hits and the spare ones at a time";
}

TEST_F(CursorPagesTest, TheDescriptionStageGoesOn) {
  const std::string query = "group=offer&per_page=5&totals=at_least&text=" + net::percent_encode("подарок");
  const std::vector<world::Answer> pages = walk(query);
  ASSERT_EQ(pages.size(), 9U) << "45 of 180 offers";
  EXPECT_EQ(pages[0].body.at("query").at("stages"), json::value({"main", "description"}));
  for (size_t i = 1; i < pages.size(); ++i) {
    EXPECT_EQ(pages[i].body.at("query").at("stages"), (json::array{"description"})) << "the other has found nothing";
  }
  const std::vector<std::string> all = keys(pages);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 45U);
}

TEST_F(CursorPagesTest, TheMainStageIsNotLeftBehindTheLastHit) {
  world::Answer last = good("per_page=100&group=offer&totals=at_least&text=" + net::percent_encode("лампа"));
  const std::vector<world::Answer> pages =
      walk("per_page=36&group=offer&totals=at_least&text=" + net::percent_encode("лампа"));
  for (const world::Answer& page : pages) EXPECT_EQ(page.body.at("query").at("stages"), (json::array{"main"}));
  EXPECT_EQ(keys(pages), texts(last.body.at("items"), "key"));
}

TEST_F(CursorPagesTest, SizeFacetsAndTotalsMayChangeOnTheWay) {
  const std::vector<std::string> all = keys(walk("sort=price&per_page=100"));
  const std::string next = next_of(good("sort=price&per_page=3"));
  const world::Answer page = good("sort=price&per_page=5&facets=vendor&debug=1" + next);
  EXPECT_EQ(texts(page.body.at("items"), "key"), std::vector(all.begin() + 3, all.begin() + 8));
  const world::Answer quick = good("sort=price&per_page=5&totals=at_least" + next);
  EXPECT_EQ(texts(quick.body.at("items"), "key"), std::vector(all.begin() + 3, all.begin() + 8));
}

TEST_F(CursorPagesTest, OffersOfAModelArePagedToo) {
  const json::array items = good("per_page=100").body.at("items").as_array();
  const auto* model = std::ranges::find_if(items, [](const json::value& item) { return item.at("offers") != 1; });
  ASSERT_NE(model, items.end());
  const std::string key(model->at("key").as_string());
  const world::Answer first = world_.get("/offers?per_page=1&sort=price&model=" + key);
  const std::string next = next_of(first);
  ASSERT_FALSE(next.empty());
  const world::Answer second = world_.get("/offers?per_page=1&sort=price&model=" + key + next);
  ASSERT_EQ(second.status, 200);
  EXPECT_NE(second.body.at("items"), first.body.at("items"));
  EXPECT_EQ(second.body.at("total"), first.body.at("total"));
  EXPECT_EQ(error_argument(world_.get("/search?per_page=1&sort=price&model=" + key + next)), "cursor")
      << "grouped otherwise";
}

TEST_F(CursorPagesTest, AStrangersCursorIsRefused) {
  const std::string next = next_of(good("per_page=1&text=" + net::percent_encode("лампа")));
  for (const std::string& query : {"per_page=1" + next, "per_page=1&text=x" + next, std::string("cursor="),
                                   std::string("cursor=0"), "per_page=1" + next + "0"}) {
    const world::Answer answer = world_.get("/search?" + query);
    EXPECT_EQ(answer.status, 400) << query;
    EXPECT_EQ(error_argument(answer), "cursor") << query;
  }
}

TEST_F(CursorPagesTest, ACursorEndsWithItsGeneration) {
  const std::string next = next_of(good("per_page=1"));
  world_.put_offers("shop-4", market_offers(4, 10));
  const GenerationId id = world_.activate();
  const world::Answer answer = world_.get("/search?per_page=1" + next);
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(error_argument(answer), "cursor");
  EXPECT_NE(std::string(answer.body.at("error").at("message").as_string()).find(to_string(id)), std::string::npos);
}

}  // namespace
}  // namespace souk::meta_serve
