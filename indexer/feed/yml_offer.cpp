// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/yml_offer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace souk::feed {

struct YmlOffer::Element {
  enum class Use : uint8_t {
    kField,
    kPicture,
    kBarcode,
    kParam,
    kOwn,    // of a special offer type, shown as a param
    kExtra,  // shown only
    kDeliveryOptions,
    kPickupOptions,
    kCondition,
  };
  std::string_view name;
  Use use = Use::kField;
  Field field = Field::kCount;
  std::string_view param_name;  // of kOwn
};

namespace {

using Element = YmlOffer::Element;
using Use = Element::Use;
using Attributes = std::span<const XmlAttribute>;

constexpr Element field(std::string_view name, Field field) {
  return {name, Use::kField, field, {}};
}
constexpr Element own(std::string_view name, std::string_view param_name) {
  return {name, Use::kOwn, Field::kCount, param_name};
}
constexpr Element use(std::string_view name, Use use) {
  return {name, use, Field::kCount, {}};
}
constexpr Element extra(std::string_view name) {
  return use(name, Use::kExtra);
}

// By name (bytes). What only the seller may see (purchase_price, min_price, vat, market-sku …) is not here.
constexpr std::array kElements{
    own("ISBN", "ISBN"),
    field("adult", Field::kAdult),
    extra("age"),
    field("artist", Field::kArtist),
    own("author", "Автор"),
    use("barcode", Use::kBarcode),
    own("binding", "Переплёт"),
    field("categoryId", Field::kCategory),
    extra("certificate"),
    extra("comment-life-days"),
    extra("comment-validity-days"),
    extra("comment-warranty"),
    use("condition", Use::kCondition),
    own("country", "Страна"),
    extra("country_of_origin"),
    field("currencyId", Field::kCurrency),
    own("dataTour", "Дата тура"),
    own("date", "Дата"),
    own("days", "Дней"),
    field("delivery", Field::kDelivery),
    use("delivery-options", Use::kDeliveryOptions),
    field("description", Field::kDescription),
    field("description_ru", Field::kDescriptionRu),
    field("description_ua", Field::kDescriptionUa),
    extra("dimensions"),
    own("director", "Режиссёр"),
    extra("downloadable"),
    extra("expiry"),
    own("format", "Формат"),
    own("hall", "Зал"),
    own("hall_part", "Места в зале"),
    own("hotel_stars", "Звёзды отеля"),
    own("included", "Включено"),
    own("is_kids", "Детское"),
    own("is_premiere", "Премьера"),
    own("language", "Язык"),
    extra("local_delivery_cost"),
    extra("manufacturer_warranty"),
    own("meal", "Питание"),
    own("media", "Носитель"),
    extra("min-quantity"),
    field("model", Field::kModel),
    field("name", Field::kName),
    field("name_ru", Field::kNameRu),
    field("name_ua", Field::kNameUa),
    field("oldprice", Field::kOldPrice),
    own("options", "Дополнительно"),
    own("originalName", "Оригинальное название"),
    own("page_extent", "Страниц"),
    use("param", Use::kParam),
    own("part", "Часть"),
    own("performance_type", "Вид постановки"),
    own("performed_by", "Исполнитель"),
    extra("period-of-validity-days"),
    field("pickup", Field::kPickup),
    use("pickup-options", Use::kPickupOptions),
    use("picture", Use::kPicture),
    own("place", "Место"),
    field("price", Field::kPrice),
    own("price_max", "Цена до"),
    own("price_min", "Цена от"),
    field("publisher", Field::kPublisher),
    own("recording_length", "Время звучания"),
    own("region", "Регион"),
    own("room", "Номер"),
    extra("sales_notes"),
    own("series", "Серия"),
    extra("service-life-days"),
    own("starring", "В ролях"),
    extra("step-quantity"),
    own("storage", "Носитель"),
    field("store", Field::kStore),
    own("table_of_contents", "Оглавление"),
    field("title", Field::kTitle),
    own("transport", "Транспорт"),
    field("typePrefix", Field::kTypePrefix),
    field("url", Field::kUrl),
    field("vendor", Field::kVendor),
    field("vendorCode", Field::kVendorCode),
    extra("video"),
    own("volume", "Том"),
    extra("warranty-days"),
    extra("weight"),
    own("worldRegion", "Часть света"),
    own("year", "Год"),
};
static_assert(std::ranges::is_sorted(kElements, {}, &Element::name));

// Elements of <condition>.
constexpr std::array kConditionElements{extra("quality"), extra("reason")};
constexpr std::string_view kConditionPrefix = "condition-";

// Looked up for each element of a feed: a hash table made by the compiler, its collisions in the next place.
constexpr size_t kPlaces = 512;

constexpr size_t place_of(std::string_view name) {
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(name[i])); };
  return (name.size() * 7 + byte(0) * 31 + byte(name.size() / 2) * 5 + byte(name.size() - 1) * 131) % kPlaces;
}

