// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace souk::indexer {

// The subcommands of souk-indexer, without their command lines. They print results to stdout, problems as one line to
// stderr, and return the exit code.

struct IngestOptions {
  std::string topology;
  std::string data;
  std::string market;              // empty: market.toml of the data folder if it is there, else the defaults
  std::vector<std::string> feeds;  // "FILE" or "NAME=FILE"
};

// Reads feeds into DATA/offers and writes DATA/reports/NAME.json. 0; 3 when a feed was refused; 1 on other failures.
int run_ingest(const IngestOptions& options);

struct SampleOptions {
  std::string out;  // folder
  uint64_t seed = 1;
};

// Writes the sample market's feeds. 0; 1 on failures.
int run_sample(const SampleOptions& options);

struct BuildOptions {
  std::string topology;
  std::string market;
  std::string data;
  uint64_t memory_mib = 1024;
};

// Builds a generation of the offer store; the last line printed is its content hash. 0; 1 on failures.
int run_build(const BuildOptions& options);

struct PublishOptions {
  std::string topology;
  std::string data;
  uint32_t wait_seconds = 0;  // 0 = do not wait until it is active
};

// Makes the last built generation control's target and prints its id. 0; 1 on failures.
int run_publish(const PublishOptions& options);

}  // namespace souk::indexer
