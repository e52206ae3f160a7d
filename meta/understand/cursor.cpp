// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/cursor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "core/base/hash.h"

namespace souk::understand {

namespace {

constexpr size_t kWord = 16;  // hex digits of 64 bits
constexpr size_t kWords = 6;  // and the checksum
constexpr size_t kChecked = 1 + kWords * kWord;

// What is hashed of a query: every part with its length before it, so that no two run into each other.
class CanonicalText {
 public:
  void add(uint64_t number) { bytes_ += hex16(number); }
  void add(std::string_view part) {
    add(uint64_t{part.size()});
    bytes_ += part;
  }
  void add(const std::optional<int64_t>& number) {
    add(uint64_t{number.has_value()});
    add(static_cast<uint64_t>(number.value_or(0)));
  }
  void add_set(std::vector<std::string> values) {
    std::ranges::sort(values);
    add(uint64_t{values.size()});
    for (const std::string& value : values) add(std::string_view(value));
  }
  uint64_t hash() const { return xxh3(std::string_view(bytes_)); }

 private:
  std::string bytes_;
};

// hex16 turned around: lower-case digits only.
bool parse_hex16(std::string_view text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && end == text.data() + text.size() && hex16(value) == text;
}

}  // namespace

uint64_t query_hash(const Parameters& parameters) {
  CanonicalText text;
  text.add(std::string_view(parameters.text));
  text.add(uint64_t{parameters.min_match});
  text.add_set(parameters.categories);
  text.add_set(parameters.vendors);
  text.add_set(parameters.shops);
  text.add(parameters.model.value_or(DocKey()).value());
  text.add(parameters.price_from);
  text.add(parameters.price_to);
  text.add(uint64_t{parameters.in_stock});
  text.add_set(parameters.regions);
  text.add(uint64_t{parameters.ways});
  text.add(uint64_t{parameters.adult});
  text.add(std::string_view(parameters.place.value_or("")));
  auto params = parameters.params;
  std::ranges::sort(params);
  text.add(uint64_t{params.size()});
  for (auto& [name, values] : params) {
    text.add(std::string_view(name));
    text.add_set(std::move(values));
  }
  text.add(static_cast<uint64_t>(parameters.sort));
  text.add(static_cast<uint64_t>(parameters.group));
  return text.hash();
}

std::string to_text(const Cursor& cursor) {
  std::string text(1, cursor.description ? 'd' : 'm');
  for (const uint64_t word :
       {cursor.generation.number, cursor.generation.content_hash, cursor.query,
        static_cast<uint64_t>(cursor.after.order()), uint64_t{cursor.after.group()}, uint64_t{cursor.after.key()}}) {
    text += hex16(word);
  }
  return text + hex16(xxh3(std::string_view(text)));
}

Result<Cursor> parse_cursor(std::string_view text) {
  const std::unexpected<Error> malformed =
      fail(ErrorCode::kInvalidArgument, "not the next_cursor of an answer", "cursor");
  if (text.size() != kChecked + kWord || (text[0] != 'd' && text[0] != 'm')) return malformed;
  std::array<uint64_t, kWords + 1> words{};
  for (size_t i = 0; i < words.size(); ++i) {
    if (!parse_hex16(text.substr(1 + i * kWord, kWord), words[i])) return malformed;
  }
  if (words[kWords] != xxh3(text.substr(0, kChecked))) return malformed;
  Cursor cursor{.generation = {words[0], words[1]}, .query = words[2], .description = text[0] == 'd', .after = {}};
  cursor.after.set_order(static_cast<int64_t>(words[3]));
  cursor.after.set_group(words[4]);
  cursor.after.set_key(words[5]);
  if (!cursor.generation || words[4] == 0 || words[5] == 0) return malformed;
  return cursor;
}

}  // namespace souk::understand
