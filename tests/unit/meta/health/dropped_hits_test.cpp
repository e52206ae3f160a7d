// SPDX-License-Identifier: Apache-2.0
// A document that is gone or of another version is never shown: its hit is dropped, the next takes its place, and both
// the answer and a metric say so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>

#include "core/wire/snippet.pb.h"
#include "tests/unit/meta/health/metrics_page.h"
#include "tests/world/world.h"

namespace souk::health {
namespace {

namespace json = boost::json;

constexpr std::string_view kDropped = "souk_meta_dropped_hits_total";

class DroppedHitsTest : public ::testing::Test {
 protected:
  DroppedHitsTest() {
    world_.put_offers("shop", lamps(10'000));
    world_.activate();
    world_.transport().serve(world_.snippet_address(), [this](net::Request request) { return spoilt(request); });
  }

  static std::vector<feed::Offer> lamps(int64_t price) {
    std::vector<feed::Offer> offers;
    for (int i = 1; i <= 30; ++i) {
      offers.push_back(world::make_offer(std::to_string(i), "Лампа " + std::to_string(i), price + i));
    }
    return offers;
  }

  static std::vector<std::string> keys(const world::Answer& answer) {
    std::vector<std::string> out;
    for (const json::value& item : answer.body.at("items").as_array()) out.emplace_back(item.at("key").as_string());
    return out;
  }

  world::Answer search(size_t per_page) {
    world::Answer answer = world_.get("/search?group=offer&sort=price&per_page=" + std::to_string(per_page));
    EXPECT_EQ(answer.status, 200);
    return answer;
  }

  // The snippet server's reply, with the documents of spoil_ changed.
  boost::asio::awaitable<net::Response> spoilt(net::Request request) {
    wire::SnippetRequest asked;
    EXPECT_TRUE(asked.ParseFromString(request.body));
    const net::Handler whole = world_.snippets().handler();
    net::Response response = co_await whole(std::move(request));
    wire::SnippetReply reply;
    EXPECT_TRUE(reply.ParseFromString(response.body));
    for (int i = 0; i < reply.documents_size(); ++i) {
      const auto found = spoil_.find(to_string(DocKey(asked.keys(i))));
      if (found != spoil_.end()) found->second(*reply.mutable_documents(i));
    }
    response.body = reply.SerializeAsString();
    co_return response;
  }

  // Serialized documents stay decodable, so only their version can tell.
  static void other_content(std::string& document) {
    wire::SnippetDoc doc;
    ASSERT_TRUE(doc.ParseFromString(document));
    doc.set_title("A title of another version");
    document = doc.SerializeAsString();
  }

  world::World world_{{.shards = 2}};
  std::map<std::string, std::function<void(std::string&)>> spoil_;
};

TEST_F(DroppedHitsTest, AMissingDocument) {
  const world::Answer whole = search(5);
  const std::vector<std::string> next = keys(search(6));
  const std::vector<std::string> all = keys(whole);
  EXPECT_EQ(metric_of(world_, 0, kDropped), 0);
  spoil_[all[2]] = [](std::string& document) { document.clear(); };
  const world::Answer answer = search(5);
  EXPECT_EQ(keys(answer), (std::vector{all[0], all[1], all[3], all[4], next[5]}));
  EXPECT_EQ(answer.body.at("dropped"), json::value(1));
  EXPECT_EQ(answer.body.at("warnings").as_array().size(), 1U);
  EXPECT_EQ(answer.body.at("result_digest"), whole.body.at("result_digest"));
  EXPECT_EQ(answer.body.at("complete"), json::value(true)) << "every shard has answered";
  EXPECT_EQ(metric_of(world_, 0, kDropped), 1);
  EXPECT_EQ(metric_of(world_, 1, kDropped), 0) << "the node that was asked counts";
}

TEST_F(DroppedHitsTest, ADocumentOfAnotherVersion) {
  const std::vector<std::string> all = keys(search(30));
  spoil_[all[0]] = other_content;
  spoil_[all[1]] = [](std::string& document) { document = "\xff\xff"; };
  spoil_[all[3]] = [](std::string& document) { document.pop_back(); };
  const world::Answer answer = search(5);
  EXPECT_EQ(keys(answer), (std::vector{all[2], all[4], all[5], all[6], all[7]}));
  EXPECT_EQ(answer.body.at("dropped"), json::value(3));
  EXPECT_EQ(metric_of(world_, 0, kDropped), 3);
  for (const json::value& item : answer.body.at("items").as_array()) {
    EXPECT_NE(item.at("title"), "A title of another version");
  }
  EXPECT_EQ(world_.get("/offer/" + all[0]).status, 503) << "the shard has it, so it is not gone";
}

TEST_F(DroppedHitsTest, AnothersDocument) {
  // The server mixes two keys up.
  const std::vector<std::string> all = keys(search(2));
  std::string first;
  spoil_[all[0]] = [&first](std::string& document) { first = document; };
  spoil_[all[1]] = [&first](std::string& document) { document = first; };
  const world::Answer answer = search(2);
  EXPECT_EQ(answer.body.at("dropped"), json::value(1));
  EXPECT_EQ(keys(answer)[0], all[0]);
  EXPECT_NE(keys(answer)[1], all[1]);
}

TEST_F(DroppedHitsTest, APriceChangeNeedsTheNewDocument) {
  // The next generation's documents have another content, and each query is answered with those of its generation.
  const std::vector<std::string> before = keys(search(30));
  std::vector<feed::Offer> offers = lamps(20'000);
  for (feed::Offer& offer : offers) offer.name += " новая";
  world_.put_offers("shop", std::move(offers));
  world_.activate();
  const world::Answer answer = search(30);
  EXPECT_EQ(keys(answer), before) << "keys stay";
  EXPECT_EQ(answer.body.at("dropped"), json::value(0));
  for (const json::value& item : answer.body.at("items").as_array()) {
    EXPECT_TRUE(std::string_view(item.at("title").as_string()).ends_with(" новая"));
  }
}

}  // namespace
}  // namespace souk::health
