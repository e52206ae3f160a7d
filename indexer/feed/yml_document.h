// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "indexer/feed/categories.h"
#include "indexer/feed/raw_offer.h"
#include "indexer/feed/xml_parser.h"
#include "indexer/feed/yml_offer.h"
#include "indexer/feed/yml_reader.h"

namespace souk::feed {

// Fourth stage: the elements of a YML document -> header, currencies, categories and offers. Elements of the shop may
// come in any order, but currencies and categories before the offers. Unknown elements and attributes are ignored.
class YmlDocument final : public XmlHandler {
 public:
  YmlDocument(const ReaderLimits& limits, YmlReader::Accept accept, Report& report);

  // Before the first event.
  void bind(XmlParser& parser) { parser_ = &parser; }

  void on_doctype(std::string_view root_name) override;
  void on_start(std::string_view name, std::span<const XmlAttribute> attributes) override;
  void on_end() override;
  void on_text(std::string_view text) override;
  void on_html_entity(std::string_view name) override;

  const FeedHeader& header() const { return header_; }
  bool has_shop() const { return has_shop_; }
  uint64_t shop_line() const { return shop_line_; }

 private:
  // Which element is open; the path to it follows from it.
  enum class Place {
    kOutside,
    kCatalog,
    kShop,
    kShopText,
    kCurrencies,
    kCategories,
    kCategory,
    kOffers,
    kOffer,
    kField
  };
  using Attributes = std::span<const XmlAttribute>;

  void start_root(std::string_view name, Attributes attributes);
  void start_in_shop(std::string_view name);
  void start_currency(std::string_view name, Attributes attributes);
  void start_category(std::string_view name, Attributes attributes);
  void start_offer(std::string_view name, Attributes attributes);
  void start_field(std::string_view name, Attributes attributes);
  void start_text(Place place);
  void end_category();
  void end_field();
  void end_shop_text();
  void end_offer();
  bool collects_text() const;

  const ReaderLimits limits_;
  const YmlReader::Accept accept_;
  Report& report_;
  XmlParser* parser_ = nullptr;

  FeedHeader header_;
  std::set<std::string> currencies_;
  CategoryTree categories_;
  OfferValidator validator_;
  bool has_shop_ = false;
  bool linked_ = false;  // the first offer has come
  bool late_reported_ = false;
  uint64_t shop_line_ = 0;
  uint64_t offers_ = 0;

  Place place_ = Place::kOutside;
  size_t ignored_ = 0;  // open elements below place_ that mean nothing here
  std::string text_;    // of the element in work
  size_t text_limit_ = 0;
  bool text_cut_ = false;
  std::string* shop_text_ = nullptr;
  CategoryTree::Entry category_;
  RawOffer offer_;
  const OfferElement* element_ = nullptr;
  RawParam param_;
};

}  // namespace souk::feed
