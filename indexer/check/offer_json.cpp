// SPDX-License-Identifier: Apache-2.0
#include "indexer/check/offer_json.h"

#include <fmt/core.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <vector>

namespace souk::check {
namespace {

namespace json = boost::json;

json::value flag_or_null(std::optional<bool> flag) {
  return flag ? json::value(*flag) : json::value(nullptr);
}

json::array texts(const std::vector<std::string>& from) {
  return json::array(from.begin(), from.end());
}

json::array params(const std::vector<feed::Param>& from) {
  json::array out;
  for (const feed::Param& param : from) out.push_back(json::array{param.name, text_or_null(param.unit), param.value});
  return out;
}

json::array options(const std::vector<feed::DeliveryOption>& from) {
  json::array out;
  for (const feed::DeliveryOption& option : from) {
    const std::string days = option.days_from == option.days_to
                                 ? std::to_string(option.days_from)
                                 : fmt::format("{}-{}", option.days_from, option.days_to);
    out.push_back(
        json::object{{"cost", price_text(option.cost)}, {"days", days}, {"order_before", option.order_before}});
  }
  return out;
}

}  // namespace

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

std::string price_text(int64_t hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

json::object offer_json(const feed::Offer& offer) {
  return {{"id", offer.id},
          {"line", offer.line},
          {"name", offer.name},
          {"url", text_or_null(offer.url)},
          {"vendor", text_or_null(offer.vendor)},
          {"vendor_code", text_or_null(offer.vendor_code)},
          {"model", text_or_null(offer.model)},
          {"type", offer.type},
          {"price", price_text(offer.price)},
          {"old_price", offer.old_price == 0 ? json::value(nullptr) : json::value(price_text(offer.old_price))},
          {"currency", offer.currency},
          {"available", offer.available},
          {"availability", to_string(offer.availability)},
          {"condition", text_or_null(offer.condition)},
          {"group_id", text_or_null(offer.group_id)},
          {"category", text_or_null(offer.category_id)},
          {"category_path", texts(offer.category_path)},
          {"barcodes", texts(offer.barcodes)},
          {"pictures", texts(offer.pictures)},
          {"params", params(offer.params)},
          {"extras", params(offer.extras)},
          {"description", offer.description},
          {"adult", offer.adult},
          {"delivery", flag_or_null(offer.delivery.delivery)},
          {"pickup", flag_or_null(offer.delivery.pickup)},
          {"store", flag_or_null(offer.delivery.store)},
          {"delivery_options", options(offer.delivery.delivery_options)},
          {"pickup_options", options(offer.delivery.pickup_options)}};
}

}  // namespace souk::check
