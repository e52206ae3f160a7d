// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "bench/datasets/random.h"
#include "bench/micro/micro.h"
#include "core/index/posting_lists.h"
#include "core/query/kernels.h"

namespace souk::bench {

namespace {

using query::Kernels;

constexpr uint32_t kPad = 64;  // what kernels may read or write beyond an array
constexpr uint32_t kWeight = 12'000;

// Random postings of one chunk, as an array and as a bitmap.
struct ChunkData {
  explicit ChunkData(uint32_t count)
      : bits(index::kBitmapWords + kPad), ranks(index::kChunkDocuments / index::kRankBits) {
    Random random(count);
    while (std::accumulate(bits.begin(), bits.end(), 0U, [](uint32_t sum, uint64_t word) {
             return sum + static_cast<uint32_t>(std::popcount(word));
           }) < count) {
      for (int i = 0; i < 16; ++i) {
        const uint64_t doc = random.below(index::kChunkDocuments);
        bits[doc / 64] |= uint64_t{1} << doc % 64;
      }
    }
    for (uint32_t doc = 0; doc < index::kChunkDocuments; ++doc) {
      if (doc % index::kRankBits == 0) ranks[doc / index::kRankBits] = static_cast<uint16_t>(docs.size());
      if ((bits[doc / 64] >> doc % 64 & 1) != 0) docs.push_back(static_cast<uint16_t>(doc));
    }
    size = static_cast<uint32_t>(docs.size());
    docs.resize(size + kPad);
    // Most impacts are small.
    for (uint32_t i = 0; i < size + kPad; ++i) {
      const double share = random.unit();
      impacts.push_back(static_cast<uint8_t>(1 + share * share * 254));
    }
  }
  uint32_t size;
  std::vector<uint16_t> docs;
  std::vector<uint64_t> bits;
  std::vector<uint16_t> ranks;
  std::vector<uint8_t> impacts;
};

// Ascending documents to be looked up.
std::vector<uint32_t> random_documents(uint32_t count) {
  Random random(count + 1);
  std::vector<uint32_t> docs(count);
  for (uint32_t& doc : docs) doc = static_cast<uint32_t>(random.below(index::kChunkDocuments));
  std::ranges::sort(docs);
  docs.erase(std::ranges::unique(docs).begin(), docs.end());
  return docs;
}

// Registers `loop` for every level; it returns how many postings or documents it worked on.
void add(const std::string& name, const std::function<uint64_t(const Kernels&)>& loop) {
  for (const Kernels* kernels : query::available_kernels()) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", name, kernels->name).c_str(), [=](benchmark::State& state) {
      uint64_t items = 0;
      for (auto iteration : state) items += loop(*kernels);
      state.SetItemsProcessed(static_cast<int64_t>(items));
    });
  }
}

struct Output {
  std::vector<uint32_t> docs = std::vector<uint32_t>(index::kChunkDocuments + kPad);
  std::vector<uint32_t> scores = docs;
};

// least: how many of 256 impacts are too small to count.
void register_score(const std::shared_ptr<Output>& out) {
  const auto sparse = std::make_shared<ChunkData>(4096);
  const auto dense = std::make_shared<ChunkData>(16'384);
  for (const uint32_t least : {0U, 200U}) {
    add(fmt::format("score_array/{}", least == 0 ? "all" : "few"), [=](const Kernels& kernels) {
      benchmark::DoNotOptimize(kernels.emit_array(sparse->docs.data(), sparse->impacts.data(), sparse->size, kWeight, 0,
                                                  least * kWeight, out->docs.data(), out->scores.data()));
      return sparse->size;
    });
    add(fmt::format("score_bits/{}", least == 0 ? "all" : "few"), [=](const Kernels& kernels) {
      benchmark::DoNotOptimize(kernels.emit_bits(dense->bits.data(), dense->impacts.data(), index::kBitmapWords,
                                                 kWeight, 0, least * kWeight, out->docs.data(), out->scores.data()));
      return dense->size;
    });
  }
  // A window of a union: added, then taken.
  const auto sums = std::make_shared<std::vector<uint32_t>>(index::kWindowDocuments + kPad);
  add("union_window", [=](const Kernels& kernels) {
    kernels.add_bits(dense->bits.data(), dense->impacts.data(), kWeight, sums->data());
    kernels.add_bits(dense->bits.data() + index::kWindowDocuments / 64, dense->impacts.data(), kWeight, sums->data());
    benchmark::DoNotOptimize(kernels.take_sums(sums->data(), 0, 300 * kWeight, out->docs.data(), out->scores.data()));
    return index::kWindowDocuments;
  });
}

// As many documents looked up in a list of as many postings.
void register_intersect(const std::shared_ptr<Output>& out) {
  for (const auto [lead, list] :
       {std::pair(16U, 4096U), std::pair(256U, 4096U), std::pair(2048U, 4096U), std::pair(1000U, 1000U)}) {
    const auto chunk = std::make_shared<ChunkData>(list);
    const auto docs = std::make_shared<std::vector<uint32_t>>(random_documents(lead));
    const auto size = static_cast<uint32_t>(docs->size());
    docs->resize(size + kPad);
    add(fmt::format("intersect_array/{}_in_{}", lead, list), [=](const Kernels& kernels) {
      kernels.locate_in_array(docs->data(), size, chunk->docs.data(), chunk->size, out->docs.data());
      benchmark::DoNotOptimize(out->docs[0]);
      return size;
    });
  }
  const auto dense = std::make_shared<ChunkData>(16'384);
  const auto docs = std::make_shared<std::vector<uint32_t>>(random_documents(2048));
  const auto size = static_cast<uint32_t>(docs->size());
  docs->resize(size + kPad);
  add("intersect_bits/2048_in_16384", [=](const Kernels& kernels) {
    kernels.locate_in_bits(docs->data(), size, dense->bits.data(), dense->ranks.data(), out->docs.data());
    benchmark::DoNotOptimize(out->docs[0]);
    return size;
  });
}

}  // namespace

void register_kernels() {
  const auto out = std::make_shared<Output>();
  register_score(out);
  register_intersect(out);
}

}  // namespace souk::bench
