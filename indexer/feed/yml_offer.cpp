// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/yml_offer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/base/hash.h"
#include "core/text/normalize.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/utf8.h"
#include "indexer/feed/values.h"

namespace souk::feed {
namespace {

constexpr size_t kMaxId = 255;
constexpr size_t kUsualId = 128;
constexpr size_t kMaxName = 500;
constexpr size_t kMaxShortText = 200;
constexpr size_t kMaxParamText = 500;
constexpr size_t kMaxDescription = 3000;
constexpr size_t kMaxPictures = 10;
constexpr size_t kMaxBarcodes = 100;

constexpr std::array<std::string_view, 9> kTypes{"artist.title", "audiobook", "book", "event-ticket", "medicine",
                                                 "simplified",   "ticket",    "tour", "vendor.model"};
static_assert(std::ranges::is_sorted(kTypes));

bool has_own_elements(std::string_view type) {
  return type != "simplified" && type != "vendor.model" && type != "medicine";
}

// Whether the words of part stand in text, whatever the case.
bool contains_words(const std::string& text, const std::string& part) {
  const std::string words = " " + text::fold(text) + " ";
  return words.contains(" " + text::fold(part) + " ");
}

void append_word(std::string& text, const std::string& word) {
  if (word.empty()) return;
  if (!text.empty()) text += ' ';
  text += word;
}

uint64_t param_hash(const Param& param) {
  return std::rotl(xxh3(param.name), 1) ^ std::rotl(xxh3(param.unit), 2) ^ xxh3(param.value);
}

}  // namespace

std::optional<Offer> OfferValidator::validate(RawOffer& raw) {
  Offer offer;
  line_ = raw.line;
  id_.clear();
  offer.line = raw.line;
  if (!take_id(raw, offer) || !take_name(raw, offer) || !take_price(raw, offer) || !take_currency(raw, offer) ||
      !take_category(raw, offer)) {
    return std::nullopt;
  }
  take_old_price(raw, offer);
  take_available(raw, offer);
  take_links(raw, offer);
  take_barcodes(raw, offer);
  take_params(raw, offer);
  take_description(raw, offer);
  ids_.insert(offer.id);
  return offer;
}

bool OfferValidator::take_id(RawOffer& raw, Offer& offer) {
  if (raw.id) fold_space(*raw.id);
  if (!raw.id || raw.id->empty()) return reject("missing_id", "the offer has no id");
  id_ = raw.id->substr(0, bytes_of_characters(*raw.id, kMaxId));
  if (id_.size() < raw.id->size())
    return reject("id_too_long", fmt::format("the id has more than {} characters", kMaxId));
  if (ids_.contains(id_)) return reject("duplicate_id", "an earlier offer has the same id; the first one counts");
  const bool plain = std::ranges::all_of(id_, [](char c) { return c > ' ' && c < 0x7F; });
  if (!plain || id_.size() > kUsualId) warn("odd_id", "the id is not short and of Latin letters, digits and signs");
  offer.id = id_;
  return true;
}

bool OfferValidator::take_name(RawOffer& raw, Offer& offer) {
  fold_space(raw.type);
  cut_characters(raw.type, kMaxShortText);
  offer.type = raw.type.empty() ? "simplified" : raw.type;
  if (!std::ranges::binary_search(kTypes, std::string_view(offer.type))) {
    warn("unknown_type",
         fmt::format("the offer type {} is not known; read as one without a type", in_quotes(offer.type)));
  }
  offer.vendor = take_text(raw[Field::kVendor], kMaxShortText, "vendor");
  offer.vendor_code = take_text(raw[Field::kVendorCode], kMaxShortText, "vendorCode");
  offer.model = take_text(raw[Field::kModel], kMaxShortText, "model");
  if (offer.type == "vendor.model") return take_vendor_model_name(raw, offer);
  offer.name = take_text(raw[Field::kName], kMaxName, "name");
  if (offer.type == "artist.title") {
    std::string title = take_text(raw[Field::kTitle], kMaxName, "title");
    if (title.empty()) title = std::exchange(offer.name, {});
    if (title.empty()) return reject("missing_name", "the offer has no title");
    const std::string artist = take_text(raw[Field::kArtist], kMaxShortText, "artist");
    offer.name = artist.empty() || contains_words(title, artist) ? title : artist + " " + title;
  }
  if ((offer.type == "book" || offer.type == "audiobook") && offer.vendor.empty()) {
    offer.vendor = take_text(raw[Field::kPublisher], kMaxShortText, "publisher");
  }
  return !offer.name.empty() || reject("missing_name", "the offer has no name");
}

bool OfferValidator::take_vendor_model_name(RawOffer& raw, Offer& offer) {
  if (offer.vendor.empty()) return reject("missing_vendor", "an offer of type vendor.model needs a vendor");
  if (offer.model.empty()) return reject("missing_model", "an offer of type vendor.model needs a model");
  offer.name = take_text(raw[Field::kTypePrefix], kMaxShortText, "typePrefix");
  if (!contains_words(offer.model, offer.vendor) && !contains_words(offer.name, offer.vendor)) {
    append_word(offer.name, offer.vendor);
  }
  append_word(offer.name, offer.model);
  return true;
}

bool OfferValidator::take_price(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kPrice];
  fold_space(text);
  if (text.empty()) return reject("missing_price", "the offer has no price");
  const auto price = parse_price(text);
  if (!price) return reject("bad_price", fmt::format("the price {} is not a number like 1490.00", in_quotes(text)));
  if (*price == 0) return reject("zero_price", "the price is 0");
  offer.price = *price;
  return true;
}

