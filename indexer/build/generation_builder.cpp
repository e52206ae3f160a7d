// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/generation_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <numeric>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/base/version.h"
#include "core/index/dictionary_writer.h"
#include "core/index/manifest.h"
#include "core/index/shard_writer.h"
#include "indexer/build/analyze.h"
#include "indexer/build/shard_spool.h"
#include "indexer/build/snippet_doc.h"
#include "runtime/files/read_file.h"
#include "snippet/store/snippet_store.h"

namespace souk::build {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBuildFile = "build.json";  // beside the manifest, outside the content hash
constexpr std::string_view kUnfinished = "building-";

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

class GenerationBuilder {
 public:
  GenerationBuilder(offers::OfferStore& store, const config::Market& market, uint32_t shards, fs::path folder,
                    const Progress& progress)
      : store_(store), market_(market), folder_(std::move(folder)), progress_(progress), model_(bm25f_of(market)) {
    manifest_.shards = shards;
    manifest_.slots = placement::even_slot_table(shards);
    manifest_.shard_files.resize(shards);
  }

  Status read_store();    // first pass
  Status build_shards();  // second pass
  Status write_dictionary();
  Status write_manifest(const std::string& inputs);
  const index::Manifest& manifest() const { return manifest_; }

 private:
  Status add_names();
  Status add_offer(const offers::StoredOffer& offer);
  SpoolDoc spool_doc(const offers::StoredOffer& offer, const Snippet& snippet);
  Status build_shard(uint32_t shard);
  index::Document document(const SpoolDoc& doc) const;
  fs::path file(std::string_view name) const { return folder_ / name; }

