// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/xml_reader.h"

#include <fmt/core.h>

#include <utility>

#include "indexer/feed/google_document.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/yml_document.h"

namespace souk::feed {
namespace {

constexpr size_t kMaxRepairs = 10'000;  // that wait for their offer's id

// By the name of the root, which in the Google formats may have a prefix.
Format format_of(std::string_view root) {
  if (root == "yml_catalog") return Format::kYml;
  const std::string_view local = root.substr(root.find(':') + 1);
  return local == "rss" || local == "feed" || local == "RDF" ? Format::kGoogleXml : Format::kUnknown;
}

}  // namespace

XmlReader::XmlReader(const ReadOptions& options, FeedReader::Accept accept, Report& report, uint64_t first_line)
    : options_(options), accept_(std::move(accept)), report_(report), parser_(options, *this, report, first_line) {
  if (options.mode == Mode::kStrict) return;
  repair_.emplace([this](std::string_view text) { return parser_.push(text); },
                  [this](input::Fault&& fault) { take_repair(std::move(fault)); }, first_line);
}

XmlReader::~XmlReader() = default;

bool XmlReader::push(std::string_view utf8) {
  if (!repair_) return parser_.push(utf8);
  if (repair_->push(utf8)) return true;
  report_repairs(UINT64_MAX);
  return false;
}

bool XmlReader::finish() {
  const bool parsed = (!repair_ || repair_->finish()) && parser_.finish();
  report_repairs(UINT64_MAX);
  return parsed && document_->check_whole(parser_.last_line());
}

void XmlReader::take_repair(input::Fault&& fault) {
  if (repairs_.size() == kMaxRepairs) {
    input::Fault& oldest = repairs_.front();
    report_.warn({oldest.line, {}, std::move(oldest.kind), std::move(oldest.message)});
    repairs_.pop_front();
  }
  repairs_.push_back(std::move(fault));
}

void XmlReader::take_offer(Offer&& offer) {
  if (repair_) {
    report_repairs(offer.line);
    offer_id_ = offer.id;
    offer_line_ = offer.line;
    end_before_ = std::exchange(offer_end_, parser_.line());
  }
  accept_(std::move(offer));
}

// Those before the line of the next accepted offer, with the last one's id where nobody else's lines are.
void XmlReader::report_repairs(uint64_t next_line) {
  for (; !repairs_.empty() && (repairs_.front().line < next_line || repairs_.front().line <= offer_end_);
       repairs_.pop_front()) {
    input::Fault& fault = repairs_.front();
    const bool is_offers =
        fault.line >= offer_line_ && fault.line <= offer_end_ && fault.line > end_before_ && fault.line < next_line;
    report_.warn({fault.line, is_offers ? offer_id_ : std::string(), std::move(fault.kind), std::move(fault.message)});
  }
}

const FeedHeader& XmlReader::header() const {
  return document_ ? document_->header() : no_header_;
}

void XmlReader::on_doctype(std::string_view root_name) {
  if (format_of(root_name) != Format::kUnknown) return;
  parser_.refuse("not_a_feed", fmt::format("the document is of type {}, which is no feed", in_quotes(root_name)));
}

void XmlReader::on_start(std::string_view name, std::span<const XmlAttribute> attributes) {
  document_ = make_document(name);
  if (!document_) {
    parser_.refuse("not_a_feed",
                   fmt::format("the document begins with {}, not yml_catalog, rss or feed", in_quotes(name)));
    return;
  }
  document_->bind(parser_);
  parser_.set_handler(*document_);
  document_->on_start(name, attributes);
}

std::unique_ptr<XmlDocument> XmlReader::make_document(std::string_view root) {
  report_.format = format_of(root);
  FeedReader::Accept accept = [this](Offer&& offer) { take_offer(std::move(offer)); };
  switch (report_.format) {
    case Format::kYml:
      return std::make_unique<YmlDocument>(options_, std::move(accept), report_);
    case Format::kGoogleXml:
      return std::make_unique<GoogleDocument>(options_, std::move(accept), report_);
    default:
      return nullptr;
  }
}

}  // namespace souk::feed
