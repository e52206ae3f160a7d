// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/decode.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/input/utf8.h"

namespace souk::input {
namespace {

constexpr size_t kHead = 4096;
constexpr size_t kSample = 4096;
constexpr std::string_view kSpace = " \t\r\n";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// The value of encoding="…" in an XML declaration at the very beginning, or anywhere in the head; empty when there is
// none.
std::string_view declared_encoding(std::string_view head, bool anywhere) {
  if (anywhere) head.remove_prefix(std::min(head.find("<?xml"), head.size()));
  if (!head.starts_with("<?xml") || head.size() < 6 || !kSpace.contains(head[5])) return {};
  head = head.substr(0, head.find("?>"));
  const size_t at = head.find("encoding");
  if (at == std::string_view::npos) return {};
  head.remove_prefix(at + 8);
  const size_t quote = head.find_first_not_of(" \t\r\n=");
  if (quote == std::string_view::npos || (head[quote] != '"' && head[quote] != '\'')) return {};
  const size_t end = head.find(head[quote], quote + 1);
  if (end == std::string_view::npos) return {};
  return head.substr(quote + 1, end - quote - 1);
}

// What feeds call an encoding -> what ICU calls it.
constexpr std::array<std::pair<std::string_view, const char*>, 9> kTables{{
    {"windows-1251", "windows-1251"},
    {"cp1251", "windows-1251"},
    {"cp-1251", "windows-1251"},
    {"win-1251", "windows-1251"},
    {"koi8-r", "koi8-r"},
    {"koi8-u", "koi8-u"},
    {"iso-8859-1", "iso-8859-1"},
    {"latin1", "iso-8859-1"},
    {"us-ascii", "us-ascii"},
}};

// Letters of windows-1251 beyond ASCII; all of them are Cyrillic.
bool is_cyrillic(uint8_t byte) {
  return byte >= 0xC0 || std::string_view(
                             "\x80\x81\x83\x8A\x8C\x8D\x8E\x8F\x90\x9A\x9C\x9D\x9E\x9F\xA1\xA2\xA3"
                             "\xA5\xA8\xAA\xAF\xB2\xB3\xB4\xB8\xBA\xBC\xBD\xBE\xBF")
                             .contains(static_cast<char>(byte));
}

bool is_latin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether at least 80 % of the letters are Cyrillic, of the words that are not ASCII alone.
bool looks_cyrillic(std::string_view sample) {
  if (sample.contains('\x98')) return false;  // the one byte that windows-1251 leaves free
  size_t latin = 0;
  size_t cyrillic = 0;
  for (size_t at = 0; at < sample.size(); ++at) {
    size_t in_word[2] = {0, 0};
    for (; at < sample.size(); ++at) {
      if (is_latin(sample[at])) {
        ++in_word[0];
      } else if (static_cast<uint8_t>(sample[at]) >= 0x80 && is_cyrillic(static_cast<uint8_t>(sample[at]))) {
        ++in_word[1];
      } else {
        break;
      }
    }
    if (in_word[1] == 0) continue;
    latin += in_word[0];
    cyrillic += in_word[1];
  }
  return cyrillic > 0 && cyrillic * 5 >= (latin + cyrillic) * 4;
}

// Whether more than one in ten of the bytes beyond ASCII belong to well-formed UTF-8.
bool has_much_utf8(std::string_view sample) {
  size_t all = 0;
  size_t good = 0;
  while (!sample.empty()) {
    const size_t whole = utf8_prefix(sample).valid;
    const auto beyond = static_cast<size_t>(
        std::ranges::count_if(sample.substr(0, whole), [](char c) { return static_cast<uint8_t>(c) >= 0x80; }));
    good += beyond;
    all += beyond + (whole < sample.size() ? 1 : 0);
    sample.remove_prefix(std::min(whole + 1, sample.size()));
  }
  return good * 10 > all;
}

size_t first_beyond_ascii(std::string_view text) {
  const auto* found = std::ranges::find_if(text, [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
  return static_cast<size_t>(found - text.begin());
}

}  // namespace

Decoder::Decoder(Sink sink, Warn warn, Fault& fault)
    : sink_(std::move(sink)), warn_(std::move(warn)), fault_(fault), may_guess_(warn_ != nullptr) {}

bool Decoder::push(std::string_view bytes) {
  if (started_) return convert(bytes);
  head_ += bytes;
  return head_.size() < kHead || start();
}

bool Decoder::finish() {
  if (!started_ && !start()) return false;
  if (holding_ && !guess(true)) return false;
  if (rest_.empty()) return true;
  fault_ = {"truncated", line(), "the feed ends within a character"};
  return false;
}

bool Decoder::start() {
  started_ = true;
  const std::string head = std::exchange(head_, {});
  const std::string_view bytes = head;
  if (bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4)) ||
      bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4)) || bytes.starts_with(std::string_view("<\0\0\0", 4)) ||
      bytes.starts_with(std::string_view("\0\0\0<", 4))) {
    fault_ = {"unsupported_encoding", 1, "the encoding UTF-32 is not read"};
    return false;
  }
  const bool little = bytes.starts_with("\xFF\xFE");
  const bool big = bytes.starts_with("\xFE\xFF");
  // Without a mark: two characters of ASCII, each with its zero byte.
  const auto is_zero = [&](size_t at) { return bytes.size() >= 4 && bytes[at] == '\0'; };
  if (little || (!is_zero(0) && is_zero(1) && !is_zero(2) && is_zero(3))) {
    encoding_ = Encoding::kUtf16Little;
  } else if (big || (is_zero(0) && !is_zero(1) && is_zero(2) && !is_zero(3))) {
    encoding_ = Encoding::kUtf16Big;
  } else if (bytes.starts_with("\xEF\xBB\xBF")) {
    may_guess_ = false;
    return convert(bytes.substr(3));
  } else if (!choose(declared_encoding(bytes, may_guess_))) {
    return false;
  }
  return convert(bytes.substr(little || big ? 2 : 0));
}

