// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/bounded_text.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/feed/google_attributes.h"
#include "indexer/feed/offer_validator.h"
#include "indexer/feed/xml_document.h"

namespace souk::feed {

// Google Merchant as XML: RSS 2.0 (rss/channel/item), Atom 1.0 (feed/entry), RSS 1.0 (RDF/item). Attributes are known
// by their namespace, whatever the prefix; plain elements of their names count too, but for `id`. A prefix that is not
// declared refuses the feed (xml_malformed); leniently it is read as Google's when it is g (namespace_repaired).
class GoogleDocument final : public XmlDocument {
 public:
  GoogleDocument(const ReadOptions& options, FeedReader::Accept accept, Report& report);

  void bind(XmlParser& parser) override { parser_ = &parser; }
  const FeedHeader& header() const override { return header_; }
  bool check_whole(uint64_t last_line) override;

  void on_start(std::string_view name, std::span<const XmlAttribute> attributes) override;
  void on_end() override;
  void on_text(std::string_view text) override;
  void on_html_entity(std::string_view name) override;
  void on_item_lost(uint64_t line, std::string message) override;

 private:
  enum class Kind : uint8_t { kRss, kAtom, kRdf };
  enum class Space : uint8_t { kNone, kGoogle, kAtom, kOther };
  enum class Place : uint8_t { kOutside, kRoot, kChannel, kHeaderText, kItem, kText, kDetail, kDetailText };
  using Attributes = std::span<const XmlAttribute>;

  struct Declaration {
    uint64_t depth = 0;
    std::string prefix;
    Space space = Space::kOther;
  };
  struct Name {
    Space space = Space::kNone;
    std::string_view local;
    bool bad = false;  // the feed is refused
  };

  Name resolve(std::string_view name, Attributes attributes);
  Space find_space(std::string_view prefix);
  void declare(Attributes attributes);
  void start_root(const Name& name, std::string_view written);
  void start_in_channel(const Name& name, Attributes attributes);
  void start_in_item(const Name& name, Attributes attributes);
  void start_in_detail(const Name& name);
  bool is_item(const Name& name) const;
  void begin_item();
  void end_text();
  void end_item();

  bool in_item() const { return place_ >= Place::kItem; }
  std::string item_id() const;  // of the item in work

  const Mode mode_;
  const ReaderLimits limits_;
  const FeedReader::Accept accept_;
  Report& report_;
  XmlParser* parser_ = nullptr;
  FeedHeader header_;
  OfferValidator validator_;

  std::vector<Declaration> declarations_;
  bool repaired_ = false;
  uint64_t depth_ = 0;
  uint64_t offers_ = 0;
  uint64_t root_line_ = 1;

  Kind kind_ = Kind::kRss;
  Place place_ = Place::kOutside;
  uint64_t ignored_ = 0;  // open elements below place_ that mean nothing here
  BoundedText text_;
  std::string* header_text_ = nullptr;
  const GoogleAttribute* attribute_ = nullptr;
  std::string* detail_text_ = nullptr;
  RawParam detail_;
  RawOffer raw_;
};

}  // namespace souk::feed
