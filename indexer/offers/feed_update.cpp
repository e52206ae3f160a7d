// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/feed_update.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"
#include "core/placement/slots.h"
#include "core/text/normalize.h"
#include "indexer/feed/codec.h"
#include "indexer/offers/identity.h"

namespace souk::offers {
namespace {

constexpr size_t kMaxIdBytes = 1020;  // 255 characters
constexpr int64_t kPriceJump = 10;

Status check_id(const std::string& id) {
  if (!id.empty() && id.size() <= kMaxIdBytes && !id.contains('\0') && text::is_utf8(id)) return {};
  return fail(ErrorCode::kInvalidArgument, "an offer's id is 1 to 1020 bytes of UTF-8 without NUL", "id");
}

// Of all that the shop says of the offer. Never 0, which means gone.
uint64_t digest_of(std::string& record, DocKey category) {
  const size_t size = record.size();
  const uint64_t key = category.value();
  record.append(reinterpret_cast<const char*>(&key), sizeof key);
  const uint64_t digest = xxh3(record);
  record.resize(size);
  return digest == 0 ? 1 : digest;
}

bool jumps(int64_t before, int64_t after) {
  // Prices are up to 10^15.
  return before > after * kPriceJump || after > before * kPriceJump;
}

}  // namespace

Result<std::unique_ptr<FeedUpdate>> FeedUpdate::begin(Storage& storage, Shop shop, const Clock& clock,
                                                      std::shared_ptr<void> lease) {
  auto transaction = storage.begin();
  if (!transaction) return std::unexpected(transaction.error());
  const auto totals = storage.totals();
  if (!totals) return std::unexpected(totals.error());
  std::unique_ptr<FeedUpdate> update(
      new FeedUpdate(std::move(lease), storage, std::move(shop), std::move(*transaction), *totals));
  update->now_ = clock.unix_seconds();
  const Status loaded = update->known_.load(storage, update->shop_.number);
  if (!loaded) return std::unexpected(loaded.error());
  for (const KnownOffers::Entry& entry : update->known_.entries()) {
    update->difference_.live_before += entry.digest != 0 ? 1 : 0;
  }
  return update;
}

Status FeedUpdate::put(feed::Offer&& offer) {
  if (stage_ != Stage::kPutting) return fail(ErrorCode::kInternal, "an update was put to after its end");
  Status done = do_put(std::move(offer));
  if (!done) stage_ = Stage::kEnded;
  return done;
}

Status FeedUpdate::do_put(feed::Offer&& offer) {
  const Status good = check_id(offer.id);
  if (!good) return good;
  const auto category = categories_.of(offer.category_path);
  if (!category) return std::unexpected(category.error());
  offer.line = 0;
  offer.category_path.clear();
  feed::fill_record(record_, offer);
  record_.SerializeToString(&row_.record);
  row_.category = *category;
  row_.known.digest = digest_of(row_.record, *category);

  if (KnownOffers::Entry* entry = known_.find(offer.id)) {
    const Status compared = compare_known(*entry, offer);
    if (!compared || entry->digest == row_.known.digest) return compared;
    return write_offer(entry->key, entry->first_seen, std::move(offer));
  }
  known_.remember_new(offer.id);
  ++difference_.added;
  const auto key = log_.allot(placement::slot_of_offer(shop_.number, offer.id), KeyType::kOffer);
  if (!key) return std::unexpected(key.error());
  return write_offer(*key, now_, std::move(offer));
}

Status FeedUpdate::compare_known(KnownOffers::Entry& entry, const feed::Offer& offer) {
  if (std::exchange(entry.seen, true)) {
    return fail(ErrorCode::kInvalidArgument, "an offer's id was put twice in one update", offer.id);
  }
  if (entry.digest == 0) {
    ++difference_.added;
    return {};
  }
  if (entry.digest != row_.known.digest) ++difference_.changed;
  if (std::ranges::equal(entry.currency, offer.currency)) {
    ++difference_.priced;
    difference_.price_jumps += jumps(entry.price, offer.price) ? 1 : 0;
  }
  return {};
}

Status FeedUpdate::write_offer(DocKey key, int64_t first_seen, feed::Offer&& offer) {
  row_.known.key = key;
  row_.known.first_seen = first_seen;
  row_.known.price = offer.price;
  row_.known.currency = std::move(offer.currency);
  row_.shop = shop_.number;
  row_.id = std::move(offer.id);
  row_.gone = false;
  row_.name = std::move(offer.name);
  row_.vendor = std::move(offer.vendor);
  row_.available = offer.available;
  const Status put = transaction_->put_offer(row_);
  return put ? log_.log(*transaction_, key, Change::Kind::kPut) : put;
}

Result<Difference> FeedUpdate::difference() {
  if (stage_ == Stage::kCompared) return difference_;
  if (std::exchange(stage_, Stage::kEnded) == Stage::kEnded) {
    return fail(ErrorCode::kInternal, "an update was looked at after its end");
  }
  if (known_.new_ids_repeat()) {
    return fail(ErrorCode::kInvalidArgument, "an offer's id was put twice in one update");
  }
  for (const KnownOffers::Entry& entry : known_.entries()) {
    difference_.removed += entry.digest != 0 && !entry.seen ? 1 : 0;
  }
  stage_ = Stage::kCompared;
  return difference_;
}

Status FeedUpdate::write_tombstones() {
  if (difference_.removed == 0) return {};
  const Status read = log_.read_counters();
  if (!read) return read;
  // The table knows only hashes of ids.
  return storage_.scan_known(shop_.number, [&](std::string_view id, const KnownOffer& known) -> Status {
    const KnownOffers::Entry* entry = known_.find(id);
    if (entry == nullptr || entry->seen || entry->digest == 0) return {};
    OfferRow row;
    row.known.key = known.key;
    row.known.first_seen = known.first_seen;
    row.shop = shop_.number;
    row.id = id;
    row.gone = true;
    const Status put = transaction_->put_offer(row);
    return put ? log_.log(*transaction_, known.key, Change::Kind::kGone) : put;
  });
}

Status FeedUpdate::commit(const feed::FeedHeader& header, const std::string& feed_hash) {
  Status done = do_commit(header, feed_hash);
  stage_ = Stage::kEnded;
  transaction_.reset();
  lease_.reset();
  return done;
}

Status FeedUpdate::do_commit(const feed::FeedHeader& header, const std::string& feed_hash) {
  const auto compared = difference();
  if (!compared) return std::unexpected(compared.error());
  Shop after = shop_;
  after.display_name = header.shop_name;
  after.url = header.url;
  after.delivery = header.delivery;
  after.currency = header.currency;
  const bool shop_changed = after.display_name != shop_.display_name || after.url != shop_.url ||
                            after.delivery != shop_.delivery || after.currency != shop_.currency;
  after.feed_hash = feed_hash;
  after.live_offers = difference_.live_before + difference_.added - difference_.removed;
  if (!changes_offers() && !shop_changed && feed_hash == shop_.feed_hash) return {};

  const Status removed = write_tombstones();
  if (!removed) return removed;
  const Status shop_put = transaction_->put_shop(after);
  if (!shop_put) return shop_put;
  const auto gained = static_cast<int64_t>(difference_.added) - static_cast<int64_t>(difference_.removed);
  const Status logged = log_.write(*transaction_, gained, changes_offers() || shop_changed);
  return logged ? transaction_->commit() : logged;
}

}  // namespace souk::offers