  offers::OfferStore& store_;
  const config::Market& market_;
  fs::path folder_;
  const Progress& progress_;
  rank::Bm25f model_;
  index::Manifest manifest_;
  index::DictionaryWriter dictionary_;
  std::unordered_map<uint32_t, offers::Shop> shops_;
  text::Analyzer analyzer_;
  snippet::SstWriter snippets_;
  std::vector<ShardSpool> spools_;
  std::array<uint64_t, index::kFields> length_sums_{};
  std::vector<uint64_t> groups_;  // by shard
};

Status GenerationBuilder::add_names() {
  auto shops = store_.shops();
  if (!shops) return std::unexpected(shops.error());
  for (const offers::Shop& shop : *shops) {
    dictionary_.add_shop(shop.key, shop.name, shop.display_name);
    shops_.emplace(shop.number, shop);
  }
  auto categories = store_.categories();
  if (!categories) return std::unexpected(categories.error());
  for (const offers::StoredCategory& category : *categories) dictionary_.add_category(category.key, category.path);
  return {};
}

Status GenerationBuilder::read_store() {
  if (Status done = add_names(); !done) return done;
  for (uint32_t shard = 1; shard <= manifest_.shards; ++shard) {
    auto spool = ShardSpool::create(file(fmt::format("spool-{}", shard)));
    if (!spool) return std::unexpected(spool.error());
    spools_.push_back(std::move(*spool));
  }
  if (Status done = snippets_.open(file(index::kSnippetFile)); !done) return done;
  if (Status done = store_.scan([this](const offers::StoredOffer& offer) { return add_offer(offer); }); !done)
    return done;
  for (ShardSpool& spool : spools_) {
    if (Status done = spool.close(); !done) return done;
  }
  manifest_.offers = dictionary_.documents();
  if (manifest_.offers == 0) return fail(ErrorCode::kNotFound, "the offer store is empty: there is nothing to build");
  return snippets_.finish();
}

Status GenerationBuilder::add_offer(const offers::StoredOffer& offer) {
  const auto shop = shops_.find(offer.shop);
  if (shop == shops_.end()) return fail(ErrorCode::kCorruption, "an offer is of an unknown shop", to_string(offer.key));
  const Snippet snippet = make_snippet(offer, shop->second);
  if (Status done = snippets_.add(offer.key, snippet.version, snippet.bytes); !done) return done;
  if (!offer.offer.vendor.empty()) dictionary_.add_vendor(offer.offer.vendor);
  dictionary_.add_document();
  const SpoolDoc doc = spool_doc(offer, snippet);
  const uint16_t shard = manifest_.slots[DocKey(doc.group()).slot() % placement::kOpenSlots];
  if (dictionary_.documents() % 1000 == 0) progress_("reading offers", dictionary_.documents(), 0);
  return spools_[shard - 1U].add(doc);
}

SpoolDoc GenerationBuilder::spool_doc(const offers::StoredOffer& stored, const Snippet& snippet) {
  SpoolDoc doc;
  doc.set_key(stored.key.value());
  doc.set_group((stored.model ? stored.model : stored.key).value());
  doc.set_version(snippet.version);
  doc.set_category(stored.category.value());
  doc.set_vendor(stored.offer.vendor);
  doc.set_shop(shops_.at(stored.shop).key.value());
  doc.set_price(stored.offer.price);
  doc.set_old_price(stored.offer.old_price);
  doc.set_first_seen(stored.first_seen);
  doc.set_in_stock(stored.offer.available);
  doc.set_level(quality_level(stored));
  for (const feed::Param& param : stored.offer.params) {
    SpoolParam& out = *doc.add_params();
    out.set_name(param.name);
    out.set_value(shown_value(param));
    dictionary_.add_param(out.name(), out.value());
  }
  const AnalyzedText analyzed = analyze(analyzer_, stored);
  for (const auto& [term, counts] : analyzed.terms) {
    doc.add_terms(term);
    for (const uint32_t count : counts) doc.add_counts(count);
    const bool in_main =
        std::any_of(counts.begin(), counts.begin() + index::kMainFields, [](uint32_t count) { return count > 0; });
    dictionary_.add_term(term, in_main);
  }
  for (size_t f = 0; f < index::kFields; ++f) {
    doc.add_lengths(analyzed.lengths[f]);
    length_sums_[f] += analyzed.lengths[f];
  }
  return doc;
}

Status GenerationBuilder::build_shards() {
  dictionary_.number();
  for (size_t f = 0; f < index::kFields; ++f) {
    const double average = static_cast<double>(length_sums_[f]) / static_cast<double>(manifest_.offers);
    model_.fields[f].average_length = std::max(average, 1e-9);  // a field nobody uses has no lengths to normalise
  }
  groups_.resize(manifest_.shards);
  // Two shards at a time: two cores, and the memory of two shards.
  std::future<Status> before;
  Status done;
  for (uint32_t shard = 1; shard <= manifest_.shards && done; ++shard) {
    progress_("building shards", shard - 1, manifest_.shards);
    std::future<Status> next = std::async(std::launch::async, [this, shard] { return build_shard(shard); });
    if (before.valid()) done = before.get();
    before = std::move(next);
  }
  const Status last = before.get();
  if (done) done = last;
  progress_("building shards", manifest_.shards, manifest_.shards);
  manifest_.models = std::accumulate(groups_.begin(), groups_.end(), uint64_t{0});
  return done;
}

Status GenerationBuilder::build_shard(uint32_t shard) {
  index::ShardWriter writer({.shard = shard,
                             .shards = manifest_.shards,
                             .documents = 0,
                             .groups = 0,
                             .categories = dictionary_.categories(),
                             .vendors = dictionary_.vendors(),
                             .shops = dictionary_.shops(),
                             .param_values = dictionary_.param_values()});
  Status done = spools_[shard - 1].read([&](const SpoolDoc& doc) {
    writer.add(document(doc));
    return Status{};
  });
  if (!done) return done;
  const std::string name = index::shard_file_name(shard);
  auto sink = files::FileSink::create(file(name));
  if (!sink) return std::unexpected(sink.error());
  done = writer.write([&](std::string_view bytes) { return (*sink)->write(bytes); });
  if (done) done = (*sink)->close();
  if (!done) return done;
  groups_[shard - 1] = writer.groups();
  manifest_.shard_files[shard - 1] = {name, (*sink)->size(), (*sink)->sha256()};
  return {};
}

index::Document GenerationBuilder::document(const SpoolDoc& doc) const {
  index::Document out;
  out.key = DocKey(doc.key());
  out.group = DocKey(doc.group());
  out.version = doc.version();
  if (doc.category() != 0) out.category = dictionary_.category(DocKey(doc.category()));
  if (!doc.vendor().empty()) out.vendor = dictionary_.vendor(doc.vendor());
  out.shop = dictionary_.shop(DocKey(doc.shop()));
  out.price = doc.price();
  out.old_price = doc.old_price();
  out.first_seen = doc.first_seen();
  out.in_stock = doc.in_stock();
  out.level = static_cast<uint8_t>(doc.level());
  for (const SpoolParam& param : doc.params())
    out.params.push_back(dictionary_.param_value(param.name(), param.value()));
  std::ranges::sort(out.params);
  out.params.erase(std::ranges::unique(out.params).begin(), out.params.end());

  rank::FieldCounts lengths{};
  std::copy(doc.lengths().begin(), doc.lengths().end(), lengths.begin());
  for (int i = 0; i < doc.terms_size(); ++i) {
    rank::FieldCounts counts{};
    std::copy_n(doc.counts().begin() + static_cast<ptrdiff_t>(i * index::kFields), index::kFields, counts.begin());
    uint8_t mask = 0;
    for (size_t f = 0; f < index::kMainFields; ++f) mask |= static_cast<uint8_t>((counts[f] > 0 ? 1U : 0U) << f);
    out.terms.push_back({doc.terms(i), rank::main_impact(model_, counts, lengths), mask,
                         rank::description_impact(model_, counts, lengths)});
  }
  return out;
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

  const boost::json::object build{{"inputs", inputs}};
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
  return BuildResult{*hash, true, manifest->offers, manifest->models};
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

Result<BuildResult> build_generation(offers::OfferStore& store, const config::Market& market, uint32_t shards,
                                     const std::string& folder, const Progress& progress) {
  if (Status done = remove_unfinished(folder); !done) return std::unexpected(done.error());
  auto revision = store.revision();
  if (!revision) return std::unexpected(revision.error());
  const std::string inputs = inputs_of(*revision, market, shards);
  if (auto same = reusable(folder, inputs)) return *same;

  const fs::path unfinished = fs::path(folder) / (std::string(kUnfinished) + std::to_string(*revision));
  std::error_code error;
  fs::create_directory(unfinished, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot make the folder: " + error.message(), unfinished);
  GenerationBuilder builder(store, market, shards, unfinished, progress);
  Status done = builder.read_store();
  if (done) done = builder.build_shards();
  if (done) done = builder.write_dictionary();
  if (done) done = builder.write_manifest(inputs);
  if (!done) {
    fs::remove_all(unfinished, error);  // what stays is removed by the next build
    return std::unexpected(done.error());
  }

  const index::Manifest& manifest = builder.manifest();
  const fs::path target = fs::path(folder) / hex16(manifest.content_hash);
  const auto before = index::parse_manifest(text_of(target / index::kManifestFile));
  if (before && before->content_hash == manifest.content_hash && is_whole(target, *before)) {
    // The same content was built before from other inputs (a price that changed and changed back).
    done = files::replace_file(target / kBuildFile, text_of(unfinished / kBuildFile));
    fs::remove_all(unfinished, error);
  } else {
    fs::remove_all(target, error);
    if (!error) fs::rename(unfinished, target, error);
    if (error) return fail(ErrorCode::kUnavailable, error.message(), target);
  }
  if (done) done = files::replace_file(fs::path(folder) / "LATEST", hex16(manifest.content_hash) + "\n");
  if (!done) return std::unexpected(done.error());
  return BuildResult{manifest.content_hash, false, manifest.offers, manifest.models};
}

}  // namespace souk::build
