// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/item_scanner.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "indexer/input/byte_vector.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

constexpr size_t kMaxReference = 12;  // with & and ;

constexpr std::array<bool, 256> table_of(std::string_view marks, bool blanks_too) {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < 0x20; ++i) table[i] = blanks_too || (i != '\t' && i != '\n');
  table[0xEF] = true;  // U+FFFE and U+FFFF, which XML forbids
  for (const char c : marks) table[static_cast<uint8_t>(c)] = true;
  return table;
}
// Bytes to look at, in text and in attributes.
constexpr auto kInText = table_of("<&]", false);
constexpr auto kInValue = table_of("<&\"'", true);

constexpr std::array<bool, 256> kInName = [] {
  std::array<bool, 256> table{};
  for (size_t c = 0; c < 128; ++c) {
    table[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.' || c == ':';
  }
  return table;
}();

bool begins_name(char c) {
  return kInName[static_cast<uint8_t>(c)] && !(c >= '0' && c <= '9') && c != '-' && c != '.';
}

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// The first byte that kInText marks.
size_t skip_plain(std::string_view text, size_t at) {
  while (at + 16 <= text.size()) {
    const input::ByteVector bytes = input::load_bytes(text.data() + at);
    if (input::any(((bytes < 0x20) & (bytes != '\n') & (bytes != '\t')) | (bytes == '<') | (bytes == '&') |
                   (bytes == ']') | (bytes == 0xEF))) {
      break;
    }
    at += 16;
  }
  while (at < text.size() && !kInText[static_cast<uint8_t>(text[at])]) ++at;
  return at;
}

bool is_forbidden(std::string_view text) {
  return text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
}

}  // namespace

ItemScanner::Found ItemScanner::scan(std::string_view text, std::string_view name, size_t max_depth) {
  max_depth_ = max_depth;
  text_ = text;
  item_name_ = name;
  at_ = 0;
  tokens_.clear();
  attributes_.clear();
  open_.clear();
  decoded_.clear();
  decoded_.reserve(text.size());
  do {
    const Found found = ended() ? Found::kIncomplete : text_[at_] == '<' ? scan_markup() : scan_text();
    if (found != Found::kItem) return found;
  } while (!open_.empty());
  return Found::kItem;
}

void ItemScanner::give(const Token& token, XmlHandler& handler) const {
  switch (token.event) {
    case Event::kStart:
      return handler.on_start(token.text, attributes(token));
    case Event::kEnd:
      return handler.on_end();
    case Event::kText:
      return handler.on_text(token.text);
  }
}

ItemScanner::Found ItemScanner::scan_markup() {
  const std::string_view rest = text_.substr(at_);
  if (rest.size() < 2) return Found::kIncomplete;
  if (rest[1] == '/') return scan_end();
  if (rest[1] == '!') return scan_cdata();
  return scan_start();
}

ItemScanner::Found ItemScanner::scan_start() {
  Token token{Event::kStart, at_++, {}, attributes_.size(), 0};
  if (!scan_name(token.text)) return ended() ? Found::kIncomplete : Found::kUnusual;
  if (open_.empty() != (token.text == item_name_) || open_.size() >= max_depth_) return Found::kUnusual;
  for (;;) {
    const size_t before = at_;
    skip_blanks();
    if (ended()) return Found::kIncomplete;
    if (text_[at_] == '>') break;
    if (text_[at_] == '/') {
      if (++at_ == text_.size()) return Found::kIncomplete;
      if (text_[at_] != '>') return Found::kUnusual;
      break;
    }
    if (at_ == before) return Found::kUnusual;
    const Found found = scan_attribute();
    if (found != Found::kItem) return found;
    if (++token.attributes > max_attributes_) return Found::kUnusual;
    const std::span<const XmlAttribute> all = attributes(token);
    for (const XmlAttribute& other : all.first(all.size() - 1)) {
      if (other.name == all.back().name) return Found::kUnusual;
    }
  }
  tokens_.push_back(token);
  if (text_[at_ - 1] == '/') {
    tokens_.push_back({Event::kEnd, token.at, {}});
  } else {
    open_.push_back(token.text);
  }
  ++at_;
  return Found::kItem;
}

ItemScanner::Found ItemScanner::scan_attribute() {
  XmlAttribute attribute;
  if (!scan_name(attribute.name)) return ended() ? Found::kIncomplete : Found::kUnusual;
  skip_blanks();
  if (ended()) return Found::kIncomplete;
  if (text_[at_++] != '=') return Found::kUnusual;
  skip_blanks();
  if (ended()) return Found::kIncomplete;
  const char quote = text_[at_++];
  if (quote != '"' && quote != '\'') return Found::kUnusual;
  const size_t decoded_from = decoded_.size();
  size_t from = at_;
  for (;;) {
    while (!ended() && !kInValue[static_cast<uint8_t>(text_[at_])]) ++at_;
    if (ended()) return Found::kIncomplete;
    const char c = text_[at_];
    if (c == quote) break;
    if (c == '&') {
      decoded_.append(text_, from, at_ - from);
      const Found found = scan_reference(decoded_);
      if (found != Found::kItem) return found;
      from = at_;
    } else if (c == '"' || c == '\'' || (c == '\xEF' && !is_forbidden(text_.substr(at_)))) {
      ++at_;
    } else {
      return Found::kUnusual;
    }
  }
  if (decoded_.size() == decoded_from) {
    attribute.value = text_.substr(from, at_ - from);
  } else {
    decoded_.append(text_, from, at_ - from);
    attribute.value = std::string_view(decoded_).substr(decoded_from);
  }
  ++at_;
  attributes_.push_back(attribute);
  return Found::kItem;
}

