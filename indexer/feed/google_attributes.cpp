// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/google_attributes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/feed/plain_text.h"

namespace souk::feed {
namespace {

using GoogleUse = GoogleAttribute::Use;

constexpr GoogleAttribute attribute(std::string_view name, Field field) {
  return {name, GoogleUse::kField, field, {}};
}
constexpr GoogleAttribute attribute(std::string_view name, GoogleUse use) {
  return {name, use, Field::kCount, {}};
}
constexpr GoogleAttribute param(std::string_view name) {
  return attribute(name, GoogleUse::kParam);
}

// By name. The shop's own category comes before Google's, which is often a number only.
constexpr std::array kAttributes{
    attribute("additional_image_link", GoogleUse::kMoreImages),
    attribute("adult", Field::kAdult),
    param("age_group"),
    attribute("availability", Field::kAvailability),
    attribute("availability_date", Field::kAvailabilityDate),
    attribute("brand", Field::kVendor),
    param("color"),
    attribute("condition", Field::kCondition),
    attribute("description", Field::kDescription),
    param("energy_efficiency_class"),
    param("gender"),
    attribute("google_product_category", Field::kCategoryPath),
    attribute("gtin", GoogleUse::kBarcode),
    attribute("id", GoogleUse::kId),
    attribute("image_link", GoogleUse::kImage),
    attribute("item_group_id", Field::kGroup),
    attribute("link", Field::kUrl),
    param("material"),
    attribute("mpn", Field::kVendorCode),
    param("pattern"),
    attribute("price", Field::kPrice),
    attribute("product_type", Field::kCategory),
    attribute("sale_price", Field::kSalePrice),
    attribute("sale_price_effective_date", Field::kSaleDates),
    GoogleAttribute{"shipping_weight", GoogleUse::kExtra, Field::kCount, "weight"},
    param("size"),
    param("size_system"),
    param("size_type"),
    attribute("title", Field::kName),
};
static_assert(std::ranges::is_sorted(kAttributes, {}, &GoogleAttribute::name));

}  // namespace

const GoogleAttribute* find_google_attribute(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kAttributes, name, {}, &GoogleAttribute::name);
  return found != kAttributes.end() && found->name == name ? found : nullptr;
}

std::string google_column_name(std::string_view head) {
  std::string name(head);
  fold_space(name);
  if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  const size_t bracket = name.find('[');
  if (bracket != std::string::npos && name.ends_with(']')) {
    name = name.substr(bracket + 1, name.size() - bracket - 2);
    fold_space(name);
  }
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ') c = '_';
  }
  if (name.starts_with("g:")) name.erase(0, 2);
  return name;
}

void take_google_value(RawOffer& raw, const GoogleAttribute& attribute, std::string& text) {
  switch (attribute.use) {
    case GoogleUse::kId:
      if (raw.id.find_first_not_of(" \t\r\n") == std::string::npos) std::swap(raw.id, text);
      return;
    case GoogleUse::kField:
      raw.set(attribute.field, text);
      return;
    case GoogleUse::kImage:
      if (raw.pictures.size() < RawOffer::kMaxRepeated) raw.pictures.insert(raw.pictures.begin(), std::move(text));
      return;
    case GoogleUse::kMoreImages:
      if (raw.pictures.size() < RawOffer::kMaxRepeated) raw.pictures.push_back(std::move(text));
      return;
    case GoogleUse::kBarcode:
      if (raw.barcodes.size() < RawOffer::kMaxRepeated) raw.barcodes.push_back(std::move(text));
      return;
    case GoogleUse::kParam:
      raw.add_param({std::string(attribute.name), std::move(text), {}, false}, OfferLimits::kParams);
      return;
    case GoogleUse::kExtra:
      if (raw.extras.size() < OfferLimits::kExtras) {
        raw.extras.push_back({std::string(attribute.extra_name), std::move(text), {}, false});
      }
      return;
  }
}

}  // namespace souk::feed
