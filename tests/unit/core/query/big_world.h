// SPDX-License-Identifier: Apache-2.0
// One shard of several chunks, for what small worlds never reach: bitmaps, arrays, windows, short lists, models that
// lie across a chunk's end. Written straight with the index writers; the same seed gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/core/world.h"

namespace souk::test {

// Numbers that are the same with every library.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint64_t below(uint64_t limit) { return next() % limit; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

 private:
  uint64_t state_;
};

class BigWorld {
 public:
  explicit BigWorld(uint64_t seed, uint32_t documents = 3 * index::kChunkDocuments + 5000);

  query::ShardView view() const { return {*shard_, *dictionary_}; }
  const index::ShardIndex& shard() const { return *shard_; }
  const index::Dictionary& dictionary() const { return *dictionary_; }

  // A request of any form, within its bounds.
  wire::ShardRequest any_request(Random& random) const;

 private:
  void write_dictionary(index::DictionaryWriter& writer);
  std::vector<index::DocumentPlace> places() const;
  index::Document document(const index::DocumentPlace& place, uint32_t doc) const;
  void write_shard(const index::DictionaryWriter& numbers);

  void add_words(wire::ShardRequest& request, Random& random) const;
  void add_filters(wire::Filters& filters, Random& random) const;
  void add_facets(wire::ShardRequest& request, Random& random) const;
  std::vector<uint32_t> some_param_values(Random& random, uint32_t param) const;

  uint64_t seed_;
  uint32_t documents_;
  FileBytes dictionary_file_, shard_file_;
  std::optional<index::Dictionary> dictionary_;
  std::optional<index::ShardIndex> shard_;
};

}  // namespace souk::test
