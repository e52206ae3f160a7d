// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/offer_validator.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/text/normalize.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/values.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

using Limits = OfferLimits;

constexpr size_t kUsualId = 128;
constexpr size_t kGoogleId = 50;

constexpr std::array<std::string_view, 9> kTypes{"artist.title", "audiobook", "book", "event-ticket", "medicine",
                                                 "simplified",   "ticket",    "tour", "vendor.model"};
static_assert(std::ranges::is_sorted(kTypes));

bool has_own_elements(std::string_view type) {
  return type != "simplified" && type != "vendor.model" && type != "medicine";
}

// Whether the words of part stand in text, whatever the case.
bool contains_words(const std::string& text, const std::string& part) {
  if (text.starts_with(part) && (text.size() == part.size() || text[part.size()] == ' ')) return true;
  const std::string words = " " + text::fold(text) + " ";
  return words.contains(" " + text::fold(part) + " ");
}

void append_word(std::string& text, const std::string& word) {
  if (word.empty()) return;
  if (!text.empty()) text += ' ';
  text += word;
}

void split_path(std::string_view text, std::vector<std::string>& names) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('>'), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

uint64_t param_hash(const Param& param) {
  return std::rotl(xxh3(param.name), 1) ^ std::rotl(xxh3(param.unit), 2) ^ xxh3(param.value);
}

}  // namespace

OfferValidator::OfferValidator(Rules rules, const ReadOptions& options, Report& report, YmlLists lists)
    : rules_(rules),
      mode_(options.mode),
      now_(options.now != 0 ? options.now : real_clock().unix_seconds()),
      report_(report),
      lists_(lists) {}

std::optional<Offer> OfferValidator::validate(RawOffer& raw) {
  Offer offer;
  line_ = raw.line;
  id_.clear();
  offer.line = raw.line;
  if (!take_id(raw, offer) || !take_name(raw, offer) || !take_price(raw, offer) || !take_currency(raw, offer) ||
      !take_category(raw, offer) || !take_availability(raw, offer) || !take_links(raw, offer) ||
      !take_description(raw, offer)) {
    return std::nullopt;
  }
  take_old_price(raw, offer);
  take_group(raw, offer);
  take_barcodes(raw, offer);
  take_params(raw, offer);
  take_extras(raw, offer);
  take_condition(raw, offer);
  take_delivery(raw, offer);
  ids_.insert({xxh3(offer.id), std::hash<std::string>()(offer.id)});
  return offer;
}

bool OfferValidator::take_id(RawOffer& raw, Offer& offer) {
  fold_space(raw.id);
  if (raw.id.empty()) return reject("missing_id", "the offer has no id");
  const size_t most = rules_ == Rules::kGoogle && !lenient() ? kGoogleId : Limits::kId;
  id_ = raw.id.substr(0, input::bytes_of_characters(raw.id, most));
  if (id_.size() < raw.id.size()) {
    return reject("id_too_long", fmt::format("the id has more than {} characters", most));
  }
  if (ids_.contains({xxh3(id_), std::hash<std::string>()(id_)})) {
    return reject("duplicate_id", "an earlier offer has the same id; the first one counts");
  }
  const bool plain = std::ranges::all_of(id_, [](char c) { return c > ' ' && c < 0x7F; });
  if (!plain || id_.size() > (rules_ == Rules::kGoogle ? kGoogleId : kUsualId)) {
    warn("odd_id", "the id is not short and of Latin letters, digits and signs");
  }
  offer.id = id_;
  return true;
}

bool OfferValidator::take_name(RawOffer& raw, Offer& offer) {
  offer.type = "simplified";
  if (!raw.type.empty()) {
    fold_space(raw.type);
    cut_characters(raw.type, Limits::kShortText);
    if (!raw.type.empty()) offer.type = raw.type;
    if (!std::ranges::binary_search(kTypes, std::string_view(offer.type))) {
      warn("unknown_type",
           fmt::format("the offer type {} is not known; read as one without a type", in_quotes(offer.type)));
    }
  }
  offer.vendor = take_text(raw[Field::kVendor], Limits::kShortText, "vendor");
  offer.vendor_code = take_text(raw[Field::kVendorCode], Limits::kShortText, "vendor code");
  offer.model = take_text(raw[Field::kModel], Limits::kShortText, "model");
  if (offer.type == "vendor.model") return take_vendor_model_name(raw, offer);
  offer.name = take_text(raw[Field::kName], Limits::kName, "name");
  if (offer.type == "artist.title") {
    std::string title = take_text(raw[Field::kTitle], Limits::kName, "title");
    if (title.empty()) title = std::exchange(offer.name, {});
    const std::string artist = take_text(raw[Field::kArtist], Limits::kShortText, "artist");
    if (!title.empty()) offer.name = artist.empty() || contains_words(title, artist) ? title : artist + " " + title;
    cut_characters(offer.name, Limits::kName);
  } else if ((offer.type == "book" || offer.type == "audiobook") && offer.vendor.empty()) {
    offer.vendor = take_text(raw[Field::kPublisher], Limits::kShortText, "publisher");
  }
  return !offer.name.empty() || repair_name(raw, offer) || reject("missing_name", "the offer has no name");
}

