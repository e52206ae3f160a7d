// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "indexer/feed/report.h"
#include "indexer/offers/offer_store.h"

namespace souk::ingest {

// One try to take a shop's feed.
struct FeedRun {
  enum class Outcome {
    kIngested,     // the feed is the shop's offers now
    kUnchanged,    // the same bytes as last time
    kNotModified,  // the shop's server said so (304)
    kHeld,         // read well, waits for a person (offers::Hold)
    kRefused,      // the feed is bad: report.feed_error
    kFetchFailed   // report.feed_error has the fetcher's kind
  };
  uint64_t number = 0;  // of the shop's runs, from 1
  int64_t at = 0;       // unix seconds
  Outcome outcome = Outcome::kFetchFailed;
  feed::Report report;
  std::string note;  // of a hold or a release, one line
};
std::string_view to_string(FeedRun::Outcome outcome);  // "ingested", "unchanged", "not_modified", …

struct ShopStatus {
  offers::Shop shop;  // without settings.token_hash
  uint64_t live_offers = 0;
  bool reading = false;  // a run is under way or waits for its turn
};

// What a shop and the market's people can do with its feed; the partner's HTTP is one face of it, the admin's another.
// All calls are blocking (disk) and safe from several threads; none waits for a feed to be fetched, but check().
class FeedService {
 public:
  virtual ~FeedService() = default;

  struct Registered {
    offers::Shop shop;
    std::string token;  // shown once, kept as a hash only
  };
  // A new shop, or a new token for one that is there. kInvalidArgument for a bad name or bad settings.
  virtual Result<Registered> register_shop(const std::string& name, const offers::ShopSettings& settings) = 0;
  // The name of the shop whose token it is; kNotFound otherwise. Takes the same time for any wrong token.
  virtual Result<std::string> authenticate(std::string_view token) = 0;
  // The token stays. A new address is fetched at once.
  virtual Status change_settings(const std::string& shop, const offers::ShopSettings& settings) = 0;

  virtual Result<std::vector<ShopStatus>> shops() = 0;
  virtual Result<ShopStatus> status(const std::string& shop) = 0;
  virtual Result<std::vector<FeedRun>> runs(const std::string& shop) = 0;  // newest first, at most 20, lists left out
  virtual Result<FeedRun> run(const std::string& shop, uint64_t number) = 0;  // whole

  // Reads a feed as the shop's without publishing anything: at most a few at once, else kOverloaded.
  virtual Result<feed::Report> check_address(const std::string& shop, const std::string& url) = 0;
  virtual Result<feed::Report> check_body(const std::string& shop, std::string_view body, feed::Mode mode) = 0;

  // The feed is fetched as soon as there is room; at most once a minute for a shop, else kOverloaded.
  virtual Status reread(const std::string& shop) = 0;
  // Lets the held feed pass. kNotFound when nothing is held.
  virtual Status release(const std::string& shop) = 0;
};

}  // namespace souk::ingest
