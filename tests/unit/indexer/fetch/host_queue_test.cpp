// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/host_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace souk::fetch {
namespace {

TEST(HostQueue, HostsTakeTurns) {
  HostQueue<int> queue(10, 2);
  for (int i = 0; i < 5; ++i) queue.push("many", i);
  queue.push("one", 100);
  std::vector<int> order;
  while (auto next = queue.pop()) order.push_back(next->second);
  EXPECT_EQ(order, (std::vector<int>{0, 100, 1}));
  queue.release("many");
  EXPECT_EQ(queue.pop()->second, 2);
  EXPECT_FALSE(queue.pop());
  EXPECT_EQ(queue.running(), 3U);
  EXPECT_EQ(queue.drain(), (std::vector<int>{3, 4}));
  EXPECT_EQ(queue.waiting(), 0U);
  queue.release("one");
  queue.release("many");
  queue.release("many");
  EXPECT_EQ(queue.running(), 0U);
  EXPECT_FALSE(queue.pop());
}

// Against the plain meaning: any sequence of pushes, pops and releases.
RC_GTEST_PROP(HostQueue, BoundsOrderAndFairness, ()) {
  const auto parallel = *rc::gen::inRange<size_t>(1, 6);
  const auto per_host = *rc::gen::inRange<size_t>(1, 4);
  HostQueue<int> queue(parallel, per_host);
  std::map<std::string, std::deque<int>> waiting;
  std::map<std::string, size_t> running;
  std::map<std::string, size_t> passed_over;  // others' turns since it could have had one
  size_t all_running = 0;
  int number = 0;
  const auto could_run = [&](const std::string& host) { return !waiting[host].empty() && running[host] < per_host; };
  for (const int action : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12))) {
    const std::string host(1, static_cast<char>('a' + action % 4));
    if (action < 4) {
      queue.push(host, number);
      waiting[host].push_back(number++);
    } else if (action < 8) {
      if (running[host] == 0) continue;
      queue.release(host);
      --running[host];
      --all_running;
    } else {
      const auto next = queue.pop();
      const bool possible =
          all_running < parallel && std::ranges::any_of(waiting, [&](const auto& of) { return could_run(of.first); });
      RC_ASSERT(next.has_value() == possible);
      if (!next) continue;
      RC_ASSERT(could_run(next->first));
      RC_ASSERT(waiting[next->first].front() == next->second);
      for (const auto& [other, items] : waiting) {
        if (other != next->first && could_run(other)) RC_ASSERT(++passed_over[other] <= 4U);
      }
      passed_over[next->first] = 0;
      waiting[next->first].pop_front();
      ++running[next->first];
      ++all_running;
    }
    RC_ASSERT(queue.running() == all_running);
  }
}

}  // namespace
}  // namespace souk::fetch
