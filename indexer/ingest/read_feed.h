// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"
#include "runtime/config/market.h"

namespace souk::ingest {

// A file that goes away with its owner.
class OwnedFile {
 public:
  OwnedFile() = default;
  explicit OwnedFile(std::string path) : path_(std::move(path)) {}
  ~OwnedFile();
  OwnedFile(OwnedFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  OwnedFile& operator=(OwnedFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What a feed was read with. Equal bytes read in an equal way give equal offers, so they need not be read again.
struct ReadSettings {
  std::string program;      // souk-indexer
  std::string work_folder;  // for files of accepted offers, made when it is not there
  feed::ReaderLimits limits;
};

// A feed's file and what its reading gave, not yet in the catalogue.
struct ReadFeed {
  std::string fingerprint;  // of its bytes and how it was read; empty when the file could not be read
  feed::FeedHeader header;
  feed::Report report;  // report.unchanged: the fingerprint is the known one, nothing was read
  OwnedFile offers;     // the accepted ones (sandbox::read_parsed_offers)
};

Result<OwnedFile> make_work_file(const std::string& folder);

// SHA-256 of the bytes, then how they are read: mode, currencies with a rate, level of the reader.
std::string fingerprint_of(const std::string& sha256, feed::Mode mode, const config::Market& market);
std::string sha256_of(const std::string& fingerprint);

struct FeedFile {
  std::string path;
  std::string shown;  // in the report: the path or address as it was given
  std::string shop;
  feed::Mode mode = feed::Mode::kStrict;
  std::string known_fingerprint;
};

// Reads a feed's file in the sandbox. Bad feeds and unreadable files are told by the report; an Error is a failure of
// this machine. Safe from several threads at once.
Result<ReadFeed> read_feed(const FeedFile& file, const ReadSettings& settings, const config::Market& market,
                           const std::function<void(uint64_t, uint64_t)>& progress, const std::function<bool()>& stop);

}  // namespace souk::ingest
