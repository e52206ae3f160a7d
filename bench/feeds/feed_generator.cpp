// SPDX-License-Identifier: Apache-2.0
#include "bench/feeds/feed_generator.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <array>
#include <iterator>

namespace souk::bench {
namespace {

constexpr uint64_t kCategories = 300;

constexpr std::array<std::string_view, 64> kWords{
    "лампа",     "настольная",    "для",      "дома",           "и",
    "сада",      "светодиодная",  "белый",    "тёплый",         "свет",
    "мощность",  "корпус",        "из",       "алюминия",       "с",
    "гарантией", "производителя", "чайник",   "электрический",  "нержавеющая",
    "сталь",     "объём",         "литра",    "автоматическое", "отключение",
    "на",        "кухне",         "комплект", "поставки",       "инструкция",
    "русском",   "языке",         "чёрный",   "матовый",        "удобный",
    "лёгкий",    "прочный",       "подходит", "детей",          "взрослых",
    "размер",    "упаковка",      "не",       "требует",        "сборки",
    "модель",    "новая",         "серия",    "2026",           "USB",
    "LED",       "IP44",          "кабель",   "длина",          "метра",
    "ткань",     "хлопок",        "подушка",  "одеяло",         "набор",
    "посуды",    "керамика",      "ручная",   "работа"};

constexpr std::array<std::string_view, 12> kParams{"Цвет",
                                                   "Мощность",
                                                   "Материал корпуса",
                                                   "Страна производства",
                                                   "Длина",
                                                   "Ширина",
                                                   "Высота",
                                                   "Гарантийный срок",
                                                   "Размер",
                                                   "Вес нетто",
                                                   "Количество в упаковке",
                                                   "Класс защиты"};
constexpr std::array<std::string_view, 4> kUnits{"", "мм", "Вт", "кг"};
constexpr std::array<std::string_view, 8> kVendors{"Норвик", "Филипс &amp; Ко", "Bosch",   "Светлый дом",
                                                   "Tefal",  "Мануфактура",     "Polaris", "Уют-Сервис"};

std::string barcode(uint64_t number) {
  std::string digits = fmt::format("460{:09}", number % 1'000'000'000);
  int sum = 0;
  for (size_t i = 0; i < 12; ++i) sum += (digits[i] - '0') * (i % 2 == 1 ? 3 : 1);
  return digits + static_cast<char>('0' + (10 - sum % 10) % 10);
}

}  // namespace

uint64_t FeedGenerator::run(const std::string& encoding, const std::function<void(std::string_view)>& take) {
  static constexpr std::string_view kEnd = "</offers>\n</shop>\n</yml_catalog>\n";
  head(encoding);
  uint64_t written = 0;
  uint64_t offers = 0;
  while (offers == 0 || written + out_.size() + kEnd.size() < bytes_) {
    offer(++offers);
    if (out_.size() < 64 * 1024) continue;
    written += out_.size();
    take(out_);
    out_.clear();
  }
  take(out_ += kEnd);
  out_.clear();
  return offers;
}

std::string FeedGenerator::words(uint64_t least, uint64_t most) {
  std::string text;
  for (uint64_t i = random_.between(least, most); i > 0; --i) {
    text += kWords[random_.below(kWords.size())];
    if (i > 1) text += ' ';
  }
  return text;
}

void FeedGenerator::element(std::string_view name, std::string_view text) {
  fmt::format_to(std::back_inserter(out_), "<{}>{}</{}>\n", name, text, name);
}

void FeedGenerator::head(const std::string& encoding) {
  out_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"{}\"?>\n<!DOCTYPE yml_catalog SYSTEM \"shops.dtd\">\n"
      "<yml_catalog date=\"2026-01-10 12:00\">\n<shop>\n<name>Большой магазин</name>\n<company>ООО Большой "
      "магазин</company>\n<url>https://shop.example/</url>\n<currencies><currency id=\"RUR\" "
      "rate=\"1\"/></currencies>\n"
      "<categories>\n",
      encoding);
  for (uint64_t id = 1; id <= kCategories; ++id) {
    const std::string parent = id <= 20 ? "" : fmt::format(" parentId=\"{}\"", 1 + random_.below(id - 1));
    fmt::format_to(std::back_inserter(out_), "<category id=\"{}\"{}>{}</category>\n", id, parent, words(1, 3));
  }
  out_ += "</categories>\n<offers>\n";
}

void FeedGenerator::offer(uint64_t number) {
  const uint64_t price = random_.between(100, 90'000);
  fmt::format_to(std::back_inserter(out_), "<offer id=\"{}\" available=\"{}\" group_id=\"{}\">\n", 100'000 + number,
                 random_.chance(0.9), number / 4);
  element("url", fmt::format("https://shop.example/catalog/item/{}?utm_source=market&amp;utm_medium=cpc", number));
  element("price", fmt::format("{}.{:02}", price, random_.below(100)));
  if (random_.chance(0.3)) element("oldprice", std::to_string(price * 5 / 4));
  element("currencyId", "RUR");
  element("categoryId", std::to_string(1 + random_.below(kCategories)));
  for (uint64_t i = random_.between(1, 3); i > 0; --i) {
    element("picture", fmt::format("https://img.shop.example/upload/iblock/{}/{}-{}.jpg", number % 1000, number, i));
  }
  element("name", words(4, 9));
  element("vendor", kVendors[random_.below(kVendors.size())]);
  element("vendorCode", fmt::format("NV-{}", number));
  element("model", fmt::format("Серия {}", number % 5000));
  description();
  element("sales_notes", "Предоплата 100 % для заказов от 5000 рублей");
  element("barcode", barcode(number));
  element("country_of_origin", "Россия");
  params();
  out_ += "</offer>\n";
}

void FeedGenerator::description() {
  out_ += "<description><![CDATA[<h3>" + words(2, 4) + "</h3><p>" + words(10, 50) + ".</p><ul>";
  for (uint64_t i = random_.below(4); i > 0; --i) out_ += "<li>" + words(2, 4) + "</li>";
  out_ += "</ul>]]></description>\n";
}

void FeedGenerator::params() {
  const uint64_t first = random_.below(kParams.size());
  for (uint64_t i = random_.between(2, 6); i > 0; --i) {
    const std::string_view name = kParams[(first + i) % kParams.size()];
    const std::string_view unit = kUnits[i % kUnits.size()];
    if (unit.empty()) {
      fmt::format_to(std::back_inserter(out_), "<param name=\"{}\">{}</param>\n", name, words(1, 2));
    } else {
      fmt::format_to(std::back_inserter(out_), "<param name=\"{}\" unit=\"{}\">{}</param>\n", name, unit,
                     random_.below(5000));
    }
  }
}

}  // namespace souk::bench
