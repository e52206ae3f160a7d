// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "indexer/build/analyze.h"
#include "indexer/build/snippet_doc.h"

namespace souk::build {

// An offer with what takes time to make of it.
struct PreparedOffer {
  offers::StoredOffer stored;
  Snippet snippet;
  AnalyzedText text;
};

// Prepares offers on threads of its own and hands them on in the order in which they came, on the caller's thread: so
// what is built of them does not depend on the threads. A bounded number of offers is under way.
class OfferPipeline {
 public:
  using Shops = std::unordered_map<uint32_t, offers::Shop>;  // by number
  using Consumer = std::function<Status(PreparedOffer&&)>;

  // The shops must outlive it.
  OfferPipeline(const Shops& shops, unsigned threads, Consumer consume);

  // May consume earlier offers; returns the consumer's failures. kCorruption when the offer is of no shop.
  Status add(const offers::StoredOffer& offer);
  Status finish();  // consumes the rest

 private:
  static constexpr size_t kBatchOffers = 64;
  static constexpr size_t kBatchBytes = 512 * 1024;
  using Batch = std::vector<PreparedOffer>;
  using Task = std::packaged_task<void(text::Analyzer&)>;
  struct UnderWay {
    std::shared_ptr<Batch> batch;
    std::future<void> ready;
  };

  void work(const std::stop_token& stop);
  void send();
  Status consume_oldest();

  const Shops& shops_;
  Consumer consume_;
  size_t most_under_way_;
  std::shared_ptr<Batch> batch_;
  size_t batch_bytes_ = 0;
  std::deque<UnderWay> under_way_;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Task> tasks_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace souk::build
