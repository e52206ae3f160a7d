// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/posting_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "tests/unit/indexer/build/full_disk.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::build {
namespace {

using index::Posting;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint64_t kRunPostings = PostingSorter::kLeastMemory / PostingSorter::kBytesPerPosting;

// Ascending documents, each with some distinct terms of a skewed lexicon.
std::vector<Posting> made_postings(size_t count, uint64_t seed, uint32_t greatest_term = 0xFFFFFFFE) {
  std::mt19937_64 random(seed);
  std::vector<Posting> postings;
  for (uint32_t doc = 0; postings.size() < count; doc += 1 + static_cast<uint32_t>(random() % 3)) {
    std::set<uint32_t> terms;
    for (uint64_t i = random() % 40; i > 0; --i) {
      const auto bits = static_cast<uint32_t>(random() % 33);
      terms.insert(static_cast<uint32_t>(random() & ((uint64_t{1} << bits) - 1)) % (greatest_term + 1));
    }
    std::vector<uint32_t> shuffled(terms.begin(), terms.end());
    std::ranges::shuffle(shuffled, random);
    for (const uint32_t term : shuffled) {
      postings.push_back({term, doc, static_cast<uint8_t>(random()), static_cast<uint8_t>(random() % 128)});
    }
  }
  return postings;
}

std::vector<Posting> sorted(std::vector<Posting> postings) {
  std::ranges::sort(postings);
  return postings;
}

Result<std::vector<Posting>> read_all(index::PostingSource& source) {
  std::vector<Posting> all;
  for (;;) {
    const auto batch = source.next();
    if (!batch) return std::unexpected(batch.error());
    if (batch->empty()) return all;
    all.insert(all.end(), batch->begin(), batch->end());
  }
}

class PostingSorterTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_.path() / "postings"; }
  void expect_sorted(const std::vector<Posting>& postings, uint64_t memory_bytes, uint64_t runs) {
    PostingSorter sorter(path(), memory_bytes);
    for (const Posting& posting : postings) ASSERT_TRUE(sorter.add(posting));
    const auto read = read_all(sorter);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_TRUE(*read == sorted(postings));
    EXPECT_EQ(sorter.runs(), runs);
    const auto again = sorter.next();
    EXPECT_TRUE(again && again->empty()) << "the end stays the end";
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "the scratch file has no name";
  }

  offers::TemporaryFolder folder_;
};

TEST_F(PostingSorterTest, NothingIsNothing) {
  expect_sorted({}, PostingSorter::kLeastMemory, 0);
}

TEST_F(PostingSorterTest, WhatFitsStaysInMemory) {
  std::vector<Posting> postings = made_postings(kRunPostings, 1);
  postings.resize(kRunPostings);
  expect_sorted(postings, PostingSorter::kLeastMemory, 0);
  postings.push_back({7, postings.back().doc + 1, 1, 1});
  expect_sorted(postings, PostingSorter::kLeastMemory, 2);
}

TEST_F(PostingSorterTest, ManyRunsGiveWhatOneGives) {
  const std::vector<Posting> postings = made_postings(200'000, 2);
  expect_sorted(postings, uint64_t{64} << 20, 0);
  expect_sorted(postings, uint64_t{1} << 20, (postings.size() + 43689) / 43690);
  // More than are merged at once: in several rounds.
  const uint64_t runs = (postings.size() + kRunPostings - 1) / kRunPostings;
  EXPECT_GT(runs,
            RunMerger::most_runs(PostingSorter::kLeastMemory) * RunMerger::most_runs(PostingSorter::kLeastMemory));
  expect_sorted(postings, 0, runs);
}

TEST_F(PostingSorterTest, OneTermInEveryDocument) {
  std::vector<Posting> postings;
  for (uint32_t doc = 0; doc < 30'000; ++doc) postings.push_back({5, doc, static_cast<uint8_t>(doc), 1});
  expect_sorted(postings, PostingSorter::kLeastMemory, 11);
}

TEST_F(PostingSorterTest, AFullDiskIsOneErrorThatNamesTheFile) {
  const std::vector<Posting> postings = made_postings(40'000, 3);
  for (const uint64_t room : {uint64_t{0}, uint64_t{100'000}, uint64_t{450'000}}) {
    const FullDisk full(room);
    PostingSorter sorter(path(), PostingSorter::kLeastMemory);
    Status done;
    for (size_t i = 0; i < postings.size() && done; ++i) done = sorter.add(postings[i]);
    if (done) {
      const auto read = read_all(sorter);
      if (!read) done = std::unexpected(read.error());
    }
    ASSERT_FALSE(done) << room;
    EXPECT_EQ(done.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(done.error().argument, HasSubstr("postings"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
}

TEST_F(PostingSorterTest, AFolderThatIsNotThere) {
  PostingSorter sorter(folder_.path() / "nowhere" / "postings", 0);
  Status done;
  for (uint32_t doc = 0; doc <= kRunPostings && done; ++doc) done = sorter.add({1, doc, 1, 1});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kUnavailable);
}

RC_GTEST_FIXTURE_PROP(PostingSorterTest, AnyPostingsUnderAnyLimit, ()) {
  const auto count = *rc::gen::inRange<size_t>(0, 20'000);
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto greatest = *rc::gen::element<uint32_t>(3, 2047, 2048, 5'000'000, 0xFFFFFFFE);
  const auto memory = *rc::gen::inRange<uint64_t>(0, 600'000);
  const std::vector<Posting> postings = made_postings(count, seed, greatest);
  PostingSorter sorter(path(), memory);
  for (const Posting& posting : postings) RC_ASSERT(sorter.add(posting).has_value());
  const auto read = read_all(sorter);
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == sorted(postings));
}

}  // namespace
}  // namespace souk::build