bool OfferValidator::take_vendor_model_name(RawOffer& raw, Offer& offer) {
  if (offer.vendor.empty() && !excuse("missing_vendor", "an offer of type vendor.model needs a vendor")) return false;
  if (offer.model.empty()) {
    if (lenient()) offer.name = take_text(raw[Field::kName], Limits::kName, "name");
    if (offer.name.empty()) return reject("missing_model", "an offer of type vendor.model needs a model");
    warn("missing_model", "an offer of type vendor.model needs a model; its name counts");
    return true;
  }
  offer.name = take_text(raw[Field::kTypePrefix], Limits::kShortText, "typePrefix");
  if (!offer.vendor.empty() && !contains_words(offer.model, offer.vendor) &&
      !contains_words(offer.name, offer.vendor)) {
    append_word(offer.name, offer.vendor);
  }
  append_word(offer.name, offer.model);
  cut_characters(offer.name, Limits::kName);
  return true;
}

// Lenient: a name out of what else there is.
bool OfferValidator::repair_name(RawOffer& raw, Offer& offer) {
  if (!lenient()) return false;
  for (const Field field : {Field::kNameRu, Field::kNameUa}) {
    offer.name = take_text(raw[field], Limits::kName, "name");
    if (offer.name.empty()) continue;
    warn("localised_name", fmt::format("the offer has no name but name_{}", field == Field::kNameRu ? "ru" : "ua"));
    return true;
  }
  if (offer.model.empty()) return false;
  offer.name = take_text(raw[Field::kTypePrefix], Limits::kShortText, "typePrefix");
  if (!offer.vendor.empty() && !contains_words(offer.model, offer.vendor)) append_word(offer.name, offer.vendor);
  append_word(offer.name, offer.model);
  warn("missing_name", fmt::format("the offer has no name; made of vendor and model: {}", in_quotes(offer.name)));
  return true;
}

bool OfferValidator::take_category(RawOffer& raw, Offer& offer) {
  if (rules_ != Rules::kYml) return take_category_names(raw, offer);
  std::string& text = raw[Field::kCategory];
  fold_space(text);
  if (text.empty()) return excuse("missing_category", "the offer has no categoryId");
  const auto category = lists_.categories->find(text);
  if (!category) {
    return excuse("unknown_category", fmt::format("the category {} is not listed before the offers", in_quotes(text)));
  }
  offer.category_id = std::move(text);
  offer.category_path = lists_.categories->path(*category);
  return true;
}

// "Home > Lamps > Desk", or name by name.
bool OfferValidator::take_category_names(RawOffer& raw, Offer& offer) {
  std::string& text = raw[Field::kCategory];
  fold_space(text);
  if (!raw.category_path.empty()) {
    offer.category_path = std::move(raw.category_path);
    raw.category_path.clear();
    cut_characters(text, Limits::kShortText);
    offer.category_id = std::move(text);
  } else {
    split_path(text, offer.category_path);
    // Google's own category is often its number in Google's list.
    const std::string& other = raw[Field::kCategoryPath];
    if (offer.category_path.empty() && other.find_first_not_of("0123456789 ") != std::string::npos) {
      split_path(other, offer.category_path);
    }
  }
  for (std::string& name : offer.category_path) {
    fold_space(name);
    cut_characters(name, Limits::kShortText);
  }
  std::erase(offer.category_path, "");
  if (offer.category_path.size() > Limits::kCategoryDepth) offer.category_path.resize(Limits::kCategoryDepth);
  if (!offer.category_path.empty() || rules_ == Rules::kGoogle) return true;
  return excuse("missing_category", "the offer has no category");
}

bool OfferValidator::take_links(RawOffer& raw, Offer& offer) {
  std::string& url = raw[Field::kUrl];
  fold_space(url);
  const bool required = rules_ == Rules::kGoogle;
  if (is_web_url(url)) {
    offer.url = std::move(url);
  } else if (required) {
    return reject("missing_url", url.empty() ? std::string("the offer has no link")
                                             : fmt::format("the link {} is not an http address", in_quotes(url)));
  } else if (url.empty()) {
    warn("missing_url", "the offer has no url");
  } else {
    warn("bad_url",
         fmt::format("the url {} is not an http address of at most 512 characters; left out", in_quotes(url)));
  }
  take_pictures(raw, offer);
  return !required || !offer.pictures.empty() || reject("missing_picture", "the offer has no picture");
}