bool OfferValidator::take_currency(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kCurrency];
  fold_space(text);
  if (text.empty()) return reject("missing_currency", "the offer has no currencyId");
  offer.currency = currency_code(text);
  if (currencies_.contains(offer.currency)) return true;
  return reject("unknown_currency", fmt::format("the currency {} is not in the feed's list", in_quotes(text)));
}

bool OfferValidator::take_category(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kCategory];
  fold_space(text);
  if (text.empty()) return reject("missing_category", "the offer has no categoryId");
  const auto category = categories_.find(text);
  if (!category) {
    return reject("unknown_category", fmt::format("the category {} is not listed before the offers", in_quotes(text)));
  }
  offer.category_id = text;
  offer.category_path = categories_.path(*category);
  return true;
}

void OfferValidator::take_old_price(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kOldPrice];
  fold_space(text);
  if (text.empty()) return;
  const auto old_price = parse_price(text);
  if (old_price && *old_price > offer.price) {
    offer.old_price = *old_price;
  } else if (!old_price) {
    warn("bad_oldprice", fmt::format("the oldprice {} is not a number like 1490.00; left out", in_quotes(text)));
  } else {
    warn("bad_oldprice", fmt::format("the oldprice {} is not above the price; left out", in_quotes(text)));
  }
}

void OfferValidator::take_available(RawOffer& raw, Offer& offer) {
  if (!raw.available) return;
  fold_space(*raw.available);
  offer.available = *raw.available == "true";
  if (offer.available || *raw.available == "false") return;
  warn("bad_available", fmt::format("available is {}, not true or false; taken as false", in_quotes(*raw.available)));
}

void OfferValidator::take_links(RawOffer& raw, Offer& offer) {
  std::string& url = raw[Field::kUrl];
  fold_space(url);
  if (url.empty()) {
    warn("missing_url", "the offer has no url");
  } else if (!is_web_url(url)) {
    warn("bad_url",
         fmt::format("the url {} is not an http address of at most 512 characters; left out", in_quotes(url)));
  } else {
    offer.url = url;
  }
  for (std::string& picture : raw.pictures) {
    fold_space(picture);
    if (!is_web_url(picture)) {
      warn("bad_picture", fmt::format("the picture {} is not an http address; left out", in_quotes(picture)));
    } else if (offer.pictures.size() == kMaxPictures) {
      warn("too_many_pictures", fmt::format("there are more than {} pictures; the first ones count", kMaxPictures));
      break;
    } else {
      offer.pictures.push_back(std::move(picture));
    }
  }
  fold_space(raw.group_id);
  if (bytes_of_characters(raw.group_id, kMaxShortText) == raw.group_id.size()) {
    offer.group_id = raw.group_id;
  } else {
    warn("bad_group_id", fmt::format("the group_id has more than {} characters; left out", kMaxShortText));
  }
}

void OfferValidator::take_barcodes(RawOffer& raw, Offer& offer) {
  for (std::string& barcode : raw.barcodes) {
    fold_space(barcode);
    if (barcode.empty() || std::ranges::find(offer.barcodes, barcode) != offer.barcodes.end()) continue;
    if (!is_barcode(barcode)) {
      warn("bad_barcode", fmt::format("the barcode {} is not 8, 12 or 13 digits with a right check digit; left out",
                                      in_quotes(barcode)));
    } else if (offer.barcodes.size() == kMaxBarcodes) {
      warn("too_many_barcodes", fmt::format("there are more than {} barcodes; the first ones count", kMaxBarcodes));
      break;
    } else {
      offer.barcodes.push_back(std::move(barcode));
    }
  }
}

void OfferValidator::take_params(RawOffer& raw, Offer& offer) {
  std::vector<uint64_t> seen;
  const bool with_own = has_own_elements(offer.type);
  offer.params.reserve(raw.params.size());
  for (RawParam& param : raw.params) {
    if (param.own && !with_own) continue;
    Param out{take_text(param.name, kMaxParamText, "param name"), take_text(param.value, kMaxParamText, "param"),
              take_text(param.unit, kMaxShortText, "param unit")};
    if (out.name.empty()) {
      warn("param_no_name", "a param has no name; left out");
      continue;
    }
    if (out.value.empty()) {
      warn("param_empty", fmt::format("the param {} has no value; left out", in_quotes(out.name)));
      continue;
    }
    const uint64_t hash = param_hash(out);
    if (std::ranges::find(seen, hash) != seen.end()) {
      warn("duplicate_param", fmt::format("the param {} is given twice with one value", in_quotes(out.name)));
      continue;
    }
    seen.push_back(hash);
    offer.params.push_back(std::move(out));
  }
  if (raw.dropped_params > 0)
    warn("too_many_params", fmt::format("{} params are too many; left out", raw.dropped_params));
}

void OfferValidator::take_description(RawOffer& raw, Offer& offer) {
  offer.description = html_to_text(raw[Field::kDescription]);
  const bool cut = cut_characters(offer.description, kMaxDescription);
  if (cut || raw.description_cut) {
    warn("description_truncated", fmt::format("the description is cut to {} characters", kMaxDescription));
  }
}

std::string OfferValidator::take_text(std::string& raw, size_t characters, const char* what) {
  fold_space(raw);
  if (cut_characters(raw, characters)) {
    warn("text_truncated", fmt::format("the {} is cut to {} characters", what, characters));
  }
  return std::move(raw);
}

bool OfferValidator::reject(const char* kind, std::string message) {
  report_.reject({line_, id_, kind, std::move(message)});
  return false;
}

void OfferValidator::warn(const char* kind, std::string message) {
  report_.warn({line_, id_, kind, std::move(message)});
}

}  // namespace souk::feed
