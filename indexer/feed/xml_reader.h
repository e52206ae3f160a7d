// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "indexer/feed/feed_reader.h"
#include "indexer/feed/format_reader.h"
#include "indexer/feed/xml_document.h"
#include "indexer/input/repair.h"

namespace souk::feed {

// The XML formats: the root says which document it is (yml_catalog; rss, feed or RDF of Google Merchant); any other one
// is not_a_feed.
class XmlReader final : public FormatReader, private XmlHandler {
 public:
  // first_line: where the text begins in the feed.
  XmlReader(const ReadOptions& options, FeedReader::Accept accept, Report& report, uint64_t first_line = 1);
  ~XmlReader() override;

  bool push(std::string_view utf8) override;
  bool finish() override;
  const FeedHeader& header() const override;

  bool has_root() const { return document_ != nullptr; }

 private:
  void on_doctype(std::string_view root_name) override;
  void on_start(std::string_view name, std::span<const XmlAttribute> attributes) override;
  void on_end() override {}
  void on_text(std::string_view) override {}
  void on_html_entity(std::string_view) override {}
  void on_item_lost(uint64_t, std::string) override {}
  std::unique_ptr<XmlDocument> make_document(std::string_view root);
  void take_repair(input::Fault&& fault);
  void take_offer(Offer&& offer);
  void report_repairs(uint64_t next_line);

  const ReadOptions options_;
  FeedReader::Accept accept_;
  Report& report_;
  XmlParser parser_;
  std::optional<input::CharacterRepair> repair_;  // lenient
  std::deque<input::Fault> repairs_;              // ahead of the parser: whose they are is not known yet
  // The last accepted offer, and where the one before it ended.
  std::string offer_id_;
  uint64_t offer_line_ = 0, offer_end_ = 0, end_before_ = 0;
  std::unique_ptr<XmlDocument> document_;  // once its root has begun
  FeedHeader no_header_;
};

}  // namespace souk::feed
