// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/google_attributes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/feed/plain_text.h"

namespace souk::feed {
namespace {

using Use = GoogleAttribute::Use;

constexpr GoogleAttribute field(std::string_view name, Field field) {
  return {name, Use::kField, field, {}};
}
constexpr GoogleAttribute use(std::string_view name, Use use) {
  return {name, use, Field::kCount, {}};
}
constexpr GoogleAttribute param(std::string_view name) {
  return use(name, Use::kParam);
}

// By name. The shop's own category comes before Google's, which is often a number only.
constexpr std::array kAttributes{
    use("additional_image_link", Use::kMoreImages),
    field("adult", Field::kAdult),
    param("age_group"),
    field("availability", Field::kAvailability),
    field("availability_date", Field::kAvailabilityDate),
    field("brand", Field::kVendor),
    param("color"),
    field("condition", Field::kCondition),
    field("description", Field::kDescription),
    param("energy_efficiency_class"),
    param("gender"),
    field("google_product_category", Field::kCategoryPath),
    use("gtin", Use::kBarcode),
    use("id", Use::kId),
    use("image_link", Use::kImage),
    field("item_group_id", Field::kGroup),
    field("link", Field::kUrl),
    param("material"),
    field("mpn", Field::kVendorCode),
    param("pattern"),
    field("price", Field::kPrice),
    field("product_type", Field::kCategory),
    field("sale_price", Field::kSalePrice),
    field("sale_price_effective_date", Field::kSaleDates),
    GoogleAttribute{"shipping_weight", Use::kExtra, Field::kCount, "weight"},
    param("size"),
    param("size_system"),
    param("size_type"),
    field("title", Field::kName),
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
    case Use::kId:
      if (raw.id.find_first_not_of(" \t\r\n") == std::string::npos) std::swap(raw.id, text);
      return;
    case Use::kField:
      raw.set(attribute.field, text);
      return;
    case Use::kImage:
      if (raw.pictures.size() < RawOffer::kMaxRepeated) raw.pictures.insert(raw.pictures.begin(), std::move(text));
      return;
    case Use::kMoreImages:
      if (raw.pictures.size() < RawOffer::kMaxRepeated) raw.pictures.push_back(std::move(text));
      return;
    case Use::kBarcode:
      if (raw.barcodes.size() < RawOffer::kMaxRepeated) raw.barcodes.push_back(std::move(text));
      return;
    case Use::kParam:
      raw.add_param({std::string(attribute.name), std::move(text), {}, false}, OfferLimits::kParams);
      return;
    case Use::kExtra:
      if (raw.extras.size() < OfferLimits::kExtras) {
        raw.extras.push_back({std::string(attribute.extra_name), std::move(text), {}, false});
      }
      return;
  }
}

}  // namespace souk::feed
