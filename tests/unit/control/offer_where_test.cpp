// SPDX-License-Identifier: Apache-2.0
#include "control/cli/offer_where.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "control/cli/topology_init.h"
#include "core/index/manifest.h"
#include "tests/unit/indexer/feed/feed_text.h"
#include "tests/unit/indexer/offers/store_fixture.h"
#include "tests/world/take_feed_file.h"

namespace souk::control {
namespace {

using feed::feed_with;
using feed::offer_text;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kBuilt = 0xaa;

class OfferWhereTest : public ::testing::Test {
 protected:
  OfferWhereTest() {
    const auto topology = config::parse_topology(initial_topology(8000, 2, config::Mode::kMesh).value(), "t.toml");
    EXPECT_TRUE(topology) << to_string(topology.error());
    topology_ = topology.value();
    index::Manifest manifest;
    manifest.content_hash = kBuilt;
    manifest.shards = 2;
    manifest.slots = placement::even_slot_table(2);
    manifest.dictionary = {"dictionary.souk", 10, std::string(64, 'a')};
    manifest.shard_files = {{"shard-1.souk", 20, std::string(64, 'b')}, {"shard-2.souk", 30, std::string(64, 'c')}};
    write("generations/00000000000000aa/manifest.json", index::to_json(manifest));
    write("generations/LATEST", "00000000000000aa\n");
    pages_["8202/status"] = page(200, R"({"active":"7-00000000000000aa"})");
  }

  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = world_.folder.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  // As the indexer does: the feed into the store, the report beside it.
  feed::Report ingest(const std::string& text) {
    const std::string path = (world_.folder.path() / "good.yml").string();
    std::ofstream(path, std::ios::binary) << text;
    const auto shop = world_.store->put_shop(3, "good");
    const auto report = world::take_feed_file(*world_.store, *shop, path);
    EXPECT_TRUE(report);
    world_.link_barcodes();
    write("reports/good.json", feed::to_json(*report));
    return *report;
  }

  static net::Response page(int status, std::string body) {
    net::Response response;
    response.status = status;
    response.body = std::move(body);
    return response;
  }

  std::string key(const std::string& id) { return to_string(**world_.store->key_of(3, id)); }

  std::string where(const std::string& id, const std::string& shop = "good") {
    const Fetch fetch = [this](const net::Endpoint& endpoint, const net::Request& request) -> Result<net::Response> {
      const auto found = pages_.find(std::to_string(endpoint.port) + request.path);
      if (found == pages_.end()) return fail(ErrorCode::kUnavailable, "connection refused");
      return found->second;
    };
    const auto text = offer_where(*world_.store, {topology_, world_.folder.path().string(), shop, id}, fetch);
    EXPECT_TRUE(text) << to_string(text.error());
    return text.value_or("");
  }

