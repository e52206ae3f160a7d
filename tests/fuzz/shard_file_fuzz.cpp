// SPDX-License-Identifier: Apache-2.0
// Hostile shard and dictionary files behind right checksums: the input changes sections of two good files, which are
// put together again around them. What opens must answer every query without a fault, honestly enough for the merge,
// and with every evaluator the same.
#include <cstdint>
#include <span>

#include "core/merge/merge.h"
#include "core/oracle/oracle.h"
#include "core/query/kernels.h"
#include "core/query/scratch.h"
#include "core/query/search.h"
#include "tests/unit/core/sections.h"

namespace souk {
namespace {

using test::FileBytes;
using test::Sections;

constexpr size_t kLongestSection = 4096;
constexpr uint64_t kOffers = 24;  // a list of more than 8 is cut into chunks

// The good files.
struct Base {
  test::World world;
  Sections shard{world.shard_files()[0], index::FileKind::kShard};
  Sections dictionary{world.dictionary_file(), index::FileKind::kDictionary};

  Base() : world(offers(), 1) {}

  static std::vector<test::TestOffer> offers() {
    std::vector<test::TestOffer> all;
    for (uint64_t id = 1; id <= kOffers; ++id) {
      test::TestOffer offer;
      offer.id = id;
      offer.model = id % 3 == 0 ? 0 : id % 5 + 1;
      offer.title = id % 2 == 0 ? "злой кот" : "мышь";
      offer.description = "подарок для кота";
      offer.category = id % 2 == 0 ? std::vector<std::string>{"Зоо", "Игрушки"} : std::vector<std::string>{"Дети"};
      offer.vendor = id % 4 == 0 ? "" : "Lynx";
      offer.shop = static_cast<uint32_t>(id % 3 + 1);
      offer.price = static_cast<int64_t>(100 * id);
      offer.level = static_cast<uint8_t>(id % 16);
      offer.flags = static_cast<uint8_t>(id % 8);
      if (id % 6 == 0) offer.currency = "USD";
      offer.own_price = static_cast<int64_t>(id);
      offer.params = {{"Цвет", id % 2 == 0 ? "Белый" : "Красный"}, {"Вес", "5 кг"}};
      all.push_back(offer);
    }
    return all;
  }
};

// Takes the input apart; zeros and nothing when it is at its end.
class Input {
 public:
  explicit Input(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  uint8_t byte() {
    const auto one = take(1);
    return one.empty() ? uint8_t{0} : one[0];
  }
  std::span<const uint8_t> take(size_t size) {
    const auto taken = bytes_.first(std::min(size, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const uint8_t> bytes_;
};

// One change: which section, what is done, where, and with which bytes.
void change(Input& input, Sections& shard, Sections& dictionary) {
  enum Action : uint8_t { kOverwrite, kReplace, kCut, kErase, kActions };
  const uint8_t which = input.byte();
  auto& all = (which & 0x80) != 0 ? dictionary.all() : shard.all();
  if (all.empty()) return;
  auto section = std::next(all.begin(), (which & 0x7F) % static_cast<ptrdiff_t>(all.size()));
  FileBytes& bytes = section->second;
  const uint8_t action = input.byte() % kActions;
  const size_t at = input.byte() * size_t{4};
  const auto taken = std::as_bytes(input.take(input.byte()));
  if (action == kErase) {
    all.erase(section);
  } else if (action == kCut) {
    bytes.resize(std::min(at, kLongestSection));
  } else if (action == kReplace) {
    bytes.assign(taken.begin(), taken.end());
  } else if (at < bytes.size()) {
    std::ranges::copy(taken.first(std::min(taken.size(), bytes.size() - at)),
                      bytes.begin() + static_cast<ptrdiff_t>(at));
  }
}

// The first terms of the shard's lists, and queries of them: AND, OR, one of two slots, a phrase.
void add_words(wire::ShardRequest& request, const index::ShardIndex& shard, const index::Dictionary& dictionary,
               int variant) {
  const index::PostingLists& lists = variant % 2 == 0 ? shard.main() : shard.description();
  for (uint32_t list = 0; list < 3 && list < lists.size(); ++list) {
    request.add_terms()->set_text(dictionary.terms().term(lists.term(list)));
    request.mutable_terms()->rbegin()->set_weight(65535 - list);
  }
  const int terms = request.terms_size();
  if (terms > 0 && variant % 4 == 1) {
    for (int term = 0; term < terms; ++term) request.add_slots()->add_terms(static_cast<uint32_t>(term));
    request.mutable_slots(0)->add_terms(static_cast<uint32_t>(terms - 1));
    request.add_variants(1);
  }
  if (terms > 0 && variant % 3 == 1) request.set_min_match(1);
  if (terms > 1 && variant % 5 == 4) {
    request.add_phrases()->add_terms(0);
    request.mutable_phrases(0)->add_terms(1);
  }
}

void add_filters(wire::ShardRequest& request, const index::ShardIndex& shard, const index::Dictionary& dictionary,
                 int variant) {
  if (variant % 4 == 3 && dictionary.categories() > 0) {
    request.mutable_filters()->mutable_categories()->add_ranges()->set_end(dictionary.category_end(0));
    request.mutable_filters()->set_price_to(500);
  }
  if (variant % 7 == 2 && dictionary.param_values() > 0) request.mutable_filters()->add_params()->add_values(0);
  if (variant % 5 == 3 && dictionary.regions() > 0) {
    request.mutable_filters()->mutable_regions()->add_values(dictionary.regions() - 1);
    if (variant % 2 == 0) request.mutable_filters()->set_ways(index::kPickup | index::kFreeDelivery);
  }
  if (variant % 6 == 4) request.mutable_fixed()->set_no_adult(true);
  if (variant % 9 == 8 && dictionary.vendors() > 0) request.mutable_fixed()->mutable_vendors()->add_values(0);
  if (variant == 5 && shard.groups() > 0) request.mutable_filters()->set_model(shard.group_keys()[0]);
  if (variant == 6 && shard.documents() > 0) request.mutable_filters()->set_offer(shard.keys()[0]);
}

void check_answer(const wire::ShardRequest& request, const wire::ShardReply& reply,
                  const index::Dictionary& dictionary) {
  SOUK_CHECK(merge::check_reply(request, reply).has_value());
  SOUK_CHECK(merge::check_ordinals(request, reply, dictionary).has_value());
  const merge::Merged merged = merge::merge(request, std::span(&reply, 1));
  SOUK_CHECK(merged.hits.size() <= request.limit());
  for (size_t f = 0; f < merged.facets.size(); ++f) {
    if (request.facets(static_cast<int>(f)).kind() == wire::FACET_PRICE) continue;
    for (const merge::FacetTotals::Value& value : merged.facets[f].values) {
      SOUK_CHECK(value.models <= value.offers && value.models > 0);
    }
  }
}

// Two replies that say the same have the same text: without hits there is nothing to explain.
std::string text_of(wire::ShardReply reply) {
  if (reply.hits().keys().empty()) {
    reply.clear_explain();
    reply.clear_hits();  // present and empty, or absent
  }
  return reply.SerializeAsString();
}

// Asks for everything the shard can be asked for.
void search_all(const index::ShardIndex& shard, const index::Dictionary& dictionary) {
  const test::FixedClock clock;
  query::Scratch scratch;
  for (int variant = 0; variant < 30; ++variant) {
    wire::ShardRequest request;
    request.set_shard(static_cast<uint32_t>(shard.stats().shard));
    request.set_limit(static_cast<uint32_t>(variant));
    request.set_sort(static_cast<wire::Sort>(variant % wire::Sort_ARRAYSIZE));
    request.set_group(static_cast<wire::Group>(variant / wire::Sort_ARRAYSIZE % wire::Group_ARRAYSIZE));
    request.set_explain(variant % 3 == 0);
    request.set_with_description(variant % 2 == 1);
    request.set_quality_weight(static_cast<uint32_t>(variant * 1000));
    if (variant >= 10) add_words(request, shard, dictionary, variant);
    for (int kind = 0; kind < wire::FacetKind_ARRAYSIZE; ++kind) {
      wire::Facet& facet = *request.add_facets();
      facet.set_kind(static_cast<wire::FacetKind>(kind));
      facet.mutable_param()->set_end(dictionary.param_values());
      facet.set_own_filter(-1);
    }
    add_filters(request, shard, dictionary, variant);
    SOUK_CHECK(query::check_request(request, dictionary).has_value());
    const query::Stop stop{clock, Deadline::never()};
    const auto expected = oracle::search_exhaustively({shard, dictionary}, request, stop);
    SOUK_CHECK(expected.has_value());
    check_answer(request, *expected, dictionary);
    for (const query::Kernels* kernels : query::available_kernels()) {
      const auto reply = query::search({shard, dictionary}, request, stop, *kernels, scratch);
      SOUK_CHECK(reply.has_value());
      SOUK_CHECK(text_of(*reply) == text_of(*expected));
    }
  }
}

// Every name, forth and back.
void read_all(const index::Dictionary& dictionary) {
  size_t bytes = 0;
  for (uint32_t c = 0; c < dictionary.categories(); ++c) {
    const auto path = dictionary.category_path(c);
    SOUK_CHECK(!path.empty() && path.back() == c && path.size() <= dictionary.categories());
    bytes += dictionary.category_name(c).size();
    SOUK_CHECK(dictionary.find_category(dictionary.category_key(c)).has_value());
  }
  for (uint32_t v = 0; v < dictionary.vendors(); ++v) bytes += dictionary.vendor_name(v).size();
  for (uint32_t s = 0; s < dictionary.shops(); ++s) bytes += dictionary.shop_name(s).size();
  for (uint32_t r = 0; r < dictionary.regions(); ++r) {
    bytes += dictionary.region_name(r).size();
    SOUK_CHECK(dictionary.region_parent(r) < r || dictionary.region_parent(r) == index::kNoOrdinal);
  }
  for (uint32_t p = 0; p < dictionary.params(); ++p) {
    bytes += dictionary.param_name(p).size();
    for (uint32_t v = dictionary.param_begin(p); v < dictionary.param_begin(p + 1); ++v) {
      bytes += dictionary.param_value(v).size();
    }
    SOUK_CHECK(!dictionary.find_param_value(p, "no such value"));
  }
  SOUK_CHECK(dictionary.term("no such term").any_df == 0);
  static_cast<void>(dictionary.find_shop("shop 1"));
  static_cast<void>(dictionary.find_categories({"зоо", "игрушки"}));
  static_cast<void>(bytes);
}

}  // namespace
}  // namespace souk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  static const Base base;
  Sections shard_sections = base.shard;
  Sections dictionary_sections = base.dictionary;
  Input input({data, size});
  while (!input.empty()) change(input, shard_sections, dictionary_sections);

  const FileBytes dictionary_file = dictionary_sections.build();
  const FileBytes shard_file = shard_sections.build();
  const auto dictionary = index::Dictionary::open(dictionary_file);
  const auto shard = index::ShardIndex::open(shard_file);
  if (dictionary) read_all(*dictionary);
  if (!dictionary || !shard) return 0;
  // The loader of a generation refuses files that do not belong together.
  const index::ShardStats& stats = shard->stats();
  if (stats.categories != dictionary->categories() || stats.vendors != dictionary->vendors() ||
      stats.shops != dictionary->shops() || stats.param_values != dictionary->param_values() ||
      stats.terms != dictionary->terms().size()) {
    return 0;
  }
  search_all(*shard, *dictionary);
  return 0;
}
