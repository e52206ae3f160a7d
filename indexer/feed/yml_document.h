// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "indexer/feed/bounded_text.h"
#include "indexer/feed/categories.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/feed/offer_validator.h"
#include "indexer/feed/xml_document.h"
#include "indexer/feed/yml_offer.h"

namespace souk::feed {

// Fourth stage: the elements of a YML document -> header, currencies, categories and offers. Elements of the shop may
// come in any order, but currencies and categories before the offers. Unknown elements and attributes are ignored.
class YmlDocument final : public XmlDocument {
 public:
  YmlDocument(const ReadOptions& options, FeedReader::Accept accept, Report& report);

  void bind(XmlParser& parser) override { parser_ = &parser; }
  const FeedHeader& header() const override { return header_; }
  bool check_whole(uint64_t last_line) override;

  void on_start(std::string_view name, std::span<const XmlAttribute> attributes) override;
  void on_end() override;
  void on_text(std::string_view text) override;
  void on_html_entity(std::string_view name) override;
  void on_item_lost(uint64_t line, std::string message) override;

 private:
  // Which element is open; the path to it follows from it.
  enum class Place : uint8_t {
    kOutside,
    kCatalog,
    kShop,
    kShopText,
    kShopOptions,
    kCurrencies,
    kCategories,
    kCategory,
    kOffers,
    kOffer
  };
  using Attributes = std::span<const XmlAttribute>;
  struct ShopText;  // an element of the shop whose text is read

  void start_root(Attributes attributes);
  void start_in_shop(std::string_view name);
  void start_option(std::string_view name, Attributes attributes);
  void start_currency(std::string_view name, Attributes attributes);
  void start_category(std::string_view name, Attributes attributes);
  void start_offer(std::string_view name, Attributes attributes);
  void start_text(Place place);
  void end_category();
  void end_shop_text();
  void end_shop_flag(std::optional<bool> DeliveryTerms::* flag);
  void end_offer();
  bool collects_text() const;
  void warn(const char* kind, std::string message);

  const ReadOptions options_;
  const FeedReader::Accept accept_;
  Report& report_;
  XmlParser* parser_ = nullptr;

  FeedHeader header_;
  std::set<std::string> currencies_;
  bool has_main_currency_ = false;  // one with the rate 1; else the first without a rate is it
  std::optional<DeliveryOption> local_delivery_;
  CategoryTree categories_;
  size_t category_bytes_ = 0;
  OfferValidator validator_;
  bool has_shop_ = false;
  bool linked_ = false;  // the first offer has come
  bool late_reported_ = false;
  uint64_t shop_line_ = 0;
  uint64_t offers_ = 0;

  Place place_ = Place::kOutside;
  size_t ignored_ = 0;  // open elements below place_ that mean nothing here
  BoundedText text_;    // of the element in work
  const ShopText* shop_text_ = nullptr;
  std::vector<DeliveryOption>* shop_options_ = nullptr;
  CategoryTree::Entry category_;
  YmlOffer offer_;
};

}  // namespace souk::feed