  offers::World world_;
  config::Topology topology_;
  std::map<std::string, net::Response> pages_;
};

TEST_F(OfferWhereTest, FollowsAnOfferToItsShard) {
  ingest(feed_with(offer_text("1") + offer_text("2", "<barcode>4600000000008</barcode>")));
  pages_["8001/offer/" + key("2")] = page(200, R"({"generation":"7-00000000000000aa","offer":{}})");
  const auto stored = world_.store->find(3, "2");
  const uint16_t slot = (*stored)->model.slot();
  const std::string shard = slot < 2048 ? "1" : "2";
  EXPECT_EQ(where("2"), "shop       good (number 3)\nfeed       " + (world_.folder.path() / "good.yml").string() +
                            ", line 10\nkey        " + key("2") + " (slot " + std::to_string((*stored)->key.slot()) +
                            ")\nmodel      " + to_string((*stored)->model) + " (slot " + std::to_string(slot) +
                            "), by barcode 4600000000008\nplacement  slot " + std::to_string(slot) + "\nshard      " +
                            shard + " of 2 (node-" + shard + ")\ngeneration 7-00000000000000aa\n" +
                            "served     by node-1, generation 7-00000000000000aa\n");
  const std::string alone = where("1");
  EXPECT_THAT(alone, HasSubstr("model      none: it has no barcode, vendor code or group that counts\n"));
  EXPECT_THAT(alone, HasSubstr("placement  slot " + std::to_string((*world_.store->find(3, "1"))->key.slot()) + "\n"));
}

TEST_F(OfferWhereTest, AnotherNodeIsAskedWhenOneIsSilent) {
  ingest(feed_with(offer_text("1")));
  EXPECT_THAT(where("1"), HasSubstr("unknown    no node tells: node-2: connection refused\n"));
  pages_["8002/offer/" + key("1")] = page(200, R"({"generation":"7-00000000000000aa","offer":{}})");
  EXPECT_THAT(where("1"), HasSubstr("served     by node-2, "));
  pages_["8001/offer/" + key("1")] =
      page(503, R"({"error":{"code":"overloaded","message":"too many queries at once"}})");
  EXPECT_THAT(where("1"), HasSubstr("served     by node-2, "));
}

TEST_F(OfferWhereTest, WhatTheActiveGenerationLacks) {
  ingest(feed_with(offer_text("1")));
  pages_["8001/offer/" + key("1")] = page(410, R"({"error":{"code":"gone","message":"no such offer"}})");
  EXPECT_THAT(where("1"), HasSubstr("absent     node-1 answered 410 gone: no such offer; what was accepted after the "
                                    "last build comes with the next\n"));
  write("generations/LATEST", "00000000000000bb\n");
  EXPECT_THAT(where("1"), HasSubstr("the last built generation, 00000000000000bb, is not the active one\n"));
  pages_["8202/status"] = page(200, R"({"active":"8-00000000000000bb"})");
  EXPECT_THAT(where("1"), HasSubstr("shard      not known: cannot be read"));
  pages_["8202/status"] = page(200, R"({"active":""})");
  EXPECT_THAT(where("1"), HasSubstr("absent     no generation is active yet\n"));
  pages_.erase("8202/status");
  EXPECT_THAT(where("1"),
              HasSubstr("unknown    which generation is active is not known: control: connection refused\n"));
}

TEST_F(OfferWhereTest, ShopsAndOffersThatAreNotKnown) {
  EXPECT_EQ(where("1", "bad"), "absent     no shop of this name; there are none\n");
  ingest(feed_with(offer_text("1")));
  EXPECT_EQ(where("1", "../good"), "absent     no shop of this name; there are good\n");
  EXPECT_THAT(where("7"), HasSubstr("absent     never seen: no accepted feed of the shop had it\n"));
  std::filesystem::remove(world_.folder.path() / "reports" / "good.json");
  EXPECT_THAT(where("7"), HasSubstr("feed       no report of it: cannot be read"));
  EXPECT_THAT(where("\x1b[2J"), Not(HasSubstr("\x1b")));
}

TEST_F(OfferWhereTest, GoneAndRejectedOffers) {
  ingest(feed_with(offer_text("1") + offer_text("2")));
  const std::string bad = "<offer id=\"2\"><url>https://shop.example/2</url><name>x</name></offer>\n";
  const feed::Report report = ingest(feed_with(offer_text("1") + bad + offer_text("1")));
  ASSERT_EQ(report.errors.size(), 2U);
  const std::string rejected = where("2");
  EXPECT_THAT(rejected, HasSubstr("key        " + key("2") + " (slot "));
  EXPECT_THAT(rejected, HasSubstr("absent     rejected in line 10: " + report.errors[0].kind + ": "));
  EXPECT_THAT(where("1"), HasSubstr("rejected   one with this id in line 11: " + report.errors[1].kind + ": "));
  ingest(feed_with(offer_text("1")));
  EXPECT_THAT(where("2"), HasSubstr("absent     gone: the shop's last accepted feed has it no more, its key stays\n"));
}

TEST_F(OfferWhereTest, AReportThatListsNotAllErrorsSaysSo) {
  ingest(feed_with(offer_text("1")));
  write("reports/good.json", R"({"file":"good.yml","offers":{"rejected":100001},"errors":[]})");
  EXPECT_THAT(where("7"), HasSubstr("(or it was rejected: the report does not list all that were)\n"));
  write("reports/good.json", "nonsense");
  EXPECT_THAT(where("7"), HasSubstr("feed       no report of it: is not a report"));
}

TEST_F(OfferWhereTest, AFeedThatWasRefusedOrChanged) {
  ingest(feed_with(offer_text("1")));
  ingest("<yml_catalog><shop>");
  EXPECT_THAT(where("1"), HasSubstr("good.yml was refused in line 1: truncated: "));
  EXPECT_THAT(where("1"), HasSubstr("; the earlier offers stay\nkey        "));
  ingest(feed_with(offer_text("1") + offer_text("2")));
  write("good.yml", feed_with(offer_text("1")));
  EXPECT_THAT(where("1"), HasSubstr("line not known: the file is not the one that was accepted last\n"));
  std::filesystem::remove(world_.folder.path() / "good.yml");
  EXPECT_THAT(where("1"), HasSubstr("line not known: the file is gone\n"));
}

}  // namespace
}  // namespace souk::control
