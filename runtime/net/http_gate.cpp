// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_gate.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/ascii.h"

namespace souk::net {

namespace {

using Refusal = HttpGate::Refusal;

bool is_token_char(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) { return to_lower(a) == b; });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Where the first CR without LF or LF without CR stands; a CR at the very end may still get its LF.
bool has_bare_line_end(std::string_view bytes) {
  for (size_t at = bytes.find_first_of("\r\n"); at != std::string_view::npos; at = bytes.find_first_of("\r\n", at)) {
    if (bytes[at] == '\n') return true;
    if (at + 1 == bytes.size()) return false;
    if (bytes[at + 1] != '\n') return true;
    at += 2;
  }
  return false;
}

// Reads one whole head line by line.
class HeadReader {
 public:
  explicit HeadReader(size_t max_headers) : max_headers_(max_headers) {}

  std::optional<Refusal> request_line(std::string_view line) {
    const size_t first = line.find(' ');
    const size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return Refusal{400, "malformed request line"};
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(method)) return Refusal{400, "malformed method"};
    if (target.empty() || target.front() != '/') return Refusal{400, "the request target must begin with /"};
    const auto bad = [](char c) { return is_control(c) || c == ' ' || c == '#'; };
    if (std::ranges::any_of(target, bad)) return Refusal{400, "bad character in the request target"};
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
      return version.starts_with("HTTP/") ? Refusal{505, "only HTTP/1.1 and HTTP/1.0 are spoken here"}
                                          : Refusal{400, "malformed request line"};
    }
    bodiless_ = method == "GET" || method == "HEAD";
    old_version_ = version == "HTTP/1.0";
    return std::nullopt;
  }

  std::optional<Refusal> header(std::string_view line) {
    if (++headers_ > max_headers_) {
      return Refusal{431, "more than " + std::to_string(max_headers_) + " headers"};
    }
    if (line.front() == ' ' || line.front() == '\t') return Refusal{400, "folded header line"};
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
      return Refusal{400, "malformed header name"};
    }
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trim(line.substr(colon + 1));
    if (std::ranges::any_of(value, [](char c) { return is_control(c) && c != '\t'; })) {
      return Refusal{400, "control character in a header"};
    }
    if (equal_ignoring_case(name, "transfer-encoding")) return Refusal{400, "Transfer-Encoding is not accepted"};
    if (equal_ignoring_case(name, "content-length")) return content_length(value);
    if (equal_ignoring_case(name, "host")) return host(value);
    if (equal_ignoring_case(name, "expect")) return expect(value);
    return std::nullopt;
  }

  std::optional<Refusal> end() const {
    if (hosts_ == 0 && !old_version_) return Refusal{400, "no Host header"};
    if (bodiless_ && length_ > 0) return Refusal{400, "a body is not accepted with GET or HEAD"};
    return std::nullopt;
  }

  uint64_t length() const { return length_; }
  bool expects_continue() const { return expects_continue_ && length_ > 0; }

 private:
  std::optional<Refusal> content_length(std::string_view value) {
    if (++lengths_ > 1) return Refusal{400, "more than one Content-Length"};
    const bool digits = !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return Refusal{400, "Content-Length is not a number"};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length_);
    if (error != std::errc()) return Refusal{413, "the body is too long"};
    return std::nullopt;
  }

  std::optional<Refusal> host(std::string_view value) {
    if (++hosts_ > 1) return Refusal{400, "more than one Host header"};
    if (value.find_first_of(" \t,/\\@?#\"<>") != std::string_view::npos) return Refusal{400, "malformed Host header"};
    return std::nullopt;
  }

  std::optional<Refusal> expect(std::string_view value) {
    if (!equal_ignoring_case(value, "100-continue")) return Refusal{417, "unknown expectation"};
    expects_continue_ = true;
    return std::nullopt;
  }

  size_t max_headers_;
  size_t headers_ = 0;
  size_t hosts_ = 0;
  size_t lengths_ = 0;
  uint64_t length_ = 0;
  bool bodiless_ = false;
  bool old_version_ = false;
  bool expects_continue_ = false;
};

}  // namespace

HttpGate::Verdict HttpGate::check(std::string_view bytes) const {
  const size_t end = bytes.find("\r\n\r\n");
  const bool whole = end != std::string_view::npos;
  const std::string_view head = whole ? bytes.substr(0, end + 4) : bytes;
  if (head.size() > limits_.head_bytes || (!whole && head.size() == limits_.head_bytes)) {
    const bool line_fits = head.substr(0, limits_.head_bytes).contains('\n');
    return line_fits ? Refusal{431, "the request head is longer than " + std::to_string(limits_.head_bytes) + " bytes"}
                     : Refusal{414, "the request target is too long"};
  }
  if (has_bare_line_end(head)) return Refusal{400, "CR and LF are only accepted together"};
  if (head.contains('\0')) return Refusal{400, "NUL byte in the head"};
  if (!whole) return NeedMore{};

  HeadReader reader(limits_.headers);
  size_t line_end = head.find("\r\n");
  std::optional<Refusal> refusal = reader.request_line(head.substr(0, line_end));
  for (size_t at = line_end + 2; !refusal && at + 2 < head.size(); at = line_end + 2) {
    line_end = head.find("\r\n", at);
    refusal = reader.header(head.substr(at, line_end - at));
  }
  if (!refusal) refusal = reader.end();
  if (!refusal && reader.length() > limits_.body_bytes) {
    refusal = Refusal{413, "the body is longer than " + std::to_string(limits_.body_bytes) + " bytes"};
  }
  if (refusal) return *refusal;
  return Head{head.size(), reader.length(), reader.expects_continue()};
}

}  // namespace souk::net
