// SPDX-License-Identifier: Apache-2.0
// Every level of the kernels against the scalar twin, and the scalar twin against the definitions.
#include "core/query/kernels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <ostream>
#include <vector>

#include "tests/unit/core/query/kernels_v4_emulated.h"

namespace souk::query {

// GoogleTest names the levels by this.
void PrintTo(const Kernels* kernels, std::ostream* out) {
  *out << kernels->name;
}

namespace {

namespace gen = rc::gen;

constexpr uint32_t kChunk = 65536;
constexpr uint32_t kWindow = 4096;

uint32_t one_of(std::vector<uint32_t> values) {
  return *gen::elementOf(std::move(values));
}

// A chunk's postings, as an array and as a bitmap.
struct Postings {
  std::vector<uint16_t> docs;
  std::vector<uint8_t> impacts;
  std::vector<uint64_t> bits = std::vector<uint64_t>(kChunk / 64);
  std::vector<uint16_t> ranks;
  std::vector<uint16_t> starts;  // of buckets of 1 << kBucketBits documents
  uint32_t count = 0;
};
constexpr uint32_t kBucketBits = 10;

Postings any_postings(uint32_t most) {
  Postings postings;
  const auto seed = *gen::arbitrary<uint32_t>();
  const uint32_t wanted = *gen::inRange<uint32_t>(1, most + 1);
  const uint32_t span = one_of({wanted, std::min(kChunk, 2 * wanted + 70), kChunk});
  uint64_t state = seed | 1U;
  const auto next = [&state] { return state = state * 6364136223846793005U + 1442695040888963407U, state >> 33; };
  while (postings.count < wanted) {
    const uint64_t doc = next() % span, bit = uint64_t{1} << (doc % 64);
    if ((postings.bits[doc / 64] & bit) == 0) ++postings.count;
    postings.bits[doc / 64] |= bit;
  }
  for (uint32_t word = 0; word < kChunk / 64; ++word) {
    for (uint64_t rest = postings.bits[word]; rest != 0; rest &= rest - 1) {
      postings.docs.push_back(static_cast<uint16_t>(word * 64 + static_cast<uint32_t>(std::countr_zero(rest))));
      postings.impacts.push_back(static_cast<uint8_t>(next() % 4 == 0 ? 255 : 1 + next() % 255));
    }
  }
  uint16_t rank = 0;
  for (uint32_t w = 0; w < kChunk / 64; ++w) {
    if (w % 8 == 0) postings.ranks.push_back(rank);
    rank = static_cast<uint16_t>(rank + __builtin_popcountll(postings.bits[w]));
  }
  for (uint32_t bucket = 0; bucket <= kChunk >> kBucketBits; ++bucket) {
    const auto first = std::ranges::lower_bound(postings.docs, bucket << kBucketBits);
    postings.starts.push_back(static_cast<uint16_t>(first - postings.docs.begin()));
  }
  for (int i = 0; i < 64; ++i) {  // what may be read beyond is not zero here
    postings.docs.push_back(static_cast<uint16_t>(next()));
    postings.impacts.push_back(static_cast<uint8_t>(next()));
  }
  return postings;
}

using Found = std::vector<std::pair<uint32_t, uint32_t>>;  // document and score

class KernelsTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
  // Runs what writes documents and scores.
  template <typename Emit>
  Found found(Emit emit) {
    docs_.assign(kChunk + kKernelPad, 0xDEAD);
    scores_.assign(kChunk + kKernelPad, 0xDEAD);
    const uint32_t count = emit(docs_.data(), scores_.data());
    Found all;
    for (uint32_t i = 0; i < count; ++i) all.emplace_back(docs_[i], scores_[i]);
    return all;
  }
  static Found expected(const Postings& postings, uint32_t from, uint32_t to, uint32_t weight, uint32_t base,
                        uint32_t least) {
    Found all;
    for (uint32_t i = from; i < to; ++i) {
      const uint32_t score = postings.impacts[i] * weight;
      if (score >= least) all.emplace_back(base + postings.docs[i], score);
    }
    return all;
  }

