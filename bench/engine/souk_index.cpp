// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/souk_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <vector>

#include "bench/datasets/corpus_file.h"
#include "core/index/dictionary_writer.h"
#include "core/index/document_order.h"
#include "core/index/shard_writer.h"
#include "core/rank/bm25f.h"
#include "indexer/build/posting_sorter.h"
#include "runtime/files/file_sink.h"

namespace souk::bench {

namespace {

constexpr std::string_view kDictionary = "dictionary.souk", kShard = "shard-1.souk";
constexpr uint64_t kMostSortMemory = uint64_t{1} << 30;  // beyond, runs go to the disk
constexpr uint8_t kTitleMask = 1U << static_cast<uint8_t>(index::Field::kTitle);

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What is kept of a document between the passes; its words are [first_word, that of the next one).
struct Kept {
  uint64_t price;
  uint32_t category, vendor;
  uint64_t first_word;
};

class Builder {
 public:
  Builder(std::string corpus, std::string folder) : corpus_(std::move(corpus)), folder_(std::move(folder)) {}

  Status read();
  void number();
  Status write_dictionary() const;
  Status write_shard();
  const index::DictionaryWriter& dictionary() const { return dictionary_; }

 private:
  void add(const CorpusDocument& document);
  void set_columns(const index::DocumentPlace& place, index::Document& document) const;
  Status add_postings(std::span<const uint32_t> words, uint32_t number, build::PostingSorter& postings) const;
  std::span<const uint32_t> words_of(uint64_t source) const {
    return std::span(words_).subspan(kept_[source].first_word, kept_[source + 1].first_word - kept_[source].first_word);
  }

  std::string corpus_, folder_;
  index::DictionaryWriter dictionary_;
  std::vector<Kept> kept_;
  std::vector<uint32_t> words_;  // ids of the dictionary writer, and once it is numbered ordinals
  std::vector<index::DocumentPlace> places_;
  std::vector<bool> known_vendors_, known_categories_;
  uint64_t postings_ = 0;
  uint64_t groups_ = 0;
  rank::Bm25f model_;
  // Of the document that is being added.
  std::vector<std::string_view> distinct_;
  std::vector<uint32_t> distinct_ids_;
};

std::string category_name(uint32_t category) {
  return fmt::format("category {}", category);
}
std::string vendor_name(uint32_t vendor) {
  return fmt::format("vendor {}", vendor);
}

bool first_time(std::vector<bool>& known, uint32_t value) {
  if (value >= known.size()) known.resize(value + 1);
  const bool is_new = !known[value];
  known[value] = true;
  return is_new;
}

void Builder::add(const CorpusDocument& document) {
  const DocKey category = DocKey::make(0, KeyType::kCategory, document.category + 1);
  if (first_time(known_categories_, document.category)) {
    dictionary_.add_category(category, {category_name(document.category)});
  }
  if (first_time(known_vendors_, document.vendor)) dictionary_.add_vendor(vendor_name(document.vendor));
  places_.push_back({.group = DocKey::make(0, KeyType::kModel, document.model + 1),
                     .key = DocKey::make(0, KeyType::kOffer, document.key),
                     .level = static_cast<uint8_t>(document.quality),
                     .source = kept_.size()});
  kept_.push_back({document.price, document.category, document.vendor, words_.size()});
  distinct_.clear();
  distinct_ids_.clear();
  for_each_word(document.title, [&](std::string_view word) {
    const auto known = static_cast<size_t>(std::ranges::find(distinct_, word) - distinct_.begin());
    if (known == distinct_.size()) {
      distinct_.push_back(word);
      distinct_ids_.push_back(dictionary_.add_term(word, true));
    }
    words_.push_back(distinct_ids_[known]);
  });
  postings_ += distinct_.size();
  dictionary_.add_document();
}

Status Builder::read() {
  auto file = CorpusFile::open(corpus_);
  if (!file) return std::unexpected(file.error());
  dictionary_.add_shop(DocKey::make(0, KeyType::kShop, 1), "shop", "shop");
  CorpusDocument document;
  while (true) {
    const auto more = file->next(document);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    add(document);
  }
  kept_.push_back({0, 0, 0, words_.size()});
  return {};
}

// Terms and documents get their numbers.
void Builder::number() {
  auto ordered = std::async(std::launch::async, [this] {
    index::order_documents(places_);
    for (size_t i = 0; i < places_.size(); ++i) groups_ += i == 0 || places_[i].group != places_[i - 1].group;
  });
  dictionary_.number();
  for (uint32_t& word : words_) word = dictionary_.term(word);
  const auto title = static_cast<size_t>(index::Field::kTitle);
  model_.fields[title].average_length = static_cast<double>(words_.size()) / static_cast<double>(places_.size());
  ordered.get();
}

Status Builder::write_dictionary() const {
  auto sink = files::FileSink::create(fmt::format("{}/{}", folder_, kDictionary));
  if (!sink) return std::unexpected(sink.error());
  index::ContainerWriter file(index::FileKind::kDictionary,
                              [&](std::string_view bytes) { return (*sink)->write(bytes); });
  Status done = dictionary_.write(file, groups_, "");
  if (done) done = file.finish();
  return done ? (*sink)->close() : done;
}

void Builder::set_columns(const index::DocumentPlace& place, index::Document& document) const {
  const Kept& kept = kept_[place.source];
  document.key = place.key;
  document.group = place.group;
  document.level = place.level;
  document.category = dictionary_.category(DocKey::make(0, KeyType::kCategory, kept.category + 1));
  document.price = static_cast<int64_t>(kept.price);
  document.in_stock = true;
  const auto words = words_of(place.source);
  document.forward.assign(words.begin(), words.end());
}

Status Builder::add_postings(std::span<const uint32_t> words, uint32_t number, build::PostingSorter& postings) const {
  constexpr auto kTitle = static_cast<size_t>(index::Field::kTitle);
  rank::FieldCounts lengths{};
  lengths[kTitle] = static_cast<uint32_t>(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    if (std::ranges::find(words.first(i), words[i]) != words.begin() + static_cast<ptrdiff_t>(i)) continue;
    rank::FieldCounts counts{};
    counts[kTitle] = static_cast<uint32_t>(std::ranges::count(words.subspan(i), words[i]));
    const Status done = postings.add({words[i], number, rank::main_impact(model_, counts, lengths), kTitleMask});
    if (!done) return done;
  }
  return {};
}

Status Builder::write_shard() {
  index::ShardWriter writer({.shard = 1,
                             .shards = 1,
                             .documents = 0,
                             .groups = 0,
                             .categories = dictionary_.categories(),
                             .vendors = dictionary_.vendors(),
                             .shops = dictionary_.shops(),
                             .param_values = dictionary_.param_values(),
                             .terms = dictionary_.terms()});
  const uint64_t sort_memory =
      postings_ * build::PostingSorter::kBytesPerPosting + build::PostingSorter::kBytesPerPosting;
  build::PostingSorter main(folder_ + "/main", std::min(sort_memory, kMostSortMemory));
  build::PostingSorter description(folder_ + "/description", 0);
  std::vector<uint32_t> vendors(known_vendors_.size(), index::kNoOrdinal);
  for (uint32_t vendor = 0; vendor < vendors.size(); ++vendor) {
    if (known_vendors_[vendor]) vendors[vendor] = dictionary_.vendor(vendor_name(vendor));
  }
  index::Document document;
  for (const index::DocumentPlace& place : places_) {
    set_columns(place, document);
    document.vendor = vendors[kept_[place.source].vendor];
    Status done = add_postings(words_of(place.source), writer.documents(), main);
    if (done) done = writer.add(document);
    if (!done) return done;
  }
  auto sink = files::FileSink::create(fmt::format("{}/{}", folder_, kShard));
  if (!sink) return std::unexpected(sink.error());
  const Status done = writer.write([&](std::string_view bytes) { return (*sink)->write(bytes); }, main, description);
  return done ? (*sink)->close() : done;
}

// A file's bytes where they can be read in place.
Result<index::Bytes> load_file(const std::string& path, std::unique_ptr<std::byte[]>& bytes) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) return fail(ErrorCode::kNotFound, "cannot be opened", path);
  bytes = std::make_unique_for_overwrite<std::byte[]>(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.get()), static_cast<std::streamsize>(size))) {
    return fail(ErrorCode::kUnavailable, "cannot be read", path);
  }
  return index::Bytes(bytes.get(), size);
}

}  // namespace

