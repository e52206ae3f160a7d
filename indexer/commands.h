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
  std::vector<std::string> feeds;  // "SOURCE" or "NAME=SOURCE", SOURCE = a file or an http(s) address
  std::string mode;                // strict or lenient; empty: as the shop is set to
  std::string program;             // souk-indexer itself, which reads feeds in children
};

// Fetches and reads feeds into the catalogue and writes DATA/reports/NAME.json. 0; 3 when a feed was refused, could not
// be fetched or is held; 1 on other failures.
int run_ingest(const IngestOptions& options);

struct CheckOptions {
  std::string file;
  std::string mode = "strict";  // or lenient
  bool json = false;
  uint64_t max_unpacked_bytes = 0;  // 0 = as a shop's feed
  std::string program;              // souk-indexer itself
};

// Reads a feed in a child and prints the report. 0; 3 when the feed is refused; 1 on other failures.
int run_check(const CheckOptions& options);

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

struct ServeOptions {
  std::string topology;
  std::string market;
  std::string name;
  std::string data;
  std::string program;
};

// Fetches, takes, builds and publishes periodically, and serves the shops, until SIGINT or SIGTERM. 0; 1 on failures.
int run_serve(const ServeOptions& options);

struct PublishOptions {
  std::string topology;
  std::string data;
  uint32_t wait_seconds = 0;  // 0 = do not wait until it is active
};

// Makes the last built generation control's target and prints its id. 0; 1 on failures.
int run_publish(const PublishOptions& options);

}  // namespace souk::indexer
