// SPDX-License-Identifier: Apache-2.0
// What a node answers when other processes are dead, hang or lack something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/wire/snippet.pb.h"
#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;
using testing::Fault;
using ::testing::HasSubstr;

class FaultsTest : public ::testing::Test {
 protected:
  FaultsTest() { fill(world_); }

  json::object good(std::string_view target, size_t node = 0) {
    const world::Answer answer = world_.get(target, node);
    EXPECT_EQ(answer.status, 200) << target << ": " << json::serialize(answer.body);
    return answer.body;
  }

  world::World world_{{.shards = 3}};
};

TEST_F(FaultsTest, ADeadNodesShardIsMissingAndTold) {
  const json::object before = good("/search");
  world_.kill(1);
  const json::object answer = good("/search");
  EXPECT_EQ(answer.at("complete"), json::value(false));
  EXPECT_EQ(answer.at("coverage"), (json::object{{"asked", 3}, {"answered", 2}, {"missing", {2}}}));
  ASSERT_EQ(answer.at("warnings").as_array().size(), 1U);
  EXPECT_THAT(std::string(answer.at("warnings").as_array()[0].as_string()), HasSubstr("shard 2 is missing: "));
  EXPECT_LT(answer.at("total").at("offers").to_number<uint64_t>(),
            before.at("total").at("offers").to_number<uint64_t>());
  EXPECT_NE(answer.at("result_digest"), before.at("result_digest"));

  world_.revive(1);
  const json::object after = good("/search");
  EXPECT_EQ(after.at("complete"), json::value(true)) << "from its disk, without a word of control";
  EXPECT_EQ(after.at("result_digest"), before.at("result_digest"));
}

TEST_F(FaultsTest, AHangingNodeCostsTimeNotTheAnswer) {
  world_.hang(2);
  const json::object answer = good("/search");
  EXPECT_EQ(answer.at("complete"), json::value(false));
  EXPECT_EQ(answer.at("coverage").at("missing"), (json::array{3}));
  EXPECT_FALSE(answer.at("items").as_array().empty()) << "time was left for the documents";
  EXPECT_EQ(answer.at("took_ms").to_number<double>(), 750.0);
  world_.revive(2);
  EXPECT_EQ(good("/search").at("took_ms").to_number<double>(), 0.0);
}

// The missing shard may have what the text asks for: what the others say to a wider question is no answer.
TEST_F(FaultsTest, NoSecondStageWithoutAllShards) {
  const std::string target = "/search?text=" + net::percent_encode("подарок");
  EXPECT_EQ(good(target).at("query").at("stages"), json::value({"main", "description"}));
  for (const Fault fault : {Fault::kHang, Fault::kRefuse}) {
    world_.transport().set_fault(world_.peer(2), fault);
    const json::object answer = good(target);
    EXPECT_EQ(answer.at("query").at("stages"), json::value(json::array{"main"}));
    EXPECT_EQ(answer.at("complete"), json::value(false));
    EXPECT_EQ(answer.at("coverage").at("missing"), (json::array{3}));
    EXPECT_TRUE(answer.at("items").as_array().empty());
  }
}

TEST_F(FaultsTest, AllShardsDead) {
  for (size_t i = 0; i < 3; ++i) world_.transport().set_fault(world_.peer(i), Fault::kRefuse);
  const std::string offer = "/offer/" + to_string(DocKey::make(1, KeyType::kOffer, 1));
  for (const std::string& target : {std::string("/search"), offer}) {
    const world::Answer answer = world_.get(target);
    EXPECT_EQ(answer.status, 503) << target;
    EXPECT_THAT(std::string(answer.body.at("error").at("message").as_string()),
                HasSubstr("shard 1 is missing: cannot connect"));
  }
}

TEST_F(FaultsTest, AnOfferWhoseShardIsDeadIsNotGone) {
  const std::string key(good("/search?group=offer&per_page=1").at("items").as_array()[0].at("offer_key").as_string());
  EXPECT_EQ(world_.get("/offer/" + key).status, 200);
  size_t found = 0;
  for (size_t i = 0; i < 3; ++i) {
    world_.transport().set_fault(world_.peer(i), Fault::kRefuse);
    const int status = world_.get("/offer/" + key).status;
    EXPECT_TRUE(status == 200 || status == 503) << status;
    found += status == 200 ? 1 : 0;
    world_.transport().set_fault(world_.peer(i), Fault::kNone);
  }
  EXPECT_EQ(found, 2U) << "with its own shard dead nobody can tell";
}

