// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/index/manifest.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/market.h"

namespace souk::build {

struct BuildTarget {
  uint32_t shards = 1;
  std::string folder;
  uint64_t memory_bytes = uint64_t{1} << 30;  // for the whole process
  std::string unmapped_report = {};           // file for the shops' categories that nothing maps; empty = none
};

struct BuildResult {
  uint64_t content_hash = 0;
  bool reused = false;  // store and market are as they were: nothing was built
  uint64_t offers = 0;
  uint64_t models = 0;
  uint64_t left_out = 0;              // offers whose prices cannot be compared with others'
  std::vector<std::string> warnings;  // how many and why, and the like; one line each
  // Of a build that was not reused:
  uint64_t runs = 0;           // of postings that went to the disk; 0: memory held all
  uint64_t memory_needed = 0;  // the least memory_bytes that would have done
  double read_seconds = 0;     // first pass
  double build_seconds = 0;    // second pass
};

// (stage, done, in all), from the caller's thread
using Progress = std::function<void(std::string_view, uint64_t, uint64_t)>;

// Builds a generation of the store's offers into FOLDER/<hash>/ and notes it in FOLDER/LATEST. Two passes: the first
// reads the store once, writes snippets and per-shard spools and learns the dictionary; the second builds the shards,
// two at a time where memory allows, and sorts their postings on the disk beyond their share of it. The same offers,
// market and shards give the same bytes, whatever the limit. Nothing appears under its name before it is whole and on
// the disk. Errors: kUnavailable (disk full, not writable), kNotFound (no offers at all), kInvalidArgument (the limit
// is too low, and which would do).
Result<BuildResult> build_generation(offers::OfferStore& store, const config::Market& market, const BuildTarget& target,
                                     const Progress& progress);

// What LATEST says; kNotFound before the first build.
Result<uint64_t> latest_generation(const std::string& folder);
Result<index::Manifest> latest_manifest(const std::string& folder);

}  // namespace souk::build
