// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/yml_document.h"

#include <fmt/core.h>

#include <utility>

#include "indexer/feed/plain_text.h"
#include "indexer/feed/utf8.h"
#include "indexer/feed/values.h"

namespace souk::feed {
namespace {

// What is kept of an element's text before it is looked at; markup and white space count here.
constexpr size_t kTextBytes = 64 * 1024;
constexpr size_t kDescriptionBytes = 1024 * 1024;
constexpr size_t kMaxCategoryId = 64;
constexpr size_t kMaxCategoryName = 200;
constexpr size_t kMaxHeaderText = 500;
constexpr size_t kMaxCurrencies = 100;
constexpr size_t kMaxRepeated = 1000;  // pictures or barcodes of one offer

std::string folded(std::string_view text) {
  std::string out(text);
  fold_space(out);
  return out;
}

std::string_view find_attribute(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

}  // namespace

YmlDocument::YmlDocument(const ReaderLimits& limits, YmlReader::Accept accept, Report& report)
    : limits_(limits),
      accept_(std::move(accept)),
      report_(report),
      categories_(report),
      validator_(categories_, currencies_, report) {}

void YmlDocument::on_doctype(std::string_view root_name) {
  if (root_name == "yml_catalog") return;
  parser_->refuse("not_a_feed", fmt::format("the document is of type {}, not yml_catalog", in_quotes(root_name)));
}

void YmlDocument::on_start(std::string_view name, Attributes attributes) {
  if (ignored_ > 0) {
    ++ignored_;
    // Markup that should have been escaped: <name>a<br/>b</name>.
    if (collects_text() && text_.size() < text_limit_) text_ += ' ';
    return;
  }
  switch (place_) {
    case Place::kOutside:
      return start_root(name, attributes);
    case Place::kCatalog:
      if (name != "shop" || has_shop_) break;
      has_shop_ = true;
      shop_line_ = parser_->line();
      place_ = Place::kShop;
      return;
    case Place::kShop:
      return start_in_shop(name);
    case Place::kCurrencies:
      return start_currency(name, attributes);
    case Place::kCategories:
      return start_category(name, attributes);
    case Place::kOffers:
      return start_offer(name, attributes);
    case Place::kOffer:
      return start_field(name, attributes);
    case Place::kShopText:
    case Place::kCategory:
    case Place::kField:
      if (text_.size() < text_limit_) text_ += ' ';
      break;
  }
  ++ignored_;
}

void YmlDocument::start_root(std::string_view name, Attributes attributes) {
  if (name != "yml_catalog") {
    parser_->refuse("not_a_feed", fmt::format("the document begins with {}, not yml_catalog", in_quotes(name)));
    return;
  }
  place_ = Place::kCatalog;
  const std::string date = folded(find_attribute(attributes, "date"));
  const FeedDate read = parse_date(date);
  header_.date = read.text;
  if (date.empty()) {
    report_.warn({parser_->line(), {}, "missing_date", "yml_catalog has no date"});
  } else if (read.text.empty()) {
    report_.warn({parser_->line(), {}, "bad_date", fmt::format("the date {} cannot be read", in_quotes(date))});
  } else if (!read.standard) {
    report_.warn({parser_->line(),
                  {},
                  "nonstandard_date",
                  fmt::format("the date {} is not like 2026-01-10 12:00", in_quotes(date))});
  }
}

void YmlDocument::start_in_shop(std::string_view name) {
  if (name == "offers") {
    place_ = Place::kOffers;
  } else if (name == "categories" || name == "currencies") {
    if (!linked_) {
      place_ = name == "categories" ? Place::kCategories : Place::kCurrencies;
      return;
    }
    if (!std::exchange(late_reported_, true)) {
      report_.warn({parser_->line(), {}, "late_list", fmt::format("{} after the offers are not read", name)});
    }
    ++ignored_;
  } else if (name == "name" || name == "company" || name == "url") {
    shop_text_ = name == "name" ? &header_.shop_name : name == "company" ? &header_.company : &header_.url;
    start_text(Place::kShopText);
  } else {
    ++ignored_;
  }
}

void YmlDocument::start_currency(std::string_view name, Attributes attributes) {
  ++ignored_;
  if (name != "currency") return;
  const std::string id = folded(find_attribute(attributes, "id"));
  const std::string code = currency_code(id);
  if (code.empty()) {
    report_.warn(
        {parser_->line(), {}, "bad_currency", fmt::format("the currency {} is not three letters", in_quotes(id))});
  } else if (currencies_.size() < kMaxCurrencies) {
    currencies_.insert(code);
  }
}

void YmlDocument::start_category(std::string_view name, Attributes attributes) {
  if (name != "category") {
    ++ignored_;
    return;
  }
  category_ = {
      parser_->line(), folded(find_attribute(attributes, "id")), folded(find_attribute(attributes, "parentId")), {}};
  if (category_.parent == "0") category_.parent.clear();
  start_text(Place::kCategory);
}

void YmlDocument::start_offer(std::string_view name, Attributes attributes) {
  if (name != "offer") {
    ++ignored_;
    return;
  }
  if (!std::exchange(linked_, true)) categories_.link();
  if (++offers_ > limits_.offers) {
    parser_->refuse("size_limit", fmt::format("the feed has more than {} offers", limits_.offers));
    return;
  }
  offer_.clear();
  offer_.line = parser_->line();
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == "id") {
      offer_.id = attribute.value;
    } else if (attribute.name == "available") {
      offer_.available = attribute.value;
    } else if (attribute.name == "type") {
      offer_.type = attribute.value;
    } else if (attribute.name == "group_id") {
      offer_.group_id = attribute.value;
    }
  }
  place_ = Place::kOffer;
}

