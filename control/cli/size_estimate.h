// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace souk::control {

// What a generation takes in RAM, by what its sections are for.
struct GenerationSize {
  struct Part {
    std::string name;
    uint64_t bytes = 0;  // of all shards
  };
  uint32_t shards = 0;
  uint64_t offers = 0;
  std::vector<Part> parts;
  uint64_t dictionary_bytes = 0;  // in every node
};

// Of the last built generation in the world's folder. Reads every shard file, one at a time.
Result<GenerationSize> measure_last_built(const std::string& data);

struct SizeQuestion {
  uint64_t offers = 0;                   // >= 1
  uint64_t replicas = 1;                 // >= 1, of every shard
  std::optional<uint64_t> node_ram_gib;  // >= 1; not given = as many shards as the generation has
};

// A table of bytes per offer and per shard, RAM of a node with two generations loaded, and number of nodes. Shards grow
// as the offers do; the dictionary, which is in every node, is stated apart: how it grows, one build does not tell.
// kInvalidArgument when no number of shards fits.
Result<std::string> size_table(const GenerationSize& measured, const SizeQuestion& question);

}  // namespace souk::control
