// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/indexer/partner/partner_fixture.h"

namespace souk::partner {
namespace {

namespace json = boost::json;

using AdminApiTest = PartnerFixture;

const std::string kNorth = "/shops/%D0%A1%D0%B5%D0%B2%D0%B5%D1%80";

TEST_F(AdminApiTest, AShopIsRegisteredAndItsTokenShownOnce) {
  const net::Response made = admin("POST", "/shops",
                                   R"({"name":"Восток","feed_url":"http://east.example/f.yml","mode":"lenient",)"
                                   R"("period_seconds":600,"regions":["Тверь"]})");
  ASSERT_EQ(made.status, 200) << made.body;
  const json::object shop = object_of(made);
  EXPECT_EQ(shop.at("name").as_string(), "Восток");
  EXPECT_EQ(shop.at("number").as_int64(), 3);
  const std::string token(shop.at("token").as_string());
  net::Request request{.path = "/api/shop", .headers = {{"authorization", "Bearer " + token}}};
  EXPECT_EQ(object_of(partner(request)).at("feed").at("period_seconds").as_int64(), 600);
  for (const char* path : {"/shops", "/status", "/metrics", "/shops/%D0%92%D0%BE%D1%81%D1%82%D0%BE%D0%BA"}) {
    EXPECT_FALSE(admin("GET", path).body.contains(token)) << path;
  }
}

TEST_F(AdminApiTest, ANewTokenLeavesTheSettingsThatAreNotNamed) {
  const net::Response made = admin("POST", "/shops", R"({"name":"Север","period_seconds":900})");
  ASSERT_EQ(made.status, 200);
  EXPECT_EQ(object_of(made).at("number").as_int64(), 1);
  const offers::ShopSettings& settings = service_->entry("Север").status.shop.settings;
  EXPECT_EQ(settings.mode, feed::Mode::kLenient);
  EXPECT_EQ(settings.period_seconds, 900);
  EXPECT_EQ(api("GET", "/api/shop").status, 401);  // the old token
}

TEST_F(AdminApiTest, WhatIsWrongIsNamed) {
  EXPECT_EQ(error_of(admin("POST", "/shops", R"({"feed_url":"http://a/"})")), "invalid_argument name");
  EXPECT_EQ(error_of(admin("POST", "/shops", R"({"name":"a","feed_url":"a"})")), "invalid_argument feed_url");
  EXPECT_EQ(error_of(admin("POST", "/shops", R"({"name":"a","colour":1})")), "invalid_argument colour");
  EXPECT_EQ(error_of(admin("PUT", kNorth, R"({"mode":"x"})")), "invalid_argument mode");
  EXPECT_EQ(error_of(admin("PUT", kNorth, "{}")), "invalid_argument ");
  EXPECT_EQ(error_of(admin("POST", "/shops", std::string(60'000, '['))), "invalid_argument ");
  EXPECT_EQ(error_of(admin("POST", "/shops", "{\"name\":\"\xff\"}")), "invalid_argument ");
  EXPECT_EQ(error_of(admin("GET", "/shops/%zz")), "invalid_argument name");
  EXPECT_EQ(admin("GET", "/shops/none").status, 404);
  EXPECT_EQ(admin("PUT", "/shops/none", R"({"mode":"strict"})").status, 404);
}

TEST_F(AdminApiTest, ShopsAreListedAndShown) {
  const json::array shops = object_of(admin("GET", "/shops")).at("shops").as_array();
  ASSERT_EQ(shops.size(), 2);
  const json::object shop = object_of(admin("GET", kNorth));
  EXPECT_EQ(shop.at("number").as_int64(), 1);
  EXPECT_EQ(shop.at("key").as_string(), "1000000000000000001");
  EXPECT_EQ(shop.at("runs").as_array().size(), 7);
  EXPECT_EQ(shop.at("regions"), (json::array{"Москва"}));
  const json::object status = object_of(admin("GET", "/status"));
  EXPECT_EQ(status.at("role").as_string(), "indexer");
  EXPECT_EQ(status.at("shops").as_int64(), 2);
  EXPECT_EQ(status.at("held").as_int64(), 1);
  EXPECT_EQ(status.at("failing").as_int64(), 1);
}

TEST_F(AdminApiTest, SettingsChangeAndFeedsAreReleasedAndReadAgain) {
  EXPECT_EQ(admin("PUT", kNorth, R"({"regions":[],"mode":"strict"})").status, 200);
  const offers::ShopSettings& settings = service_->entry("Север").status.shop.settings;
  EXPECT_TRUE(settings.regions.empty());
  EXPECT_EQ(settings.mode, feed::Mode::kStrict);
  EXPECT_EQ(settings.period_seconds, 3600);

  EXPECT_EQ(admin("POST", kNorth + "/release").status, 202);
  EXPECT_TRUE(service_->entry("Север").status.shop.state.hold.released);
  EXPECT_EQ(admin("POST", kNorth + "/release").status, 404);
  EXPECT_EQ(admin("POST", kNorth + "/reread").status, 202);
  service_->entry("Север").asked_lately = true;
  EXPECT_EQ(admin("POST", kNorth + "/reread").status, 429);
  EXPECT_EQ(admin("POST", "/shops/none/reread").status, 404);
}

TEST_F(AdminApiTest, OtherMethodsAndPathsAreRefused) {
  EXPECT_EQ(header_of(admin("DELETE", "/shops"), "allow"), "GET, HEAD, POST");
  EXPECT_EQ(header_of(admin("POST", kNorth), "allow"), "GET, HEAD, PUT");
  EXPECT_EQ(header_of(admin("GET", kNorth + "/release"), "allow"), "POST");
  EXPECT_EQ(header_of(admin("POST", "/status"), "allow"), "GET, HEAD");
  EXPECT_EQ(header_of(admin("POST", "/ping"), "allow"), "GET, HEAD");
  EXPECT_EQ(admin("GET", "/ping").body, "ok\n");
  EXPECT_EQ(admin("GET", "/none").status, 404);
  EXPECT_EQ(admin("POST", kNorth + "/delete").status, 404);
  EXPECT_EQ(admin("GET", "/api/shop").status, 404);
}

TEST_F(AdminApiTest, APageInABrowserCommandsNothing) {
  net::Request request{.method = "POST", .path = "/shops", .headers = {{"origin", "http://evil.example"}}};
  request.body = R"({"name":"x"})";
  EXPECT_EQ(testing::run(io_, server_->admin_handler()(request)).status, 403);
  EXPECT_EQ(admin("GET", "/shops/x").status, 404);
}

}  // namespace
}  // namespace souk::partner
