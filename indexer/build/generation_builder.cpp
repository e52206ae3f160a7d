// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/generation_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <vector>

#include "core/base/hash.h"
#include "core/base/version.h"
#include "core/index/currency_code.h"
#include "core/index/dictionary_writer.h"
#include "core/index/manifest.h"
#include "indexer/build/base_price.h"
#include "indexer/build/category_map.h"
#include "indexer/build/memory_plan.h"
#include "indexer/build/offer_pipeline.h"
#include "indexer/build/offer_terms.h"
#include "indexer/build/shard_builder.h"
#include "runtime/files/file_sink.h"
#include "runtime/files/read_file.h"
#include "snippet/store/snippet_store.h"

namespace souk::build {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBuildFile = "build.json";  // beside the manifest, outside the content hash
constexpr std::string_view kUnfinished = "building-";
constexpr unsigned kThreads = 2;  // that analyse, beside the one that reads and writes

// A small file of ours; empty when it cannot be read, which then is not what it should be.
std::string text_of(const fs::path& path) {
  constexpr size_t kMostBytes = 1 << 20;
  return files::read_file(path.string(), kMostBytes).value_or("");
}

// What decides a generation's content, cheap to compare.
std::string inputs_of(uint64_t revision, const config::Market& market, uint32_t shards) {
  Sha256 market_hash;
  market_hash.update(market.canonical_text);
  return fmt::format("store {} market {} shards {} schema {} level {} engine {}", revision, market_hash.hex(), shards,
                     index::Manifest::kSchema, index::Manifest::kEngineLevel, kEngineVersion);
}

rank::Bm25f bm25f_of(const config::Market& market) {
  rank::Bm25f model;
  model.k1 = market.k1;
  for (size_t f = 0; f < index::kFields; ++f) {
    const auto field = market.fields.find(std::string(index::kFieldNames[f]));
    if (field == market.fields.end()) continue;
    model.fields[f].weight = field->second.weight;
    model.fields[f].b = field->second.b;
  }
  return model;
}

// What is told of a build beside its files.
struct Notes {
  uint64_t left_out = 0;
  std::vector<std::string> warnings;
};

class GenerationBuilder {
 public:
  GenerationBuilder(offers::OfferStore& store, const config::Market& market, const BuildTarget& target, fs::path folder,
                    const Progress& progress)
      : store_(store),
        market_(market),
        memory_bytes_(target.memory_bytes),
        unmapped_report_(target.unmapped_report),
        folder_(std::move(folder)),
        progress_(progress),
        model_(bm25f_of(market)) {
    manifest_.shards = target.shards;
    manifest_.slots = placement::even_slot_table(target.shards);
  }

  Status read_store();    // first pass
  Status build_shards();  // second pass
  Status write_dictionary();
  Status write_manifest(const std::string& inputs);
  const index::Manifest& manifest() const { return manifest_; }
  uint64_t runs() const { return runs_; }
  uint64_t memory_needed() const { return plan_.needed; }
  Notes notes() const;

 private:
  Status add_names();
  Status add_categories();
  void add_shop(const offers::Shop& shop);
  bool can_be_priced(const offers::StoredOffer& offer);
  Status add_offer(const PreparedOffer& offer);
  SpoolDoc spool_doc(const PreparedOffer& offer);
  void set_price(const feed::Offer& offer, SpoolDoc& doc) const;
  void add_text(const AnalyzedText& text, SpoolDoc& doc);
  Status plan();
  std::vector<Result<BuiltShard>> run_shards();
  fs::path file(std::string_view name) const { return folder_ / name; }

