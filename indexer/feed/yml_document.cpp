// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/yml_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/feed/money.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/values.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

constexpr size_t kMaxCategoryId = 64;
constexpr size_t kMaxParentBytes = 4 * kMaxCategoryId + 1;
constexpr size_t kMaxCategoryBytes = 64 << 20;  // of all texts of categories
constexpr size_t kMaxCategoryName = 200;
constexpr size_t kMaxCurrencies = 100;

// What a delivery cost without days is taken for: the longest time that may be documented.
constexpr uint16_t kUnknownDays = 31;

}  // namespace

struct YmlDocument::ShopText {
  std::string_view name;
  std::string FeedHeader::* text = nullptr;
  std::optional<bool> DeliveryTerms::* flag = nullptr;
};

YmlDocument::YmlDocument(const ReadOptions& options, FeedReader::Accept accept, Report& report)
    : options_(options),
      accept_(std::move(accept)),
      report_(report),
      categories_(report),
      validator_(OfferValidator::Rules::kYml, options, report, {&categories_, &currencies_, &header_.currency}),
      offer_(options.limits) {}

bool YmlDocument::check_whole(uint64_t last_line) {
  auto& options = header_.delivery.delivery_options;
  if (options.empty() && local_delivery_) options.push_back(*local_delivery_);
  if (!has_shop_) {
    report_.feed_error = {"missing_shop", last_line, "yml_catalog has no shop"};
  } else if (report_.accepted == 0) {
    report_.feed_error = {"no_valid_offers", shop_line_, "the shop has no valid offer"};
  }
  return report_.ok();
}

void YmlDocument::on_start(std::string_view name, Attributes attributes) {
  if (ignored_ > 0) {
    ++ignored_;
    // Markup that should have been escaped: <name>a<br/>b</name>.
    if (collects_text()) text_.blank();
    return;
  }
  switch (place_) {
    case Place::kOutside:
      return start_root(attributes);
    case Place::kCatalog:
      if (name != "shop" || has_shop_) break;
      has_shop_ = true;
      shop_line_ = parser_->line();
      place_ = Place::kShop;
      return;
    case Place::kShop:
      return start_in_shop(name);
    case Place::kShopOptions:
      return start_option(name, attributes);
    case Place::kCurrencies:
      return start_currency(name, attributes);
    case Place::kCategories:
      return start_category(name, attributes);
    case Place::kOffers:
      return start_offer(name, attributes);
    case Place::kOffer:
      return offer_.on_start(name, attributes);
    case Place::kShopText:
    case Place::kCategory:
      text_.blank();
      break;
  }
  ++ignored_;
}

void YmlDocument::start_root(Attributes attributes) {
  place_ = Place::kCatalog;
  const std::string date = space_folded(find_attribute(attributes, "date"));
  const FeedDate read = parse_date(date);
  header_.date = read.text;
  if (date.empty()) {
    warn("missing_date", "yml_catalog has no date");
  } else if (read.text.empty()) {
    warn("bad_date", fmt::format("the date {} cannot be read", in_quotes(date)));
  } else if (!read.standard) {
    warn("nonstandard_date", fmt::format("the date {} is not like 2026-01-10 12:00", in_quotes(date)));
  }
}

void YmlDocument::start_in_shop(std::string_view name) {
  static constexpr std::array<ShopText, 7> kTexts{{
      {"name", &FeedHeader::shop_name},
      {"company", &FeedHeader::company},
      {"url", &FeedHeader::url},
      {"delivery", nullptr, &DeliveryTerms::delivery},
      {"pickup", nullptr, &DeliveryTerms::pickup},
      {"store", nullptr, &DeliveryTerms::store},
      {"local_delivery_cost"},
  }};
  if (name == "offers") {
    place_ = Place::kOffers;
    parser_->items("offer");
  } else if (name == "categories" || name == "currencies") {
    if (!linked_) {
      place_ = name == "categories" ? Place::kCategories : Place::kCurrencies;
      return;
    }
    if (!std::exchange(late_reported_, true)) {
      warn("late_list", fmt::format("{} after the offers are not read", name));
    }
    ++ignored_;
  } else if (name == "delivery-options" || name == "pickup-options") {
    place_ = Place::kShopOptions;
    shop_options_ = name == "delivery-options" ? &header_.delivery.delivery_options : &header_.delivery.pickup_options;
  } else if (const auto* text = std::ranges::find(kTexts, name, &ShopText::name); text != kTexts.end()) {
    shop_text_ = text;
    start_text(Place::kShopText);
  } else {
    ++ignored_;
  }
}

