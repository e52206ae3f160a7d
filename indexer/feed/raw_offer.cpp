// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/raw_offer.h"

#include <algorithm>

namespace souk::feed {
namespace {

// By name (bytes).
constexpr std::array kElements{
    OfferElement{"ISBN", Field::kOwn, "ISBN"},
    OfferElement{"artist", Field::kArtist, {}},
    OfferElement{"author", Field::kOwn, "Автор"},
    OfferElement{"barcode", Field::kBarcode, {}},
    OfferElement{"binding", Field::kOwn, "Переплёт"},
    OfferElement{"categoryId", Field::kCategory, {}},
    OfferElement{"country", Field::kOwn, "Страна"},
    OfferElement{"currencyId", Field::kCurrency, {}},
    OfferElement{"date", Field::kOwn, "Дата"},
    OfferElement{"days", Field::kOwn, "Дней"},
    OfferElement{"description", Field::kDescription, {}},
    OfferElement{"director", Field::kOwn, "Режиссёр"},
    OfferElement{"format", Field::kOwn, "Формат"},
    OfferElement{"hall", Field::kOwn, "Зал"},
    OfferElement{"hotel_stars", Field::kOwn, "Звёзды отеля"},
    OfferElement{"language", Field::kOwn, "Язык"},
    OfferElement{"meal", Field::kOwn, "Питание"},
    OfferElement{"media", Field::kOwn, "Носитель"},
    OfferElement{"model", Field::kModel, {}},
    OfferElement{"name", Field::kName, {}},
    OfferElement{"oldprice", Field::kOldPrice, {}},
    OfferElement{"originalName", Field::kOwn, "Оригинальное название"},
    OfferElement{"page_extent", Field::kOwn, "Страниц"},
    OfferElement{"param", Field::kParam, {}},
    OfferElement{"part", Field::kOwn, "Часть"},
    OfferElement{"performed_by", Field::kOwn, "Исполнитель"},
    OfferElement{"picture", Field::kPicture, {}},
    OfferElement{"place", Field::kOwn, "Место"},
    OfferElement{"price", Field::kPrice, {}},
    OfferElement{"publisher", Field::kPublisher, {}},
    OfferElement{"region", Field::kOwn, "Регион"},
    OfferElement{"room", Field::kOwn, "Номер"},
    OfferElement{"series", Field::kOwn, "Серия"},
    OfferElement{"starring", Field::kOwn, "В ролях"},
    OfferElement{"title", Field::kTitle, {}},
    OfferElement{"transport", Field::kOwn, "Транспорт"},
    OfferElement{"typePrefix", Field::kTypePrefix, {}},
    OfferElement{"url", Field::kUrl, {}},
    OfferElement{"vendor", Field::kVendor, {}},
    OfferElement{"vendorCode", Field::kVendorCode, {}},
    OfferElement{"volume", Field::kOwn, "Том"},
    OfferElement{"worldRegion", Field::kOwn, "Часть света"},
    OfferElement{"year", Field::kOwn, "Год"},
};
static_assert(std::ranges::is_sorted(kElements, {}, &OfferElement::name));

}  // namespace

const OfferElement* find_offer_element(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kElements, name, {}, &OfferElement::name);
  return found != kElements.end() && found->name == name ? found : nullptr;
}

void RawOffer::clear() {
  line = 0;
  id.reset();
  available.reset();
  type.clear();
  group_id.clear();
  for (std::string& field : fields) field.clear();
  pictures.clear();
  barcodes.clear();
  params.clear();
  dropped_params = 0;
  description_cut = false;
}

}  // namespace souk::feed
