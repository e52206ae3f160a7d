// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/offers/offer_store.h"

namespace souk::world {

// What ingest does with a feed's file, in this very process and without brakes: the feed is the shop's offers now, or,
// when it is refused, nothing has changed (see the report).
inline Result<feed::Report> take_feed_file(offers::OfferStore& store, const offers::Shop& shop,
                                           const std::string& path) {
  feed::Report report;
  report.shop = shop.name;
  report.file = path;
  std::vector<feed::Offer> offers;
  const auto header =
      feed::read_feed_file(path, {}, [&](feed::Offer&& offer) { offers.push_back(std::move(offer)); }, report, {});
  if (!report.ok()) return report;
  auto update = store.begin(shop);
  if (!update) return std::unexpected(update.error());
  for (feed::Offer& offer : offers) {
    if (Status put = (*update)->put(std::move(offer)); !put) return std::unexpected(put.error());
  }
  std::ifstream file(path, std::ios::binary);
  Sha256 sha;
  sha.update(std::string(std::istreambuf_iterator<char>(file), {}));
  if (Status done = (*update)->commit(header, sha.hex()); !done) return std::unexpected(done.error());
  return report;
}

}  // namespace souk::world