  std::vector<uint32_t> docs_, scores_;
};

uint32_t any_weight() {
  return one_of({0, 1, 700, 65535});
}
uint32_t any_least(uint32_t weight) {
  return one_of({0, 1, weight, weight * 128, weight * 255, weight * 255 + 1});
}

INSTANTIATE_TEST_SUITE_P(Levels, KernelsTest, ::testing::ValuesIn(tested_kernels()),
                         [](const auto& level) { return std::string(level.param->name); });

TEST_P(KernelsTest, EmitsAnArray) {
  EXPECT_TRUE(rc::check([this] {
    const Postings p = any_postings(600);
    const uint32_t weight = any_weight(), least = any_least(weight), base = one_of({0, 3 * kChunk});
    const uint32_t from = *gen::inRange<uint32_t>(0, p.count);
    RC_ASSERT(found([&](uint32_t* docs, uint32_t* scores) {
                return kernels().emit_array(p.docs.data() + from, p.impacts.data() + from, p.count - from, weight, base,
                                            least, docs, scores);
              }) == expected(p, from, p.count, weight, base, least));
    RC_ASSERT(found([&](uint32_t* docs, uint32_t* scores) {
                return kernels().emit_array(p.docs.data(), nullptr, p.count, weight, base, 0, docs, scores);
              }) == expected(p, 0, p.count, 0, base, 0));
  }));
}

TEST_P(KernelsTest, EmitsABitmap) {
  EXPECT_TRUE(rc::check([this] {
    const Postings p = any_postings(9000);
    const uint32_t weight = any_weight(), least = any_least(weight), base = one_of({0, 3 * kChunk});
    RC_ASSERT(found([&](uint32_t* docs, uint32_t* scores) {
                return kernels().emit_bits(p.bits.data(), p.impacts.data(), kChunk / 64, weight, base, least, docs,
                                           scores);
              }) == expected(p, 0, p.count, weight, base, least));
    RC_ASSERT(found([&](uint32_t* docs, uint32_t* scores) {
                return kernels().emit_bits(p.bits.data(), nullptr, kChunk / 64, weight, base, 0, docs, scores);
              }) == expected(p, 0, p.count, 0, base, 0));
  }));
}

TEST_P(KernelsTest, KeepsInPlace) {
  EXPECT_TRUE(rc::check([this] {
    const Postings p = any_postings(300);
    const uint32_t least = any_least(700);
    RC_ASSERT(found([&](uint32_t* docs, uint32_t* scores) {
                for (uint32_t i = 0; i < p.count; ++i) {
                  docs[i] = p.docs[i];
                  scores[i] = p.impacts[i] * 700U;
                }
                return kernels().keep_at_least(docs, scores, p.count, least);
              }) == expected(p, 0, p.count, 700, 0, least));
  }));
}

TEST_P(KernelsTest, LocatesInBothContainers) {
  EXPECT_TRUE(rc::check([this] {
    Postings list = any_postings(one_of({1, 40, 4096, 9000}));
    const Postings wanted = any_postings(one_of({1, 300}));
    // Behind the list stands just what is looked for.
    for (size_t i = 0; list.count + i < list.docs.size(); ++i)
      list.docs[list.count + i] = wanted.docs[i % wanted.count];
    std::vector<uint32_t> docs(wanted.docs.begin(), wanted.docs.begin() + wanted.count);
    for (uint32_t& doc : docs) doc += 5 * kChunk;
    std::vector<uint32_t> right(docs.size());
    for (size_t i = 0; i < docs.size(); ++i) {
      const auto end = list.docs.begin() + list.count;
      const auto at = std::lower_bound(list.docs.begin(), end, wanted.docs[i]);
      right[i] = at != end && *at == wanted.docs[i] ? static_cast<uint32_t>(at - list.docs.begin()) : kNotFound;
    }
    const auto count = static_cast<uint32_t>(docs.size());
    std::vector<uint32_t> places(docs.size());
    kernels().locate_in_bits(docs.data(), count, list.bits.data(), list.ranks.data(), places.data());
    RC_ASSERT(places == right);
    places.assign(places.size(), 0);
    kernels().locate_in_array(docs.data(), count, list.docs.data(), list.count, places.data());
    RC_ASSERT(places == right);
    places.assign(places.size(), 0);
    kernels().locate_in_buckets(docs.data(), count, list.docs.data(), list.starts.data(), kBucketBits, places.data());
    RC_ASSERT(places == right);
  }));
}

TEST_P(KernelsTest, AddsAndTakesAWindow) {
  EXPECT_TRUE(rc::check([this] {
    const Postings a = any_postings(6000);
    const Postings b = any_postings(300);
    alignas(64) std::array<uint32_t, kWindow> sums{};
    std::array<uint32_t, kWindow> right{};
    for (const auto& [postings, weight] : {std::pair(&a, 3U), std::pair(&b, 65535U)}) {
      kernels().add_bits(postings->bits.data(), postings->impacts.data(), weight, sums.data());
      for (uint32_t i = 0; i < postings->count && postings->docs[i] < kWindow; ++i)
        right[postings->docs[i]] += postings->impacts[i] * weight;
    }
    RC_ASSERT(sums == right);
    const uint32_t least = one_of({1, 3, 300, 65535, 255 * 65535});
    Found wanted;
    for (uint32_t i = 0; i < kWindow; ++i) {
      if (right[i] >= least) wanted.emplace_back(7 * kWindow + i, right[i]);
    }
    RC_ASSERT(found([&](uint32_t* docs, uint32_t* scores) {
                return kernels().take_sums(sums.data(), 7 * kWindow, least, docs, scores);
              }) == wanted);
    RC_ASSERT(std::ranges::all_of(sums, [](uint32_t sum) { return sum == 0; }));
  }));
}

}  // namespace
}  // namespace souk::query
