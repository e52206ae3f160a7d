// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/json_text.h"

#include <boost/json/serialize.hpp>
#include <charconv>
#include <cmath>
#include <vector>

namespace souk::net {

namespace {

namespace json = boost::json;

template <typename T>
void append_number(T number, std::string& out) {
  char digits[32];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
  out.append(digits, end);
}

void append_double(double number, std::string& out) {
  if (!std::isfinite(number)) {
    out += "null";  // JSON has no infinity
    return;
  }
  char digits[400];  // the longest double in plain decimals has 309 digits before the point or 324 after it
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number, std::chars_format::fixed);
  out.append(digits, end);
}

void append_scalar(const json::value& value, std::string& out) {
  switch (value.kind()) {
    case json::kind::null:
      out += "null";
      break;
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      break;
    case json::kind::int64:
      append_number(value.get_int64(), out);
      break;
    case json::kind::uint64:
      append_number(value.get_uint64(), out);
      break;
    case json::kind::double_:
      append_double(value.get_double(), out);
      break;
    case json::kind::string:
      out += json::serialize(value.get_string());
      break;
    case json::kind::array:
    case json::kind::object:
      break;
  }
}

// Writes without recursion: values may come from input.
class Writer {
 public:
  explicit Writer(bool pretty) : pretty_(pretty) {}

  std::string write(const json::value& root) {
    begin(root);
    while (!open_.empty()) {
      Frame& frame = open_.back();
      if (frame.next == frame.size) {
        close();
        continue;
      }
      const size_t index = frame.next++;
      if (index > 0) out_ += ',';
      new_line();
      if (frame.object != nullptr) {
        const json::key_value_pair& member = *(frame.object->begin() + static_cast<std::ptrdiff_t>(index));
        out_ += json::serialize(member.key());
        out_ += pretty_ ? ": " : ":";
        begin(member.value());  // may invalidate frame
      } else {
        begin((*frame.array)[index]);
      }
    }
    return std::move(out_);
  }

 private:
  struct Frame {
    const json::object* object;  // one of the two
    const json::array* array;
    size_t size;
    size_t next = 0;
  };

  void begin(const json::value& value) {
    if (const json::object* object = value.if_object()) {
      out_ += '{';
      open_.push_back({object, nullptr, object->size()});
    } else if (const json::array* array = value.if_array()) {
      out_ += '[';
      open_.push_back({nullptr, array, array->size()});
    } else {
      append_scalar(value, out_);
    }
  }

  void close() {
    const Frame frame = open_.back();
    open_.pop_back();
    if (frame.size > 0) new_line();
    out_ += frame.object != nullptr ? '}' : ']';
  }

  void new_line() {
    if (!pretty_) return;
    out_ += '\n';
    out_.append(2 * open_.size(), ' ');
  }

  bool pretty_;
  std::string out_;
  std::vector<Frame> open_;
};

}  // namespace

std::string to_text(const json::value& value) {
  return Writer(false).write(value);
}

std::string to_pretty_text(const json::value& value) {
  return Writer(true).write(value);
}

}  // namespace souk::net
