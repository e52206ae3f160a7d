// SPDX-License-Identifier: Apache-2.0
#include "searcher/serve/scratch_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace souk::shard_server {
namespace {

TEST(ScratchPool, AReturnedScratchIsTakenAgain) {
  ScratchPool pool;
  const query::Scratch* first = nullptr;
  {
    const ScratchPool::Lease lease = pool.take();
    first = &*lease;
    (*lease).facet_touched.resize(3);
  }
  for (int i = 0; i < 3; ++i) {
    const ScratchPool::Lease lease = pool.take();
    EXPECT_EQ(&*lease, first);
    EXPECT_EQ((*lease).facet_touched.size(), 3U) << "what it holds is kept for the next search";
  }
}

TEST(ScratchPool, WhatASearchThatThrewLeftIsNotTakenAgain) {
  ScratchPool pool;
  try {
    const ScratchPool::Lease lease = pool.take();
    (*lease).facet_touched.resize(3);
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    const ScratchPool::Lease lease = pool.take();
    EXPECT_TRUE((*lease).facet_touched.empty());
  }
}

TEST(ScratchPool, LeasesAtTheSameTimeShareNothing) {
  ScratchPool pool;
  std::set<const query::Scratch*> used;
  {
    const ScratchPool::Lease first = pool.take();
    const ScratchPool::Lease second = pool.take();
    used = {&*first, &*second};
    EXPECT_EQ(used.size(), 2U);
  }
  const ScratchPool::Lease first = pool.take();
  const ScratchPool::Lease second = pool.take();
  EXPECT_EQ((std::set<const query::Scratch*>{&*first, &*second}), used) << "both are taken again, none is new";
  const ScratchPool::Lease third = pool.take();
  EXPECT_FALSE(used.contains(&*third));
}

TEST(ScratchPool, ThreadsNeverHoldTheSame) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 500;
  ScratchPool pool;
  std::atomic<int> shared = 0;
  std::array<std::set<const query::Scratch*>, kThreads> used;
  {
    std::vector<std::jthread> threads;
    for (auto& mine : used) {
      threads.emplace_back([&pool, &shared, &mine] {
        for (int round = 0; round < kRounds; ++round) {
          const ScratchPool::Lease lease = pool.take();
          mine.insert(&*lease);
          // No other thread may write between.
          const auto mark = reinterpret_cast<uintptr_t>(&mine);
          (*lease).failed[0] = mark;
          std::this_thread::yield();
          if ((*lease).failed[0] != mark) ++shared;
        }
      });
    }
  }
  EXPECT_EQ(shared, 0);
  std::set<const query::Scratch*> all;
  for (const auto& mine : used) all.insert(mine.begin(), mine.end());
  EXPECT_LE(all.size(), size_t{kThreads});
}

}  // namespace
}  // namespace souk::shard_server