ItemScanner::Found ItemScanner::scan_end() {
  const size_t begin = at_;
  at_ += 2;
  std::string_view name;
  if (!scan_name(name)) return ended() ? Found::kIncomplete : Found::kUnusual;
  skip_blanks();
  if (ended()) return Found::kIncomplete;
  if (text_[at_] != '>' || open_.empty() || open_.back() != name) return Found::kUnusual;
  ++at_;
  open_.pop_back();
  tokens_.push_back({Event::kEnd, begin, {}});
  return Found::kItem;
}

ItemScanner::Found ItemScanner::scan_text() {
  if (open_.empty()) return Found::kUnusual;
  for (size_t from = at_;;) {
    at_ = skip_plain(text_, at_);
    if (ended()) return Found::kIncomplete;
    const std::string_view rest = text_.substr(at_);
    switch (rest[0]) {
      case '<':
        add_text(text_.substr(from, at_ - from), from);
        return Found::kItem;
      case '&': {
        add_text(text_.substr(from, at_ - from), from);
        const size_t begin = at_;
        const size_t decoded_from = decoded_.size();
        const Found found = scan_reference(decoded_);
        if (found != Found::kItem) return found;
        add_text(std::string_view(decoded_).substr(decoded_from), begin);
        from = at_;
        break;
      }
      case ']':
        if (rest.size() < 3) return Found::kIncomplete;
        if (rest.starts_with("]]>")) return Found::kUnusual;
        ++at_;
        break;
      case '\xEF':
        if (is_forbidden(rest)) return Found::kUnusual;
        at_ += 3;
        break;
      case '\r':
        // A line end is '\n', however it is written.
        if (rest.size() < 2) return Found::kIncomplete;
        if (rest[1] != '\n') return Found::kUnusual;
        add_text(text_.substr(from, at_ - from), from);
        from = ++at_;
        break;
      default:
        return Found::kUnusual;
    }
  }
}

ItemScanner::Found ItemScanner::scan_cdata() {
  static constexpr std::string_view kBegin = "<![CDATA[";
  const std::string_view markup = text_.substr(at_);
  if (!markup.starts_with(kBegin)) return kBegin.starts_with(markup) ? Found::kIncomplete : Found::kUnusual;
  if (open_.empty()) return Found::kUnusual;
  at_ += kBegin.size();
  for (size_t from = at_;;) {
    at_ = skip_plain(text_, at_);
    const std::string_view rest = text_.substr(at_);
    if (rest.size() < 3) return Found::kIncomplete;
    if (rest.starts_with("]]>")) {
      add_text(text_.substr(from, at_ - from), from);
      at_ += 3;
      return Found::kItem;
    }
    switch (rest[0]) {
      case '<':
      case '&':
      case ']':
        ++at_;
        break;
      case '\xEF':
        if (is_forbidden(rest)) return Found::kUnusual;
        at_ += 3;
        break;
      case '\r':
        if (rest[1] != '\n') return Found::kUnusual;
        add_text(text_.substr(from, at_ - from), from);
        from = ++at_;
        break;
      default:
        return Found::kUnusual;
    }
  }
}

ItemScanner::Found ItemScanner::scan_reference(std::string& out) {
  static constexpr std::pair<std::string_view, char> kXml[]{
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  const std::string_view rest = text_.substr(at_, kMaxReference);
  const size_t end = rest.find(';');
  if (end == std::string_view::npos) return rest.size() < kMaxReference ? Found::kIncomplete : Found::kUnusual;
  std::string_view name = rest.substr(1, end - 1);
  for (const auto& [known, c] : kXml) {
    if (name != known) continue;
    out += c;
    at_ += end + 1;
    return Found::kItem;
  }
  if (!name.starts_with('#')) return Found::kUnusual;
  const bool hex = name.starts_with("#x");
  name.remove_prefix(hex ? 2 : 1);
  uint32_t code = 0;
  const auto [stop, problem] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (problem != std::errc() || stop != name.data() + name.size() || !input::is_xml_char(code)) return Found::kUnusual;
  input::append_utf8(out, code);
  at_ += end + 1;
  return Found::kItem;
}

bool ItemScanner::scan_name(std::string_view& name) {
  if (ended() || !begins_name(text_[at_])) return false;
  const size_t begin = at_;
  while (!ended() && kInName[static_cast<uint8_t>(text_[at_])]) ++at_;
  name = text_.substr(begin, at_ - begin);
  return !ended();
}

void ItemScanner::skip_blanks() {
  while (!ended() && is_blank(text_[at_])) ++at_;
}

void ItemScanner::add_text(std::string_view text, size_t at) {
  if (!text.empty()) tokens_.push_back({Event::kText, at, text});
}

}  // namespace souk::feed
