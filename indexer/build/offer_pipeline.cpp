// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/offer_pipeline.h"

#include <memory>
#include <utility>

namespace souk::build {

namespace {

size_t bytes_of(const feed::Offer& offer) {
  size_t bytes = offer.name.size() + offer.description.size() + offer.url.size();
  for (const feed::Param& param : offer.params) bytes += param.name.size() + param.value.size();
  for (const std::string& picture : offer.pictures) bytes += picture.size();
  return bytes;
}

}  // namespace

OfferPipeline::OfferPipeline(const Shops& shops, unsigned threads, Consumer consume)
    : shops_(shops), consume_(std::move(consume)), most_under_way_(threads * 2), batch_(std::make_shared<Batch>()) {
  for (unsigned i = 0; i < threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

void OfferPipeline::work(const std::stop_token& stop) {
  text::Analyzer analyzer;
  for (;;) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !tasks_.empty(); })) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task(analyzer);
  }
}

Status OfferPipeline::add(const offers::StoredOffer& offer) {
  if (!shops_.contains(offer.shop)) {
    return fail(ErrorCode::kCorruption, "an offer is of an unknown shop", to_string(offer.key));
  }
  batch_->push_back({offer, {}, {}});
  batch_bytes_ += bytes_of(offer.offer);
  if (batch_->size() < kBatchOffers && batch_bytes_ < kBatchBytes) return {};
  send();
  return under_way_.size() > most_under_way_ ? consume_oldest() : Status{};
}

void OfferPipeline::send() {
  Task task([this, batch = batch_](text::Analyzer& analyzer) {
    for (PreparedOffer& offer : *batch) {
      offer.snippet = make_snippet(offer.stored, shops_.at(offer.stored.shop));
      offer.text = analyze(analyzer, offer.stored);
    }
  });
  under_way_.push_back({std::exchange(batch_, std::make_shared<Batch>()), task.get_future()});
  batch_bytes_ = 0;
  {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

Status OfferPipeline::consume_oldest() {
  UnderWay oldest = std::move(under_way_.front());
  under_way_.pop_front();
  oldest.ready.get();
  for (PreparedOffer& offer : *oldest.batch) {
    if (Status done = consume_(std::move(offer)); !done) return done;
  }
  return {};
}

Status OfferPipeline::finish() {
  send();
  while (!under_way_.empty()) {
    if (Status done = consume_oldest(); !done) return done;
  }
  return {};
}

}  // namespace souk::build
