// SPDX-License-Identifier: Apache-2.0
#include "control/cli/json_access.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "control/cli/text_table.h"
#include "runtime/net/json_text.h"

namespace souk::control {

namespace {

namespace json = boost::json;

constexpr size_t kShownBody = 200;

Result<json::object> parse_body(const std::string& body) {
  json::error_code failure;
  json::value value = json::parse(body, failure);
  if (failure || !value.is_object()) {
    return fail(ErrorCode::kCorruption,
                "the answer is not a JSON object: " + terminal_text(body.substr(0, kShownBody)));
  }
  return std::move(value.get_object());
}

}  // namespace

Result<json::object> answer_object(const net::Response& response) {
  auto object = parse_body(response.body);
  if (response.status == 200) return object;
  const std::string status = "answered " + std::to_string(response.status);
  const json::object* error = object ? object_at(*object, "error") : nullptr;
  if (error == nullptr) {
    return fail(ErrorCode::kUnavailable, status + ": " + terminal_text(response.body.substr(0, kShownBody)));
  }
  return fail(ErrorCode::kUnavailable,
              status + " " + terminal_text(text_at(*error, "code")) + ": " + terminal_text(text_at(*error, "message")),
              terminal_text(text_at(*error, "argument")));
}

std::string text_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<uint64_t> number_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number() || value->is_double()) return std::nullopt;
  json::error_code failure;
  const auto number = value->to_number<uint64_t>(failure);
  return failure ? std::nullopt : std::optional(number);
}

const json::object* object_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr ? value->if_object() : nullptr;
}

const json::array* array_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr ? value->if_array() : nullptr;
}

std::string joined_at(const json::object& object, std::string_view name, std::string_view separator) {
  const json::array* list = array_at(object, name);
  std::string text;
  if (list == nullptr) return text;
  for (const json::value& value : *list) {
    if (!text.empty()) text += separator;
    text += value.is_string() ? std::string(value.get_string()) : net::to_text(value);
  }
  return text;
}

}  // namespace souk::control
