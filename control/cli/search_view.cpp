// SPDX-License-Identifier: Apache-2.0
#include "control/cli/search_view.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>

#include "control/cli/json_access.h"
#include "control/cli/text_table.h"
#include "runtime/net/json_text.h"

namespace souk::control {

namespace {

namespace json = boost::json;

std::string amount(const json::object& price, std::string_view name) {
  const json::value* value = price.if_contains(name);
  if (value == nullptr || !value->is_number()) return "?";
  json::error_code failure;
  const auto number = value->to_number<double>(failure);
  if (failure) return "?";
  return number == std::floor(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.2f}", number);
}

// "1299.50 RUB", or "1200–1500 RUB" for offers of different prices.
std::string price_text(const json::object& item) {
  const json::object* price = object_at(item, "price");
  if (price == nullptr) return "";
  const std::string min = amount(*price, "min");
  const std::string max = amount(*price, "max");
  return (min == max ? min : min + "–" + max) + " " + text_at(*price, "currency");
}

std::string count_text(const json::object& item, std::string_view name) {
  const auto number = number_at(item, name);
  return number ? std::to_string(*number) : "";
}

std::string items_table(const json::array& items) {
  const std::vector<Column> columns = {{"title", 60, false}, {"vendor", 20, false}, {"price", 0, true},
                                       {"offers", 0, true},  {"shops", 0, true},    {"url", 0, false}};
  std::vector<std::vector<std::string>> rows;
  for (const json::value& value : items) {
    if (!value.is_object()) continue;
    const json::object& item = value.get_object();
    rows.push_back({text_at(item, "title"), text_at(item, "vendor"), price_text(item), count_text(item, "offers"),
                    count_text(item, "shops"), text_at(item, "url")});
  }
  return format_table(columns, rows);
}

std::string understood_as(const json::object& answer) {
  const json::object* query = object_at(answer, "query");
  if (query == nullptr) return "";
  const std::string terms = joined_at(*query, "terms", " ");
  const std::string stages = joined_at(*query, "stages", ", ");
  std::string text = "understood as: " + (terms.empty() ? "everything" : terminal_text(terms));
  if (!stages.empty()) text += " (" + terminal_text(stages) + ")";
  return text + "\n";
}

std::string totals(const json::object& answer) {
  const json::object* total = object_at(answer, "total");
  const json::value* complete = answer.if_contains("complete");
  std::string text = fmt::format("found: {}{} models, {} offers; generation {}",
                                 total && text_at(*total, "relation") == "at_least" ? "at least " : "",
                                 total ? count_text(*total, "models") : "?", total ? count_text(*total, "offers") : "?",
                                 terminal_text(text_at(answer, "generation")));
  text += "\n";
  if (complete == nullptr || !complete->is_bool() || !complete->get_bool()) {
    const json::object* coverage = object_at(answer, "coverage");
    const std::string missing = coverage ? joined_at(*coverage, "missing", ", ") : "";
    text += "INCOMPLETE: these shards did not answer: " + (missing.empty() ? "?" : terminal_text(missing)) + "\n";
  }
  return text;
}

}  // namespace

Result<net::Request> search_request(std::string_view text, const std::vector<std::string>& filters) {
  net::Request request;
  request.path = "/search";
  request.query = "text=" + net::percent_encode(text);
  for (const std::string& filter : filters) {
    const size_t equals = filter.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return fail(ErrorCode::kInvalidArgument, "a filter is written name=value", filter);
    }
    request.query +=
        "&" + net::percent_encode(filter.substr(0, equals)) + "=" + net::percent_encode(filter.substr(equals + 1));
  }
  return request;
}

Result<std::string> search_text(const net::Response& response) {
  const auto answer = answer_object(response);
  if (!answer) return std::unexpected(answer.error());
  const json::array* items = array_at(*answer, "items");
  if (items == nullptr) return fail(ErrorCode::kCorruption, "the answer has no items");
  std::string text = understood_as(*answer) + totals(*answer);
  if (!items->empty()) text += "\n" + items_table(*items);
  const json::array* warnings = array_at(*answer, "warnings");
  if (warnings != nullptr && !warnings->empty()) {
    text += "\n";
    for (const json::value& warning : *warnings) {
      text +=
          "warning: " + terminal_text(warning.is_string() ? std::string(warning.get_string()) : net::to_text(warning));
      text += "\n";
    }
  }
  return text;
}

}  // namespace souk::control
