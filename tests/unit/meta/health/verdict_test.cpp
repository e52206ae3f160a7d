// SPDX-License-Identifier: Apache-2.0
#include "meta/health/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace souk::health {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const GenerationId kOld{6, 0xAA};
const GenerationId kServed{7, 0xBB};

Self self_of(uint32_t shard) {
  return {.engine = "1.0", .shard = shard, .active = kServed, .stale = {}};
}

Peer peer_of(uint32_t shard) {
  return {.name = "node-" + std::to_string(shard),
          .shard = shard,
          .engine = "1.0",
          .ready = {kOld, kServed},
          .full = false,
          .stopping = false,
          .missed = 0};
}

// A cluster of three as its first node sees it.
struct Seen {
  Self self = self_of(1);
  std::vector<Peer> peers = {peer_of(2), peer_of(3)};
};

struct Case {
  const char* name;
  void (*change)(Seen&);
  Verdict strict;
  Verdict mesh;
};

const Case kCases[] = {
    {"all is well", [](Seen&) {}, {true, true, ""}, {true, true, ""}},
    {"one poll was missed", [](Seen& seen) { seen.peers[0].missed = 1; }, {true, true, ""}, {true, true, ""}},
    {"two polls were missed",
     [](Seen& seen) { seen.peers[0].missed = 2; },
     {false, false, "node-2 is gone"},
     {false, true, "nobody serves shard 2 of generation 7-00000000000000bb"}},
    {"a peer that was never heard of",
     [](Seen& seen) {
       seen.peers[1] = Peer();
       seen.peers[1].name = "node-3";
     },
     {false, false, "node-3 is gone"},
     {false, true, "nobody serves shard 3 of generation 7-00000000000000bb"}},
    {"a peer is stopping",
     [](Seen& seen) { seen.peers[1].stopping = true; },
     {false, false, "node-3 is stopping"},
     {false, true, "nobody serves shard 3 of generation 7-00000000000000bb"}},
    {"another engine",
     [](Seen& seen) { seen.peers[1].engine = "1.1"; },
     {false, false, "node-3 runs engine 1.1, this node 1.0"},
     {false, true, "nobody serves shard 3 of generation 7-00000000000000bb"}},
    {"a peer holds only the generation before",
     [](Seen& seen) { seen.peers[0].ready = {kOld}; },
     {false, false, "node-2 does not hold generation 7-00000000000000bb"},
     {false, true, "nobody serves shard 2 of generation 7-00000000000000bb"}},
    {"the same number with another content",
     [](Seen& seen) { seen.peers[0].ready = {{7, 0xBC}}; },
     {false, false, "node-2 does not hold generation 7-00000000000000bb"},
     {false, true, "nobody serves shard 2 of generation 7-00000000000000bb"}},
    {"a full peer is overloaded, not away",
     [](Seen& seen) { seen.peers[0].full = true; },
     {true, true, ""},
     {true, true, ""}},
    {"a replica covers the gone node's shard",
     [](Seen& seen) {
       seen.peers[0].missed = 2;
       seen.peers.push_back(peer_of(2));
       seen.peers.back().name = "node-4";
     },
     {false, false, "node-2 is gone"},
     {true, true, ""}},
    {"nothing is active here",
     [](Seen& seen) { seen.self.active = {}; },
     {false, false, "no generation is active here yet"},
     {false, false, "no generation is active here yet"}},
    {"an own thread stands still",
     [](Seen& seen) { seen.self.stale = "the IO thread"; },
     {false, false, "the IO thread does not move"},
     {false, false, "the IO thread does not move"}},
    {"a meta node without a shard",
     [](Seen& seen) {
       seen.self.shard = 0;
       seen.peers.push_back(peer_of(1));
     },
     {true, true, ""},
     {true, true, ""}},
    {"a meta node that sees nobody",
     [](Seen& seen) {
       seen.self.shard = 0;
       for (Peer& peer : seen.peers) peer.missed = 2;
     },
     {false, false, "node-2 is gone"},
     {false, false, "nobody serves shard 1 of generation 7-00000000000000bb"}},
    {"a peer claims a shard beyond the cluster's",
     [](Seen& seen) { seen.peers[0].shard = 4'000'000'000; },
     {true, true, ""},
     {false, true, "nobody serves shard 2 of generation 7-00000000000000bb"}},
};

void expect_equal(const Verdict& got, const Verdict& wanted, const char* name) {
  EXPECT_EQ(got.available, wanted.available) << name;
  EXPECT_EQ(got.any, wanted.any) << name;
  EXPECT_EQ(got.reason, wanted.reason) << name;
}

TEST(Verdict, Table) {
  for (const Case& test : kCases) {
    Seen seen;
    test.change(seen);
    expect_equal(judge(Mode::kStrict, 3, seen.self, seen.peers), test.strict, test.name);
    expect_equal(judge(Mode::kMesh, 3, seen.self, seen.peers), test.mesh, test.name);
  }
}

TEST(Verdict, AClusterOfOne) {
  for (const Mode mode : {Mode::kStrict, Mode::kMesh})
    expect_equal(judge(mode, 1, self_of(1), {}), {true, true, ""}, "");
}

Peer random_peer() {
  Peer peer;
  peer.name = "node-" + std::to_string(*rc::gen::inRange(1, 100));
  peer.shard = *rc::gen::inRange(0U, 6U);
  peer.engine = *rc::gen::weightedElement<std::string>({{6, "1.0"}, {1, "1.1"}});
  peer.ready = *rc::gen::weightedElement<std::vector<GenerationId>>({{6, {kOld, kServed}}, {1, {kOld}}, {1, {}}});
  peer.full = *rc::gen::arbitrary<bool>();
  peer.stopping = *rc::gen::weightedElement<bool>({{8, false}, {1, true}});
  peer.missed = *rc::gen::weightedElement<uint32_t>({{6, 0}, {2, 1}, {1, 2}, {1, 3}});
  return peer;
}

bool is_one_of_us(const Peer& peer) {
  return peer.missed < 2 && !peer.stopping && peer.engine == "1.0" && std::ranges::count(peer.ready, kServed) > 0;
}

RC_GTEST_PROP(VerdictProperty, IsTheRule, ()) {
  const uint32_t shards = *rc::gen::inRange(1U, 5U);
  const Self self = self_of(*rc::gen::inRange(0U, shards + 1));
  std::vector<Peer> peers;
  const size_t count = *rc::gen::inRange<size_t>(0, 9);
  while (peers.size() < count) peers.push_back(random_peer());

  const Verdict strict = judge(Mode::kStrict, shards, self, peers);
  RC_ASSERT(strict.available == std::ranges::all_of(peers, is_one_of_us));
  RC_ASSERT(strict.any == strict.available);

  std::set<uint32_t> covered;
  if (self.shard > 0) covered.insert(self.shard);
  for (const Peer& peer : peers) {
    if (is_one_of_us(peer) && peer.shard >= 1 && peer.shard <= shards) covered.insert(peer.shard);
  }
  const Verdict mesh = judge(Mode::kMesh, shards, self, peers);
  RC_ASSERT(mesh.available == (covered.size() == shards));
  RC_ASSERT(mesh.any == !covered.empty());
  RC_ASSERT(mesh.any || !mesh.available);

  for (const Verdict& verdict : {strict, mesh}) {
    RC_ASSERT(verdict.reason.empty() == verdict.available);
    RC_ASSERT(!verdict.reason.contains('\n'));
  }
}

RC_GTEST_PROP(VerdictProperty, APeerThatComesBackNeverHarms, ()) {
  const uint32_t shards = *rc::gen::inRange(1U, 5U);
  std::vector<Peer> peers;
  const size_t count = *rc::gen::inRange<size_t>(1, 9);
  while (peers.size() < count) peers.push_back(random_peer());
  for (const Mode mode : {Mode::kStrict, Mode::kMesh}) {
    const Verdict before = judge(mode, shards, self_of(1), peers);
    std::vector<Peer> healed = peers;
    Peer& one = healed[*rc::gen::inRange<size_t>(0, count)];
    one.missed = 0;
    one.stopping = false;
    one.engine = "1.0";
    one.ready = {kServed};
    const Verdict after = judge(mode, shards, self_of(1), healed);
    RC_ASSERT(after.available || !before.available);
    RC_ASSERT(after.any || !before.any);
  }
}

}  // namespace
}  // namespace souk::health