bool Decoder::choose(std::string_view declared) {
  const std::string name = lower(declared);
  if (name.empty() || name == "utf-8" || name == "utf8") return true;
  encoding_name_ = declared.substr(0, 40);
  for (char& c : encoding_name_) c = c >= ' ' && c < 0x7F ? c : '?';
  if (name.starts_with("utf-16") || name == "ucs-2") {
    return bad_encoding(fmt::format("the feed says it is {} but is not", encoding_name_));
  }
  const auto* found =
      std::ranges::find(kTables, std::string_view(name), &std::pair<std::string_view, const char*>::first);
  if (found != kTables.end()) table_ = SingleByteTable::load(found->second);
  if (table_) {
    encoding_ = Encoding::kTable;
    return true;
  }
  fault_ = {"unsupported_encoding", 1, fmt::format("the encoding {} is not read", encoding_name_)};
  return false;
}

bool Decoder::convert(std::string_view bytes) {
  if (holding_) {
    held_ += bytes;
    return held_.size() < kSample || guess(false);
  }
  switch (encoding_) {
    case Encoding::kUtf8:
      return convert_utf8(bytes);
    case Encoding::kTable:
      return convert_table(bytes);
    case Encoding::kUtf16Little:
    case Encoding::kUtf16Big:
      break;
  }
  return convert_utf16(bytes);
}

bool Decoder::hold(std::string_view bytes) {
  may_guess_ = false;
  holding_ = true;
  return convert(bytes);
}

bool Decoder::guess(bool last) {
  holding_ = false;
  const std::string held = std::exchange(held_, {});
  const std::string_view sample = std::string_view(held).substr(0, kSample);
  if (encoding_ == Encoding::kTable) {
    const Utf8Prefix prefix = utf8_prefix(sample);
    if (prefix.valid == sample.size() || (prefix.incomplete && !last)) {
      encoding_ = Encoding::kUtf8;
      warn_({"encoding_guessed", line(), fmt::format("the feed says it is {}; read as UTF-8", encoding_name_)});
    }
  } else if (looks_cyrillic(sample) && !has_much_utf8(sample)) {
    table_ = SingleByteTable::load("windows-1251");
    encoding_ = Encoding::kTable;
    encoding_name_ = "windows-1251";
    warn_({"encoding_guessed", line(), "the feed should be UTF-8 and is not; read as windows-1251"});
  }
  return convert(held);
}

bool Decoder::convert_utf8(std::string_view bytes) {
  std::string joined;
  if (!rest_.empty()) {
    joined = std::exchange(rest_, {}).append(bytes);
    bytes = joined;
  }
  const Utf8Prefix prefix = utf8_prefix(bytes);
  const std::string_view good = bytes.substr(0, prefix.valid);
  const std::string_view bad = bytes.substr(prefix.valid);
  if (may_guess_ && first_beyond_ascii(good) < good.size()) may_guess_ = false;
  if (!emit(good)) return false;
  if (bad.empty()) return true;
  if (prefix.incomplete) {
    rest_ = bad;
    return true;
  }
  if (may_guess_) return hold(bad);
  return bad_encoding(fmt::format("byte 0x{:02X} is not UTF-8", static_cast<uint8_t>(bad[0])));
}

bool Decoder::convert_table(std::string_view bytes) {
  if (may_guess_) {
    const size_t ascii = first_beyond_ascii(bytes);
    if (!emit(bytes.substr(0, ascii))) return false;
    return ascii == bytes.size() || hold(bytes.substr(ascii));
  }
  out_.clear();
  const size_t taken = table_->append(out_, bytes);
  if (!emit(out_)) return false;
  if (taken == bytes.size()) return true;
  return bad_encoding(fmt::format("byte 0x{:02X} is not {}", static_cast<uint8_t>(bytes[taken]), encoding_name_));
}

bool Decoder::convert_utf16(std::string_view bytes) {
  rest_ += bytes;
  out_.clear();
  const bool little = encoding_ == Encoding::kUtf16Little;
  const auto unit_at = [&](size_t at) -> uint32_t {
    const auto first = static_cast<uint8_t>(rest_[at]);
    const auto second = static_cast<uint8_t>(rest_[at + 1]);
    return little ? first | (second << 8U) : (first << 8U) | second;
  };
  size_t at = 0;
  while (at + 2 <= rest_.size()) {
    uint32_t code = unit_at(at);
    size_t length = 2;
    if (code >= 0xD800 && code < 0xDC00) {
      if (at + 4 > rest_.size()) break;
      const uint32_t low = unit_at(at + 2);
      code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00) : 0xDC00;
      length = 4;
    }
    if (code >= 0xDC00 && code < 0xE000) return emit(out_) && bad_encoding("half a UTF-16 pair");
    append_utf8(out_, code);
    at += length;
  }
  rest_.erase(0, at);
  return emit(out_);
}

bool Decoder::emit(std::string_view text) {
  if (text.empty()) return true;
  if (!sink_(text)) return false;
  lines_ += count_lines(text);
  return true;
}

bool Decoder::bad_encoding(std::string message) {
  fault_ = {"bad_encoding", line(), std::move(message)};
  return false;
}

}  // namespace souk::input
