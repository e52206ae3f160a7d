// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/feed_url.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace souk::fetch {
namespace {

constexpr size_t kMaxUrlBytes = 4096;

struct UrlCleanup {
  void operator()(CURLU* url) const { ::curl_url_cleanup(url); }
};
using UrlHandle = std::unique_ptr<CURLU, UrlCleanup>;

std::unexpected<Error> bad(std::string message, const std::string& url) {
  return fail(ErrorCode::kInvalidArgument, std::move(message), url.substr(0, 200));
}

// Empty when the address has no such part.
std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (::curl_url_get(url, which, &text, flags) != CURLUE_OK || text == nullptr) return {};
  std::string out = text;
  ::curl_free(text);
  return out;
}

bool is_web_port(std::string_view port) {
  constexpr std::array<std::string_view, 4> kPorts{"80", "443", "8080", "8443"};
  return std::ranges::find(kPorts, port) != kPorts.end();
}

// base is empty, or what text is relative to.
Result<FeedUrl> read_url(const std::string& base, const std::string& text, bool any_port) {
  if (text.size() > kMaxUrlBytes) return bad("the address is too long", text);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  if (std::ranges::any_of(text, is_control)) return bad("the address has control characters", {});
  const UrlHandle url(::curl_url());
  if (!url) return fail(ErrorCode::kUnavailable, "out of memory");
  if (!base.empty()) ::curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0);
  const CURLUcode code = ::curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_URLENCODE);
  if (code == CURLUE_UNSUPPORTED_SCHEME) return bad("the address is neither http nor https", text);
  if (code != CURLUE_OK) return bad(std::string("the address cannot be read: ") + ::curl_url_strerror(code), text);
  const std::string scheme = part(url.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return bad("the address is neither http nor https", text);
  if (!part(url.get(), CURLUPART_USER).empty() || !part(url.get(), CURLUPART_PASSWORD).empty()) {
    return bad("the address has a user or a password", {});
  }
  if (!any_port && !is_web_port(part(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT))) {
    return bad("the address has a port other than 80, 443, 8080 and 8443", text);
  }
  ::curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
  FeedUrl out{part(url.get(), CURLUPART_URL), part(url.get(), CURLUPART_HOST), scheme == "https"};
  if (out.host.empty() || out.text.empty()) return bad("the address has no host", text);
  for (char& c : out.host) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

Result<FeedUrl> parse_feed_url(const std::string& text, bool any_port) {
  // libcurl would guess a scheme.
  if (!text.contains("://")) return bad("the address is neither http nor https", text);
  return read_url({}, text, any_port);
}

Result<FeedUrl> resolve_redirect(const FeedUrl& from, const std::string& location, bool any_port) {
  auto to = read_url(from.text, location, any_port);
  if (to && from.https && !to->https) return bad("a redirect from https to http is not followed", location);
  return to;
}

}  // namespace souk::fetch
