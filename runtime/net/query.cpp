// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http.h"
#include "runtime/net/utf8.h"

namespace souk::net {

namespace {

constexpr size_t kNameInMessage = 100;  // bytes of a hostile name that an error repeats

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The reason when text cannot be decoded, else nullptr.
const char* decode(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '+') {
      c = ' ';
    } else if (c == '%') {
      if (text.size() - at < 3) return "a percent escape is cut off";
      const int high = hex_value(text[at + 1]);
      const int low = hex_value(text[at + 2]);
      if (high < 0 || low < 0) return "a percent escape is not hexadecimal";
      c = static_cast<char>(high * 16 + low);
      at += 2;
    }
    if (c == '\0') return "a NUL byte is not allowed";
    out += c;
  }
  return is_utf8(out) ? nullptr : "not valid UTF-8";
}

}  // namespace

Result<std::vector<QueryPair>> parse_query(std::string_view query, size_t max_pairs) {
  std::vector<QueryPair> pairs;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view piece = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (piece.empty()) continue;

    const size_t equals = std::min(piece.find('='), piece.size());
    const std::string_view raw_name = piece.substr(0, equals);
    QueryPair pair;
    const char* reason = decode(raw_name, pair.name);
    const std::string argument =
        to_valid_utf8((reason == nullptr ? std::string_view(pair.name) : raw_name).substr(0, kNameInMessage));
    if (pairs.size() == max_pairs) {
      return fail(ErrorCode::kInvalidArgument, "more than " + std::to_string(max_pairs) + " arguments", argument);
    }
    if (reason == nullptr) reason = decode(piece.substr(std::min(equals + 1, piece.size())), pair.value);
    if (reason != nullptr) return fail(ErrorCode::kInvalidArgument, reason, argument);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::string percent_encode(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                            c == '.' || c == '_' || c == '~';
    if (unreserved) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<uint8_t>(c);
    encoded += '%';
    encoded += kDigits[byte >> 4];
    encoded += kDigits[byte & 15];
  }
  return encoded;
}

}  // namespace souk::net