TEST_F(FaultsTest, AReplyOfAnotherGenerationIsNotMerged) {
  // Node 2 is kept from control's orders and serves the first generation on.
  world_.hang(1);
  std::vector<feed::Offer> offers = market_offers(1, 60);
  offers[0].price += 100;
  world_.put_offers("shop-1", offers);
  const GenerationId second = world_.publish();
  world_.advance(3);
  world_.revive(1);
  EXPECT_NE(good("/search").at("generation"), json::value(to_string(second))) << "not before everybody has it";
  world_.advance(3);
  EXPECT_EQ(good("/search").at("generation"), json::value(to_string(second)));

  world_.kill(1);
  world_.transport().set_fault(world_.peer(1), Fault::kNone);
  world_.transport().serve(world_.peer(1), [](net::Request) -> boost::asio::awaitable<net::Response> {
    wire::ShardReply reply;
    reply.set_generation_number(1);
    reply.set_shard(2);
    reply.set_total_offers(1000);
    co_return net::Response{.content_type = "application/x-protobuf", .headers = {}, .body = reply.SerializeAsString()};
  });
  const json::object answer = good("/search");
  EXPECT_EQ(answer.at("coverage").at("missing"), (json::array{2}));
  EXPECT_LT(answer.at("total").at("offers").to_number<uint64_t>(), 181U);
}

// A snippet server that has lost documents.
class LostDocumentsTest : public FaultsTest {
 protected:
  void lose(std::set<std::string> keys) {
    lost_ = std::move(keys);
    world_.transport().serve(world_.snippet_address(), [this](net::Request request) { return filtered(request); });
  }

  boost::asio::awaitable<net::Response> filtered(net::Request request) {
    wire::SnippetRequest asked;
    EXPECT_TRUE(asked.ParseFromString(request.body));
    const net::Handler whole = world_.snippets().handler();
    net::Response response = co_await whole(std::move(request));
    wire::SnippetReply reply;
    EXPECT_TRUE(reply.ParseFromString(response.body));
    for (int i = 0; i < reply.documents_size(); ++i) {
      if (lost_.contains(to_string(DocKey(asked.keys(i))))) reply.mutable_documents(i)->clear();
    }
    response.body = reply.SerializeAsString();
    co_return response;
  }

  std::set<std::string> lost_;
};

TEST_F(LostDocumentsTest, TheNextHitTakesThePlace) {
  const std::string target = "/search?group=offer&per_page=5";
  const json::object whole = good(target);
  const std::vector<std::string> keys = texts(whole.at("items"), "key");
  const std::vector<std::string> more = texts(good("/search?group=offer&per_page=7").at("items"), "key");
  lose({keys[0], keys[3]});
  const json::object answer = good(target);
  EXPECT_EQ(texts(answer.at("items"), "key"), (std::vector{keys[1], keys[2], keys[4], more[5], more[6]}));
  EXPECT_EQ(answer.at("dropped"), json::value(2));
  EXPECT_THAT(std::string(answer.at("warnings").as_array()[0].as_string()), HasSubstr("2 hits were dropped"));
  EXPECT_EQ(answer.at("result_digest"), whole.at("result_digest")) << "the digest is from before the documents";
  EXPECT_EQ(whole.at("dropped"), json::value(0));
}

TEST_F(LostDocumentsTest, MoreLostThanThereIsToSpare) {
  const std::vector<std::string> keys = texts(good("/search?group=offer&per_page=12").at("items"), "key");
  lose({keys.begin(), keys.end()});
  const json::object answer = good("/search?group=offer&per_page=2");
  EXPECT_TRUE(answer.at("items").as_array().empty());
  EXPECT_EQ(answer.at("dropped"), json::value(12));
}

// The shard has it, so it is not gone: a snippet server that has not ingested it yet must not say so.
TEST_F(LostDocumentsTest, AnOfferWithoutItsDocumentIsNotGone) {
  const std::vector<std::string> keys = texts(good("/search?group=offer&per_page=1").at("items"), "key");
  lose({keys[0]});
  EXPECT_EQ(world_.get("/offer/" + keys[0]).status, 503);
}

TEST_F(FaultsTest, NoSnippetServer) {
  for (const Fault fault : {Fault::kRefuse, Fault::kHang}) {
    world_.set_snippets(fault);
    const world::Answer answer = world_.get("/search");
    EXPECT_EQ(answer.status, 503);
    EXPECT_THAT(std::string(answer.body.at("error").at("message").as_string()), HasSubstr("snippet server"));
    EXPECT_EQ(world_.get("/search?vendor=nobody").status, 200) << "nothing to show needs no documents";
  }
  world_.set_snippets(Fault::kNone);
  EXPECT_EQ(world_.get("/search").status, 200);
}

TEST_F(FaultsTest, ServingNeedsNoControl) {
  world_.set_control(Fault::kRefuse);
  world_.advance(10);
  EXPECT_EQ(good("/search").at("complete"), json::value(true));
  world_.kill(0);
  world_.revive(0);
  EXPECT_EQ(good("/search").at("complete"), json::value(true));
}

}  // namespace
}  // namespace souk::meta_serve
