// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/repair.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "indexer/input/html_entities.h"
#include "indexer/input/utf8.h"

namespace souk::input {
namespace {

constexpr size_t kMaxReference = 32;  // with & and ;

// Bytes that need a look, by where they stand.
constexpr std::array<bool, 256> bytes_of(std::string_view marks) {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < 0x20; ++i) table[i] = i != '\t' && i != '\n' && i != '\r';
  table[0xEF] = true;  // U+FFFE and U+FFFF
  for (const char c : marks) table[static_cast<uint8_t>(c)] = true;
  return table;
}
constexpr std::array<std::array<bool, 256>, 4> kSpecial{bytes_of("&<"), bytes_of("]"), bytes_of("-"), bytes_of("?")};

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_one_of_xml(std::string_view name) {
  return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos";
}

// The code of "#38" or "#x26", 0 when it is none or no character of XML; nothing when that is not a reference at all.
std::optional<uint32_t> numbered(std::string_view name) {
  name.remove_prefix(1);
  const bool hex = name.starts_with('x');
  if (hex) name.remove_prefix(1);
  uint32_t code = 0;
  const auto [stop, problem] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (name.empty() || stop != name.data() + name.size()) return std::nullopt;
  return problem == std::errc() && is_xml_char(code) ? code : 0;
}

}  // namespace

CharacterRepair::CharacterRepair(Sink sink, Warn warn, uint64_t first_line)
    : sink_(std::move(sink)), warn_(std::move(warn)), lines_(first_line - 1) {}

bool CharacterRepair::push(std::string_view text) {
  if (rest_.empty()) return run(text, false);
  const std::string joined = std::exchange(rest_, {}).append(text);
  return run(joined, false);
}

bool CharacterRepair::finish() {
  return run(std::exchange(rest_, {}), true);
}

bool CharacterRepair::run(std::string_view block, bool last) {
  block_ = block;
  at_ = copied_ = counted_ = 0;
  repaired_ = false;
  out_.clear();
  while (at_ < block.size()) {
    const auto& is_special = kSpecial[static_cast<size_t>(place_)];
    while (at_ < block.size() && (!is_special[static_cast<uint8_t>(block[at_])] || is_tag(block, at_))) ++at_;
    if (at_ == block.size()) break;
    const size_t size = special(last);
    if (size == kWait) break;
    at_ += size;
  }
  rest_ = block.substr(at_);
  lines_ += count_lines(block.substr(counted_, at_ - counted_));
  std::string_view text = block.substr(copied_, at_ - copied_);
  if (repaired_) text = out_.append(text);
  return text.empty() || sink_(text);
}

// The most usual of what is to be looked at: a tag, behind the root's.
bool CharacterRepair::is_tag(std::string_view block, size_t at) const {
  return !before_root_ && place_ == Place::kMarkup && block[at] == '<' && at + 1 < block.size() &&
         block[at + 1] != '!' && block[at + 1] != '?';
}

size_t CharacterRepair::special(bool last) {
  const std::string_view rest = block_.substr(at_);
  const auto byte = static_cast<uint8_t>(rest[0]);
  if (byte < 0x20) {
    return replace(1, {}, "bad_char_removed", fmt::format("the character U+{:04X} is not allowed; removed", byte));
  }
  if (byte == 0xEF) {
    if (!rest.starts_with("\xEF\xBF") || static_cast<uint8_t>(rest[2]) < 0xBE) return 3;
    const int code = 0xFFC0 | (rest[2] & 0x3F);
    return replace(3, {}, "bad_char_removed", fmt::format("the character U+{:04X} is not allowed; removed", code));
  }
  if (place_ != Place::kMarkup) return closing(rest, last);
  return byte == '&' ? reference(rest, last) : opening(rest, last);
}

size_t CharacterRepair::reference(std::string_view rest, bool last) {
  size_t end = rest.size() > 1 && rest[1] == '#' ? 2 : 1;
  while (end < rest.size() && end < kMaxReference && is_name_char(rest[end])) ++end;
  if (end == rest.size() && end < kMaxReference && !last) return kWait;
  if (end > 1 && end < rest.size() && rest[end] == ';') {
    const std::string_view name = rest.substr(1, end - 1);
    if (is_one_of_xml(name)) return end + 1;
    if (name[0] == '#') {
      const auto code = numbered(name);
      if (code && *code != 0) return end + 1;
      if (code) {
        return replace(end + 1, {}, "bad_char_removed", fmt::format("&{}; is no character of XML; removed", name));
      }
    } else if (const auto code = html_entity(name)) {
      std::string character;
      append_utf8(character, *code);
      return replace(end + 1, character, "html_entity", fmt::format("XML has no entity \"{}\"; read as in HTML", name));
    }
  }
  if (declares_) return 1;
  return replace(1, "&amp;", "ampersand_repaired", "a bare ampersand; written &amp; in XML");
}

size_t CharacterRepair::opening(std::string_view rest, bool last) {
  static constexpr std::string_view kEntity = "<!ENTITY";
  static constexpr std::array<std::pair<std::string_view, Place>, 3> kMarks{
      {{"<![CDATA[", Place::kCdata}, {"<!--", Place::kComment}, {"<?", Place::kInstruction}}};
  for (const auto& [mark, place] : kMarks) {
    if (rest.starts_with(mark)) {
      place_ = place;
      return mark.size();
    }
    if (!last && mark.starts_with(rest)) return kWait;
  }
  if (!before_root_) return 1;
  if (!last && kEntity.starts_with(rest)) return kWait;
  declares_ = declares_ || rest.starts_with(kEntity);
  before_root_ = rest.size() < 2 || rest[1] == '!';
  return 1;
}

size_t CharacterRepair::closing(std::string_view rest, bool last) {
  const std::string_view mark = place_ == Place::kCdata ? "]]>" : place_ == Place::kComment ? "-->" : "?>";
  if (rest.starts_with(mark)) {
    place_ = Place::kMarkup;
    return mark.size();
  }
  return !last && mark.starts_with(rest) ? kWait : 1;
}

size_t CharacterRepair::replace(size_t size, std::string_view by, const char* kind, std::string message) {
  lines_ += count_lines(block_.substr(counted_, at_ - counted_));
  counted_ = at_;
  warn_({kind, lines_ + 1, std::move(message)});
  repaired_ = true;
  out_.append(block_, copied_, at_ - copied_).append(by);
  copied_ = at_ + size;
  return size;
}

}  // namespace souk::input
