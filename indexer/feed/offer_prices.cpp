// SPDX-License-Identifier: Apache-2.0
// What an offer costs, whether it can be had, and how.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/feed/money.h"
#include "indexer/feed/offer_validator.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/values.h"

namespace souk::feed {
namespace {

// Conditions of YML and of Google, by name.
constexpr std::array<std::string_view, 7> kConditions{"likenew",        "new", "preowned", "reduction", "refurbished",
                                                      "showcasesample", "used"};
static_assert(std::ranges::is_sorted(kConditions));

}  // namespace

std::optional<int64_t> OfferValidator::read_price(std::string_view text) {
  if (auto price = parse_price(text)) return price;
  if (!lenient()) return std::nullopt;
  auto price = parse_price_leniently(text);
  if (price) report_.repair("price_repaired");
  return price;
}

bool OfferValidator::take_price(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kPrice];
  fold_space(text);
  if (text.empty()) return reject("missing_price", "the offer has no price");
  if (rules_ == Rules::kGoogle) return take_google_price(raw, offer);
  const auto price = read_price(text);
  if (!price) return reject("bad_price", fmt::format("the price {} is not a number like 1490.00", in_quotes(text)));
  if (*price == 0) return reject("zero_price", "the price is 0");
  offer.price = *price;
  return true;
}

bool OfferValidator::take_google_price(RawOffer& raw, Offer& offer) {
  const std::string& text = raw[Field::kPrice];
  auto money = parse_money(text, mode_);
  if (!money) {
    const std::string_view kind = money.error();
    if (kind == "price_no_currency") {
      return reject(money.error(), fmt::format("the price {} has no currency, like 15.00 USD", in_quotes(text)));
    }
    if (kind == "unknown_currency") {
      return reject(money.error(), fmt::format("the currency of {} is not one of ISO 4217", in_quotes(text)));
    }
    return reject(money.error(), fmt::format("the price {} is not one like 15.00 USD", in_quotes(text)));
  }
  if (money->amount == 0) return reject("zero_price", "the price is 0");
  if (money->repaired) report_.repair("price_repaired");
  offer.price = money->amount;
  offer.currency = std::move(money->currency);
  take_sale_price(raw, offer);
  return true;
}

void OfferValidator::take_sale_price(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kSalePrice];
  fold_space(text);
  if (text.empty()) return;
  const auto money = parse_money(text, mode_);
  if (!money || money->amount == 0 || money->currency != offer.currency) {
    warn("bad_sale_price",
         fmt::format("the sale price {} is not one like 15.00 {}; left out", in_quotes(text), offer.currency));
    return;
  }
  if (money->amount >= offer.price) {
    warn("bad_sale_price", fmt::format("the sale price {} is not below the price; left out", in_quotes(text)));
    return;
  }
  std::string& dates = raw[Field::kSaleDates];
  fold_space(dates);
  if (!dates.empty()) {
    const auto interval = parse_interval(dates);
    if (!interval) {
      warn("bad_sale_price", fmt::format("the dates {} of the sale price are not like "
                                         "2026-02-24T11:07+0100/2026-02-28T23:07+0100; left out",
                                         in_quotes(dates)));
      return;
    }
    if (now_ < interval->from || now_ >= interval->to) return;
  }
  if (money->repaired) report_.repair("price_repaired");
  offer.old_price = std::exchange(offer.price, money->amount);
}

bool OfferValidator::take_currency(RawOffer& raw, Offer& offer) {
  if (rules_ == Rules::kGoogle) return true;  // it came with the price
  std::string& text = raw[Field::kCurrency];
  fold_space(text);
  if (text.empty()) {
    if (rules_ == Rules::kYml && lenient()) {
      offer.currency = *lists_.main_currency;
      if (offer.currency.empty() && lists_.currencies->size() == 1) offer.currency = *lists_.currencies->begin();
    }
    if (offer.currency.empty()) return reject("missing_currency", "the offer has no currency");
    warn("missing_currency", fmt::format("the offer has no currency; read as {}, the feed's main one", offer.currency));
    return true;
  }
  offer.currency = currency_code(text);
  if (rules_ == Rules::kJson) {
    return is_iso_currency(offer.currency) ||
           reject("unknown_currency", fmt::format("the currency {} is not one of ISO 4217", in_quotes(text)));
  }
  if (lists_.currencies->contains(offer.currency)) return true;
  std::string message = fmt::format("the currency {} is not in the feed's list", in_quotes(text));
  if (!is_iso_currency(offer.currency)) return reject("unknown_currency", std::move(message));
  return excuse("unknown_currency", std::move(message));
}

