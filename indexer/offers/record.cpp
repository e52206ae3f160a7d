// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/record.h"

#include <algorithm>
#include <utility>

#include "indexer/feed/codec.h"
#include "indexer/offers/offer.pb.h"

namespace souk::offers {
namespace {

std::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::kCorruption, std::string("a record of the offer store is damaged: ") + what);
}

template <typename Record>
bool parse(Record& record, std::string_view bytes) {
  return record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

void fill_settings(SettingsRecord& record, const ShopSettings& settings) {
  record.set_feed_url(settings.feed_url);
  record.set_mode(static_cast<uint32_t>(settings.mode));
  record.set_period_seconds(settings.period_seconds);
  record.set_token_hash(settings.token_hash);
  for (const std::string& region : settings.regions) record.add_regions(region);
}

ShopSettings read_settings(const SettingsRecord& record) {
  ShopSettings settings;
  settings.feed_url = record.feed_url();
  settings.mode = record.mode() == 0 ? feed::Mode::kStrict : feed::Mode::kLenient;
  settings.period_seconds = record.period_seconds();
  settings.token_hash = record.token_hash();
  settings.regions.assign(record.regions().begin(), record.regions().end());
  return settings;
}

void fill_state(StateRecord& record, const FeedState& state) {
  record.set_etag(state.etag);
  record.set_last_modified(state.last_modified);
  record.set_fetched(state.fetched);
  record.set_next_fetch(state.next_fetch);
  record.set_failures(state.failures);
  record.set_unmodified(state.unmodified);
  if (state.hold == Hold()) return;
  HoldRecord& hold = *record.mutable_hold();
  hold.set_reason(state.hold.reason);
  hold.set_message(state.hold.message);
  hold.set_feed_hash(state.hold.feed_hash);
  hold.set_since(state.hold.since);
  hold.set_released(state.hold.released);
}

FeedState read_state(const StateRecord& record) {
  FeedState state;
  state.etag = record.etag();
  state.last_modified = record.last_modified();
  state.fetched = record.fetched();
  state.next_fetch = record.next_fetch();
  state.failures = record.failures();
  state.unmodified = record.unmodified();
  const HoldRecord& hold = record.hold();
  state.hold = {hold.reason(), hold.message(), hold.feed_hash(), hold.since(), hold.released()};
  return state;
}

}  // namespace

std::string to_bytes(const Shop& shop) {
  ShopRecord record;
  record.set_key(shop.key.value());
  record.set_name(shop.name);
  record.set_display_name(shop.display_name);
  record.set_url(shop.url);
  record.set_feed_hash(shop.feed_hash);
  feed::fill_record(*record.mutable_delivery(), shop.delivery);
  record.set_currency(shop.currency);
  record.set_offers(shop.live_offers);
  fill_settings(*record.mutable_settings(), shop.settings);
  fill_state(*record.mutable_state(), shop.state);
  return record.SerializeAsString();
}

Result<Shop> read_shop(uint32_t number, std::string_view bytes) {
  ShopRecord record;
  if (!parse(record, bytes)) return damaged("shop");
  auto delivery = feed::read_record(record.delivery());
  if (!delivery) return damaged("shop");
  Shop shop;
  shop.number = number;
  shop.key = DocKey(record.key());
  shop.name = record.name();
  shop.display_name = record.display_name();
  shop.url = record.url();
  shop.feed_hash = record.feed_hash();
  shop.delivery = std::move(*delivery);
  shop.currency = record.currency();
  shop.live_offers = record.offers();
  shop.settings = read_settings(record.settings());
  shop.state = read_state(record.state());
  return shop;
}

std::string path_to_bytes(std::span<const std::string> path) {
  CategoryRecord record;
  for (const std::string& name : path) record.add_path(name);
  return record.SerializeAsString();
}

Result<StoredCategory> read_category(DocKey key, std::string_view bytes) {
  CategoryRecord record;
  if (!parse(record, bytes) || record.path().empty()) return damaged("category");
  return StoredCategory{key, {record.path().begin(), record.path().end()}};
}

std::optional<LinkReason::Kind> link_kind(uint64_t number) {
  if (number > static_cast<uint64_t>(LinkReason::Kind::kRule)) return std::nullopt;
  return static_cast<LinkReason::Kind>(number);
}

std::optional<Change::Kind> change_kind(uint64_t number) {
  if (number < 1 || number > static_cast<uint64_t>(Change::Kind::kLinked)) return std::nullopt;
  return static_cast<Change::Kind>(number);
}

std::string to_bytes(const Link& link) {
  LinkRecord record;
  record.set_model(link.model.value());
  record.set_kind(static_cast<uint32_t>(link.reason.kind));
  record.set_evidence(link.reason.evidence);
  return record.SerializeAsString();
}

Result<Link> read_link(std::string_view bytes) {
  LinkRecord record;
  if (!parse(record, bytes)) return damaged("link");
  const auto kind = link_kind(record.kind());
  if (!kind) return damaged("link");
  return Link{DocKey(record.model()), {*kind, std::move(*record.mutable_evidence())}};
}

std::string to_bytes(const KnownOffer& known) {
  KnownRecord record;
  record.set_key(known.key.value());
  record.set_digest(known.digest);
  record.set_first_seen(known.first_seen);
  record.set_price(known.price);
  record.set_currency(known.currency);
  return record.SerializeAsString();
}

Result<KnownOffer> read_known(std::string_view bytes) {
  KnownRecord record;
  if (!parse(record, bytes) || record.key() == 0) return damaged("offer id");
  return KnownOffer{DocKey(record.key()), record.digest(), record.first_seen(), record.price(),
                    std::move(*record.mutable_currency())};
}

std::string to_bytes(const Change& change) {
  ChangeRecord record;
  record.set_key(change.key.value());
  record.set_kind(static_cast<uint32_t>(change.kind));
  record.set_revision(change.revision);
  return record.SerializeAsString();
}

Result<Change> read_change(uint64_t position, std::string_view bytes) {
  ChangeRecord record;
  if (!parse(record, bytes)) return damaged("change");
  const auto kind = change_kind(record.kind());
  if (!kind) return damaged("change");
  return Change{position, DocKey(record.key()), *kind, record.revision()};
}

std::string to_bytes(const SlotCounters& counters) {
  CountersRecord record;
  for (const uint64_t last : counters.last_local) record.add_last_local(last);
  record.set_last_position(counters.last_position);
  record.set_trimmed(counters.trimmed);
  return record.SerializeAsString();
}

Result<SlotCounters> read_counters(std::string_view bytes) {
  CountersRecord record;
  if (!parse(record, bytes) || record.last_local_size() != static_cast<int>(SlotCounters::kTypes)) {
    return damaged("counters");
  }
  SlotCounters counters;
  std::ranges::copy(record.last_local(), counters.last_local.begin());
  counters.last_position = record.last_position();
  counters.trimmed = record.trimmed();
  return counters;
}

std::string to_bytes(const Totals& totals) {
  TotalsRecord record;
  record.set_revision(totals.revision);
  record.set_offers(totals.offers);
  record.set_models(totals.models);
  return record.SerializeAsString();
}

Result<Totals> read_totals(std::string_view bytes) {
  TotalsRecord record;
  if (!parse(record, bytes)) return damaged("totals");
  return Totals{record.revision(), record.offers(), record.models()};
}

}  // namespace souk::offers