  offers::OfferStore& store_;
  const config::Market& market_;
  uint64_t memory_bytes_;
  std::string unmapped_report_;
  fs::path folder_;
  const Progress& progress_;
  rank::Bm25f model_;
  index::Manifest manifest_;
  index::DictionaryWriter dictionary_;
  UsedNames names_;
  OfferPipeline::Shops shops_;
  CategoryMap categories_;
  snippet::SstWriter snippets_;
  std::vector<ShardSpool> spools_;
  std::array<uint64_t, index::kFields> length_sums_{};
  MemoryPlan plan_;
  uint64_t runs_ = 0;
  std::map<std::string, uint64_t> left_out_;  // offers by reason
  std::vector<std::string> warnings_;
  uint64_t unknown_regions_ = 0;
  std::string shop_with_unknown_region_;
};

// A shop's regions that the market does not have (any more) are told of: where it has no other it serves nobody there.
void GenerationBuilder::add_shop(const offers::Shop& shop) {
  const uint32_t unknown = dictionary_.add_shop(shop.key, shop.name, shop.display_name, shop.settings.regions);
  if (unknown > 0 && unknown_regions_ == 0) shop_with_unknown_region_ = shop.name;
  unknown_regions_ += unknown;
  shops_.emplace(shop.number, shop);
}

Status GenerationBuilder::add_names() {
  auto shops = store_.shops();
  if (!shops) return std::unexpected(shops.error());
  for (const config::Region& region : market_.regions) dictionary_.add_region(region.name, region.parent);
  for (const offers::Shop& shop : *shops) add_shop(shop);
  return add_categories();
}

Status GenerationBuilder::add_categories() {
  auto categories = CategoryMap::make(store_, market_);
  if (!categories) return std::unexpected(categories.error());
  categories_ = std::move(*categories);
  for (const auto& [key, path] : categories_.categories()) dictionary_.add_category(key, path);
  if (!categories_.unmapped().empty()) {
    warnings_.push_back(fmt::format("{} categories of shops with {} offers are not mapped: they are under '{}'",
                                    categories_.unmapped().size(), categories_.unmapped_offers(),
                                    market_.category_tree->other));
  }
  if (unmapped_report_.empty()) return {};
  std::error_code error;
  fs::create_directories(fs::path(unmapped_report_).parent_path(), error);
  if (error) return fail(ErrorCode::kUnavailable, error.message(), unmapped_report_);
  return files::replace_file(unmapped_report_, to_json(categories_.unmapped()));
}

Status GenerationBuilder::read_store() {
  if (Status done = add_names(); !done) return done;
  for (uint32_t shard = 1; shard <= manifest_.shards; ++shard) {
    auto spool = ShardSpool::create(file(fmt::format("spool-{}", shard)));
    if (!spool) return std::unexpected(spool.error());
    spools_.push_back(std::move(*spool));
  }
  if (Status done = snippets_.open(file(index::kSnippetFile)); !done) return done;
  OfferPipeline pipeline(shops_, kThreads, [this](PreparedOffer&& offer) { return add_offer(offer); });
  Status done = store_.scan([&](const offers::StoredOffer& offer) {
    if (!can_be_priced(offer)) return Status{};
    if (!categories_.changes()) return pipeline.add(offer);
    offers::StoredOffer mapped = offer;
    categories_.apply(mapped);
    return pipeline.add(mapped);
  });
  if (done) done = pipeline.finish();
  for (ShardSpool& spool : spools_) {
    if (done) done = spool.close();
  }
  if (!done) return done;
  manifest_.offers = dictionary_.documents();
  if (manifest_.offers == 0) {
    return fail(ErrorCode::kNotFound, left_out_.empty() ? "the offer store is empty: there is nothing to build"
                                                        : "no offer is in a currency of the market");
  }
  return snippets_.finish();
}

// The market may have lost the rate since the offer came.
bool GenerationBuilder::can_be_priced(const offers::StoredOffer& stored) {
  const std::string& currency = stored.offer.currency;
  const auto rate = market_.rate_of(currency);
  if (rate && base_price(stored.offer, *rate)) return true;
  ++left_out_[rate ? fmt::format("prices in {} that are nothing or too much in {}", currency, market_.base_currency)
                   : fmt::format("no rate for {}", currency)];
  return false;
}

Notes GenerationBuilder::notes() const {
  Notes notes{.left_out = 0, .warnings = warnings_};
  if (unknown_regions_ > 0) {
    notes.warnings.push_back(
        fmt::format("shops deliver to regions that the market does not have: {}, the first is of '{}'",
                    unknown_regions_, shop_with_unknown_region_));
  }
  for (const auto& [reason, offers] : left_out_) {
    notes.left_out += offers;
    notes.warnings.push_back(fmt::format("offers left out: {}, {}", offers, reason));
  }
  return notes;
}

Status GenerationBuilder::add_offer(const PreparedOffer& offer) {
  const offers::StoredOffer& stored = offer.stored;
  if (Status done = snippets_.add(stored.key, offer.snippet.version, offer.snippet.bytes); !done) return done;
  dictionary_.add_document();
  // Keys come in ascending order, and slots are evenly filled.
  if (dictionary_.documents() % 1000 == 0) progress_("reading offers", stored.key.slot(), placement::kOpenSlots);
  const DocKey group = stored.model ? stored.model : stored.key;
  const uint16_t shard = manifest_.slots[group.slot() % placement::kOpenSlots];
  const auto level = static_cast<uint8_t>(quality_level(stored));
  return spools_[shard - 1U].add({group, stored.key, level, 0}, spool_doc(offer));
}

SpoolDoc GenerationBuilder::spool_doc(const PreparedOffer& offer) {
  const offers::StoredOffer& stored = offer.stored;
  SpoolDoc doc;
  doc.set_version(offer.snippet.version);
  doc.set_category(stored.category.value());
  if (!stored.offer.vendor.empty()) doc.set_vendor(1 + names_.add_vendor(stored.offer.vendor));
  doc.set_shop(shops_.at(stored.shop).key.value());
  set_price(stored.offer, doc);
  doc.set_flags(flags_of(terms_of(stored.offer, shops_.at(stored.shop)), stored.offer.adult));
  doc.set_first_seen(stored.first_seen);
  doc.set_in_stock(stored.offer.available);
  for (const feed::Param& param : stored.offer.params) {
    doc.add_params(names_.add_param(param.name, shown_value(param)));
  }
  add_text(offer.text, doc);
  return doc;
}

void GenerationBuilder::set_price(const feed::Offer& offer, SpoolDoc& doc) const {
  const BasePrice base = base_price(offer, market_.rate_of(offer.currency).value()).value();  // can_be_priced
  doc.set_price(base.price);
  doc.set_old_price(base.old_price);
  if (offer.currency == market_.base_currency) return;
  doc.set_currency(index::currency_code(offer.currency));
  doc.set_own_price(offer.price);
  doc.set_own_old_price(offer.old_price);
}

void GenerationBuilder::add_text(const AnalyzedText& text, SpoolDoc& doc) {
  for (size_t i = 0; i < text.terms.size(); ++i) {
    uint8_t mask = 0;
    for (size_t f = 0; f < index::kFields; ++f) {
      if (text.counts[i][f] == 0) continue;
      mask |= static_cast<uint8_t>(1U << f);
      doc.add_counts(text.counts[i][f]);
    }
    doc.mutable_masks()->push_back(static_cast<char>(mask));
    doc.add_terms(dictionary_.add_term(text.terms[i], (mask & index::kMainMask) != 0));
  }
  for (const uint32_t place : text.forward) doc.add_forward(place == index::ForwardIndex::kBreak ? 0 : place + 1);
  for (size_t f = 0; f < index::kFields; ++f) {
    doc.add_lengths(text.lengths[f]);
    length_sums_[f] += text.lengths[f];
  }
}

Status GenerationBuilder::plan() {
  std::vector<ShardSize> sizes;
  for (const ShardSpool& spool : spools_) sizes.push_back(spool.size());
  const SharedSize shared{.terms = dictionary_.terms(),
                          .names = uint64_t{dictionary_.vendors()} + dictionary_.categories() + dictionary_.shops(),
                          .values = dictionary_.param_values()};
  auto plan = plan_memory(memory_bytes_, shared, sizes);
  if (!plan) return std::unexpected(plan.error());
  plan_ = std::move(*plan);
  return {};
}

// Each thread takes the next shard until none is left or one has failed.
std::vector<Result<BuiltShard>> GenerationBuilder::run_shards() {
  const ShardInputs inputs{dictionary_, names_, model_, folder_, manifest_.shards};
  std::vector<Result<BuiltShard>> built(manifest_.shards);
  std::atomic<uint32_t> next = 0;
  std::atomic<uint64_t> documents = 0;
  const auto work = [&] {
    for (uint32_t i = next++; i < manifest_.shards; i = next++) {
      built[i] = build_shard(inputs, i + 1, spools_[i], plan_.spare_bytes[i], documents);
      if (!built[i]) next = manifest_.shards;
    }
  };
  std::vector<std::future<void>> threads;
  for (uint32_t i = 0; i < plan_.shards_at_once; ++i) threads.push_back(std::async(std::launch::async, work));
  for (std::future<void>& thread : threads) {
    while (thread.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
      progress_("building shards", documents, manifest_.offers);
    }
    thread.get();
  }
  progress_("building shards", documents, manifest_.offers);
  return built;
}

Status GenerationBuilder::build_shards() {
  names_.number(dictionary_);
  if (Status done = plan(); !done) return done;
  for (size_t f = 0; f < index::kFields; ++f) {
    const double average = static_cast<double>(length_sums_[f]) / static_cast<double>(manifest_.offers);
    model_.fields[f].average_length = std::max(average, 1e-9);  // a field nobody uses has no lengths to normalise
  }
  for (const Result<BuiltShard>& shard : run_shards()) {
    if (!shard) return std::unexpected(shard.error());
    manifest_.shard_files.push_back(shard->file);
    manifest_.models += shard->groups;
    runs_ += shard->runs;
  }
  spools_.clear();
  return {};
}

Status GenerationBuilder::write_dictionary() {
  auto sink = files::FileSink::create(file(index::kDictionaryFile));
  if (!sink) return std::unexpected(sink.error());
  index::ContainerWriter writer(index::FileKind::kDictionary,
                                [&](std::string_view bytes) { return (*sink)->write(bytes); });
  Status done = dictionary_.write(writer, manifest_.models, market_.canonical_text);
  if (done) done = writer.finish();
  if (done) done = (*sink)->close();
  if (!done) return done;
  manifest_.dictionary = {std::string(index::kDictionaryFile), (*sink)->size(), (*sink)->sha256()};
  return {};
}

Status GenerationBuilder::write_manifest(const std::string& inputs) {
  manifest_.content_hash = index::content_hash_of(manifest_);

  Sha256 snippet_hash;
  std::ifstream snippets(file(index::kSnippetFile), std::ios::binary);
  std::vector<char> block(1 << 20);
  uint64_t size = 0;
  while (snippets.read(block.data(), static_cast<std::streamsize>(block.size())), snippets.gcount() > 0) {
    snippet_hash.update({block.data(), static_cast<size_t>(snippets.gcount())});
    size += static_cast<uint64_t>(snippets.gcount());
  }
  manifest_.snippets = {std::string(index::kSnippetFile), size, snippet_hash.hex()};

  const Notes told = notes();
  const boost::json::object build{{"inputs", inputs},
                                  {"left_out", told.left_out},
                                  {"warnings", boost::json::array(told.warnings.begin(), told.warnings.end())}};
  if (Status done = files::replace_file(file(kBuildFile), boost::json::serialize(build)); !done) return done;
  return files::replace_file(file(index::kManifestFile), index::to_json(manifest_));
}

// Whether all files are there in their sizes: somebody may have removed one.
bool is_whole(const fs::path& generation, const index::Manifest& manifest) {
  std::vector<index::Manifest::File> files = manifest.shard_files;
  files.push_back(manifest.dictionary);
  files.push_back(manifest.snippets);
  return std::ranges::all_of(files, [&](const index::Manifest::File& file) {
    std::error_code error;
    const uint64_t size = fs::file_size(generation / file.name, error);
    return !error && size == file.size;
  });
}

// What an earlier build of the same inputs was told of is as true now.
void read_notes(const boost::json::object& build, BuildResult& result) {
  if (const auto* left_out = build.if_contains("left_out"); left_out != nullptr && left_out->is_number())
    result.left_out = static_cast<uint64_t>(left_out->to_number<double>());
  const auto* warnings = build.if_contains("warnings");
  if (warnings == nullptr || !warnings->is_array()) return;
  for (const boost::json::value& warning : warnings->as_array()) {
    if (warning.is_string()) result.warnings.emplace_back(warning.as_string());
  }
}

// The generation that LATEST names, when it was made from the same inputs and is whole.
std::optional<BuildResult> reusable(const fs::path& folder, const std::string& inputs) {
  const auto hash = latest_generation(folder);
  if (!hash) return std::nullopt;
  const fs::path generation = folder / hex16(*hash);
  boost::system::error_code error;
  const boost::json::value build = boost::json::parse(text_of(generation / kBuildFile), error);
  if (error || !build.is_object()) return std::nullopt;
  const boost::json::value* made_from = build.as_object().if_contains("inputs");
  if (made_from == nullptr || !made_from->is_string() || made_from->as_string() != inputs) return std::nullopt;
  auto manifest = index::parse_manifest(text_of(generation / index::kManifestFile));
  if (!manifest || !is_whole(generation, *manifest)) return std::nullopt;
  BuildResult result;
  result.content_hash = *hash;
  result.reused = true;
  result.offers = manifest->offers;
  result.models = manifest->models;
  read_notes(build.as_object(), result);
  return result;
}

Status remove_unfinished(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot make the folder: " + error.message(), folder);
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(kUnfinished)) fs::remove_all(entry.path(), error);
  }
  return error ? Status(fail(ErrorCode::kUnavailable, error.message(), folder)) : Status{};
}

}  // namespace