void OfferValidator::take_old_price(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kOldPrice];
  if (text.empty()) return;
  fold_space(text);
  if (text.empty()) return;
  const auto old_price = read_price(text);
  if (old_price && *old_price > offer.price) {
    offer.old_price = *old_price;
  } else if (!old_price) {
    warn("bad_oldprice", fmt::format("the old price {} is not a number like 1490.00; left out", in_quotes(text)));
  } else {
    warn("bad_oldprice", fmt::format("the old price {} is not above the price; left out", in_quotes(text)));
  }
}

bool OfferValidator::take_availability(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kAvailability];
  fold_space(text);
  if (text.empty()) {
    if (rules_ == Rules::kGoogle) return reject("missing_availability", "the offer has no availability");
    take_available(raw, offer);
    return true;
  }
  const auto availability = parse_availability(text, mode_);
  if (!availability) {
    return reject(
        "bad_availability",
        fmt::format("the availability {} is not in_stock, out_of_stock, preorder or backorder", in_quotes(text)));
  }
  if (!parse_availability(text, Mode::kStrict)) report_.repair("availability_repaired");
  offer.availability = *availability;
  offer.available = offer.availability == Availability::kInStock;
  const bool later = *availability == Availability::kPreorder || *availability == Availability::kBackorder;
  if (later && rules_ == Rules::kGoogle) {
    std::string& date = raw[Field::kAvailabilityDate];
    fold_space(date);
    if (!parse_instant(date)) {
      warn("missing_availability_date",
           fmt::format("an offer that is {} needs an availability_date like 2026-02-24", to_string(*availability)));
    }
  }
  return true;
}

// What cannot be read is taken as false: a buyer must not be promised what is not there.
void OfferValidator::take_available(RawOffer& raw, Offer& offer) {
  if (!raw.has_available) return;
  std::string& text = raw[Field::kAvailable];
  fold_space(text);
  offer.available = parse_flag(text, mode_).value_or(false);
  if (!offer.available) offer.availability = Availability::kOutOfStock;
  if (text == "true" || text == "false") return;
  warn("bad_available", fmt::format("available is {}, not true or false; taken as {}", in_quotes(text),
                                    offer.available ? "true" : "false"));
}

void OfferValidator::take_condition(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kCondition];
  if (text.empty()) return;
  fold_space(text);
  if (std::ranges::binary_search(kConditions, std::string_view(text))) {
    offer.condition = std::move(text);
  } else if (!text.empty()) {
    warn("bad_condition", fmt::format("the condition {} is not known; left out", in_quotes(text)));
  }
}

void OfferValidator::take_delivery(RawOffer& raw, Offer& offer) {
  offer.adult = take_flag(raw, Field::kAdult, "adult").value_or(false);
  offer.delivery.delivery = take_flag(raw, Field::kDelivery, "delivery");
  offer.delivery.pickup = take_flag(raw, Field::kPickup, "pickup");
  offer.delivery.store = take_flag(raw, Field::kStore, "store");
  take_options(raw.delivery_options, offer.delivery.delivery_options);
  take_options(raw.pickup_options, offer.delivery.pickup_options);
}

void OfferValidator::take_options(const std::vector<RawDeliveryOption>& raw, std::vector<DeliveryOption>& options) {
  for (const RawDeliveryOption& one : raw) {
    const auto option = parse_delivery_option(one, mode_);
    if (!option) {
      warn("bad_delivery_option", fmt::format("the delivery option cost={} days={} order-before={} is left out",
                                              in_quotes(one.cost), in_quotes(one.days), in_quotes(one.order_before)));
    } else if (options.size() == OfferLimits::kDeliveryOptions) {
      warn("too_many_delivery_options",
           fmt::format("there are more than {} delivery options; the first ones count", OfferLimits::kDeliveryOptions));
      return;
    } else {
      options.push_back(*option);
    }
  }
}

std::optional<bool> OfferValidator::take_flag(RawOffer& raw, Field field, const char* name) {
  std::string& text = raw[field];
  if (text.empty()) return std::nullopt;
  fold_space(text);
  if (text.empty()) return std::nullopt;
  // Google writes yes and no.
  const auto flag = parse_flag(text, rules_ == Rules::kGoogle ? Mode::kLenient : mode_);
  if (!flag) warn("bad_flag", fmt::format("{} is {}, not true or false; left out", name, in_quotes(text)));
  return flag;
}

}  // namespace souk::feed
