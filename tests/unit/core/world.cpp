// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/world.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/hash.h"
#include "core/index/currency_code.h"
#include "core/text/analyzer.h"
#include "core/text/normalize.h"

namespace souk::test {

namespace {

constexpr uint64_t kGenerationNumber = 7;
constexpr uint64_t kGenerationHash = 0x00AB;

// The terms of every field of an offer.
std::array<std::vector<std::string>, index::kFields> field_terms(text::Analyzer& analyzer, const TestOffer& offer) {
  std::array<std::vector<std::string>, index::kFields> fields;
  const auto add = [&](index::Field field, std::string_view text) {
    for (text::Token& token : analyzer.analyze(text)) fields[static_cast<size_t>(field)].push_back(token.term);
  };
  add(index::Field::kTitle, offer.title);
  add(index::Field::kVendor, offer.vendor);
  for (const std::string& name : offer.category) add(index::Field::kCategory, name);
  for (const auto& [name, value] : offer.params) add(index::Field::kParams, value);
  add(index::Field::kDescription, offer.description);
  return fields;
}

OfferWords words_of(text::Analyzer& analyzer, const TestOffer& offer) {
  OfferWords words;
  const auto add = [&](std::string_view text) {
    words.emplace_back();
    for (text::Token& token : analyzer.analyze(text)) words.back().push_back(token.term);
  };
  add(offer.title);
  for (const auto& [name, value] : offer.params) add(value);
  return words;
}

}  // namespace

index::Sink into(FileBytes& file) {
  return [&file](std::string_view bytes) {
    const auto more = std::as_bytes(std::span(bytes));
    file.insert(file.end(), more.begin(), more.end());
    return Status{};
  };
}

DocKey TestOffer::key() const {
  return DocKey::make(slot.value_or(placement::slot_of_offer(shop, std::to_string(id))), KeyType::kOffer, id);
}

DocKey TestOffer::group() const {
  if (model == 0) return key();
  return DocKey::make(slot.value_or(placement::slot_of_name(std::to_string(model))), KeyType::kModel, model);
}

std::ostream& operator<<(std::ostream& out, const TestOffer& offer) {
  out << "{id " << offer.id << " model " << offer.model << " '" << offer.title << "' '" << offer.description << "' in";
  for (const std::string& name : offer.category) out << " > " << name;
  out << " by '" << offer.vendor << "' shop " << offer.shop << " price " << offer.price << " of " << offer.old_price
      << (offer.in_stock ? " in stock" : " sold out") << " seen " << offer.first_seen << " level " << int{offer.level};
  for (const auto& [name, value] : offer.params) out << ' ' << name << '=' << value;
  out << " flags " << int{offer.flags} << ' ' << offer.own_price << " of " << offer.own_old_price << ' '
      << offer.currency;
  return out << '}';
}

DocKey shop_key(uint32_t shop) {
  return DocKey::make(0, KeyType::kShop, shop);
}

std::string shop_name(uint32_t shop) {
  return "Shop " + std::to_string(shop);
}

std::vector<std::string> shop_regions(uint32_t shop) {
  switch (shop) {
    case 1:
      return {};
    case 2:
      return {"Россия"};
    case 3:
      return {"Беларусь", "москва"};
    case 4:
      return {"Химки"};
    default:
      return {"a region that is gone"};
  }
}

DocKey category_key(const std::vector<std::string>& path) {
  std::string joined;
  for (const std::string& name : path) joined += text::fold(name) + '\n';
  return DocKey::make(0, KeyType::kCategory, (xxh3(std::string_view(joined)) & DocKey::kMaxLocal) | 1);
}

World::World(std::vector<TestOffer> offers, const placement::SlotTable& slots) : offers_(std::move(offers)) {
  analyze();
  index::DictionaryWriter writer;
  write_dictionary(writer);
  write_shards(writer, slots);
  dictionary_ = must(index::Dictionary::open(dictionary_file_));
  for (const FileBytes& file : shard_files_) shards_.push_back(must(index::ShardIndex::open(file)));
}

void World::analyze() {
  text::Analyzer analyzer;
  std::vector<std::array<std::vector<std::string>, index::kFields>> fields;
  rank::Bm25f model;
  std::array<double, index::kFields> total{};
  for (const TestOffer& offer : offers_) {
    words_.push_back(words_of(analyzer, offer));
    fields.push_back(field_terms(analyzer, offer));
    for (size_t f = 0; f < index::kFields; ++f) total[f] += static_cast<double>(fields.back()[f].size());
  }
  for (size_t f = 0; f < index::kFields; ++f) {
    if (total[f] > 0) model.fields[f].average_length = total[f] / static_cast<double>(offers_.size());
  }
  model.fields[static_cast<size_t>(index::Field::kTitle)].weight = 3;

  for (const auto& offer : fields) {
    rank::FieldCounts lengths{};
    std::map<std::string, rank::FieldCounts> counts;
    for (size_t f = 0; f < index::kFields; ++f) {
      lengths[f] = static_cast<uint32_t>(offer[f].size());
      for (const std::string& term : offer[f]) ++counts[term][f];
    }
    OfferTerms& terms = terms_.emplace_back();
    for (const auto& [term, count] : counts) {
      TermWeights& weights = terms[term];
      weights.main_impact = rank::main_impact(model, count, lengths);
      weights.description_impact = rank::description_impact(model, count, lengths);
      for (size_t f = 0; f < index::kMainFields; ++f) {
        if (count[f] > 0) weights.main_mask = static_cast<uint8_t>(weights.main_mask | (1U << f));
      }
    }
  }
}

void World::write_dictionary(index::DictionaryWriter& writer) {
  std::set<DocKey> groups;
  for (uint32_t i = 0; i < kRegions.size(); ++i)
    writer.add_region(kRegions[i], i == 0 || i == 3 ? std::nullopt : std::optional(i - 1));
  for (size_t i = 0; i < offers_.size(); ++i) {
    const TestOffer& offer = offers_[i];
    groups.insert(offer.group());
    writer.add_document();
    writer.add_shop(shop_key(offer.shop), "registered " + std::to_string(offer.shop), shop_name(offer.shop),
                    shop_regions(offer.shop));
    if (!offer.category.empty()) writer.add_category(category_key(offer.category), offer.category);
    if (!offer.vendor.empty()) writer.add_vendor(offer.vendor);
    for (const auto& [name, value] : offer.params) writer.add_param(name, value);
    for (const auto& [term, weights] : terms_[i]) writer.add_term(term, weights.main_impact > 0);
  }
  writer.number();
  index::ContainerWriter file(index::FileKind::kDictionary, into(dictionary_file_));
  must(writer.write(file, groups.size(), "# a market\n"));
  must(file.finish());
}

void World::write_shards(const index::DictionaryWriter& numbers, const placement::SlotTable& slots) {
  const uint32_t shards = *std::ranges::max_element(slots);
  for (uint32_t shard = 1; shard <= shards; ++shard) {
    index::ShardStats stats{};
    stats.shard = shard;
    stats.shards = shards;
    stats.categories = numbers.categories();
    stats.vendors = numbers.vendors();
    stats.shops = numbers.shops();
    stats.param_values = numbers.param_values();
    stats.terms = numbers.terms();
    std::vector<index::DocumentPlace> places;
    for (size_t i = 0; i < offers_.size(); ++i) {
      const TestOffer& offer = offers_[i];
      if (slots[offer.group().slot()] == shard) places.push_back({offer.group(), offer.key(), offer.level, i});
    }
    shard_files_.push_back(shard_file(numbers, stats, std::move(places)));
  }
}

FileBytes World::shard_file(const index::DictionaryWriter& numbers, const index::ShardStats& stats,
                            std::vector<index::DocumentPlace> places) const {
  order_documents(places);
  index::ShardWriter writer(stats);
  index::PostingVector main, description;
  for (const index::DocumentPlace& place : places) {
    const uint32_t doc = writer.documents();
    index::Document added = document(numbers, place.source);
    added.level = place.level;
    must(writer.add(added));
    for (const auto& [term, weights] : terms_[place.source]) {
      const uint32_t ordinal = numbers.find_term(term);
      if (weights.main_impact > 0) main.add({ordinal, doc, weights.main_impact, weights.main_mask});
      if (weights.description_impact > 0) {
        description.add({ordinal, doc, weights.description_impact, index::kDescriptionMask});
      }
    }
  }
  FileBytes file;
  must(writer.write(into(file), main, description));
  return file;
}

index::Document World::document(const index::DictionaryWriter& numbers, size_t i) const {
  const TestOffer& offer = offers_[i];
  index::Document document;
  document.key = offer.key();
  document.group = offer.group();
  document.version = offer.version();
  if (!offer.category.empty()) document.category = numbers.category(category_key(offer.category));
  if (!offer.vendor.empty()) document.vendor = numbers.vendor(offer.vendor);
  document.shop = numbers.shop(shop_key(offer.shop));
  document.price = offer.price;
  document.old_price = offer.old_price;
  document.first_seen = offer.first_seen;
  document.in_stock = offer.in_stock;
  document.flags = offer.flags;
  document.currency = index::currency_code(offer.currency);
  document.own_price = offer.own_price;
  document.own_old_price = offer.own_old_price;
  for (const auto& [name, value] : offer.params) document.params.push_back(numbers.param_value(name, value));
  std::ranges::sort(document.params);
  document.params.erase(std::ranges::unique(document.params).begin(), document.params.end());
  for (const std::vector<std::string>& run : words_[i]) {
    if (&run != &words_[i].front()) document.forward.push_back(index::ForwardIndex::kBreak);
    for (const std::string& term : run) document.forward.push_back(numbers.find_term(term));
  }
  return document;
}

wire::ShardRequest World::request() const {
  wire::ShardRequest request;
  request.set_generation_number(kGenerationNumber);
  request.set_generation_hash(kGenerationHash);
  request.set_limit(10);
  return request;
}

void World::add_text(wire::ShardRequest& request, std::string_view text) const {
  text::Analyzer analyzer;
  for (const text::Token& token : analyzer.analyze(text)) {
    wire::Term& term = *request.add_terms();
    term.set_text(token.term);
    term.set_weight(rank::idf_weight(dictionary_->stats().documents, dictionary_->term(token.term).any_df));
  }
}

int World::add_param_filter(wire::ShardRequest& request, std::string_view name,
                            const std::vector<std::string>& values) const {
  wire::OrdinalFilter& filter = *request.mutable_filters()->add_params();
  const auto param = dictionary_->find_param(text::fold(name));
  for (const std::string& value : values) {
    if (!param) continue;
    if (const auto ordinal = dictionary_->find_param_value(*param, text::fold(value))) filter.add_values(*ordinal);
  }
  return request.filters().params_size() - 1;
}

void World::add_param_facet(wire::ShardRequest& request, std::string_view name, int own_filter) const {
  wire::Facet& facet = *request.add_facets();
  facet.set_kind(wire::FACET_PARAM);
  facet.set_own_filter(own_filter);
  if (const auto param = dictionary_->find_param(text::fold(name))) {
    facet.mutable_param()->set_begin(dictionary_->param_begin(*param));
    facet.mutable_param()->set_end(dictionary_->param_begin(*param + 1));
  }
}

Result<std::vector<wire::ShardReply>> World::replies(wire::ShardRequest request, const Evaluator& evaluator) const {
  if (Status right = query::check_request(request, *dictionary_); !right) return std::unexpected(right.error());
  const FixedClock clock;
  std::vector<wire::ShardReply> replies;
  for (const index::ShardIndex& shard : shards_) {
    request.set_shard(static_cast<uint32_t>(shard.stats().shard));
    auto reply = evaluator({shard, *dictionary_}, request, {clock, Deadline::never()});
    if (!reply) return std::unexpected(reply.error());
    wire::ShardReply received;  // over the wire and back
    SOUK_CHECK(received.ParseFromString(reply->SerializeAsString()));
    Status right = merge::check_reply(request, received);
    if (right) right = merge::check_ordinals(request, received, *dictionary_);
    if (!right) return std::unexpected(right.error());
    replies.push_back(std::move(received));
  }
  return replies;
}

Result<merge::Merged> World::ask(const wire::ShardRequest& request, const Evaluator& evaluator) const {
  auto all = replies(request, evaluator);
  if (!all) return std::unexpected(all.error());
  return merge::merge(request, *all);
}

NamedCounts named(const index::Dictionary& dictionary, const wire::Facet& facet, const merge::FacetTotals& totals) {
  const auto name = [&](uint32_t ordinal) {
    if (facet.kind() == wire::FACET_VENDOR) return std::string(dictionary.vendor_name(ordinal));
    if (facet.kind() == wire::FACET_SHOP) return std::string(dictionary.shop_name(ordinal));
    if (facet.kind() == wire::FACET_PARAM) return std::string(dictionary.param_value(ordinal));
    std::string path;
    for (const uint32_t category : dictionary.category_path(ordinal)) {
      path += (path.empty() ? "" : " > ") + std::string(dictionary.category_name(category));
    }
    return path;
  };
  NamedCounts counts;
  for (const merge::FacetTotals::Value& value : totals.values) {
    SOUK_CHECK(counts.emplace(name(value.ordinal), std::pair(value.offers, value.models)).second);
  }
  return counts;
}

}  // namespace souk::test