void YmlDocument::start_option(std::string_view name, Attributes attributes) {
  ++ignored_;
  if (name != "option") return;
  const RawDeliveryOption raw{std::string(find_attribute(attributes, "cost")),
                              std::string(find_attribute(attributes, "days")),
                              std::string(find_attribute(attributes, "order-before"))};
  const auto option = parse_delivery_option(raw, options_.mode);
  if (!option) {
    warn("bad_delivery_option", fmt::format("the shop's delivery option cost={} days={} order-before={} is left out",
                                            in_quotes(raw.cost), in_quotes(raw.days), in_quotes(raw.order_before)));
  } else if (shop_options_->size() < OfferLimits::kDeliveryOptions) {
    shop_options_->push_back(*option);
  } else {
    warn("too_many_delivery_options", fmt::format("the shop has more than {} delivery options; the first ones count",
                                                  OfferLimits::kDeliveryOptions));
  }
}

void YmlDocument::start_currency(std::string_view name, Attributes attributes) {
  ++ignored_;
  if (name != "currency") return;
  const std::string id = space_folded(find_attribute(attributes, "id"));
  const std::string code = currency_code(id);
  if (code.empty()) {
    warn("bad_currency", fmt::format("the currency {} is not three letters", in_quotes(id)));
  } else if (currencies_.size() < kMaxCurrencies) {
    currencies_.insert(code);
    const std::string rate = space_folded(find_attribute(attributes, "rate"));
    const bool is_main = parse_price(rate) == 100;
    if (has_main_currency_ || (!is_main && (!rate.empty() || !header_.currency.empty()))) return;
    has_main_currency_ = is_main;
    header_.currency = code;
  }
}

void YmlDocument::start_category(std::string_view name, Attributes attributes) {
  if (name != "category") {
    ++ignored_;
    return;
  }
  std::string parent = space_folded(find_attribute(attributes, "parentId"));
  if (parent.empty()) parent = space_folded(find_attribute(attributes, "parent_id"));
  // One that long is nobody's id.
  parent.resize(std::min(parent.size(), kMaxParentBytes));
  category_ = {parser_->line(), space_folded(find_attribute(attributes, "id")), std::move(parent), {}};
  if (category_.parent == "0") category_.parent.clear();
  start_text(Place::kCategory);
}

void YmlDocument::start_offer(std::string_view name, Attributes attributes) {
  if (name != "offer") {
    ++ignored_;
    return;
  }
  if (!std::exchange(linked_, true)) categories_.link();
  if (++offers_ > options_.limits.offers) {
    parser_->refuse("size_limit", fmt::format("the feed has more than {} offers", options_.limits.offers));
    return;
  }
  offer_.begin(parser_->line(), attributes);
  place_ = Place::kOffer;
}

void YmlDocument::start_text(Place place) {
  place_ = place;
  text_.begin(BoundedText::kUsual);
}

void YmlDocument::on_end() {
  if (ignored_ > 0) {
    --ignored_;
    if (collects_text()) text_.blank();
    return;
  }
  switch (place_) {
    case Place::kOutside:
      return;
    case Place::kCatalog:
      place_ = Place::kOutside;
      return;
    case Place::kShop:
      place_ = Place::kCatalog;
      return;
    case Place::kShopText:
      return end_shop_text();
    case Place::kShopOptions:
    case Place::kCurrencies:
    case Place::kCategories:
    case Place::kOffers:
      place_ = Place::kShop;
      return;
    case Place::kCategory:
      return end_category();
    case Place::kOffer:
      return offer_.at_offer() ? end_offer() : offer_.on_end();
  }
}

