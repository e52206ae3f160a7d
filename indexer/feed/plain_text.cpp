// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/plain_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/base/ascii.h"
#include "indexer/input/byte_vector.h"
#include "indexer/input/html_entities.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

struct Blank {
  uint8_t length = 0;  // in bytes; 0 = not a blank
  bool zero_width = false;
};

// Blanks beyond ASCII: U+0080..A0 (controls, NEL, no-break), 1680, 2000..200A, 200B, 2028, 2029, 202F, 205F, 2060,
// 3000, FEFF.
Blank blank_beyond_ascii(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  switch (byte(0)) {
    case 0xC2:
      return {static_cast<uint8_t>(byte(1) <= 0xA0 ? 2 : 0)};
    case 0xE1:
      return {static_cast<uint8_t>(byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0)};
    case 0xE2:
      if (byte(1) == 0x80 && byte(2) == 0x8B) return {3, true};
      if (byte(1) == 0x80 && (byte(2) <= 0x8A || byte(2) == 0xA8 || byte(2) == 0xA9 || byte(2) == 0xAF)) return {3};
      if (byte(1) == 0x81 && byte(2) == 0xA0) return {3, true};
      return {static_cast<uint8_t>(byte(1) == 0x81 && byte(2) == 0x9F ? 3 : 0)};
    case 0xE3:
      return {static_cast<uint8_t>(byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0)};
    case 0xEF:
      return {static_cast<uint8_t>(byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0), true};
    default:
      return {};
  }
}

// May the byte begin a blank?
constexpr std::array<bool, 256> kMayBeBlank = [] {
  std::array<bool, 256> table{};
  for (size_t i = 0; i <= 0x20; ++i) table[i] = true;
  for (const size_t i : {0x7F, 0xC2, 0xE1, 0xE2, 0xE3, 0xEF}) table[i] = true;
  return table;
}();

bool may_be_blank(char c) {
  return kMayBeBlank[static_cast<uint8_t>(c)];
}

// Whether a blank among the sixteen bytes may have to be folded; the byte behind them must be there.
bool needs_folding(const char* at) {
  const input::ByteVector bytes = input::load_bytes(at);
  return input::any((bytes < 0x20) | (bytes == 0x7F) | (bytes == 0xC2) | ((bytes >= 0xE1) & (bytes <= 0xE3)) |
                    (bytes == 0xEF) | ((bytes == 0x20) & (input::load_bytes(at + 1) == 0x20)));
}