void OfferValidator::take_pictures(RawOffer& raw, Offer& offer) {
  for (std::string& picture : raw.pictures) {
    if (offer.pictures.size() > Limits::kPictures) break;
    fold_space(picture);
    if (!lenient() || !picture.contains('|')) {
      take_picture(std::move(picture), offer);
      continue;
    }
    report_.repair("pictures_split");
    std::string_view rest = picture;
    while (!rest.empty() && offer.pictures.size() <= Limits::kPictures) {
      const size_t end = std::min(rest.find('|'), rest.size());
      std::string one(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      fold_space(one);
      if (!one.empty()) take_picture(std::move(one), offer);
    }
  }
  if (offer.pictures.size() <= Limits::kPictures) return;
  warn("too_many_pictures", fmt::format("there are more than {} pictures; the first ones count", Limits::kPictures));
  offer.pictures.resize(Limits::kPictures);
}

void OfferValidator::take_picture(std::string picture, Offer& offer) {
  if (is_web_url(picture)) {
    offer.pictures.push_back(std::move(picture));
  } else {
    warn("bad_picture", fmt::format("the picture {} is not an http address; left out", in_quotes(picture)));
  }
}

void OfferValidator::take_group(RawOffer& raw, Offer& offer) {
  std::string& group = raw[Field::kGroup];
  fold_space(group);
  if (input::bytes_of_characters(group, Limits::kShortText) == group.size()) {
    offer.group_id = std::move(group);
  } else {
    warn("bad_group_id", fmt::format("the group id has more than {} characters; left out", Limits::kShortText));
  }
}

void OfferValidator::take_barcodes(RawOffer& raw, Offer& offer) {
  for (std::string& barcode : raw.barcodes) {
    fold_space(barcode);
    if (barcode.empty()) continue;
    if (lenient() && !is_barcode(barcode)) {
      std::string digits = barcode;
      std::erase_if(digits, [](char c) { return c == '-' || c == ' '; });
      if (is_barcode(digits)) {
        report_.repair("barcode_repaired");
        barcode = std::move(digits);
      }
    }
    if (!is_barcode(barcode)) {
      warn("bad_barcode", fmt::format("the barcode {} is not 8, 12, 13 or 14 digits with a right check digit; left out",
                                      in_quotes(barcode)));
      continue;
    }
    if (barcode.size() == 14 && barcode[0] == '0') barcode.erase(0, 1);
    if (std::ranges::find(offer.barcodes, barcode) != offer.barcodes.end()) continue;
    if (offer.barcodes.size() == Limits::kBarcodes) {
      warn("too_many_barcodes",
           fmt::format("there are more than {} barcodes; the first ones count", Limits::kBarcodes));
      break;
    }
    offer.barcodes.push_back(std::move(barcode));
  }
}

void OfferValidator::take_params(RawOffer& raw, Offer& offer) {
  std::vector<uint64_t> seen;
  const bool with_own = has_own_elements(offer.type);
  offer.params.reserve(raw.params.size());
  seen.reserve(raw.params.size());
  for (RawParam& param : raw.params) {
    if (param.own && !with_own) continue;
    Param out{take_text(param.name, Limits::kParamText, "param name"),
              take_text(param.value, Limits::kParamText, "param"),
              take_text(param.unit, Limits::kShortText, "param unit")};
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
  if (raw.dropped_params > 0) {
    warn("too_many_params", fmt::format("{} params are too many; left out", raw.dropped_params));
  }
}

void OfferValidator::take_extras(RawOffer& raw, Offer& offer) {
  offer.extras.reserve(raw.extras.size());
  for (RawParam& extra : raw.extras) {
    Param out{take_text(extra.name, Limits::kParamText, "name"), take_text(extra.value, Limits::kParamText, "text"),
              take_text(extra.unit, Limits::kShortText, "unit")};
    if (out.name.empty() || out.value.empty() || offer.extras.size() == Limits::kExtras) continue;
    offer.extras.push_back(std::move(out));
  }
}

bool OfferValidator::take_description(RawOffer& raw, Offer& offer) {
  offer.description = html_to_text(raw[Field::kDescription]);
  for (const Field field : {Field::kDescriptionRu, Field::kDescriptionUa}) {
    if (lenient() && offer.description.empty()) offer.description = html_to_text(raw[field]);
  }
  if (offer.description.empty() && rules_ == Rules::kGoogle) {
    return reject("missing_description", "the offer has no description");
  }
  const bool cut = cut_characters(offer.description, Limits::kDescription);
  if (cut || raw.description_cut) {
    warn("description_truncated", fmt::format("the description is cut to {} characters", Limits::kDescription));
  }
  return true;
}

std::string OfferValidator::take_text(std::string& raw, size_t characters, const char* what) {
  fold_space(raw);
  if (raw.size() > characters && cut_characters(raw, characters)) {
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

bool OfferValidator::excuse(const char* kind, std::string message) {
  if (!lenient()) return reject(kind, std::move(message));
  warn(kind, std::move(message));
  return true;
}

}  // namespace souk::feed
