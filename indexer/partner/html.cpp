// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "runtime/net/utf8.h"

namespace souk::partner {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr int64_t kLastSecond = 253'402'300'799;           // of the year 9999

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  const bool control = byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\n');
  return control ? kReplacement : std::string_view();
}

struct Moment {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::seconds> time;
};

Moment moment_of(int64_t unix_seconds) {
  const std::chrono::sys_seconds at{std::chrono::seconds(std::clamp(unix_seconds, int64_t{0}, kLastSecond))};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  return {day, std::chrono::hh_mm_ss(at - day)};
}

std::string date_of(const Moment& moment) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(moment.date.year()),
                     static_cast<unsigned>(moment.date.month()), static_cast<unsigned>(moment.date.day()));
}

}  // namespace

std::string escape(std::string_view text) {
  std::string valid;
  if (!net::is_utf8(text)) {
    valid = net::to_valid_utf8(text);
    text = valid;
  }
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const std::string_view other = escaped(c);
    if (other.empty()) {
      out += c;
    } else {
      out += other;
    }
  }
  return out;
}

Html& Html::text(std::string_view value) {
  text_ += escape(value);
  return *this;
}

Html& Html::foreign(std::string_view value) {
  return markup("<bdi>").text(value).markup("</bdi>");
}

Html& Html::number(uint64_t value) {
  text_ += std::to_string(value);
  return *this;
}

Html& Html::number(uint64_t value, Language language) {
  std::string digits = std::to_string(value);
  const std::string_view mark = language == Language::kRussian ? "\u00a0" : ",";
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, mark);
  }
  text_ += digits;
  return *this;
}

Html& Html::time(int64_t unix_seconds) {
  if (unix_seconds <= 0) return markup("—");
  const Moment moment = moment_of(unix_seconds);
  text_ += fmt::format("<time datetime=\"{}\">{} {:02}:{:02} UTC</time>", utc_time(unix_seconds), date_of(moment),
                       moment.time.hours().count(), moment.time.minutes().count());
  return *this;
}

std::string utc_time(int64_t unix_seconds) {
  const Moment moment = moment_of(unix_seconds);
  return fmt::format("{}T{:02}:{:02}:{:02}Z", date_of(moment), moment.time.hours().count(),
                     moment.time.minutes().count(), moment.time.seconds().count());
}

}  // namespace souk::partner