Result<std::string> build_souk_index(const std::string& corpus, const std::string& folder) {
  const auto begin = std::chrono::steady_clock::now();
  Builder builder(corpus, folder);
  if (Status done = builder.read(); !done) return std::unexpected(done.error());
  const double read = seconds_since(begin);
  builder.number();
  const double numbered = seconds_since(begin);
  auto dictionary = std::async(std::launch::async, [&] { return builder.write_dictionary(); });
  Status done = builder.write_shard();
  const Status dictionary_done = dictionary.get();
  if (done) done = dictionary_done;
  if (!done) return std::unexpected(done.error());
  const double seconds = seconds_since(begin);

  const uint64_t bytes = std::filesystem::file_size(fmt::format("{}/{}", folder, kShard)) +
                         std::filesystem::file_size(fmt::format("{}/{}", folder, kDictionary));
  return fmt::format(R"("seconds":{:.3f},"threads":2,"read_seconds":{:.3f},"number_seconds":{:.3f},"index_bytes":{})",
                     seconds, read, numbered - read, bytes);
}

Result<SoukIndex> SoukIndex::load(const std::string& folder) {
  SoukIndex loaded;
  const auto dictionary_bytes = load_file(fmt::format("{}/{}", folder, kDictionary), loaded.dictionary_bytes_);
  if (!dictionary_bytes) return std::unexpected(dictionary_bytes.error());
  auto dictionary = index::Dictionary::open(*dictionary_bytes);
  if (!dictionary) return std::unexpected(dictionary.error());
  loaded.dictionary_ = std::move(*dictionary);
  const auto shard_bytes = load_file(fmt::format("{}/{}", folder, kShard), loaded.shard_bytes_);
  if (!shard_bytes) return std::unexpected(shard_bytes.error());
  auto shard = index::ShardIndex::open(*shard_bytes);
  if (!shard) return std::unexpected(shard.error());
  loaded.shard_ = std::move(*shard);
  return loaded;
}

}  // namespace souk::bench