void YmlDocument::end_shop_text() {
  place_ = Place::kShop;
  std::string& text = text_.text();
  fold_space(text);
  cut_characters(text, FeedHeader::kMaxText);
  if (shop_text_->flag != nullptr) {
    end_shop_flag(shop_text_->flag);
  } else if (shop_text_->text == nullptr) {
    const auto cost = options_.mode == Mode::kLenient ? parse_price_leniently(text) : parse_price(text);
    if (cost) local_delivery_ = DeliveryOption{.cost = *cost, .days_to = kUnknownDays};
    if (!cost && !text.empty()) {
      warn("bad_delivery_option", fmt::format("the local_delivery_cost {} is left out", in_quotes(text)));
    }
  } else if (std::string& field = header_.*shop_text_->text; field.empty()) {
    field = text;
  }
}

void YmlDocument::end_shop_flag(std::optional<bool> DeliveryTerms::* flag) {
  const std::string& text = text_.text();
  if (text.empty()) return;
  const auto value = parse_flag(text, options_.mode);
  if (!value) warn("bad_flag", fmt::format("{} is {}, not true or false; left out", shop_text_->name, in_quotes(text)));
  header_.delivery.*flag = value;
}

void YmlDocument::end_category() {
  place_ = Place::kCategories;
  if (categories_.size() >= options_.limits.categories) {
    parser_->refuse("size_limit", fmt::format("the feed has more than {} categories", options_.limits.categories));
    return;
  }
  if (category_.id.empty() || input::bytes_of_characters(category_.id, kMaxCategoryId) < category_.id.size()) {
    report_.warn({category_.line, {}, "bad_category", "a category without an id or with a very long one is left out"});
    return;
  }
  std::string& name = text_.text();
  fold_space(name);
  cut_characters(name, kMaxCategoryName);
  if (name.empty()) {
    report_.warn(
        {category_.line, {}, "category_no_name", fmt::format("the category {} has no name", in_quotes(category_.id))});
  }
  category_.name = name.empty() ? category_.id : name;
  category_bytes_ += category_.id.size() + category_.parent.size() + category_.name.size();
  if (category_bytes_ > kMaxCategoryBytes) {
    parser_->refuse("size_limit", fmt::format("the categories are larger than {} bytes", kMaxCategoryBytes));
    return;
  }
  categories_.add(std::move(category_));
}

void YmlDocument::end_offer() {
  place_ = Place::kOffers;
  auto offer = validator_.validate(offer_.raw());
  if (!offer) return;
  ++report_.accepted;
  accept_(std::move(*offer));
}

bool YmlDocument::collects_text() const {
  return place_ == Place::kCategory || place_ == Place::kShopText;
}

void YmlDocument::on_text(std::string_view text) {
  if (place_ == Place::kOffer) {
    offer_.on_text(text);
  } else if (collects_text()) {
    text_.append(text);
  }
}

void YmlDocument::on_html_entity(std::string_view name) {
  const std::string id = place_ == Place::kOffer ? space_folded(offer_.raw().id) : std::string();
  report_.warn(
      {parser_->line(), id, "html_entity", fmt::format("XML has no entity {}; read as in HTML", in_quotes(name))});
}

void YmlDocument::on_item_lost(uint64_t line, std::string message) {
  const bool begun = place_ == Place::kOffer;
  std::string id = begun ? space_folded(offer_.raw().id) : std::string();
  cut_characters(id, OfferLimits::kId);
  report_.reject({begun ? offer_.raw().line : line, std::move(id), "offer_malformed", std::move(message)});
  place_ = Place::kOffers;
  ignored_ = 0;
}

void YmlDocument::warn(const char* kind, std::string message) {
  report_.warn({parser_->line(), {}, kind, std::move(message)});
}

}  // namespace souk::feed
