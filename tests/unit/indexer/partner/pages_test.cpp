// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/report_page.h"
#include "indexer/partner/sessions.h"
#include "tests/unit/indexer/partner/partner_fixture.h"

namespace souk::partner {
namespace {

class PagesTest : public PartnerFixture {
 protected:
  net::Response get(const std::string& path, const std::string& query = {}) {
    net::Request request{.path = path, .query = query};
    request.headers = {{"host", "market.example"}, {"accept-language", language_}};
    if (!cookie_.empty()) request.headers.push_back({"cookie", "x=1; " + cookie_});
    return partner(std::move(request));
  }
  net::Response post(const std::string& path, const std::string& body, std::vector<net::Header> headers) {
    headers.push_back({"host", "market.example"});
    headers.push_back({"accept-language", language_});
    if (!cookie_.empty()) headers.push_back({"cookie", cookie_});
    return partner({.method = "POST", .path = path, .headers = std::move(headers), .body = body});
  }
  net::Response submit(const std::string& path, const std::string& body = {}) {
    return post(path, body,
                {{"origin", "https://market.example"}, {"content-type", "application/x-www-form-urlencoded"}});
  }
  net::Response sign_in(const std::string& token = "token-1-1") {
    net::Response response = submit("/login", "token=" + token);
    const std::string set = header_of(response, "set-cookie");
    if (response.status == 303) cookie_ = set.substr(0, set.find(';'));
    return response;
  }

