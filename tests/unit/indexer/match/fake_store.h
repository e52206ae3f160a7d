// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/placement/slots.h"
#include "indexer/offers/offer_store.h"

namespace souk::match {

// A catalogue in memory: what matching needs of one. Offers are put and removed directly, without feeds.
class FakeStore final : public offers::OfferStore {
 public:
  // Keeps the key and the model of an offer that was there before.
  DocKey put(uint32_t shop, feed::Offer offer) {
    put_shop(shop, "shop" + std::to_string(shop)).value();
    DocKey& key = keys_[{shop, offer.id}];
    if (!key) {
      const uint16_t slot = placement::slot_of_offer(shop, offer.id);
      key = DocKey::make(slot, KeyType::kOffer, ++locals_[slot]);
    }
    Entry& entry = offers_[key];
    entry.gone = false;
    entry.stored.key = key;
    entry.stored.shop = shop;
    entry.stored.offer = std::move(offer);
    return key;
  }
  void remove(DocKey key) { offers_.at(key).gone = true; }
  const offers::StoredOffer& at(DocKey key) const { return offers_.at(key).stored; }
  uint64_t commits() const { return commits_; }

  Result<offers::Shop> put_shop(uint32_t number, std::string_view name) override {
    offers::Shop& shop = shops_[number];
    shop.number = number;
    shop.name = name;
    return shop;
  }
  Result<std::vector<offers::Shop>> shops() override {
    std::vector<offers::Shop> all;
    for (const auto& [number, shop] : shops_) all.push_back(shop);
    return all;
  }
  Result<std::unique_ptr<Relink>> begin_relink() override { return std::make_unique<FakeRelink>(*this); }
  Status scan(const std::function<Status(const offers::StoredOffer&)>& each) override {
    for (const auto& [key, entry] : offers_) {
      if (entry.gone) continue;
      if (Status done = each(entry.stored); !done) return done;
    }
    return {};
  }
  Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view offer_id) override {
    const auto found = keys_.find({shop, std::string(offer_id)});
    if (found == keys_.end()) return std::nullopt;
    return found->second;
  }
  Result<std::vector<offers::StoredModel>> models() override {
    std::vector<offers::StoredModel> all;
    for (const auto& [key, born] : models_) all.push_back({key, born});
    return all;
  }

  Result<std::optional<offers::Shop>> find_shop(std::string_view) override { return unused(); }
  Status save_settings(uint32_t, const offers::ShopSettings&) override { return unused(); }
  Status save_state(uint32_t, const offers::FeedState&) override { return unused(); }
  Result<std::unique_ptr<Update>> begin(const offers::Shop&) override { return unused(); }
  Result<std::vector<DocKey>> put_categories(std::span<const std::vector<std::string>>) override { return unused(); }
  Result<uint64_t> revision() override { return unused(); }
  Result<std::optional<offers::StoredOffer>> find(DocKey) override { return unused(); }
  Result<std::optional<offers::StoredOffer>> find(uint32_t, std::string_view) override { return unused(); }
  Result<std::vector<offers::StoredCategory>> categories() override { return unused(); }
  Result<uint64_t> offers() override { return unused(); }
  Result<std::vector<offers::Change>> changes(uint16_t, uint64_t, size_t) override { return unused(); }
  Result<uint64_t> last_position(uint16_t) override { return unused(); }
  Status trim_changes(uint64_t) override { return unused(); }

 private:
  struct Entry {
    offers::StoredOffer stored;
    bool gone = false;
  };

  class FakeRelink final : public Relink {
   public:
    explicit FakeRelink(FakeStore& store) : store_(store) {}
    Result<DocKey> new_model(const std::string& slot_name) override {
      const uint16_t slot = placement::slot_of_name(slot_name);
      const DocKey key = DocKey::make(slot, KeyType::kModel, ++store_.locals_[slot]);
      store_.models_.emplace(key, ++store_.born_);
      return key;
    }
    Status link(DocKey offer, DocKey model, offers::LinkReason reason) override {
      links_.emplace_back(offer, model, std::move(reason));
      return {};
    }
    Result<uint64_t> commit() override {
      for (auto& [offer, model, reason] : links_) {
        store_.offers_.at(offer).stored.model = model;
        store_.offers_.at(offer).stored.link = std::move(reason);
      }
      if (!links_.empty()) ++store_.commits_;
      return links_.size();
    }

   private:
    FakeStore& store_;
    std::vector<std::tuple<DocKey, DocKey, offers::LinkReason>> links_;
  };

  static std::unexpected<Error> unused() { return fail(ErrorCode::kInternal, "matching does not need this"); }

  std::map<uint32_t, offers::Shop> shops_;
  std::map<std::pair<uint32_t, std::string>, DocKey> keys_;
  std::map<DocKey, Entry> offers_;
  std::map<DocKey, uint64_t> models_;
  std::map<uint16_t, uint64_t> locals_;
  uint64_t born_ = 0;
  uint64_t commits_ = 0;
};

inline feed::Offer plain_offer(std::string id, std::string name = "Лампа") {
  feed::Offer offer;
  offer.id = std::move(id);
  offer.name = std::move(name);
  return offer;
}

inline feed::Offer barcode_offer(std::string id, std::vector<std::string> barcodes, std::string vendor = {}) {
  feed::Offer offer = plain_offer(std::move(id));
  offer.barcodes = std::move(barcodes);
  offer.vendor = std::move(vendor);
  return offer;
}

inline feed::Offer code_offer(std::string id, std::string vendor, std::string code, std::string name = "Лампа") {
  feed::Offer offer = plain_offer(std::move(id), std::move(name));
  offer.vendor = std::move(vendor);
  offer.vendor_code = std::move(code);
  return offer;
}

inline feed::Offer group_offer(std::string id, std::string group, std::vector<std::string> barcodes = {}) {
  feed::Offer offer = barcode_offer(std::move(id), std::move(barcodes));
  offer.group_id = std::move(group);
  return offer;
}

}  // namespace souk::match
