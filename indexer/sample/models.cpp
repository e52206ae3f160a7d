// SPDX-License-Identifier: Apache-2.0
#include "indexer/sample/models.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace souk::sample {
namespace {

constexpr size_t kToysDepartment = 3;  // index of the department
constexpr size_t kSoftToys = 0;
constexpr Text kBooksName{"Книги", "Books"};

struct Cat {
  Text name;
  bool in_russian_shops;
};
constexpr Cat kCats[] = {{{"Злой кот с пищалкой", "Злой кот с пищалкой"}, true},
                         {{"Злой кот без пищалки", "Злой кот без пищалки"}, true},
                         {{"Кот плюшевый", "Кот плюшевый"}, true},
                         {{"Angry cat with a squeaker", "Angry cat with a squeaker"}, false},
                         {{"Angry cat without squeaker", "Angry cat without squeaker"}, false},
                         {{"Plain cat", "Plain cat"}, false}};
constexpr int64_t kCatPrices[] = {1290, 1090, 890};

std::string make_number(Random& random) {
  static constexpr std::string_view kSuffixes[] = {"", "", "", " S", " Pro", " X", "-M"};
  const uint64_t number = 1 + random.below(99);
  return fmt::format("{}{}", number, random.pick(std::span<const std::string_view>(kSuffixes)));
}

// 1..6 shops, fewer being likelier; 2.2 on average.
size_t draw_shop_count(Random& random) {
  static constexpr uint64_t kUpTo[] = {40, 67, 82, 91, 96};
  const uint64_t roll = random.below(100);
  return 1 +
         static_cast<size_t>(std::count_if(std::begin(kUpTo), std::end(kUpTo), [&](uint64_t x) { return roll >= x; }));
}

// `count` different numbers of [from, to), ascending; all of them when there are fewer.
std::vector<size_t> draw_shops(size_t count, size_t from, size_t to, Random& random) {
  std::vector<size_t> all;
  for (size_t shop = from; shop < to; ++shop) all.push_back(shop);
  const size_t wanted = std::min(count, all.size());
  for (size_t i = 0; i < wanted; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(wanted);
  std::ranges::sort(all);
  return all;
}

Identity draw_identity(Random& random) {
  const uint64_t roll = random.below(100);
  if (roll < 55) return Identity::kBarcode;
  if (roll < 80) return Identity::kVendorCode;
  return roll < 90 ? Identity::kGroup : Identity::kNone;
}

void fill_codes(Model& model, size_t index) {
  if (model.identity != Identity::kBarcode && model.identity != Identity::kVendorCode) return;
  model.vendor_code = fmt::format("{}{}-{:05}", static_cast<char>('A' + model.department), model.kind + 1, index);
  if (model.identity != Identity::kBarcode) return;
  const bool is_book = departments()[model.department].name.en == kBooksName.en;
  const std::string digits = fmt::format("{}{:09}", is_book ? "978" : "460", 100'000'000 + index * 97);
  model.barcode = digits + ean13_check_digit(digits);
}

void fill_params(Model& model, const Kind& kind, Random& random) {
  for (const ParamSpec& spec : kind.params) {
    // Shops leave some params out; the first is what variants differ by.
    if (!model.params.empty() && random.chance(10)) continue;
    model.params.push_back({&spec, random.below(spec.values.size())});
  }
}

Model make_model(size_t index, const ModelCounts& counts, Random& random) {
  Model model;
  // Kinds are drawn evenly: a department with more kinds has more models.
  size_t draw = 0;
  for (const Department& department : departments()) draw += department.kinds.size();
  draw = random.below(draw);
  while (draw >= departments()[model.department].kinds.size()) draw -= departments()[model.department++].kinds.size();
  model.kind = draw;

  const Department& department = departments()[model.department];
  const Kind& kind = department.kinds[model.kind];
  model.brand = random.pick(department.brands);
  model.noun = random.pick(kind.nouns);
  model.series = random.pick(kind.series);
  if (kind.numbered) model.number = make_number(random);
  fill_params(model, kind, random);
  model.sentence = random.pick(department.sentences);
  model.closing = random.pick(closing_sentences());
  model.identity = draw_identity(random);
  fill_codes(model, index);
  const uint64_t place = random.below(1001);  // squared: most things are cheap
  model.price = kind.price_low + (kind.price_high - kind.price_low) * static_cast<int64_t>(place * place) / 1'000'000;
  const bool shared = model.identity == Identity::kBarcode || model.identity == Identity::kVendorCode;
  model.shops = draw_shops(shared ? draw_shop_count(random) : 1, 0, counts.shops, random);
  if (model.identity == Identity::kGroup) model.variants = 2 + random.below(3);
  return model;
}

Model make_cat(size_t index, const ModelCounts& counts, Random& random) {
  const Cat& cat = kCats[index];
  Model model;
  model.department = kToysDepartment;
  model.kind = kSoftToys;
  const Department& department = departments()[kToysDepartment];
  const Kind& kind = department.kinds[kSoftToys];
  model.brand = department.brands.front();
  model.noun = kind.nouns.front();
  model.exact_name = cat.name;
  fill_params(model, kind, random);
  model.sentence = department.sentences[index % department.sentences.size()];
  model.closing = random.pick(closing_sentences());
  model.identity = Identity::kBarcode;
  fill_codes(model, index);
  model.price = kCatPrices[index % std::size(kCatPrices)];
  model.shops = cat.in_russian_shops ? draw_shops(4, 0, counts.russian_shops, random)
                                     : draw_shops(3, counts.russian_shops, counts.shops, random);
  return model;
}

}  // namespace

char ean13_check_digit(std::string_view twelve_digits) {
  int sum = 0;
  for (size_t i = 0; i < twelve_digits.size(); ++i) sum += (twelve_digits[i] - '0') * (i % 2 == 0 ? 1 : 3);
  return static_cast<char>('0' + (10 - sum % 10) % 10);
}

std::vector<Model> make_models(const ModelCounts& counts, Random& random) {
  std::vector<Model> models;
  models.reserve(counts.models);
  for (size_t i = 0; i < counts.models; ++i) {
    models.push_back(i < std::size(kCats) ? make_cat(i, counts, random) : make_model(i, counts, random));
  }
  return models;
}

}  // namespace souk::sample
