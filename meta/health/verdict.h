// SPDX-License-Identifier: Apache-2.0
// What /ping answers, as a pure rule over what a node knows of itself and of its peers (DESIGN 8).
#pragma once

#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/ids.h"

namespace souk::health {

// strict: a cluster is all its nodes; one missing or different and all of them are not available.
// mesh: any set of nodes that covers every shard may answer.
enum class Mode { kStrict, kMesh };

// What a peer's /status said last.
struct Peer {
  std::string name;
  uint32_t shard = 0;  // 0 = it holds none
  std::string engine;
  std::vector<GenerationId> ready;
  bool full = false;      // it refuses new queries right now
  bool stopping = false;  // it serves on for a few seconds
  // Polls without an answer since the last one. A peer that was never heard of is gone.
  uint32_t missed = kGoneAfter;

  static constexpr uint32_t kGoneAfter = 2;
  bool gone() const { return missed >= kGoneAfter; }
};

// What the node knows of itself.
struct Self {
  std::string engine;
  uint32_t shard = 0;
  GenerationId active;  // empty before the first
  std::string stale;    // which of its own threads does not move; empty = all do
};

struct Verdict {
  bool available = false;  // /ping
  bool any = false;    // /ping?level=any: an answer can be given, if only a partial one (mesh; in strict as available)
  std::string reason;  // why it is not available; one line
  SteadyTime at{};     // when it was judged; an old one is worth nothing
};

// peers: the other nodes that the topology names for this cluster. shards: of the cluster.
Verdict judge(Mode mode, uint32_t shards, const Self& self, const std::vector<Peer>& peers);

}  // namespace souk::health
