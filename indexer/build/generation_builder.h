// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/index/manifest.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/market.h"

namespace souk::build {

struct BuildResult {
  uint64_t content_hash = 0;
  bool reused = false;  // store and market are as they were: nothing was built
  uint64_t offers = 0;
  uint64_t models = 0;
};

// (stage, done, in all; 0 = not known)
using Progress = std::function<void(std::string_view, uint64_t, uint64_t)>;

// Builds a generation of the store's offers in `shards` shards into FOLDER/<hash>/ and notes it in FOLDER/LATEST. Two
// passes: the first reads the store once, writes snippets and per-shard spools and learns the dictionary; the second
// builds the shards, two at a time. Memory: the lexicon and two shards. Nothing appears under its name before it is
// whole and on the disk. Errors: kUnavailable (disk full, not writable), kNotFound (no offers at all).
Result<BuildResult> build_generation(offers::OfferStore& store, const config::Market& market, uint32_t shards,
                                     const std::string& folder, const Progress& progress);

// What LATEST says; kNotFound before the first build.
Result<uint64_t> latest_generation(const std::string& folder);
Result<index::Manifest> latest_manifest(const std::string& folder);

}  // namespace souk::build
