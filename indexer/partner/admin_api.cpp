// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/admin_api.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "indexer/partner/answers.h"
#include "indexer/partner/report_json.h"
#include "runtime/net/json_text.h"

namespace souk::partner {

namespace {

namespace json = boost::json;

constexpr std::string_view kShop = "/shops/";

std::string status_text(const std::string& name, const std::vector<ingest::ShopStatus>& shops) {
  uint64_t live_offers = 0;
  for (const ingest::ShopStatus& each : shops) live_offers += each.live_offers;
  const auto count = [&shops](auto is) { return static_cast<uint64_t>(std::ranges::count_if(shops, is)); };
  using Shop = ingest::ShopStatus;
  return net::to_text(json::object{
      {"role", "indexer"},
      {"name", name},
      {"shops", shops.size()},
      {"live_offers", live_offers},
      {"reading", count([](const Shop& each) { return each.reading; })},
      {"failing", count([](const Shop& each) { return each.shop.state.failures > 0; })},
      {"held", count([](const Shop& each) { return !each.shop.state.hold.reason.empty(); })},
  });
}

}  // namespace

AdminApi::AdminApi(std::string name, Calls& calls, Sessions& sessions, obs::Log log)
    : name_(std::move(name)), calls_(calls), sessions_(sessions), log_(std::move(log)) {}

boost::asio::awaitable<net::Response> AdminApi::handle(net::Request request) {
  // A page in an operator's browser must not be able to command this port.
  if (!request.header("origin").empty()) co_return forbidden("this port is not for pages of a browser");
  const bool get = request.method == "GET";
  if (request.path == "/status") {
    if (!get) co_return wrong_method("GET, HEAD");
    co_return co_await on_status();
  }
  if (request.path == "/shops") {
    if (get) co_return co_await on_shops();
    if (request.method != "POST") co_return wrong_method("GET, HEAD, POST");
    co_return co_await on_new_shop(std::move(request.body));
  }
  if (!request.path.starts_with(kShop)) co_return no_such_page();
  const std::string rest = request.path.substr(kShop.size());
  co_return co_await serve_shop(rest, std::move(request));
}

boost::asio::awaitable<net::Response> AdminApi::serve_shop(std::string rest, net::Request request) {
  const size_t slash = std::min(rest.find('/'), rest.size());
  const std::string action = rest.substr(slash);
  if (!action.empty() && action != "/release" && action != "/reread") co_return no_such_page();
  const auto shop = decode_shop_name(rest.substr(0, slash));
  if (!shop) co_return net::error_response(shop.error());
  if (action.empty()) {
    if (request.method == "GET") co_return co_await on_shop(*shop);
    if (request.method != "PUT") co_return wrong_method("GET, HEAD, PUT");
    co_return co_await on_settings(*shop, std::move(request.body));
  }
  if (request.method != "POST") co_return wrong_method("POST");
  if (action == "/release") co_return co_await on_release(*shop);
  co_return co_await on_reread(*shop);
}

boost::asio::awaitable<net::Response> AdminApi::on_status() {
  auto work = [name = name_](ingest::FeedService& service) -> Result<std::string> {
    const auto shops = service.shops();
    if (!shops) return std::unexpected(shops.error());
    return status_text(name, *shops);
  };
  const Result<std::string> body = co_await calls_.read(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> AdminApi::on_shops() {
  auto work = [](ingest::FeedService& service) -> Result<std::string> {
    const auto shops = service.shops();
    if (!shops) return std::unexpected(shops.error());
    json::array list;
    for (const ingest::ShopStatus& each : *shops) list.push_back(admin_json(each));
    return net::to_text(json::object{{"shops", std::move(list)}});
  };
  const Result<std::string> body = co_await calls_.read(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> AdminApi::on_new_shop(std::string body) {
  const auto shop = decode_new_shop(body);
  if (!shop) co_return net::error_response(shop.error());
  auto work = [shop = *shop](ingest::FeedService& service) { return put_shop(service, shop); };
  const Result<ingest::FeedService::Registered> made = co_await calls_.write(std::move(work));
  if (!made) co_return net::error_response(made.error());
  sessions_.end_all(shop->name);  // the old token let them in
  log_.info("shop " + shop->name + " is registered and has a new token");
  co_return net::json_response(
      net::to_text(json::object{{"number", made->shop.number}, {"name", made->shop.name}, {"token", made->token}}));
}

boost::asio::awaitable<net::Response> AdminApi::on_shop(std::string shop) {
  auto work = [shop = std::move(shop)](ingest::FeedService& service) -> Result<std::string> {
    const auto status = service.status(shop);
    if (!status) return std::unexpected(status.error());
    const auto runs = service.runs(shop);
    if (!runs) return std::unexpected(runs.error());
    json::object object = admin_json(*status);
    object["runs"] = runs_json(*runs);
    return net::to_text(object);
  };
  const Result<std::string> body = co_await calls_.read(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> AdminApi::on_settings(std::string shop, std::string body) {
  const auto change = decode_settings(body);
  if (!change) co_return net::error_response(change.error());
  auto work = [shop, change = *change](ingest::FeedService& service) -> Result<std::string> {
    const auto status = change_settings(service, shop, change);
    if (!status) return std::unexpected(status.error());
    return net::to_text(admin_json(*status));
  };
  const Result<std::string> changed = co_await calls_.write(std::move(work));
  if (changed) log_.info("an operator has changed the settings of shop " + shop);
  co_return json_answer(changed);
}

boost::asio::awaitable<net::Response> AdminApi::on_release(std::string shop) {
  auto work = [shop](ingest::FeedService& service) { return service.release(shop); };
  const Status done = co_await calls_.write(std::move(work));
  if (!done) co_return net::error_response(done.error());
  log_.info("an operator has released the held feed of shop " + shop);
  co_return net::json_response("{\"release\":\"done\"}", 202);
}

boost::asio::awaitable<net::Response> AdminApi::on_reread(std::string shop) {
  auto work = [shop](ingest::FeedService& service) { return service.reread(shop); };
  const Status queued = co_await calls_.read(std::move(work));
  co_return reread_answer(queued);
}

}  // namespace souk::partner
