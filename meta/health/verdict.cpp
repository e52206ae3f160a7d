// SPDX-License-Identifier: Apache-2.0
#include "meta/health/verdict.h"

#include <algorithm>

namespace souk::health {

namespace {

bool holds(const Peer& peer, const GenerationId& generation) {
  return std::ranges::find(peer.ready, generation) != peer.ready.end();
}

// Why the peer is not one with this node; empty when it is.
std::string difference(const Self& self, const Peer& peer) {
  if (peer.gone()) return peer.name + " is gone";
  if (peer.stopping) return peer.name + " is stopping";
  if (peer.engine != self.engine) return peer.name + " runs engine " + peer.engine + ", this node " + self.engine;
  if (!holds(peer, self.active)) return peer.name + " does not hold generation " + to_string(self.active);
  return {};
}

Verdict judge_strict(const Self& self, const std::vector<Peer>& peers) {
  for (const Peer& peer : peers) {
    const std::string reason = difference(self, peer);
    if (!reason.empty()) return {false, false, reason, {}};
  }
  return {true, true, {}, {}};
}

Verdict judge_mesh(uint32_t shards, const Self& self, const std::vector<Peer>& peers) {
  std::vector<bool> covered(shards + 1);
  if (self.shard > 0) covered[self.shard] = true;
  for (const Peer& peer : peers) {
    if (peer.shard > 0 && peer.shard <= shards && difference(self, peer).empty()) covered[peer.shard] = true;
  }
  const auto first = covered.begin() + 1;
  const auto missing = std::find(first, covered.end(), false);
  const bool any = std::find(first, covered.end(), true) != covered.end();
  if (missing == covered.end()) return {true, any, {}, {}};
  return {
      false, any,
      "nobody serves shard " + std::to_string(missing - covered.begin()) + " of generation " + to_string(self.active)};
}

}  // namespace

Verdict judge(Mode mode, uint32_t shards, const Self& self, const std::vector<Peer>& peers) {
  if (!self.stale.empty()) return {false, false, self.stale + " does not move", {}};
  if (!self.active) return {false, false, "no generation is active here yet", {}};
  return mode == Mode::kStrict ? judge_strict(self, peers) : judge_mesh(shards, self, peers);
}

}  // namespace souk::health
