// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/query/big_world.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

#include "core/index/currency_code.h"
#include "core/index/document_order.h"
#include "core/text/normalize.h"

namespace souk::test {

namespace {

// splitmix64 (Steele, Lea, Flood 2014): of any two numbers that differ, two that have nothing in common.
uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

// Something about a document (or group), the same at every asking.
enum class Aspect : uint64_t { kHas, kImpact, kMask, kDescription, kTitle, kColumns, kParams, kGroup };
uint64_t fact(uint64_t seed, Aspect aspect, uint64_t a, uint64_t b) {
  return mix(mix(mix(seed * 16 + static_cast<uint64_t>(aspect)) ^ a) ^ (b << 32));
}

// The words, by how many documents have them.
constexpr uint32_t kFrequent = 10;  // words 0 to 9: of 100,000 documents
constexpr std::array<uint32_t, kFrequent> kPer100000 = {100'000, 60'000, 30'000, 10'000, 6'300,
                                                        4'000,   2'000,  1'000,  500,    200};
enum Word : uint32_t {
  kInOneChunk = kFrequent,  // half of the second chunk, and nowhere else
  kAtTheEnd,                // all of the last 1,000
  kAtTheBegin,              // all of the first 300
  kAtWindowEdges,
  kAtChunkEdges,
  kInEveryTenthGroup,
  kScattered,                      // 40: just too many for a short list of four chunks
  kShort,                          // kShort + i: 2 << i documents
  kSingle = kShort + 5,            // and five more of one document each; the first and the last have theirs
  kDescriptionOnly = kSingle + 7,  // in no main field
  kWords,
};

std::string word(uint32_t number) {
  return std::string("w") + static_cast<char>('a' + number / 26) + static_cast<char>('a' + number % 26);
}

constexpr int64_t kMostPrice = 1'000'000'000'000'000;
constexpr uint32_t kVendors = 100;
constexpr uint32_t kShops = 300;  // more than a byte holds
constexpr std::array<std::pair<const char*, uint32_t>, 3> kParams = {{{"colour", 10}, {"size", 100}, {"rare", 1000}}};

std::string value_name(uint32_t value) {
  return "v" + std::to_string(10'000 + value);
}

std::vector<std::vector<std::string>> category_paths() {
  std::vector<std::vector<std::string>> paths;
  for (const char* root : {"a", "b", "c"}) {
    paths.push_back({root});
    for (const char* middle : {"d", "e", "f"}) {
      for (const char* leaf : {"g", "h"}) paths.push_back({root, middle, leaf});
    }
  }
  return paths;
}

// Whether the document has the word in a main field.
bool has_word(uint64_t seed, uint32_t word_number, uint32_t doc, uint32_t documents, uint32_t group) {
  const uint32_t in_chunk = doc % index::kChunkDocuments;
  const uint32_t in_window = doc % index::kWindowDocuments;
  const uint64_t chance = fact(seed, Aspect::kHas, word_number, doc) % 100'000;
  if (word_number < kFrequent) return chance < kPer100000[word_number];
  switch (word_number) {
    case kInOneChunk:
      return doc / index::kChunkDocuments == 1 && chance < 50'000;
    case kAtTheEnd:
      return doc + 1000 >= documents;
    case kAtTheBegin:
      return doc < 300;
    case kAtWindowEdges:
      return in_window == 0 || in_window == index::kWindowDocuments - 1;
    case kAtChunkEdges:
      return in_chunk == 0 || in_chunk == index::kChunkDocuments - 1;
    case kInEveryTenthGroup:
      return group % 10 == 0;
    default:
      return false;
  }
}

// Documents of the words that few have; some documents of one word may be the same.
std::vector<uint32_t> rare_documents(uint64_t seed, uint32_t word_number, uint32_t documents) {
  uint32_t count = 0;
  if (word_number == kScattered) count = 40;
  if (word_number >= kShort && word_number < kSingle) count = 2U << (word_number - kShort);
  if (word_number >= kSingle && word_number < kDescriptionOnly) count = 1;
  std::vector<uint32_t> docs;
  for (uint32_t i = 0; i < count; ++i)
    docs.push_back(static_cast<uint32_t>(fact(seed, Aspect::kHas, word_number, i) % documents));
  if (word_number == kSingle) docs = {0};
  if (word_number == kSingle + 1) docs = {documents - 1};
  std::ranges::sort(docs);
  docs.erase(std::ranges::unique(docs).begin(), docs.end());
  return docs;
}

// Some words weigh the same everywhere, some anything, some little but for a few documents, some more in better places.
uint8_t impact_of(uint64_t seed, uint32_t word_number, uint32_t doc, uint32_t documents) {
  const uint64_t any = fact(seed, Aspect::kImpact, word_number, doc);
  switch (word_number % 4) {
    case 0:
      return static_cast<uint8_t>(1 + any % 255);
    case 1:
      return 100;
    case 2:
      return static_cast<uint8_t>(any % 1000 == 0 ? 255 : 1 + any % 40);
    default:
      return static_cast<uint8_t>(1 + (uint64_t{documents} - doc) * 200 / documents + any % 55);
  }
}

// Postings that come in their order.
class PostingList final : public index::PostingSource {
 public:
  void add(index::Posting posting) { postings_.push_back(posting); }
  Result<std::span<const index::Posting>> next() override {
    if (std::exchange(done_, true)) return std::span<const index::Posting>();
    return std::span<const index::Posting>(postings_);
  }

 private:
  std::vector<index::Posting> postings_;
  bool done_ = false;
};

void add_main(uint64_t seed, uint32_t number, std::span<const uint32_t> groups, PostingList& list) {
  const auto documents = static_cast<uint32_t>(groups.size());
  const auto add = [&](uint32_t doc) {
    const auto mask = static_cast<uint8_t>(1 + fact(seed, Aspect::kMask, number, doc) % index::kMainMask);
    list.add({number, doc, impact_of(seed, number, doc, documents), mask});
  };
  if (number >= kScattered) {
    for (const uint32_t doc : rare_documents(seed, number, documents)) add(doc);
    return;
  }
  for (uint32_t doc = 0; doc < documents; ++doc) {
    if (has_word(seed, number, doc, documents, groups[doc])) add(doc);
  }
}

void add_description(uint64_t seed, uint32_t number, uint32_t documents, PostingList& list) {
  // Every third word, from most of the documents to hardly any.
  if (number % 3 != 0 && number != kDescriptionOnly) return;
  const uint64_t per_1000 = number == 0 ? 700 : 1 + number * 4;
  for (uint32_t doc = 0; doc < documents; ++doc) {
    const uint64_t any = fact(seed, Aspect::kDescription, number, doc);
    if (any % 1000 < per_1000) {
      list.add({number, doc, static_cast<uint8_t>(1 + any / 1000 % 255), index::kDescriptionMask});
    }
  }
}

}  // namespace

uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15;
  return mix(state_);
}

BigWorld::BigWorld(uint64_t seed, uint32_t documents) : seed_(seed), documents_(documents) {
  index::DictionaryWriter numbers;
  write_dictionary(numbers);
  dictionary_ = must(index::Dictionary::open(dictionary_file_));
  write_shard(numbers);
  shard_ = must(index::ShardIndex::open(shard_file_));
}

void BigWorld::write_dictionary(index::DictionaryWriter& writer) {
  for (uint32_t i = 0; i < documents_; ++i) writer.add_document();
  for (uint32_t i = 0; i < kWords; ++i) writer.add_term(word(i), i != kDescriptionOnly);
  for (uint32_t i = 0; i < kRegions.size(); ++i)
    writer.add_region(kRegions[i], i == 0 || i == 3 ? std::nullopt : std::optional(i - 1));
  for (uint32_t i = 0; i < kShops; ++i)
    writer.add_shop(shop_key(i + 1), shop_name(i + 1), shop_name(i + 1), shop_regions(1 + i % 6));
  for (uint32_t i = 0; i < kVendors; ++i) writer.add_vendor("vendor " + std::to_string(1000 + i));
  for (const auto& path : category_paths()) writer.add_category(category_key(path), path);
  for (const auto& [name, values] : kParams) {
    for (uint32_t value = 0; value < values; ++value) writer.add_param(name, value_name(value));
  }
  writer.number();
  index::ContainerWriter file(index::FileKind::kDictionary, into(dictionary_file_));
  must(writer.write(file, documents_, "# a market\n"));
  must(file.finish());
}

// Models of 1 to 6 offers, and of hundreds and thousands; two in five offers have none. Two levels are empty.
std::vector<index::DocumentPlace> BigWorld::places() const {
  std::vector<index::DocumentPlace> places;
  for (uint64_t group = 1; places.size() < documents_; ++group) {
    const uint64_t any = fact(seed_, Aspect::kGroup, group, 0);
    const auto slot = static_cast<uint16_t>(any % placement::kOpenSlots);
    uint64_t offers = 1 + any / 7 % 6;
    if (group % 2000 == 7) offers = 500;
    if (group == 1000) offers = 20'000;
    const bool has_model = offers > 6 || any % 5 >= 2;
    if (!has_model) offers = 1;
    auto level = static_cast<uint8_t>(std::countr_zero(any >> 20 | 0x8000));
    if (level == 7 || level == 12) level = 3;
    for (uint64_t i = 0; i < offers && places.size() < documents_; ++i) {
      // Odd: every offer gets another number, in no order.
      const uint32_t id = static_cast<uint32_t>(places.size()) * 2'654'435'761U;
      const DocKey key = DocKey::make(slot, KeyType::kOffer, uint64_t{id} + 1);
      places.push_back({.group = has_model ? DocKey::make(slot, KeyType::kModel, group) : key,
                        .key = key,
                        .level = static_cast<uint8_t>(i == 0 ? level : level / 2),
                        .source = places.size()});
    }
  }
  index::order_documents(places);
  return places;
}

index::Document BigWorld::document(const index::DocumentPlace& place, uint32_t doc) const {
  index::Document document;
  document.key = place.key;
  document.group = place.group;
  document.version = place.source + 1;
  document.level = place.level;
  Random random(fact(seed_, Aspect::kColumns, place.source, doc));
  if (!random.chance(10)) document.category = static_cast<uint32_t>(random.below(dictionary_->categories()));
  if (!random.chance(5)) document.vendor = static_cast<uint32_t>(random.below(1 + random.below(kVendors)));
  document.shop = static_cast<uint32_t>(random.below(1 + random.below(kShops)));
  document.price = static_cast<int64_t>(100 * (1 + random.below(random.chance(50) ? 10 : 5000)));
  if (seed_ % 2 == 0 && doc % 10'000 == 77) document.price = kMostPrice;
  if (random.chance(30))
    document.old_price = std::min(kMostPrice, document.price + static_cast<int64_t>(random.below(3) * 1000));
  document.first_seen = 1'700'000'000 + static_cast<int64_t>(random.below(500));
  document.in_stock = random.chance(80);
  if (seed_ % 3 != 0 && random.chance(40)) document.flags = random.one_of<uint8_t>({0, 1, 2, 4, 6, 9, 15, 16, 31});
  if (seed_ % 3 != 1 && random.chance(20)) {
    document.currency = random.one_of({1U, 14'000U, index::kMostCurrency});
    document.own_price = 1 + static_cast<int64_t>(random.below(1000));
    document.own_old_price = static_cast<int64_t>(random.below(2000));
  }
  const auto add_param = [&](uint32_t param) {
    const uint32_t begin = dictionary_->param_begin(param);
    const uint64_t values = dictionary_->param_begin(param + 1) - begin;
    document.params.push_back(begin + static_cast<uint32_t>(random.below(1 + random.below(values))));
  };
  for (uint32_t param = 0; param < dictionary_->params(); ++param) {
    while (random.chance(40)) add_param(param);
  }
  std::ranges::sort(document.params);
  document.params.erase(std::ranges::unique(document.params).begin(), document.params.end());
  return document;
}

void BigWorld::write_shard(const index::DictionaryWriter& numbers) {
  const std::vector<index::DocumentPlace> order = places();
  index::ShardWriter writer({.shard = 1,
                             .shards = 1,
                             .documents = 0,
                             .groups = 0,
                             .categories = numbers.categories(),
                             .vendors = numbers.vendors(),
                             .shops = numbers.shops(),
                             .param_values = numbers.param_values(),
                             .terms = numbers.terms()});
  std::vector<uint32_t> groups;
  for (const index::DocumentPlace& place : order) {
    const uint32_t doc = writer.documents();
    const bool same = doc > 0 && order[doc - 1].group == place.group;
    groups.push_back(doc == 0 ? 0 : groups.back() + (same ? 0 : 1));
    index::Document added = document(place, doc);
    // The title: its frequent words, the first ones last in some; one word again behind a break.
    for (uint32_t i = 0; i < kFrequent; ++i) {
      const uint32_t number = (i + doc % 3) % kFrequent;
      if (has_word(seed_, number, doc, documents_, groups.back())) added.forward.push_back(number);
    }
    added.forward.push_back(index::ForwardIndex::kBreak);
    added.forward.push_back(doc % kFrequent);
    must(writer.add(added));
  }
  PostingList main, description;
  for (uint32_t number = 0; number < kWords; ++number) {
    SOUK_CHECK(dictionary_->find_term(word(number)) == number);
    if (number != kDescriptionOnly) add_main(seed_, number, groups, main);
    add_description(seed_, number, documents_, description);
  }
  must(writer.write(into(shard_file_), main, description));
}

wire::ShardRequest BigWorld::any_request(Random& random) const {
  wire::ShardRequest request;
  request.set_shard(1);
  if (!random.chance(10)) add_words(request, random);
  request.set_with_description(random.chance(25));
  if (random.chance(60)) add_filters(*request.mutable_filters(), random);
  if (random.chance(20)) {
    wire::Filters& fixed = *request.mutable_fixed();
    add_filters(fixed, random);
    fixed.clear_params();
    fixed.clear_model();
    fixed.clear_offer();
  }
  if (random.chance(60)) {
    request.set_sort(wire::SORT_RELEVANCE);
  } else {
    request.set_sort(random.one_of({wire::SORT_PRICE, wire::SORT_PRICE_DESC, wire::SORT_DISCOUNT, wire::SORT_NEWEST}));
  }
  request.set_group(random.one_of({wire::GROUP_MODEL, wire::GROUP_MODEL, wire::GROUP_OFFER}));
  request.set_limit(random.one_of({0U, 1U, 10U, 10U, 33U, 100U, 1000U, 10'100U}));
  request.set_quality_weight(random.one_of({0U, 0U, 10U, 2000U, 200'000U, 1'000'000U}));
  request.set_explain(random.chance(15));
  if (random.chance(40)) add_facets(request, random);
  if (request.facets().empty() && request.variants().empty() && random.chance(50))
    request.set_totals(wire::TOTALS_AT_LEAST);
  if (random.chance(10)) {
    const auto doc = static_cast<uint32_t>(random.below(documents_));
    request.mutable_after()->set_order(
        random.one_of<int64_t>({std::numeric_limits<int64_t>::max(), 5'000'000, 100'000, 300, 0, -300, -100'000,
                                std::numeric_limits<int64_t>::min()}));
    request.mutable_after()->set_group(shard_->group_keys()[shard_->group_of(doc)]);
    request.mutable_after()->set_key(shard_->keys()[doc]);
  }
  return request;
}

void BigWorld::add_words(wire::ShardRequest& request, Random& random) const {
  const auto terms = static_cast<uint32_t>(1 + random.below(random.chance(20) ? 12 : 5));
  for (uint32_t i = 0; i < terms; ++i) {
    const auto number = static_cast<uint32_t>(random.below(random.chance(70) ? kFrequent : kWords));
    wire::Term& term = *request.add_terms();
    term.set_text(random.chance(3) ? "nowhere" : word(number));
    term.set_weight(random.one_of({0U, 1U, 300U, 5000U, 5000U, 20'000U, 65'535U}));
  }
  const auto any_term = [&] { return static_cast<uint32_t>(random.below(terms)); };
  if (random.chance(30)) {
    const uint64_t slots = 1 + random.below(4);
    for (uint64_t i = 0; i < slots; ++i) {
      wire::Slot& slot = *request.add_slots();
      do slot.add_terms(any_term());
      while (random.chance(50) && slot.terms_size() < 4);
    }
  }
  const auto slots = static_cast<uint32_t>(request.slots().empty() ? terms : request.slots_size());
  if (random.chance(50)) request.set_min_match(random.chance(60) ? 1 : 1 + static_cast<uint32_t>(random.below(slots)));
  if (random.chance(15)) {
    wire::Phrase& phrase = *request.add_phrases();
    do phrase.add_terms(any_term());
    while (random.chance(60) && phrase.terms_size() < 3);
  }
  while (random.chance(30) && request.variants_size() < 8)
    request.add_variants(1 + static_cast<uint32_t>(random.below((uint64_t{1} << slots) - 1)));
}

std::vector<uint32_t> BigWorld::some_param_values(Random& random, uint32_t param) const {
  const uint32_t begin = dictionary_->param_begin(param);
  std::vector<uint32_t> values;
  do values.push_back(begin + static_cast<uint32_t>(random.below(dictionary_->param_begin(param + 1) - begin)));
  while (random.chance(60));
  return values;
}

void BigWorld::add_filters(wire::Filters& filters, Random& random) const {
  if (random.chance(15)) {
    filters.mutable_categories();
    while (random.chance(60)) {
      const auto category = static_cast<uint32_t>(random.below(dictionary_->categories()));
      wire::OrdinalRange& range = *filters.mutable_categories()->add_ranges();
      range.set_begin(category);
      range.set_end(dictionary_->category_end(category));
    }
  }
  const auto add_values = [&random](wire::OrdinalFilter& filter, uint32_t limit) {
    while (random.chance(75)) filter.add_values(static_cast<uint32_t>(random.below(limit)));
  };
  if (random.chance(15)) add_values(*filters.mutable_vendors(), kVendors);
  if (random.chance(15)) add_values(*filters.mutable_shops(), kShops);
  if (random.chance(15)) filters.set_price_from(static_cast<int64_t>(random.below(2000)));
  if (random.chance(15))
    filters.set_price_to(random.one_of<int64_t>({-1, 100, 500, 5000, 400'000, 1'000'000'000'000'000}));
  filters.set_in_stock(random.chance(15));
  if (random.chance(10)) filters.set_ways(1 + static_cast<uint32_t>(random.below(index::kWays)));
  if (random.chance(10)) add_values(*filters.mutable_regions(), dictionary_->regions());
  filters.set_no_adult(random.chance(10));
  for (uint32_t param = 0; param < dictionary_->params(); ++param) {
    if (!random.chance(12)) continue;
    const auto values = some_param_values(random, param);
    filters.add_params()->mutable_values()->Add(values.begin(), values.end());
  }
  const auto doc = static_cast<uint32_t>(random.below(documents_));
  if (random.chance(4)) filters.set_model(shard_->group_keys()[shard_->group_of(doc)]);
  if (random.chance(2)) filters.set_offer(shard_->keys()[random.chance(50) ? doc : 0]);
}

void BigWorld::add_facets(wire::ShardRequest& request, Random& random) const {
  for (const auto kind : {wire::FACET_CATEGORY, wire::FACET_VENDOR, wire::FACET_SHOP, wire::FACET_PRICE}) {
    if (random.chance(50)) request.add_facets()->set_kind(kind);
  }
  for (uint32_t param = 0; param < dictionary_->params(); ++param) {
    if (!random.chance(50)) continue;
    wire::Facet& facet = *request.add_facets();
    facet.set_kind(wire::FACET_PARAM);
    facet.mutable_param()->set_begin(dictionary_->param_begin(param));
    facet.mutable_param()->set_end(dictionary_->param_begin(param + 1));
    facet.set_own_filter(-1);
    for (int i = 0; i < request.filters().params_size(); ++i) {
      const uint32_t value = request.filters().params(i).values(0);
      if (value >= facet.param().begin() && value < facet.param().end()) facet.set_own_filter(i);
    }
  }
}

}  // namespace souk::test
