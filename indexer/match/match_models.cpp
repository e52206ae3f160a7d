// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/match_models.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "indexer/match/evidence.h"
#include "indexer/match/model_keys.h"
#include "indexer/match/partition.h"
#include "indexer/match/trust.h"

namespace souk::match {
namespace {

using offers::LinkReason;

// How an offer came to its model: by which of its identities.
struct Way {
  enum class Kind : uint8_t { kNothing, kAlone, kBarcode, kVendorCode, kGroup } kind = Kind::kNothing;
  uint8_t place = 0;
};

// Writes "SHOP/ID" of the rules as places of offers. Both may contain '/': the first way to cut it that gives an offer
// counts. Offers that are not there are left out.
class Places {
 public:
  Places(offers::OfferStore& store, const Evidence& evidence) : store_(store), evidence_(evidence) {}

  Status read_shops() {
    const auto shops = store_.shops();
    if (!shops) return std::unexpected(shops.error());
    for (const offers::Shop& shop : *shops) numbers_.emplace(shop.name, shop.number);
    return {};
  }

  Result<std::vector<uint32_t>> of(const std::vector<std::string>& names) {
    std::vector<uint32_t> places;
    for (const std::string& name : names) {
      const auto place = of(name);
      if (!place) return std::unexpected(place.error());
      if (*place) places.push_back(**place);
    }
    return places;
  }

 private:
  Result<std::optional<uint32_t>> of(const std::string& name) {
    for (size_t cut = name.find('/'); cut != std::string::npos; cut = name.find('/', cut + 1)) {
      const auto shop = numbers_.find(name.substr(0, cut));
      if (shop == numbers_.end()) continue;
      const auto key = store_.key_of(shop->second, std::string_view(name).substr(cut + 1));
      if (!key) return std::unexpected(key.error());
      if (!*key) continue;
      const auto all = evidence_.offers();
      const auto found = std::ranges::lower_bound(all, **key, {}, &OfferMarks::key);
      if (found != all.end() && found->key == **key) return static_cast<uint32_t>(found - all.begin());
    }
    return std::nullopt;
  }

  offers::OfferStore& store_;
  const Evidence& evidence_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

class Matcher {
 public:
  Matcher(offers::OfferStore& store, const ModelRules& rules)
      : store_(store), rules_(rules), evidence_(rules.bad_codes) {}

  Result<MatchResult> run() {
    Status done = store_.scan([&](const offers::StoredOffer& offer) -> Status {
      if (evidence_.offers().size() == std::numeric_limits<uint32_t>::max()) {
        return fail(ErrorCode::kInvalidArgument, "more offers than can be matched: 4,294,967,295");
      }
      evidence_.add(offer);
      return {};
    });
    if (done) {
      evidence_.sort();
      result_.offers = evidence_.offers().size();
      done = read_rules();
    }
    if (!done) return std::unexpected(done.error());
    join();
    find_ways();
    done = keep();
    if (done) done = write();
    if (!done) return std::unexpected(done.error());
    return result_;
  }

 private:
  Status read_rules() {
    if (rules_.joined.empty() && rules_.split.empty()) return {};
    Places places(store_, evidence_);
    if (const Status done = places.read_shops(); !done) return done;
    for (const ModelRules::Offers& rule : rules_.split) {
      auto offers = places.of(rule.offers);
      if (!offers) return std::unexpected(offers.error());
      split_.push_back(std::move(*offers));
    }
    for (const ModelRules::Offers& rule : rules_.joined) {
      auto offers = places.of(rule.offers);
      if (!offers) return std::unexpected(offers.error());
      if (offers->size() < 2) continue;
      for (const uint32_t offer : *offers) rule_of_.emplace(offer, &rule);
      joined_.push_back(std::move(*offers));
    }
    return {};
  }

  Partition new_partition() const {
    Partition partition(evidence_.offers().size());
    for (const std::vector<uint32_t>& offers : split_) partition.keep_apart(offers);
    return partition;
  }

  void join(Partition& partition, IdentityKind first, IdentityKind last) {
    std::vector<uint32_t> offers;
    for_each_identity(evidence_.marks(), first, last, [&](std::span<Mark> run) {
      if (run.size() < 2) return;
      offers.clear();
      for (const Mark& mark : run) {
        if (mark.trusted) offers.push_back(mark.offer);
      }
      partition.join_all(offers);
    });
  }

  Partition join_barcodes() {
    result_.distrusted_barcodes = judge_barcodes(evidence_);
    Partition partition = new_partition();
    join(partition, IdentityKind::kBarcode, IdentityKind::kShopBarcode);
    const std::vector<uint32_t> roots = partition.roots();
    const std::vector<bool> oversize = oversized(evidence_, roots);
    if (std::ranges::find(oversize, true) == oversize.end()) return partition;
    // Offers that bear several barcodes chain too many together: there, only the first barcode of each counts.
    for_each_identity(evidence_.marks(), IdentityKind::kBarcode, IdentityKind::kShopBarcode, [&](std::span<Mark> run) {
      for (Mark& mark : run) {
        if (oversize[roots[mark.offer]] && (mark.place > 0 || run.size() > kMostOffers)) mark.trusted = false;
      }
    });
    partition = new_partition();
    join(partition, IdentityKind::kBarcode, IdentityKind::kShopBarcode);
    return partition;
  }

