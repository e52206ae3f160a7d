// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/partner_api.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "indexer/partner/answers.h"
#include "indexer/partner/report_json.h"
#include "runtime/net/json_text.h"

namespace souk::partner {

namespace {

namespace json = boost::json;

bool is_json(const net::Request& request) {
  const std::string_view type = request.header("content-type");
  return type.substr(0, type.find_first_of("; ")) == "application/json";
}

// Arguments of a path that takes none.
Status no_arguments(const net::Request& request) {
  const auto pairs = decode_pairs(request.query, {});
  return pairs ? Status{} : std::unexpected(pairs.error());
}

}  // namespace

PartnerApi::PartnerApi(Calls& calls, SignIn& sign_in, obs::Log log)
    : calls_(calls), sign_in_(sign_in), log_(std::move(log)) {}

boost::asio::awaitable<net::Response> PartnerApi::handle(net::Request request) {
  SignIn::Outcome signed_in = co_await sign_in_.with_token(bearer_token(request), peer_of(request));
  net::Response response;
  switch (signed_in.refusal) {
    case SignIn::Refusal::kNone:
      response = co_await serve(std::move(signed_in.shop), std::move(request));
      break;
    case SignIn::Refusal::kWrongToken:
      response = unauthorized();
      break;
    case SignIn::Refusal::kTooMany:
      response = too_many("too many wrong tokens from this address", 5);
      break;
    case SignIn::Refusal::kBusy:
      response = net::error_response(signed_in.error);
      break;
  }
  response.headers.push_back({"cache-control", "no-store"});
  co_return response;
}

boost::asio::awaitable<net::Response> PartnerApi::serve(std::string shop, net::Request request) {
  constexpr std::string_view kRuns = "/api/runs/";
  const std::string_view path = request.path;
  const bool one_run = path.starts_with(kRuns);
  const std::string method = path == "/api/shop" || path == "/api/runs" || one_run ? "GET"
                             : path == "/api/shop/feed"                            ? "PUT"
                             : path == "/api/check" || path == "/api/reread"       ? "POST"
                                                                                   : "";
  if (method.empty()) co_return no_such_page();
  if (request.method != method) co_return wrong_method(method == "GET" ? "GET, HEAD" : method);
  if (path == "/api/check") co_return co_await on_check(std::move(shop), std::move(request));
  if (one_run) co_return co_await on_run(std::move(shop), std::string(path.substr(kRuns.size())), request.query);
  if (const Status plain = no_arguments(request); !plain) co_return net::error_response(plain.error());
  if (path == "/api/shop") co_return co_await on_shop(std::move(shop));
  if (path == "/api/runs") co_return co_await on_runs(std::move(shop));
  if (path == "/api/shop/feed") co_return co_await on_feed(std::move(shop), std::move(request.body));
  co_return co_await on_reread(std::move(shop));
}

boost::asio::awaitable<net::Response> PartnerApi::on_shop(std::string shop) {
  auto work = [shop = std::move(shop)](ingest::FeedService& service) -> Result<std::string> {
    const auto status = service.status(shop);
    if (!status) return std::unexpected(status.error());
    return net::to_text(shop_json(*status));
  };
  const Result<std::string> body = co_await calls_.read(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> PartnerApi::on_feed(std::string shop, std::string body) {
  if (body.size() > kMaxJson) co_return too_large("the JSON has more than 64 KiB");
  const auto change = decode_feed_change(body);
  if (!change) co_return net::error_response(change.error());
  auto work = [shop, change = *change](ingest::FeedService& service) -> Result<std::string> {
    const auto status = change_settings(service, shop, change);
    if (!status) return std::unexpected(status.error());
    return net::to_text(shop_json(*status));
  };
  const Result<std::string> changed = co_await calls_.write(std::move(work));
  if (changed) log_.info("shop " + shop + " has changed its feed's settings");
  co_return json_answer(changed);
}

boost::asio::awaitable<net::Response> PartnerApi::on_runs(std::string shop) {
  auto work = [shop = std::move(shop)](ingest::FeedService& service) -> Result<std::string> {
    const auto runs = service.runs(shop);
    if (!runs) return std::unexpected(runs.error());
    return net::to_text(json::object{{"runs", runs_json(*runs)}});
  };
  const Result<std::string> body = co_await calls_.read(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> PartnerApi::on_run(std::string shop, std::string number, std::string query) {
  const auto wanted = decode_run_number(number);
  if (!wanted) co_return net::error_response(wanted.error());
  const auto range = decode_range(query);
  if (!range) co_return net::error_response(range.error());
  auto work = [shop = std::move(shop), wanted = *wanted,
               range = *range](ingest::FeedService& service) -> Result<std::string> {
    const auto run = service.run(shop, wanted);
    if (!run) return std::unexpected(run.error());
    return net::to_text(run_json(*run, range));
  };
  const Result<std::string> body = co_await calls_.read(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> PartnerApi::on_check(std::string shop, net::Request request) {
  if (!is_json(request)) co_return co_await check_body(std::move(shop), std::move(request));
  if (request.body.size() > kMaxJson) co_return too_large("the JSON has more than 64 KiB");
  if (const Status plain = no_arguments(request); !plain) co_return net::error_response(plain.error());
  const auto url = decode_check(request.body);
  if (!url) co_return net::error_response(url.error());
  auto work = [shop = std::move(shop), url = *url](ingest::FeedService& service) -> Result<std::string> {
    const auto report = service.check_address(shop, url);
    if (!report) return std::unexpected(report.error());
    return net::to_text(report_json(*report));
  };
  const Result<std::string> body = co_await calls_.check(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> PartnerApi::check_body(std::string shop, net::Request request) {
  const auto arguments = decode_pairs(request.query, {"mode"});
  if (!arguments) co_return net::error_response(arguments.error());
  const auto mode = feed::parse_mode(find_pair(*arguments, "mode"));
  if (!arguments->empty() && !mode) {
    co_return net::error_response({ErrorCode::kInvalidArgument, "must be strict or lenient", "mode"});
  }
  if (request.body.empty()) co_return net::error_response({ErrorCode::kInvalidArgument, "there is no feed", ""});
  auto work = [shop = std::move(shop), body = std::move(request.body),
               mode](ingest::FeedService& service) -> Result<std::string> {
    const auto status = service.status(shop);
    if (!status) return std::unexpected(status.error());
    const auto report = service.check_body(shop, body, mode.value_or(status->shop.settings.mode));
    if (!report) return std::unexpected(report.error());
    return net::to_text(report_json(*report));
  };
  const Result<std::string> body = co_await calls_.check(std::move(work));
  co_return json_answer(body);
}

boost::asio::awaitable<net::Response> PartnerApi::on_reread(std::string shop) {
  auto work = [shop = std::move(shop)](ingest::FeedService& service) { return service.reread(shop); };
  const Status queued = co_await calls_.read(std::move(work));
  co_return reread_answer(queued);
}

}  // namespace souk::partner
