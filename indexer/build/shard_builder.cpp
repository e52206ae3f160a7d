// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/shard_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/files/file_sink.h"

namespace souk::build {

namespace {

class ShardBuilder {
 public:
  ShardBuilder(const ShardInputs& inputs, uint32_t shard, ShardSpool& spool, uint64_t spare_bytes);
  Status add_documents(std::atomic<uint64_t>& documents_done);
  Result<BuiltShard> write();

 private:
  void set_columns(const SpoolDoc& doc);
  void set_forward(const SpoolDoc& doc);
  Status add_postings(const SpoolDoc& doc);
  std::string scratch(std::string_view lists) const {
    return inputs_.folder / fmt::format("postings-{}-{}", lists, shard_);
  }
  uint64_t share(uint64_t postings, uint64_t spare_bytes) const;

  const ShardInputs& inputs_;
  uint32_t shard_;
  ShardSpool& spool_;
  index::ShardWriter writer_;
  PostingSorter main_, description_;
  index::Document document_;
};

index::ShardStats stats_of(const ShardInputs& inputs, uint32_t shard) {
  const index::DictionaryWriter& dictionary = inputs.dictionary;
  return {.shard = shard,
          .shards = inputs.shards,
          .documents = 0,
          .groups = 0,
          .categories = dictionary.categories(),
          .vendors = dictionary.vendors(),
          .shops = dictionary.shops(),
          .param_values = dictionary.param_values(),
          .terms = dictionary.terms()};
}

ShardBuilder::ShardBuilder(const ShardInputs& inputs, uint32_t shard, ShardSpool& spool, uint64_t spare_bytes)
    : inputs_(inputs),
      shard_(shard),
      spool_(spool),
      writer_(stats_of(inputs, shard)),
      main_(scratch("main"), share(spool.size().main_postings, spare_bytes)),
      description_(scratch("description"), share(spool.size().description_postings, spare_bytes)) {}

// The two sorters have as much as they have postings, and no more than they need.
uint64_t ShardBuilder::share(uint64_t postings, uint64_t spare_bytes) const {
  const ShardSize& size = spool_.size();
  const uint64_t all = std::max<uint64_t>(size.main_postings + size.description_postings, 1);
  const double part = static_cast<double>(spare_bytes) * static_cast<double>(postings) / static_cast<double>(all);
  return PostingSorter::kLeastMemory +
         std::min(static_cast<uint64_t>(part), postings * PostingSorter::kBytesPerPosting);
}

Status ShardBuilder::add_documents(std::atomic<uint64_t>& documents_done) {
  auto places = spool_.places();
  if (!places) return std::unexpected(places.error());
  index::order_documents(*places);
  SpoolDoc doc;
  for (const index::DocumentPlace& place : *places) {
    if (Status done = spool_.read(place, doc); !done) return done;
    document_.key = place.key;
    document_.group = place.group;
    document_.level = place.level;
    set_columns(doc);
    set_forward(doc);
    if (Status done = add_postings(doc); !done) return done;  // first: they take the number of the next document
    if (Status done = writer_.add(document_); !done) return done;
    documents_done.fetch_add(1, std::memory_order_relaxed);
  }
  return {};
}

void ShardBuilder::set_columns(const SpoolDoc& doc) {
  const index::DictionaryWriter& dictionary = inputs_.dictionary;
  document_.version = doc.version();
  document_.category = doc.category() == 0 ? index::kNoOrdinal : dictionary.category(DocKey(doc.category()));
  document_.vendor = doc.vendor() == 0 ? index::kNoOrdinal : inputs_.names.vendor(doc.vendor() - 1);
  document_.shop = dictionary.shop(DocKey(doc.shop()));
  document_.price = doc.price();
  document_.old_price = doc.old_price();
  document_.first_seen = doc.first_seen();
  document_.in_stock = doc.in_stock();
  document_.currency = doc.currency();
  document_.own_price = doc.own_price();
  document_.own_old_price = doc.own_old_price();
  document_.flags = static_cast<uint8_t>(doc.flags());
  std::vector<uint32_t>& params = document_.params;
  params.clear();
  for (const uint32_t param : doc.params()) params.push_back(inputs_.names.param_value(param));
  std::ranges::sort(params);
  params.erase(std::ranges::unique(params).begin(), params.end());
}

void ShardBuilder::set_forward(const SpoolDoc& doc) {
  document_.forward.clear();
  for (const uint32_t word : doc.forward()) {
    document_.forward.push_back(word == 0 ? index::ForwardIndex::kBreak
                                          : inputs_.dictionary.term(doc.terms(static_cast<int>(word - 1))));
  }
}

Status ShardBuilder::add_postings(const SpoolDoc& doc) {
  rank::FieldCounts lengths{};
  std::copy_n(doc.lengths().begin(), index::kFields, lengths.begin());
  const uint32_t number = writer_.documents();
  auto next_count = doc.counts().begin();
  for (int i = 0; i < doc.terms_size(); ++i) {
    const auto mask = static_cast<uint8_t>(doc.masks()[static_cast<size_t>(i)]);
    rank::FieldCounts counts{};
    for (size_t f = 0; f < index::kFields; ++f) {
      if ((mask >> f & 1U) != 0) counts[f] = *next_count++;
    }
    const uint32_t term = inputs_.dictionary.term(doc.terms(i));
    const auto in_main = static_cast<uint8_t>(mask & index::kMainMask);
    const auto in_description = static_cast<uint8_t>(mask & index::kDescriptionMask);
    Status done;
    if (in_main != 0) done = main_.add({term, number, rank::main_impact(inputs_.model, counts, lengths), in_main});
    if (done && in_description != 0) {
      const uint8_t impact = rank::description_impact(inputs_.model, counts, lengths);
      done = description_.add({term, number, impact, in_description});
    }
    if (!done) return done;
  }
  return {};
}

Result<BuiltShard> ShardBuilder::write() {
  const std::string name = index::shard_file_name(shard_);
  auto sink = files::FileSink::create(inputs_.folder / name);
  if (!sink) return std::unexpected(sink.error());
  Status done = writer_.write([&](std::string_view bytes) { return (*sink)->write(bytes); }, main_, description_);
  if (done) done = (*sink)->close();
  if (!done) return std::unexpected(done.error());
  return BuiltShard{{name, (*sink)->size(), (*sink)->sha256()}, writer_.groups(), main_.runs() + description_.runs()};
}

}  // namespace

Result<BuiltShard> build_shard(const ShardInputs& inputs, uint32_t shard, ShardSpool& spool, uint64_t spare_bytes,
                               std::atomic<uint64_t>& documents_done) {
  ShardBuilder builder(inputs, shard, spool, spare_bytes);
  if (Status done = builder.add_documents(documents_done); !done) return std::unexpected(done.error());
  return builder.write();
}

}  // namespace souk::build
