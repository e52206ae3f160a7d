// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/take_feed.h"

#include <fmt/core.h>

#include <utility>

#include "indexer/sandbox/parse_child.h"

namespace souk::ingest {
namespace {

using Outcome = FeedRun::Outcome;

// Puts the accepted offers into the update; those in a currency that the market cannot convert are taken back. The
// child reads hostile bytes: where it passed on what is no offer, that is its feed's fault, not the store's.
Status put_offers(offers::OfferStore::Update& update, const std::string& file, const config::Market& market,
                  feed::Report& report) {
  Status stored;
  const Status read = sandbox::read_parsed_offers(file, [&](feed::Offer&& offer) -> Status {
    if (market.rate_of(offer.currency)) return stored = update.put(std::move(offer));
    --report.accepted;
    report.reject({offer.line, offer.id, "no_rate",
                   fmt::format("the price is in {}, for which the market (base currency {}) has no rate",
                               offer.currency, market.base_currency)});
    return {};
  });
  if (stored && !read)
    report.feed_error = {"parse_crash", 0, "the reader passed on what is no offer: " + read.error().message};
  return stored;
}

Status save_hold(offers::OfferStore& store, const offers::Shop& shop, offers::Hold hold) {
  if (shop.state.hold == hold) return {};
  offers::FeedState state = shop.state;
  state.hold = std::move(hold);
  return store.save_state(shop.number, state);
}

// After a commit: nothing is held, and the validators are not those of what the catalogue has now, unless the caller
// knows better.
Status forget(offers::OfferStore& store, const offers::Shop& shop) {
  offers::FeedState state = shop.state;
  state.hold = {};
  state.etag.clear();
  state.last_modified.clear();
  state.unmodified = 0;
  return state == shop.state ? Status() : store.save_state(shop.number, state);
}

}  // namespace

Status change_settings(offers::OfferStore& store, const offers::Shop& shop, const offers::ShopSettings& settings) {
  if (settings == shop.settings) return {};
  if (Status saved = store.save_settings(shop.number, settings); !saved) return saved;
  if (settings.feed_url == shop.settings.feed_url) return {};
  offers::FeedState state;
  state.hold = shop.state.hold;
  return store.save_state(shop.number, state);
}

Result<FeedRun> take_feed(offers::OfferStore& store, const offers::Shop& shop, ReadFeed&& read,
                          const config::Market& market, const Clock& clock, RunTally& tally) {
  FeedRun run;
  run.at = clock.unix_seconds();
  run.report = std::move(read.report);
  feed::Report& report = run.report;
  if (report.unchanged) {
    // The last good feed is back: what was held is no longer the shop's.
    run.outcome = Outcome::kUnchanged;
    if (Status done = save_hold(store, shop, {}); !done) return std::unexpected(done.error());
    return run;
  }
  run.outcome = Outcome::kRefused;
  if (!report.ok()) return run;
  auto update = store.begin(shop);
  if (!update) return std::unexpected(update.error());
  if (Status done = put_offers(**update, read.offers.path(), market, report); !done) {
    return std::unexpected(done.error());
  }
  if (!report.ok()) return run;
  if (report.accepted == 0) {
    report.feed_error = {"no_valid_offers", 1, "no offer of the feed could be accepted"};
    return run;
  }
  const auto difference = (*update)->difference();
  if (!difference) return std::unexpected(difference.error());
  report.added = difference->added;
  report.changed = difference->changed;
  report.removed = difference->removed;

  const offers::Hold& before = shop.state.hold;
  const bool released = before.released && before.feed_hash == read.fingerprint;
  auto hold = find_reason_to_hold(*difference, tally);
  if (hold && !released) {
    update->reset();  // while it lives nothing else is written
    run.outcome = Outcome::kHeld;
    run.note = hold->message;
    hold->feed_hash = read.fingerprint;
    hold->since = before.feed_hash == read.fingerprint ? before.since : run.at;
    if (Status done = save_hold(store, shop, std::move(*hold)); !done) return std::unexpected(done.error());
    return run;
  }
  if (Status done = (*update)->commit(read.header, read.fingerprint); !done) return std::unexpected(done.error());
  update->reset();
  run.outcome = Outcome::kIngested;
  if (hold) run.note = "let pass by a person, although " + hold->message;
  tally.removed += difference->removed;
  // A crash before this leaves a hold of a feed that is no longer there; the next run clears it.
  if (Status done = forget(store, shop); !done) return std::unexpected(done.error());
  return run;
}

}  // namespace souk::ingest