  std::string cookie_;
  std::string language_ = "en";
};

TEST_F(PagesTest, AManagerSignsInAndOut) {
  const net::Response door = get("/");
  EXPECT_EQ(door.status, 200);
  EXPECT_TRUE(door.body.contains("action=\"/login\""));
  EXPECT_EQ(header_of(get("/report"), "location"), "/");

  const net::Response in = sign_in();
  ASSERT_EQ(in.status, 303);
  EXPECT_EQ(header_of(in, "location"), "/report");
  const std::string set = header_of(in, "set-cookie");
  for (const char* part :
       {"souk_session=", "; HttpOnly", "; SameSite=Strict", "; Path=/", "; Secure", "; Max-Age=28800"}) {
    EXPECT_TRUE(set.contains(part)) << set;
  }
  EXPECT_FALSE(set.contains("token-1-1"));
  EXPECT_EQ(header_of(get("/"), "location"), "/report");
  EXPECT_EQ(get("/report").status, 200);

  const net::Response out = submit("/logout");
  EXPECT_EQ(out.status, 303);
  EXPECT_TRUE(header_of(out, "set-cookie").contains("Max-Age=0"));
  EXPECT_EQ(header_of(get("/report"), "location"), "/");  // with the old cookie
}

TEST_F(PagesTest, ASessionExpires) {
  sign_in();
  clock_.advance(Sessions::kAge - std::chrono::seconds(1));
  EXPECT_EQ(get("/report").status, 200);
  clock_.advance(std::chrono::seconds(1));
  EXPECT_EQ(header_of(get("/report"), "location"), "/");
  EXPECT_EQ(header_of(submit("/reread"), "location"), "/");
  EXPECT_EQ(service_->entry("Север").rereads, 0);
}

TEST_F(PagesTest, ANewTokenEndsTheSessionsOfTheOld) {
  sign_in();
  EXPECT_EQ(admin("POST", "/shops", R"({"name":"Юг"})").status, 200);
  EXPECT_EQ(get("/report").status, 200);
  EXPECT_EQ(admin("POST", "/shops", R"({"name":"Север"})").status, 200);
  EXPECT_EQ(get("/report").status, 303);
}

TEST_F(PagesTest, AWrongTokenSignsNobodyIn) {
  for (const char* token : {"", "nonsense", "token-1-2", "%ff"}) {
    const net::Response response = sign_in(token);
    EXPECT_EQ(response.status, 403) << token;
    EXPECT_TRUE(response.body.contains("No shop has this token"));
    EXPECT_TRUE(header_of(response, "set-cookie").empty());
  }
  for (int i = 0; i < 20; ++i) sign_in("nonsense");
  EXPECT_EQ(sign_in().status, 429);
}

TEST_F(PagesTest, FormsOfOtherSitesDoNothing) {
  sign_in();
  const net::Header form{"content-type", "application/x-www-form-urlencoded"};
  const std::vector<std::vector<net::Header>> kForeign = {
      {{"origin", "https://evil.example"}, form},
      {{"origin", "null"}, form},
      {{"sec-fetch-site", "cross-site"}, form},
      {form},
      {{"origin", "https://market.example"}, {"content-type", "text/plain"}}};
  for (const auto& headers : kForeign) {
    for (const char* path : {"/reread", "/check", "/logout", "/login"}) {
      EXPECT_EQ(post(path, "url=http%3A%2F%2Fa%2F", headers).status, 403) << path;
    }
  }
  EXPECT_EQ(service_->entry("Север").rereads, 0);
  EXPECT_EQ(get("/report").status, 200);  // still signed in
  EXPECT_EQ(submit("/reread").status, 303);
  EXPECT_EQ(service_->entry("Север").rereads, 1);
}

TEST_F(PagesTest, EveryPageForbidsScriptsAndFrames) {
  std::vector<net::Response> pages = {get("/"), get("/style.css"), get("/none"), submit("/login", "token=x")};
  sign_in();
  pages.push_back(get("/report"));
  pages.push_back(get("/report/1"));
  pages.push_back(submit("/check", "url=http%3A%2F%2Fa%2F"));
  for (const net::Response& page : pages) {
    const std::string policy = header_of(page, "content-security-policy");
    EXPECT_TRUE(policy.starts_with("default-src 'none'; style-src 'self'; ")) << policy;
    EXPECT_TRUE(policy.contains("frame-ancestors 'none'"));
    EXPECT_FALSE(policy.contains("unsafe"));
    EXPECT_EQ(header_of(page, "x-content-type-options"), "nosniff");
    EXPECT_EQ(header_of(page, "referrer-policy"), "same-origin");
    if (page.content_type.starts_with("text/html")) {
      EXPECT_EQ(header_of(page, "cache-control"), "no-store");
      for (const char* inline_code : {"<script", "style=\"", " onclick", "javascript:"}) {
        EXPECT_FALSE(page.body.contains(inline_code)) << inline_code;
      }
    }
  }
}

TEST_F(PagesTest, TheReportShowsWhatWasTakenAndWhatWasNot) {
  sign_in();
  const std::string page = get("/report").body;
  for (const char* part : {"12,840", "More than 30 % of your offers", "6200 of 12840 offers would go", "missing_price",
                           "zero_price", "price_repaired", "A-1019", "9104", "Read again", "Check an address",
                           "href=\"/report/3\"", "2026-01-31 12:05 UTC", "Failures in a row"}) {
    EXPECT_TRUE(page.contains(part)) << part;
  }
  EXPECT_FALSE(page.contains("A-1020"));  // twenty of each kind
  const std::string refused = get("/report/5").body;
  EXPECT_TRUE(refused.contains("truncated"));
  EXPECT_TRUE(refused.contains("20133"));
  EXPECT_TRUE(refused.contains("Buyers see your earlier offers"));
  EXPECT_TRUE(get("/report/6").body.contains("http_404"));
  for (const char* none : {"/report/8", "/report/0", "/report/x", "/report/", "/report/1/2"}) {
    EXPECT_EQ(get(none).status, 404) << none;
  }
}

TEST_F(PagesTest, NothingThatAShopWroteIsMarkup) {
  sign_in();
  for (const std::string& page :
       {get("/report").body, submit("/check", "url=http%3A%2F%2Fa%2F%3Fq%3D%22%3E%3Cb%3E").body}) {
    EXPECT_TRUE(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    EXPECT_FALSE(page.contains("<script"));
    EXPECT_FALSE(page.contains("<сыновья>"));
    EXPECT_FALSE(page.contains("q=\"><b>"));
    EXPECT_FALSE(page.contains('\xff'));
    EXPECT_FALSE(page.contains('\x01'));
  }
  EXPECT_TRUE(get("/report").body.contains("Север &amp; &lt;сыновья&gt;"));
}

TEST_F(PagesTest, TheReadersLanguageIsSpoken) {
  EXPECT_TRUE(get("/").body.contains("<html lang=\"en\">"));
  language_ = "ru-RU,en;q=0.5";
  EXPECT_TRUE(get("/").body.contains("Войти"));
  const net::Response chosen = get("/", "lang=en");
  EXPECT_TRUE(chosen.body.contains("Sign in"));
  EXPECT_TRUE(header_of(chosen, "set-cookie").starts_with("souk_lang=en; "));
  EXPECT_TRUE(header_of(get("/", "lang=xx"), "set-cookie").empty());
  cookie_ = "souk_lang=en";
  EXPECT_TRUE(get("/").body.contains("Sign in"));
  cookie_.clear();
  sign_in();
  EXPECT_TRUE(get("/report").body.contains("Отклонённые предложения"));
  EXPECT_TRUE(get("/report", "lang=en").body.contains("Offers that were refused"));
}

TEST_F(PagesTest, AnAddressIsCheckedAndAReadingAskedFor) {
  sign_in();
  const net::Response checked = submit("/check", "url=https%3A%2F%2Fshop.example%2Fnew.yml");
  EXPECT_EQ(checked.status, 200);
  EXPECT_TRUE(checked.body.contains("https://shop.example/new.yml"));
  EXPECT_TRUE(checked.body.contains("Nothing of it is published"));
  EXPECT_EQ(submit("/check", "url=ftp%3A%2F%2Fa").status, 400);
  EXPECT_EQ(submit("/check", "").status, 400);
  EXPECT_EQ(submit("/check", "url=http%3A%2F%2Fa%2F&x=1").status, 400);
  EXPECT_EQ(submit("/check", "url=" + std::string(9000, 'x')).status, 413);

  EXPECT_EQ(header_of(submit("/reread"), "location"), "/report?note=reread");
  EXPECT_TRUE(get("/report", "note=reread").body.contains("will be read in a moment"));
  service_->entry("Север").asked_lately = true;
  EXPECT_EQ(header_of(submit("/reread"), "location"), "/report?note=early");
  EXPECT_FALSE(get("/report", "note=%3Cb%3E").body.contains("class=\"note"));
}

TEST_F(PagesTest, AShopWithoutRunsHasAPageToo) {
  sign_in("token-2-2");
  const net::Response page = get("/report");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.body.contains("has not been read yet"));
  EXPECT_TRUE(page.body.contains("handed over as a file"));
  EXPECT_FALSE(page.body.contains("action=\"/reread\""));
}

TEST_F(PagesTest, ABusyMarketSaysSo) {
  sign_in();
  service_->failure = Error{ErrorCode::kOverloaded, "inner words", ""};
  const net::Response page = get("/report");
  EXPECT_EQ(page.status, 503);
  EXPECT_TRUE(page.body.contains("The market is busy"));
  EXPECT_FALSE(page.body.contains("inner words"));
  EXPECT_EQ(submit("/check", "url=http%3A%2F%2Fa%2F").status, 503);
}

TEST_F(PagesTest, OtherMethodsAreRefused) {
  EXPECT_EQ(header_of(submit("/report"), "allow"), "GET, HEAD");
  for (const char* form : {"/login", "/logout", "/reread", "/check"}) {
    EXPECT_EQ(get(form).status, 405) << form;
    EXPECT_EQ(header_of(get(form), "allow"), "POST");
  }
}

}  // namespace
}  // namespace souk::partner
