// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/apply_feed.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/input/file_blocks.h"

namespace souk::offers {
namespace {

Result<std::string> hash_file(const std::string& path) {
  Sha256 sha;
  const Status read = input::read_file_blocks(path, [&](std::string_view block, uint64_t, uint64_t) {
    sha.update(block);
    return true;
  });
  if (!read) return std::unexpected(read.error());
  return sha.hex();
}

// Puts accepted offers into the update until the store fails.
class Intake {
 public:
  Intake(OfferStore::Update& update, const std::string& base_currency, feed::Report& report)
      : update_(update), base_currency_(base_currency), report_(report) {}

  void take(feed::Offer&& offer) {
    if (!status_) return;
    if (offer.currency != base_currency_) {
      --report_.accepted;
      report_.reject({offer.line, offer.id, "no_rate",
                      fmt::format("the price is in {}, for which the market (base currency {}) has no rate",
                                  offer.currency, base_currency_)});
      return;
    }
    status_ = update_.put(std::move(offer));
  }
  const Status& status() const { return status_; }

 private:
  OfferStore::Update& update_;
  const std::string& base_currency_;
  feed::Report& report_;
  Status status_;
};

}  // namespace

Result<feed::Report> apply_feed(OfferStore& store, const Shop& shop, const FeedSource& source,
                                const std::function<void(uint64_t, uint64_t)>& progress) {
  feed::Report report;
  report.shop = shop.name;
  report.file = source.path;
  const auto hash = hash_file(source.path);
  if (!hash) {
    report.feed_error = {"unreadable", 0, hash.error().message};
    return report;
  }
  if (*hash == shop.feed_hash) {
    report.unchanged = true;
    return report;
  }
  auto update = store.begin(shop);
  if (!update) return std::unexpected(update.error());
  Intake intake(**update, source.base_currency, report);
  const feed::FeedHeader header = feed::read_feed_file(
      source.path, {feed::Mode::kStrict, source.limits}, [&](feed::Offer&& offer) { intake.take(std::move(offer)); },
      report, progress);
  if (!report.ok()) return report;
  if (!intake.status()) return std::unexpected(intake.status().error());
  const auto difference = (*update)->difference();
  if (!difference) return std::unexpected(difference.error());
  const Status committed = (*update)->commit(header, *hash);
  if (!committed) return std::unexpected(committed.error());
  report.added = difference->added;
  report.changed = difference->changed;
  report.removed = difference->removed;
  return report;
}

}  // namespace souk::offers
