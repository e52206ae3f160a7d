// SPDX-License-Identifier: Apache-2.0
// A whole generation in memory, for tests of the engine: offers in, opened shards and dictionary out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/index/dictionary.h"
#include "core/index/dictionary_writer.h"
#include "core/index/document_order.h"
#include "core/index/shard_index.h"
#include "core/index/shard_writer.h"
#include "core/merge/merge.h"
#include "core/oracle/oracle.h"
#include "core/placement/slots.h"
#include "core/query/search.h"
#include "core/rank/bm25f.h"

namespace souk::test {

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}
inline void must(const Status& status) {
  if (!status) throw std::runtime_error(to_string(status.error()));
}

// A file in memory. operator new aligns to 16 bytes, the readers want 8.
using FileBytes = std::vector<std::byte>;
index::Sink into(FileBytes& file);

struct TestOffer {
  uint64_t id = 0;     // local part of its key; > 0
  uint64_t model = 0;  // local part of its model's key; 0 = none
  std::string title = {};
  std::string description = {};
  std::vector<std::string> category = {};  // path from the root; empty = none
  std::string vendor = {};                 // empty = none
  uint32_t shop = 1;                       // number; its name is "Shop <number>"
  int64_t price = 10000;
  int64_t old_price = 0;
  bool in_stock = true;
  int64_t first_seen = 0;
  uint8_t level = 0;  // the best of a model's is that of all its offers
  std::vector<std::pair<std::string, std::string>> params = {};
  uint8_t flags = index::kDefaultFlags;
  std::string currency = {};  // of own_price and own_old_price; empty = the base one
  int64_t own_price = 0;
  int64_t own_old_price = 0;
  std::optional<uint16_t> slot = {};  // unless given, by shop and id

  DocKey key() const;
  DocKey group() const;  // its model, or itself
  uint64_t version() const { return id * 1000 + 1; }
};
std::ostream& operator<<(std::ostream& out, const TestOffer& offer);

// What an offer's text came to: by term, its quantised weights and masks.
struct TermWeights {
  uint8_t main_impact = 0;
  uint8_t main_mask = 0;
  uint8_t description_impact = 0;
};
using OfferTerms = std::map<std::string, TermWeights>;

// The words of an offer in their order: those of the title, then those of each param's value. No phrase spans two of
// them.
using OfferWords = std::vector<std::vector<std::string>>;

DocKey shop_key(uint32_t shop);
std::string shop_name(uint32_t shop);
DocKey category_key(const std::vector<std::string>& path);

// Every world has these regions: the first is the root of all but the last, each of the others is below the one before.
inline const std::vector<std::string> kRegions = {"Россия", "Москва", "Химки", "Беларусь"};
// A shop's regions by its number: 1 delivers everywhere, 2 to Россия, 3 to Москва and Беларусь, 4 to Химки, others
// nowhere.
std::vector<std::string> shop_regions(uint32_t shop);

// A clock that stands still.
class FixedClock final : public Clock {
 public:
  SteadyTime now() const override { return SteadyTime(std::chrono::hours(1)); }
  int64_t unix_seconds() const override { return 1'700'000'000; }
};

// What answers a shard's request.
using Evaluator =
    std::function<Result<wire::ShardReply>(const query::ShardView&, const wire::ShardRequest&, const query::Stop&)>;

class World {
 public:
  World(std::vector<TestOffer> offers, const placement::SlotTable& slots);
  World(std::vector<TestOffer> offers, uint32_t shards)
      : World(std::move(offers), placement::even_slot_table(shards)) {}

  const std::vector<TestOffer>& offers() const { return offers_; }
  const std::vector<OfferTerms>& terms() const { return terms_; }  // one per offer, in the same order
  const std::vector<OfferWords>& words() const { return words_; }  // likewise
  const index::Dictionary& dictionary() const { return *dictionary_; }
  const FileBytes& dictionary_file() const { return dictionary_file_; }
  const std::vector<index::ShardIndex>& shards() const { return shards_; }
  const std::vector<FileBytes>& shard_files() const { return shard_files_; }  // [0] is shard 1

  // A request of this generation for the best 10.
  wire::ShardRequest request() const;
  // Adds the text's terms, weighted by their global document frequency.
  void add_text(wire::ShardRequest& request, std::string_view text) const;
  // Adds a filter on a param; gives its number, for the facet of the same param. Unknown values are left out.
  int add_param_filter(wire::ShardRequest& request, std::string_view name,
                       const std::vector<std::string>& values) const;
  void add_param_facet(wire::ShardRequest& request, std::string_view name, int own_filter = -1) const;

  // Every shard's reply, checked as meta does.
  Result<std::vector<wire::ShardReply>> replies(wire::ShardRequest request,
                                                const Evaluator& evaluator = oracle::search_exhaustively) const;
  Result<merge::Merged> ask(const wire::ShardRequest& request,
                            const Evaluator& evaluator = oracle::search_exhaustively) const;

 private:
  void analyze();
  void write_dictionary(index::DictionaryWriter& writer);
  void write_shards(const index::DictionaryWriter& numbers, const placement::SlotTable& slots);
  FileBytes shard_file(const index::DictionaryWriter& numbers, const index::ShardStats& stats,
                       std::vector<index::DocumentPlace> places) const;
  index::Document document(const index::DictionaryWriter& numbers, size_t offer) const;

  std::vector<TestOffer> offers_;
  std::vector<OfferTerms> terms_;
  std::vector<OfferWords> words_;
  FileBytes dictionary_file_;
  std::vector<FileBytes> shard_files_;
  std::optional<index::Dictionary> dictionary_;
  std::vector<index::ShardIndex> shards_;
};

// Facet values by name: (offers, models). A category's name is its path, "A > B".
using NamedCounts = std::map<std::string, std::pair<uint64_t, uint64_t>>;
NamedCounts named(const index::Dictionary& dictionary, const wire::Facet& facet, const merge::FacetTotals& totals);

}  // namespace souk::test