  void join() {
    Partition partition = join_barcodes();
    result_.distrusted_codes = judge_codes(evidence_, partition.roots());
    join(partition, IdentityKind::kVendorCode, IdentityKind::kVendorCode);
    judge_groups(evidence_, partition.roots());
    join(partition, IdentityKind::kGroup, IdentityKind::kGroup);
    for (const std::vector<uint32_t>& offers : joined_) partition.join_all(offers);
    roots_ = partition.roots();
  }

  static Way::Kind way_kind(const Identity& identity) {
    switch (kind_of(identity)) {
      case IdentityKind::kVendorCode:
        return Way::Kind::kVendorCode;
      case IdentityKind::kGroup:
        return Way::Kind::kGroup;
      default:
        return Way::Kind::kBarcode;
    }
  }

  // The most telling identity that the offer shares with another of its model.
  void find_ways() {
    ways_.resize(roots_.size());
    has_model_.resize(roots_.size());
    std::vector<uint32_t> together;  // roots of the trusted marks
    for_each_identity(evidence_.marks(), IdentityKind::kBarcode, IdentityKind::kGroup, [&](std::span<Mark> run) {
      together.clear();
      for (const Mark& mark : run) {
        if (mark.trusted) together.push_back(roots_[mark.offer]);
      }
      std::ranges::sort(together);
      for (const Mark& mark : run) {
        Way& way = ways_[mark.offer];
        has_model_[roots_[mark.offer]] = true;
        if (way.kind == Way::Kind::kNothing) way.kind = Way::Kind::kAlone;
        if (!mark.trusted || std::ranges::equal_range(together, roots_[mark.offer]).size() < 2) continue;
        const Way found{way_kind(mark.identity), mark.place};
        const bool is_better = way.kind == Way::Kind::kAlone || (way.kind == found.kind && found.place < way.place);
        if (is_better) way = found;
      }
    });
    for (const auto& [offer, rule] : rule_of_) has_model_[roots_[offer]] = true;
  }

  Status keep() {
    const auto models = store_.models();
    if (!models) return std::unexpected(models.error());
    auto keys = keep_keys(evidence_.offers(), roots_, has_model_, *models);
    if (!keys) return std::unexpected(keys.error());
    keys_ = std::move(keys->of_root);
    result_.merged = keys->merged;
    result_.split = keys->split;
    result_.models = static_cast<uint64_t>(std::ranges::count(has_model_, true));
    return {};
  }

  LinkReason reason_of(const offers::StoredOffer& stored, uint32_t place) {
    if (const auto rule = rule_of_.find(place); rule != rule_of_.end()) {
      return {LinkReason::Kind::kRule, rule->second->name};
    }
    const Way way = ways_[place];
    const bool alone = way.kind == Way::Kind::kAlone;  // then by the first that it has
    if (alone || way.kind == Way::Kind::kBarcode) {
      for (const Evidence::Found& barcode : evidence_.barcodes(stored)) {
        if (alone || barcode.place == way.place) return {LinkReason::Kind::kBarcode, barcode.text};
      }
    }
    if (alone || way.kind == Way::Kind::kVendorCode) {
      if (const auto code = evidence_.code(stored)) return {LinkReason::Kind::kVendorCode, code->text};
    }
    const auto group = Evidence::group(stored);
    return group ? LinkReason{LinkReason::Kind::kGroup, group->text} : LinkReason{};
  }

  Status write() {
    auto relink = store_.begin_relink();
    if (!relink) return std::unexpected(relink.error());
    uint32_t place = 0;
    const Status done = store_.scan([&](const offers::StoredOffer& stored) -> Status {
      if (place >= roots_.size() || evidence_.offers()[place].key != stored.key) {
        return fail(ErrorCode::kInternal, "the catalogue changed while its models were matched");
      }
      return link(**relink, stored, place++);
    });
    if (!done) return done;
    const auto changed = (*relink)->commit();
    if (!changed) return std::unexpected(changed.error());
    result_.relinked = *changed;
    return {};
  }

  Status link(offers::OfferStore::Relink& relink, const offers::StoredOffer& stored, uint32_t place) {
    const uint32_t root = roots_[place];
    if (!has_model_[root]) {
      if (!stored.model) return {};
      return relink.link(stored.key, DocKey(), {});
    }
    LinkReason reason = reason_of(stored, place);
    DocKey& model = keys_[root];
    if (!model) {
      const auto key = relink.new_model("model:" + reason.evidence);
      if (!key) return std::unexpected(key.error());
      model = *key;
    }
    if (stored.model == model && stored.link == reason) return {};
    return relink.link(stored.key, model, std::move(reason));
  }

  offers::OfferStore& store_;
  const ModelRules& rules_;
  Evidence evidence_;
  std::vector<std::vector<uint32_t>> split_, joined_;
  std::unordered_map<uint32_t, const ModelRules::Offers*> rule_of_;
  std::vector<uint32_t> roots_;
  std::vector<Way> ways_;
  std::vector<bool> has_model_;  // by root
  std::vector<DocKey> keys_;     // by root
  MatchResult result_;
};

}  // namespace

Result<MatchResult> match_models(offers::OfferStore& store, const ModelRules& rules) {
  return Matcher(store, rules).run();
}

}  // namespace souk::match
