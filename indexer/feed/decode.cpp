// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/decode.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/feed/utf8.h"

namespace souk::feed {
namespace {

constexpr size_t kHead = 4096;
constexpr std::string_view kSpace = " \t\r\n";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// The value of encoding="…" in an XML declaration at the very beginning; empty when there is none.
std::string_view declared_encoding(std::string_view head) {
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

}  // namespace

Decoder::Decoder(Sink sink, FeedError& error) : sink_(std::move(sink)), error_(error) {}

bool Decoder::push(std::string_view bytes) {
  if (started_) return convert(bytes);
  head_ += bytes;
  return head_.size() < kHead || start();
}

bool Decoder::finish() {
  if (!started_ && !start()) return false;
  if (rest_.empty()) return true;
  error_ = {"truncated", line(), "the feed ends within a character"};
  return false;
}

bool Decoder::start() {
  started_ = true;
  const std::string head = std::exchange(head_, {});
  const std::string_view bytes = head;
  if (bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4)) ||
      bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4))) {
    error_ = {"unsupported_encoding", 1, "the encoding UTF-32 is not read"};
    return false;
  }
  const bool little = bytes.starts_with("\xFF\xFE");
  const bool big = bytes.starts_with("\xFE\xFF");
  if (little || bytes.starts_with(std::string_view("<\0?\0", 4))) {
    encoding_ = Encoding::kUtf16Little;
  } else if (big || bytes.starts_with(std::string_view("\0<\0?", 4))) {
    encoding_ = Encoding::kUtf16Big;
  } else if (bytes.starts_with("\xEF\xBB\xBF")) {
    return convert(bytes.substr(3));
  } else if (!choose(declared_encoding(bytes))) {
    return false;
  }
  return convert(bytes.substr(little || big ? 2 : 0));
}

bool Decoder::choose(std::string_view declared) {
  const std::string name = lower(declared);
  if (name.empty() || name == "utf-8" || name == "utf8") return true;
  encoding_name_ = declared.substr(0, 40);
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
  for (char& c : encoding_name_) c = c >= ' ' && c < 0x7F ? c : '?';
  error_ = {"unsupported_encoding", 1, fmt::format("the encoding {} is not read", encoding_name_)};
  return false;
}

bool Decoder::convert(std::string_view bytes) {
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

bool Decoder::convert_utf8(std::string_view bytes) {
  std::string joined;
  if (!rest_.empty()) {
    joined = rest_.append(bytes);
    bytes = joined;
  }
  const Utf8Prefix prefix = utf8_prefix(bytes);
  rest_ = prefix.incomplete ? bytes.substr(prefix.valid) : std::string_view();
  if (!emit(bytes.substr(0, prefix.valid))) return false;
  if (prefix.valid == bytes.size() || prefix.incomplete) return true;
  return bad_encoding(fmt::format("byte 0x{:02X} is not UTF-8", static_cast<uint8_t>(bytes[prefix.valid])));
}

bool Decoder::convert_table(std::string_view bytes) {
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
  const auto lines = static_cast<uint64_t>(std::ranges::count(text, '\n'));
  if (!sink_(text)) return false;
  lines_ += lines;
  return true;
}

bool Decoder::bad_encoding(std::string message) {
  error_ = {"bad_encoding", line(), std::move(message)};
  return false;
}

}  // namespace souk::feed
