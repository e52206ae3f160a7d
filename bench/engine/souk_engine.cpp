// SPDX-License-Identifier: Apache-2.0
// souk-bench-engine: our engine under test; bench/engine/driver.h says what it is asked.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "bench/engine/driver.h"
#include "bench/engine/souk_index.h"
#include "core/oracle/oracle.h"
#include "core/query/kernels.h"
#include "core/query/scratch.h"
#include "core/query/search.h"
#include "core/rank/bm25f.h"

namespace souk::bench {
namespace {

constexpr uint32_t kBest = 10;
// Score units per level of quality: of the size of a frequent word's score, so that the order of documents matters.
constexpr uint32_t kQualityWeight = 200'000;
constexpr std::string_view kSets[] = {"and",        "or",        "phrase",    "and_filter",
                                      "and_facets", "and_group", "and_price", "and_quality"};

class SoukEngine final : public Engine {
 public:
  // null: the exhaustive evaluator
  explicit SoukEngine(const query::Kernels* kernels) : kernels_(kernels) {}

  Result<std::string> build(const std::string& corpus, const std::string& index) override {
    auto built = build_souk_index(corpus, index);
    if (!built) return built;
    // What the sections take is known to whoever opens it.
    const auto begin = std::chrono::steady_clock::now();
    const auto loaded = SoukIndex::load(index);
    if (!loaded) return std::unexpected(loaded.error());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    *built += fmt::format(R"(,"load_seconds":{:.3f},"sections":{{)", took.count());
    const char* comma = "";
    for (const auto& [id, bytes] : loaded->shard().section_bytes()) {
      *built += fmt::format(R"({}"{}":{})", comma, index::name_of(id), bytes);
      comma = ",";
    }
    return *built += "}";
  }

  Result<std::string> open(const std::string& index, const std::vector<CorpusQuery>& queries) override {
    auto loaded = SoukIndex::load(index);
    if (!loaded) return std::unexpected(loaded.error());
    index_ = std::move(*loaded);
    queries_ = &queries;
    return fmt::format(R"("engine":"souk {}","sets":["{}"])", kernels_ == nullptr ? "exhaustive" : kernels_->name,
                       fmt::join(kSets, "\",\""));
  }

  bool choose(std::string_view set) override {
    if (std::ranges::find(kSets, set) == std::end(kSets)) return false;
    prepared_.clear();
    for (const CorpusQuery& query : *queries_) prepared_.push_back(prepare(set, query));
    return true;
  }

  Result<uint64_t> search(size_t number) override {
    const auto reply = ask(prepared_[number]);
    if (!reply) return std::unexpected(reply.error());
    return reply->hits().keys_size() == 0 ? 0 : reply->hits().keys(0);
  }

  Result<Counted> count(size_t number) override {
    wire::ShardRequest request = prepared_[number];
    request.set_totals(wire::TOTALS_EXACT);
    const auto reply = ask(request);
    if (!reply) return std::unexpected(reply.error());
    Counted counted{.matches = reply->total_offers()};
    if (reply->facets_size() == 2) {
      for (int i = 0; i < reply->facets(0).ordinals_size(); ++i) {
        const DocKey key = index_->dictionary().category_key(reply->facets(0).ordinals(i));
        counted.category_check += key.local() * reply->facets(0).offers(i);  // local = number + 1
      }
      for (int i = 0; i < reply->facets(1).ordinals_size(); ++i) {
        const std::string_view name = index_->dictionary().vendor_name(reply->facets(1).ordinals(i));
        const uint64_t vendor = std::stoull(std::string(name.substr(name.find(' ') + 1)));
        counted.vendor_check += (vendor + 1) * reply->facets(1).offers(i);
      }
    }
    return counted;
  }

