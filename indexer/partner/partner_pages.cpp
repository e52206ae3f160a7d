// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/partner_pages.h"

#include "indexer/partner/answers.h"
#include "indexer/partner/report_page.h"
#include "indexer/partner/style.h"
#include "indexer/partner/texts.h"

namespace souk::partner {

namespace {

constexpr std::string_view kSessionCookie = "souk_session";
constexpr std::string_view kLanguageCookie = "souk_lang";
constexpr std::string_view kReport = "/report/";
constexpr size_t kMaxForm = 8 * 1024;
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

net::Response page(std::string html, int status = 200) {
  return {.status = status, .content_type = "text/html; charset=utf-8", .headers = {}, .body = std::move(html)};
}

net::Response see_other(const std::string& path) {
  return {.status = 303, .content_type = "text/plain; charset=utf-8", .headers = {{"location", path}}, .body = {}};
}

net::Response style() {
  net::Response response;
  response.content_type = "text/css; charset=utf-8";
  response.headers.push_back({"cache-control", "public, max-age=3600"});
  response.body = kStyle;
  return response;
}

net::Response error_page(Language language, const std::string& shop, const Error& error) {
  const Texts& say = texts(language);
  const int status = traits(error.code).http_status;
  const bool busy = status == 503 || status == 504;
  const std::string message = busy ? std::string(say.busy) : std::string(say.failed) + ": " + to_string(error);
  return page(message_page(language, shop, {message, busy ? "wait" : "bad"}), status);
}

std::vector<net::QueryPair> pairs_or_none(std::string_view text) {
  auto pairs = net::parse_query(text, 16);
  return pairs ? std::move(*pairs) : std::vector<net::QueryPair>();
}

Note note_of(std::string_view name, Language language) {
  if (name == "reread") return {texts(language).reread_done};
  if (name == "early") return {texts(language).reread_early, "wait"};
  if (name == "out") return {texts(language).signed_out};
  return {};
}

bool is_form(const net::Request& request) {
  const std::string_view type = request.header("content-type");
  return type.substr(0, type.find_first_of("; ")) == "application/x-www-form-urlencoded";
}

net::Header session_cookie(const std::string& value, std::chrono::seconds age, bool secure) {
  return {"set-cookie", std::string(kSessionCookie) + "=" + value + "; Max-Age=" + std::to_string(age.count()) +
                            "; Path=/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "")};
}

// Everything of a report page, read and written on a pool thread.
Result<std::string> make_report(ingest::FeedService& service, const std::string& shop, uint64_t number,
                                Language language, const std::string& note) {
  auto status = service.status(shop);
  if (!status) return std::unexpected(status.error());
  auto runs = service.runs(shop);
  if (!runs) return std::unexpected(runs.error());
  ReportView view{std::move(*status), std::move(*runs), std::nullopt, note_of(note, language)};
  if (number == 0 && !view.runs.empty()) number = view.runs.front().number;
  if (number > 0) {
    auto run = service.run(shop, number);
    if (!run) return std::unexpected(run.error());
    view.run = std::move(*run);
  }
  return report_page(language, view);
}

}  // namespace

PartnerPages::PartnerPages(Calls& calls, Sessions& sessions, SignIn& sign_in)
    : calls_(calls), sessions_(sessions), sign_in_(sign_in) {}

PartnerPages::Visit PartnerPages::visit_of(const net::Request& request) const {
  Visit visit;
  auto language = parse_language(find_pair(pairs_or_none(request.query), "lang"));
  if (!language) language = parse_language(cookie(request, kLanguageCookie));
  visit.language = language ? *language : accepted_language(request.header("accept-language"));
  visit.session = cookie(request, kSessionCookie);
  if (!visit.session.empty()) visit.shop = sessions_.shop_of(visit.session).value_or("");
  return visit;
}

boost::asio::awaitable<net::Response> PartnerPages::handle(net::Request request) {
  const auto language = parse_language(find_pair(pairs_or_none(request.query), "lang"));
  Visit visit = visit_of(request);
  net::Response response = co_await serve(std::move(visit), std::move(request));
  if (response.content_type.starts_with("text/html") || response.status == 303) {
    response.headers.push_back({"cache-control", "no-store"});
    response.headers.push_back({"vary", "Cookie, Accept-Language"});
  }
  if (language) {
    response.headers.push_back({"set-cookie", std::string(kLanguageCookie) + "=" + std::string(to_string(*language)) +
                                                  "; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict"});
  }
  response.headers.push_back({"content-security-policy", kPolicy});
  response.headers.push_back({"referrer-policy", "same-origin"});  // "no-referrer" would hide a form's Origin
  response.headers.push_back({"cross-origin-resource-policy", "same-origin"});
  co_return response;
}

boost::asio::awaitable<net::Response> PartnerPages::serve(Visit visit, net::Request request) {
  const std::string path = request.path;
  const bool form = path == "/login" || path == "/logout" || path == "/reread" || path == "/check";
  const bool report = path == "/report" || path.starts_with(kReport);
  if (!form && !report && path != "/" && path != "/style.css") co_return no_such_page();
  if (request.method != (form ? "POST" : "GET")) co_return wrong_method(form ? "POST" : "GET, HEAD");
  if (form) co_return co_await post(std::move(visit), std::move(request));
  if (path == "/style.css") co_return style();
  const std::string note = find_pair(pairs_or_none(request.query), "note");
  if (path == "/" && visit.shop.empty()) {
    co_return page(sign_in_page(visit.language, note_of(note, visit.language)));
  }
  if (path == "/") co_return see_other("/report");
  if (visit.shop.empty()) co_return see_other("/");
  // 0 = the last run
  const Result<uint64_t> number = path == "/report" ? 0 : decode_run_number(path.substr(kReport.size()));
  if (!number)
    co_return page(message_page(visit.language, visit.shop, {texts(visit.language).no_such_run, "bad"}), 404);
  co_return co_await on_report(std::move(visit), *number, note);
}

boost::asio::awaitable<net::Response> PartnerPages::post(Visit visit, net::Request request) {
  if (!is_same_origin(request) || !is_form(request)) {
    co_return page(sign_in_page(visit.language, {texts(visit.language).foreign_form, "bad"}), 403);
  }
  if (request.body.size() > kMaxForm) co_return too_large("a form has at most 8 KiB");
  if (request.path == "/login") co_return co_await on_login(std::move(visit), std::move(request));
  if (request.path == "/logout") co_return on_logout(visit);
  if (visit.shop.empty()) co_return see_other("/");
  if (request.path == "/reread") co_return co_await on_reread(std::move(visit));
  co_return co_await on_check(std::move(visit), std::move(request.body));
}

boost::asio::awaitable<net::Response> PartnerPages::on_login(Visit visit, net::Request request) {
  const auto form = decode_pairs(request.body, {"token"});
  const Texts& say = texts(visit.language);
  std::string token = form ? find_pair(*form, "token") : std::string();
  const SignIn::Outcome signed_in = co_await sign_in_.with_token(std::move(token), peer_of(request));
  switch (signed_in.refusal) {
    case SignIn::Refusal::kNone:
      break;
    case SignIn::Refusal::kWrongToken:
      co_return page(sign_in_page(visit.language, {say.wrong_token, "bad"}), 403);
    case SignIn::Refusal::kTooMany:
      co_return page(sign_in_page(visit.language, {say.too_many_tries, "bad"}), 429);
    case SignIn::Refusal::kBusy:
      co_return page(sign_in_page(visit.language, {say.busy, "wait"}), traits(signed_in.error.code).http_status);
  }
  if (!visit.session.empty()) sessions_.end(visit.session);
  net::Response response = see_other("/report");
  const bool secure = request.header("origin").starts_with("https://");
  response.headers.push_back(session_cookie(sessions_.begin(signed_in.shop), Sessions::kAge, secure));
  co_return response;
}

net::Response PartnerPages::on_logout(const Visit& visit) {
  if (!visit.session.empty()) sessions_.end(visit.session);
  net::Response response = see_other("/?note=out");
  response.headers.push_back(session_cookie("", std::chrono::seconds(0), false));
  return response;
}

boost::asio::awaitable<net::Response> PartnerPages::on_report(Visit visit, uint64_t number, std::string note) {
  auto work = [shop = visit.shop, number, language = visit.language, note = std::move(note)](
                  ingest::FeedService& service) { return make_report(service, shop, number, language, note); };
  Result<std::string> html = co_await calls_.read(std::move(work));
  if (html) co_return page(std::move(*html));
  if (html.error().code == ErrorCode::kNotFound) {
    co_return page(message_page(visit.language, visit.shop, {texts(visit.language).no_such_run, "bad"}), 404);
  }
  co_return error_page(visit.language, visit.shop, html.error());
}

boost::asio::awaitable<net::Response> PartnerPages::on_reread(Visit visit) {
  auto work = [shop = visit.shop](ingest::FeedService& service) { return service.reread(shop); };
  const Status queued = co_await calls_.read(std::move(work));
  if (queued) co_return see_other("/report?note=reread");
  if (queued.error().code == ErrorCode::kOverloaded) co_return see_other("/report?note=early");
  co_return error_page(visit.language, visit.shop, queued.error());
}

boost::asio::awaitable<net::Response> PartnerPages::on_check(Visit visit, std::string body) {
  const auto form = decode_pairs(body, {"url"});
  if (!form) co_return error_page(visit.language, visit.shop, form.error());
  const std::string url = find_pair(*form, "url");
  if (const Status good = check_address(url, "url"); !good) {
    co_return error_page(visit.language, visit.shop, good.error());
  }
  auto work = [shop = visit.shop, url, language = visit.language](ingest::FeedService& service) -> Result<std::string> {
    const auto report = service.check_address(shop, url);
    if (!report) return std::unexpected(report.error());
    return check_page(language, shop, *report);
  };
  Result<std::string> html = co_await calls_.check(std::move(work));
  if (!html) co_return error_page(visit.language, visit.shop, html.error());
  co_return page(std::move(*html));
}

}  // namespace souk::partner