// How far the text is in folded form already.
size_t folded_prefix(std::string_view text) {
  if (text.starts_with(' ')) return 0;
  for (size_t i = 0;;) {
    while (i + 16 < text.size() && !needs_folding(text.data() + i)) i += 16;
    for (const size_t stop = std::min(i + 16, text.size()); i < stop; ++i) {
      if (!may_be_blank(text[i])) continue;
      if (text[i] == ' ') {
        if (i + 1 == text.size() || text[i + 1] == ' ') return i;
      } else if (static_cast<uint8_t>(text[i]) < 0x80 || blank_beyond_ascii(text.substr(i)).length > 0) {
        return i;
      }
    }
    if (i == text.size()) return i;
  }
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

struct Decoded {
  uint32_t code = 0;
  size_t length = 0;  // of the reference with & and ;
};

// A reference that text begins with.
std::optional<Decoded> decode_reference(std::string_view text) {
  const size_t end = text.substr(0, 12).find(';');
  if (end == std::string_view::npos || end < 2) return std::nullopt;
  std::string_view name = text.substr(1, end - 1);
  if (name[0] != '#') {
    if (name == "apos") return Decoded{'\'', end + 1};
    const auto code = input::html_entity(name);
    return code ? std::optional(Decoded{*code, end + 1}) : std::nullopt;
  }
  name.remove_prefix(1);
  const bool hex = !name.empty() && (name[0] == 'x' || name[0] == 'X');
  if (hex) name.remove_prefix(1);
  uint32_t code = 0;
  const auto [stop, problem] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (problem != std::errc() || stop != name.data() + name.size() || !input::is_xml_char(code)) return std::nullopt;
  return Decoded{code, end + 1};
}

// Tags that stand within a word; every other one parts words.
bool is_inline(std::string_view tag) {
  static constexpr std::array<std::string_view, 17> kInline{"a",      "abbr", "acronym", "b",  "big",   "code",
                                                            "em",     "font", "i",       "s",  "small", "span",
                                                            "strong", "sub",  "sup",     "tt", "u"};
  return std::ranges::binary_search(kInline, tag);
}

// One pass of tags out, references decoded.
class HtmlPass {
 public:
  explicit HtmlPass(std::string_view html) : html_(html) { out_.reserve(html.size()); }

  // again: the decoded text may hold tags or references itself.
  std::string run(bool& again) {
    while (at_ < html_.size()) {
      size_t next = at_;
      while (next < html_.size() && html_[next] != '<' && html_[next] != '&') ++next;
      out_.append(html_, at_, next - at_);
      at_ = next;
      if (at_ == html_.size()) break;
      if (html_[at_] == '<' ? !skip_markup() : !reference()) out_ += html_[at_++];
    }
    again = again_;
    return std::move(out_);
  }

 private:
  bool reference() {
    const auto decoded = decode_reference(html_.substr(at_));
    if (!decoded) return false;
    input::append_utf8(out_, decoded->code);
    again_ = again_ || decoded->code == '<' || decoded->code == '&';
    at_ += decoded->length;
    return true;
  }

  bool skip_markup() {
    const std::string_view rest = html_.substr(at_);
    if (rest.starts_with("<!--")) return skip_past("-->", 4);
    if (rest.size() < 2) return false;
    const bool closing = rest[1] == '/';
    const size_t name_at = closing ? 2 : 1;
    size_t name_end = name_at;
    while (name_end < rest.size() && is_name_char(rest[name_end])) ++name_end;
    if (name_end == name_at && rest[1] != '!' && rest[1] != '?') return false;
    std::string name(rest.substr(name_at, std::min<size_t>(name_end - name_at, 16)));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!skip_past(">", name_end)) return false;
    if (!closing && (name == "script" || name == "style")) skip_content(name);
    if (!is_inline(name)) out_ += ' ';
    return true;
  }

  // Goes past the mark, if there is one. A mark that was not found once is not looked for again: the pass stays linear.
  bool skip_past(std::string_view mark, size_t from) {
    size_t& missing_from = mark == ">" ? no_end_from_ : no_comment_end_from_;
    if (at_ + from >= missing_from) return false;
    const size_t found = html_.find(mark, at_ + from);
    if (found == std::string_view::npos) {
      missing_from = at_ + from;
      return false;
    }
    at_ = found + mark.size();
    return true;
  }

  // To the closing tag, or to the end.
  void skip_content(std::string_view name) {
    const std::string closing = "</" + std::string(name);
    const size_t found = html_.find(closing, at_);
    at_ = found == std::string_view::npos ? html_.size() : found;
  }

  std::string_view html_;
  size_t at_ = 0;
  std::string out_;
  bool again_ = false;
  size_t no_end_from_ = std::string_view::npos;
  size_t no_comment_end_from_ = std::string_view::npos;
};

}  // namespace

void fold_space(std::string& text) {
  size_t from = folded_prefix(text);
  if (from == text.size()) return;
  size_t to = from;
  bool pending = false;
  const auto leave_blank = [&] {
    if (to == 0 || text[to - 1] != ' ') return;
    --to;
    pending = true;
  };
  leave_blank();
  while (from < text.size()) {
    const std::string_view rest = std::string_view(text).substr(from);
    const Blank blank = !may_be_blank(rest[0])                 ? Blank{}
                        : static_cast<uint8_t>(rest[0]) < 0x80 ? Blank{1}
                                                               : blank_beyond_ascii(rest);
    if (blank.length > 0) {
      pending = pending || !blank.zero_width;
      from += blank.length;
      continue;
    }
    const size_t run = folded_prefix(rest);
    if (pending && to > 0) text[to++] = ' ';
    pending = false;
    std::memmove(text.data() + to, rest.data(), run);
    to += run;
    from += run;
    leave_blank();
  }
  text.resize(to);
}

std::string space_folded(std::string_view text) {
  std::string folded(text);
  fold_space(folded);
  return folded;
}

bool cut_characters(std::string& text, size_t characters) {
  const size_t keep = input::bytes_of_characters(text, characters);
  if (keep == text.size()) return false;
  text.resize(keep);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return true;
}

std::string html_to_text(std::string_view html) {
  std::string text;
  if (!html.contains('<') && !html.contains('&')) {
    text = html;
  } else {
    bool again = false;
    text = HtmlPass(html).run(again);
    if (again) text = HtmlPass(text).run(again);
  }
  fold_space(text);
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  const size_t keep = input::bytes_of_characters(text, 60);
  for (const char c : text.substr(0, keep)) out += is_control(c) ? '?' : c;
  out += keep < text.size() ? "...\"" : "\"";
  return out;
}

}  // namespace souk::feed