Result<uint64_t> latest_generation(const std::string& folder) {
  std::string text = text_of(fs::path(folder) / "LATEST");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto id = parse_generation("1-" + text);
  if (!id) return fail(ErrorCode::kNotFound, "no generation was built yet", folder);
  return id->content_hash;
}

Result<index::Manifest> latest_manifest(const std::string& folder) {
  const auto hash = latest_generation(folder);
  if (!hash) return std::unexpected(hash.error());
  return index::parse_manifest(text_of(fs::path(folder) / hex16(*hash) / index::kManifestFile));
}

Result<BuildResult> build_generation(offers::OfferStore& store, const config::Market& market, const BuildTarget& target,
                                     const Progress& progress) {
  const std::string& folder = target.folder;
  if (Status done = remove_unfinished(folder); !done) return std::unexpected(done.error());
  auto revision = store.revision();
  if (!revision) return std::unexpected(revision.error());
  const std::string inputs = inputs_of(*revision, market, target.shards);
  if (auto same = reusable(folder, inputs)) return *same;

  const fs::path unfinished = fs::path(folder) / (std::string(kUnfinished) + std::to_string(*revision));
  std::error_code error;
  fs::create_directory(unfinished, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot make the folder: " + error.message(), unfinished);
  GenerationBuilder builder(store, market, target, unfinished, progress);
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  Status done = builder.read_store();
  const auto read = Clock::now();
  if (done) done = builder.build_shards();
  const auto built = Clock::now();
  if (done) done = builder.write_dictionary();
  if (done) done = builder.write_manifest(inputs);
  if (!done) {
    fs::remove_all(unfinished, error);  // what stays is removed by the next build
    return std::unexpected(done.error());
  }

  const index::Manifest& manifest = builder.manifest();
  Notes notes = builder.notes();
  const fs::path finished = fs::path(folder) / hex16(manifest.content_hash);
  const auto before = index::parse_manifest(text_of(finished / index::kManifestFile));
  if (before && before->content_hash == manifest.content_hash && is_whole(finished, *before)) {
    // The same content was built before from other inputs (a price that changed and changed back).
    done = files::replace_file(finished / kBuildFile, text_of(unfinished / kBuildFile));
    fs::remove_all(unfinished, error);
  } else {
    fs::remove_all(finished, error);
    if (!error) fs::rename(unfinished, finished, error);
    if (error) return fail(ErrorCode::kUnavailable, error.message(), finished);
  }
  if (done) done = files::replace_file(fs::path(folder) / "LATEST", hex16(manifest.content_hash) + "\n");
  if (!done) return std::unexpected(done.error());
  using Seconds = std::chrono::duration<double>;
  return BuildResult{.content_hash = manifest.content_hash,
                     .offers = manifest.offers,
                     .models = manifest.models,
                     .left_out = notes.left_out,
                     .warnings = std::move(notes.warnings),
                     .runs = builder.runs(),
                     .memory_needed = builder.memory_needed(),
                     .read_seconds = Seconds(read - began).count(),
                     .build_seconds = Seconds(built - read).count()};
}

}  // namespace souk::build
