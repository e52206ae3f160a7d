// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/snapshot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace souk::exec {
namespace {

TEST(Snapshot, GivesTheLastValueAndKeepsOldOnesForTheirReaders) {
  Snapshot<int> snapshot;
  EXPECT_EQ(snapshot.get(), nullptr);
  snapshot.set(std::make_shared<const int>(1));
  const std::shared_ptr<const int> old = snapshot.get();
  snapshot.set(std::make_shared<const int>(2));
  EXPECT_EQ(*old, 1);
  EXPECT_EQ(*snapshot.get(), 2);
}

TEST(Snapshot, IsSafeBetweenThreads) {
  Snapshot<int> snapshot;
  snapshot.set(std::make_shared<const int>(0));
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    int last = 0;
    while (!stop) {
      const int now = *snapshot.get();
      EXPECT_GE(now, last);
      last = now;
    }
  });
  for (int i = 1; i <= 10000; ++i) snapshot.set(std::make_shared<const int>(i));
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace souk::exec
