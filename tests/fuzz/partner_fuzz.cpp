// SPDX-License-Identifier: Apache-2.0
// What strangers send to the shops' port: the first byte chooses a body, a path, headers, or a report whose texts are
// shown on the pages.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "indexer/partner/html.h"
#include "indexer/partner/language.h"
#include "indexer/partner/report_json.h"
#include "indexer/partner/report_page.h"
#include "indexer/partner/requests.h"
#include "runtime/net/json_text.h"
#include "runtime/net/utf8.h"

namespace souk::partner {
namespace {

void check_error(const Error& error) {
  SOUK_CHECK(error.code == ErrorCode::kInvalidArgument);
  SOUK_CHECK(net::is_utf8(error.argument) && error.argument.size() <= 300);
  SOUK_CHECK(error.message.size() < 300);
}

void check_change(const SettingsChange& change) {
  if (change.feed_url) {
    SOUK_CHECK(check_address(*change.feed_url, "").has_value() && net::is_utf8(*change.feed_url));
  }
  if (change.period_seconds) SOUK_CHECK(*change.period_seconds >= 60 && *change.period_seconds <= 604'800);
  if (change.regions) SOUK_CHECK(change.regions->size() <= 100);
}

void check_bodies(std::string_view text) {
  for (const auto& change : {decode_feed_change(text), decode_settings(text)}) {
    if (change) {
      check_change(*change);
    } else {
      check_error(change.error());
    }
  }
  if (const auto shop = decode_new_shop(text)) {
    check_change(shop->settings);
    SOUK_CHECK(decode_shop_name(net::percent_encode(shop->name)).value_or("") == shop->name);
  } else {
    check_error(shop.error());
  }
  const auto url = decode_check(text);
  if (!url) check_error(url.error());
}

void check_paths_and_forms(std::string_view text) {
  if (const auto name = decode_shop_name(text)) {
    SOUK_CHECK(!name->empty() && name->size() <= 100 && net::is_utf8(*name));
    SOUK_CHECK(decode_shop_name(net::percent_encode(*name)).value_or("") == *name);
  } else {
    check_error(name.error());
  }
  if (const auto number = decode_run_number(text)) SOUK_CHECK(*number > 0);
  if (const auto range = decode_range(text)) SOUK_CHECK(range->limit > 0 && range->limit <= 10'000);
  if (const auto pairs = decode_pairs(text, {"token", "url"})) {
    SOUK_CHECK(pairs->size() <= 2);
  } else {
    check_error(pairs.error());
  }
}

void check_headers(std::string_view text) {
  net::Request request;
  for (const char* name : {"authorization", "cookie", "origin", "x-forwarded-for"})
    request.headers.push_back({name, std::string(text)});
  request.headers.push_back({"host", "market.example"});
  request.peer_ip = "127.0.0.1";
  SOUK_CHECK(peer_of(request).size() <= 100);
  SOUK_CHECK(bearer_token(request).size() <= 200);
  SOUK_CHECK(cookie(request, "souk_session").size() <= text.size());
  if (is_same_origin(request))
    SOUK_CHECK(text.size() - text.find("://") == std::string_view("://market.example").size());
  (void)accepted_language(text);
}

// Whatever a feed says, the page's markup is ours.
size_t tags_of(std::string_view page) {
  return static_cast<size_t>(std::ranges::count(page, '<'));
}

ReportView view_of(const std::string& text) {
  ReportView view;
  offers::Shop& shop = view.status.shop;
  shop.name = shop.display_name = shop.settings.feed_url = "a" + text;
  shop.state.hold = {"prices_jump", text, text, 1, false};
  ingest::FeedRun run;
  run.number = 1;
  run.note = "a" + text;
  run.report.file = text;
  run.report.date = "a" + text;
  run.report.feed_error = {"a" + text, 1, "a" + text};
  run.report.errors.push_back({1, text, "a" + text, text});
  run.report.error_kinds["a" + text] = 1;
  view.run = run;
  view.runs = {run, run};
  return view;
}

void check_pages(std::string_view text) {
  const ReportView view = view_of(std::string(text));
  for (const Language language : {Language::kRussian, Language::kEnglish}) {
    const std::string page = report_page(language, view);
    SOUK_CHECK(net::is_utf8(page) && tags_of(page) == tags_of(report_page(language, view_of(""))));
    const std::string check = check_page(language, view.status.shop.name, view.run->report);
    SOUK_CHECK(net::is_utf8(check) && !check.contains("<script"));
  }
  for (const boost::json::object& object : {run_json(*view.run, {}), admin_json(view.status)}) {
    SOUK_CHECK(boost::json::parse(net::to_text(object)).is_object());
  }
}

}  // namespace
}  // namespace souk::partner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk::partner;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      check_bodies(text);
      break;
    case 1:
      check_paths_and_forms(text);
      break;
    case 2:
      check_headers(text);
      break;
    default:
      check_pages(text);
      break;
  }
  return 0;
}
