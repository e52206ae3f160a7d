// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/json_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <utility>

#include "indexer/feed/plain_text.h"

namespace souk::feed {
namespace {

namespace json = boost::json;

constexpr size_t kMemory = 64 * 1024;

// What a field must be; for the message about one that is not.
constexpr std::string_view kText = "a text";
constexpr std::string_view kFlag = "true or false";
constexpr std::string_view kTexts = "an array of texts";
constexpr std::string_view kParams = "an array of [name, unit or null, value]";
constexpr std::string_view kOptions = "an array of {cost, days, order_before}";

// A text, or a number as it would be written; null is an empty text.
bool take_text(const json::value& value, std::string& out) {
  if (const auto* text = value.if_string()) {
    out.assign(text->data(), text->size());
  } else if (value.is_int64() || value.is_uint64()) {
    out = value.is_int64() ? std::to_string(value.get_int64()) : std::to_string(value.get_uint64());
  } else if (value.is_double()) {
    out = fmt::format("{:.6f}", value.get_double());
  } else {
    out.clear();
    return value.is_null();
  }
  return true;
}

bool take_flag(const json::value& value, std::string& out) {
  if (!value.is_bool()) return take_text(value, out);
  out = value.get_bool() ? "true" : "false";
  return true;
}

bool take_texts(const json::value& value, std::vector<std::string>& out) {
  if (value.is_null()) return true;
  const auto* array = value.if_array();
  if (array == nullptr || array->size() > RawOffer::kMaxRepeated) return false;
  return std::ranges::all_of(*array, [&](const json::value& one) { return take_text(one, out.emplace_back()); });
}

bool take_param(const json::value& value, RawParam& out) {
  if (const auto* array = value.if_array()) {
    return array->size() == 3 && take_text((*array)[0], out.name) && take_text((*array)[1], out.unit) &&
           take_text((*array)[2], out.value);
  }
  const auto* object = value.if_object();
  if (object == nullptr) return false;
  const auto take = [&](const char* name, std::string& text) {
    const auto* field = object->if_contains(name);
    return field == nullptr || take_text(*field, text);
  };
  return take("name", out.name) && take("unit", out.unit) && take("value", out.value);
}

bool take_params(const json::value& value, std::vector<RawParam>& out, size_t most, size_t& dropped) {
  if (value.is_null()) return true;
  const auto* array = value.if_array();
  if (array == nullptr) return false;
  for (const json::value& one : *array) {
    RawParam param;
    if (!take_param(one, param)) return false;
    if (out.size() < most) {
      out.push_back(std::move(param));
    } else {
      ++dropped;
    }
  }
  return true;
}

bool take_options(const json::value& value, std::vector<RawDeliveryOption>& out) {
  if (value.is_null()) return true;
  const auto* array = value.if_array();
  if (array == nullptr) return false;
  for (const json::value& one : *array) {
    const auto* object = one.if_object();
    if (object == nullptr) return false;
    if (out.size() > OfferLimits::kDeliveryOptions) continue;  // one more tells that there are too many
    RawDeliveryOption& option = out.emplace_back();
    for (const auto& [name, text] : {std::pair{"cost", &option.cost}, std::pair{"days", &option.days},
                                     std::pair{"order_before", &option.order_before}}) {
      const auto* field = object->if_contains(name);
      if (field != nullptr && !take_text(*field, *text)) return false;
    }
  }
  return true;
}

struct TextField {
  std::string_view name;
  Field field;
  bool flag;
};
constexpr std::array kFields{
    TextField{"adult", Field::kAdult, true},          TextField{"availability", Field::kAvailability, false},
    TextField{"available", Field::kAvailable, true},  TextField{"category", Field::kCategory, false},
    TextField{"condition", Field::kCondition, false}, TextField{"currency", Field::kCurrency, false},
    TextField{"delivery", Field::kDelivery, true},    TextField{"description", Field::kDescription, false},
    TextField{"group_id", Field::kGroup, false},      TextField{"model", Field::kModel, false},
    TextField{"name", Field::kName, false},           TextField{"old_price", Field::kOldPrice, false},
    TextField{"pickup", Field::kPickup, true},        TextField{"price", Field::kPrice, false},
    TextField{"store", Field::kStore, true},          TextField{"url", Field::kUrl, false},
    TextField{"vendor", Field::kVendor, false},       TextField{"vendor_code", Field::kVendorCode, false},
};
static_assert(std::ranges::is_sorted(kFields, {}, &TextField::name));

// What the field must be, when it is not; else nothing. A field that is not known is passed over.
std::string_view take_field(std::string_view name, const json::value& value, RawOffer& raw, size_t most_params) {
  const auto* found = std::ranges::lower_bound(kFields, name, {}, &TextField::name);
  if (found != kFields.end() && found->name == name) {
    std::string& text = raw[found->field];
    if (found->flag ? !take_flag(value, text) : !take_text(value, text)) return found->flag ? kFlag : kText;
    if (found->field == Field::kAvailable) raw.has_available = !value.is_null();
    return {};
  }
  size_t dropped = 0;
  if (name == "id") return take_text(value, raw.id) ? std::string_view() : kText;
  if (name == "type") return take_text(value, raw.type) ? std::string_view() : kText;
  if (name == "pictures") return take_texts(value, raw.pictures) ? std::string_view() : kTexts;
  if (name == "barcodes") return take_texts(value, raw.barcodes) ? std::string_view() : kTexts;
  if (name == "category_path") return take_texts(value, raw.category_path) ? std::string_view() : kTexts;
  if (name == "params") {
    return take_params(value, raw.params, most_params, raw.dropped_params) ? std::string_view() : kParams;
  }
  if (name == "extras") {
    return take_params(value, raw.extras, OfferLimits::kExtras, dropped) ? std::string_view() : kParams;
  }
  if (name == "delivery_options") return take_options(value, raw.delivery_options) ? std::string_view() : kOptions;
  if (name == "pickup_options") return take_options(value, raw.pickup_options) ? std::string_view() : kOptions;
  return {};
}

}  // namespace

JsonLines::JsonLines(const ReadOptions& options, FeedReader::Accept accept, Report& report)
    : limits_(options.limits),
      accept_(std::move(accept)),
      report_(report),
      validator_(OfferValidator::Rules::kJson, options, report),
      memory_(kMemory) {}

bool JsonLines::push(std::string_view utf8) {
  while (!utf8.empty()) {
    const size_t end = utf8.find('\n');
    const std::string_view part = utf8.substr(0, end);
    const bool too_long = too_long_ || begun_.size() + part.size() > kMaxLine;
    if (end == std::string_view::npos) {
      too_long_ = too_long;
      if (too_long) {
        begun_.clear();
      } else {
        begun_ += part;
      }
      return true;
    }
    utf8.remove_prefix(end + 1);
    if (too_long) {
      long_line();
    } else if (begun_.empty()) {
      if (!take_line(part)) return false;
    } else {
      begun_ += part;
      if (!take_line(begun_)) return false;
    }
    begun_.clear();
    ++line_;
  }
  return true;
}

bool JsonLines::finish() {
  if (too_long_) {
    long_line();
  } else if (!take_line(begun_)) {
    return false;
  }
  if (report_.accepted == 0) return refuse("no_valid_offers", "the feed has no valid offer");
  return true;
}

bool JsonLines::take_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
  if (++rows_ > limits_.offers) {
    return refuse("size_limit", fmt::format("the feed has more than {} offers", limits_.offers));
  }
  raw_.clear();
  raw_.line = line_;
  json::monotonic_resource memory(memory_.data(), memory_.size());
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code problem;
  const json::value value = json::parse(json::string_view(line.data(), line.size()), problem, &memory, options);
  if (problem) {
    bad_row(fmt::format("the line is not JSON: {}", problem.message()));
    return true;
  }
  const auto* object = value.if_object();
  if (object == nullptr) {
    bad_row("the line is not a JSON object");
    return true;
  }
  std::string_view bad_name, wanted;
  for (const auto& [name, field] : *object) {
    const std::string_view missed = take_field({name.data(), name.size()}, field, raw_, limits_.params);
    if (missed.empty() || !wanted.empty()) continue;
    bad_name = {name.data(), name.size()};
    wanted = missed;
  }
  if (!wanted.empty()) {
    bad_row(fmt::format("the field {} is not {}", in_quotes(bad_name), wanted));
    return true;
  }
  auto offer = validator_.validate(raw_);
  if (!offer) return true;
  ++report_.accepted;
  accept_(std::move(*offer));
  return true;
}

void JsonLines::long_line() {
  too_long_ = false;
  raw_.clear();
  bad_row(fmt::format("the line is longer than {} bytes", kMaxLine));
}

void JsonLines::bad_row(std::string message) {
  fold_space(raw_.id);
  cut_characters(raw_.id, OfferLimits::kId);
  report_.reject({line_, std::move(raw_.id), "bad_row", std::move(message)});
}

bool JsonLines::refuse(const char* kind, std::string message) {
  report_.feed_error = {kind, line_, std::move(message)};
  return false;
}

}  // namespace souk::feed