 private:
  wire::ShardRequest prepare(std::string_view set, const CorpusQuery& query) const {
    wire::ShardRequest request;
    request.set_shard(1);
    request.set_limit(kBest);
    request.set_group(set == "and_group" ? wire::GROUP_MODEL : wire::GROUP_OFFER);
    request.set_totals(set == "and_facets" ? wire::TOTALS_EXACT : wire::TOTALS_AT_LEAST);
    const index::Dictionary& dictionary = index_->dictionary();
    for (const std::string& word : set == "phrase" ? query.phrase : query.words) {
      wire::Term& term = *request.add_terms();
      term.set_text(word);
      term.set_weight(rank::idf_weight(dictionary.stats().documents, dictionary.term(word).main_df));
    }
    if (set == "or") {
      for (int i = 0; i < request.terms_size(); ++i) request.add_slots()->add_terms(static_cast<uint32_t>(i));
      request.set_min_match(1);
    } else if (set == "phrase") {
      wire::Phrase& phrase = *request.add_phrases();
      for (int i = 0; i < request.terms_size(); ++i) phrase.add_terms(static_cast<uint32_t>(i));
    } else if (set == "and_filter") {
      add_filters(query, request);
    } else if (set == "and_facets") {
      request.add_facets()->set_kind(wire::FACET_CATEGORY);
      request.add_facets()->set_kind(wire::FACET_VENDOR);
    } else if (set == "and_price") {
      request.set_sort(wire::SORT_PRICE);
    } else if (set == "and_quality") {
      request.set_quality_weight(kQualityWeight);
    }
    return request;
  }

  void add_filters(const CorpusQuery& query, wire::ShardRequest& request) const {
    wire::Filters& filters = *request.mutable_filters();
    wire::RangeFilter& categories = *filters.mutable_categories();
    const auto category = index_->dictionary().find_category(DocKey::make(0, KeyType::kCategory, query.category + 1));
    if (category) {
      wire::OrdinalRange& range = *categories.add_ranges();
      range.set_begin(*category);
      range.set_end(index_->dictionary().category_end(*category));
    }
    filters.set_price_from(static_cast<int64_t>(query.price_from));
    filters.set_price_to(static_cast<int64_t>(query.price_to));
  }

  Result<wire::ShardReply> ask(const wire::ShardRequest& request) {
    const query::ShardView view{index_->shard(), index_->dictionary()};
    const query::Stop stop{real_clock(), Deadline::never()};
    return kernels_ == nullptr ? oracle::search_exhaustively(view, request, stop)
                               : query::search(view, request, stop, *kernels_, *scratch_);
  }

  const query::Kernels* kernels_;
  std::unique_ptr<query::Scratch> scratch_ = std::make_unique<query::Scratch>();
  std::optional<SoukIndex> index_;
  const std::vector<CorpusQuery>* queries_ = nullptr;
  std::vector<wire::ShardRequest> prepared_;
};

// --evaluator=NAME: null when there is no such one.
std::optional<const query::Kernels*> find_evaluator(std::string_view name) {
  if (name == "exhaustive") return nullptr;
  for (const query::Kernels* kernels : query::available_kernels()) {
    if (name == kernels->name) return kernels;
  }
  return std::nullopt;
}

}  // namespace
}  // namespace souk::bench

int main(int argc, char** argv) {
  constexpr std::string_view kOption = "--evaluator=";
  const souk::query::Kernels* kernels = &souk::query::best_kernels();
  if (argc > 1 && std::string_view(argv[1]).starts_with(kOption)) {
    const std::string_view name = std::string_view(argv[1]).substr(kOption.size());
    const auto found = souk::bench::find_evaluator(name);
    if (!found) {
      std::printf("{\"error\":\"this CPU has no such evaluator\"}\n");
      return 1;
    }
    kernels = *found;
    ++argv;
    --argc;
  }
  try {
    souk::bench::SoukEngine engine(kernels);
    return souk::bench::run_driver(engine, argc, argv);
  } catch (const std::exception& error) {
    std::printf("{\"error\":\"%s\"}\n", error.what());
  }
  return 1;
}