constexpr std::array<uint8_t, kPlaces> kElementAt = [] {
  static_assert(kElements.size() < 255);
  std::array<uint8_t, kPlaces> table{};  // index + 1
  for (size_t i = 0; i < kElements.size(); ++i) {
    size_t place = place_of(kElements[i].name);
    while (table[place] != 0) place = (place + 1) % kPlaces;
    table[place] = static_cast<uint8_t>(i + 1);
  }
  return table;
}();

const Element* find_element(std::string_view name) {
  if (name.empty()) return nullptr;
  for (size_t place = place_of(name); kElementAt[place] != 0; place = (place + 1) % kPlaces) {
    const Element& element = kElements[kElementAt[place] - 1U];
    if (element.name == name) return &element;
  }
  return nullptr;
}

}  // namespace

void YmlOffer::begin(uint64_t line, Attributes attributes) {
  raw_.clear();
  raw_.line = line;
  list_ = List::kNone;
  element_ = nullptr;
  ignored_ = 0;
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == "id") {
      raw_.id = attribute.value;
    } else if (attribute.name == "available") {
      raw_[Field::kAvailable] = attribute.value;
      raw_.has_available = true;
    } else if (attribute.name == "type") {
      raw_.type = attribute.value;
    } else if (attribute.name == "group_id") {
      raw_[Field::kGroup] = attribute.value;
    }
  }
}

void YmlOffer::on_start(std::string_view name, Attributes attributes) {
  if (ignored_ > 0 || element_ != nullptr) {
    ++ignored_;
    if (element_ != nullptr) text_.blank();
    return;
  }
  if (list_ != List::kNone) return start_in_list(name, attributes);
  const Element* element = find_element(name);
  if (element == nullptr) {
    ++ignored_;
    return;
  }
  start_element(*element, attributes);
}

void YmlOffer::start_element(const Element& element, Attributes attributes) {
  switch (element.use) {
    case Use::kDeliveryOptions:
      list_ = List::kDelivery;
      return;
    case Use::kPickupOptions:
      list_ = List::kPickup;
      return;
    case Use::kCondition:
      list_ = List::kCondition;
      raw_[Field::kCondition] = find_attribute(attributes, "type");
      return;
    case Use::kParam:
      param_.name = find_attribute(attributes, "name");
      param_.unit = find_attribute(attributes, "unit");
      break;
    case Use::kOwn:
      param_.name = element.param_name;
      param_.unit.clear();
      break;
    case Use::kExtra:
      param_.name = element.name;
      param_.unit = find_attribute(attributes, "unit");
      break;
    case Use::kField:
      if (element.field == Field::kPrice && find_attribute(attributes, "from") == "true" &&
          raw_.extras.size() < OfferLimits::kExtras) {
        raw_.extras.push_back({"price-from", "true", {}});
      }
      break;
    case Use::kPicture:
    case Use::kBarcode:
      break;
  }
  element_ = &element;
  text_.begin(element.field == Field::kDescription ? BoundedText::kDescription : BoundedText::kUsual);
}

void YmlOffer::start_in_list(std::string_view name, Attributes attributes) {
  if (list_ == List::kCondition) {
    const auto* found = std::ranges::find(kConditionElements, name, &Element::name);
    if (found != kConditionElements.end()) {
      start_element(*found, {});
      param_.name.insert(0, kConditionPrefix);
      return;
    }
  } else if (name == "option") {
    auto& options = list_ == List::kDelivery ? raw_.delivery_options : raw_.pickup_options;
    if (options.size() <= OfferLimits::kDeliveryOptions) {  // one more tells that there are too many
      options.push_back({std::string(find_attribute(attributes, "cost")),
                         std::string(find_attribute(attributes, "days")),
                         std::string(find_attribute(attributes, "order-before"))});
    }
  }
  ++ignored_;
}

void YmlOffer::on_end() {
  if (ignored_ > 0) {
    --ignored_;
    if (element_ != nullptr) text_.blank();
  } else if (element_ != nullptr) {
    end_element();
    element_ = nullptr;
  } else {
    list_ = List::kNone;
  }
}

void YmlOffer::end_element() {
  std::string& text = text_.text();
  switch (element_->use) {
    case Use::kPicture:
      if (raw_.pictures.size() < RawOffer::kMaxRepeated) raw_.pictures.push_back(text);
      return;
    case Use::kBarcode:
      if (raw_.barcodes.size() < RawOffer::kMaxRepeated) raw_.barcodes.push_back(text);
      return;
    case Use::kParam:
    case Use::kOwn:
      raw_.add_param({std::move(param_.name), text, std::move(param_.unit), element_->use == Use::kOwn}, max_params_);
      return;
    case Use::kExtra:
      if (raw_.extras.size() < OfferLimits::kExtras) {
        raw_.extras.push_back({std::move(param_.name), text, std::move(param_.unit)});
      }
      return;
    default:
      break;
  }
  const bool description = element_->field == Field::kDescription;
  if (raw_.set(element_->field, text) && description) raw_.description_cut = text_.cut();
}

}  // namespace souk::feed