void YmlDocument::start_field(std::string_view name, Attributes attributes) {
  element_ = find_offer_element(name);
  if (element_ == nullptr) {
    ++ignored_;
    return;
  }
  start_text(Place::kField);
  if (element_->field == Field::kDescription) text_limit_ = kDescriptionBytes;
  if (element_->field == Field::kParam) {
    param_.name = find_attribute(attributes, "name");
    param_.unit = find_attribute(attributes, "unit");
    param_.own = false;
  } else if (element_->field == Field::kOwn) {
    param_.name = element_->param_name;
    param_.unit.clear();
    param_.own = true;
  }
}

void YmlDocument::start_text(Place place) {
  place_ = place;
  text_.clear();
  text_limit_ = kTextBytes;
  text_cut_ = false;
}

void YmlDocument::on_end() {
  if (ignored_ > 0) {
    --ignored_;
    if (collects_text() && text_.size() < text_limit_) text_ += ' ';
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
    case Place::kCurrencies:
    case Place::kCategories:
    case Place::kOffers:
      place_ = Place::kShop;
      return;
    case Place::kCategory:
      return end_category();
    case Place::kOffer:
      return end_offer();
    case Place::kField:
      return end_field();
  }
}

void YmlDocument::end_shop_text() {
  place_ = Place::kShop;
  if (!shop_text_->empty()) return;
  fold_space(text_);
  cut_characters(text_, kMaxHeaderText);
  *shop_text_ = text_;
}

void YmlDocument::end_category() {
  place_ = Place::kCategories;
  if (categories_.size() >= limits_.categories) {
    parser_->refuse("size_limit", fmt::format("the feed has more than {} categories", limits_.categories));
    return;
  }
  if (category_.id.empty() || bytes_of_characters(category_.id, kMaxCategoryId) < category_.id.size()) {
    report_.warn({category_.line, {}, "bad_category", "a category without an id or with a very long one is left out"});
    return;
  }
  fold_space(text_);
  cut_characters(text_, kMaxCategoryName);
  if (text_.empty()) {
    report_.warn(
        {category_.line, {}, "category_no_name", fmt::format("the category {} has no name", in_quotes(category_.id))});
  }
  category_.name = text_.empty() ? category_.id : text_;
  categories_.add(std::move(category_));
}

void YmlDocument::end_field() {
  place_ = Place::kOffer;
  switch (element_->field) {
    case Field::kPicture:
      if (offer_.pictures.size() < kMaxRepeated) offer_.pictures.push_back(text_);
      return;
    case Field::kBarcode:
      if (offer_.barcodes.size() < kMaxRepeated) offer_.barcodes.push_back(text_);
      return;
    case Field::kParam:
    case Field::kOwn:
      if (offer_.params.size() < limits_.params) {
        param_.value = text_;
        offer_.params.push_back(std::move(param_));
      } else {
        ++offer_.dropped_params;
      }
      return;
    default:
      break;
  }
  std::string& field = offer_[element_->field];
  if (field.find_first_not_of(" \t\r\n") != std::string::npos) return;
  std::swap(field, text_);
  if (element_->field == Field::kDescription) offer_.description_cut = text_cut_;
}

void YmlDocument::end_offer() {
  place_ = Place::kOffers;
  auto offer = validator_.validate(offer_);
  if (!offer) return;
  ++report_.accepted;
  accept_(std::move(*offer));
}

bool YmlDocument::collects_text() const {
  return place_ == Place::kField || place_ == Place::kCategory || place_ == Place::kShopText;
}

void YmlDocument::on_text(std::string_view text) {
  if (!collects_text()) return;
  const size_t room = text_limit_ - std::min(text_limit_, text_.size());
  if (text.size() > room) {
    // The cut must not divide a character.
    size_t keep = room;
    while (keep > 0 && (static_cast<uint8_t>(text[keep]) & 0xC0) == 0x80) --keep;
    text = text.substr(0, keep);
    text_limit_ = text_.size() + keep;
    text_cut_ = true;
  }
  text_ += text;
}

void YmlDocument::on_html_entity(std::string_view name) {
  const bool in_offer = place_ == Place::kOffer || place_ == Place::kField;
  report_.warn({parser_->line(), in_offer && offer_.id ? folded(*offer_.id) : std::string(), "html_entity",
                fmt::format("XML has no entity {}; read as in HTML", in_quotes(name))});
}

}  // namespace souk::feed
