// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/yml_reader.h"

#include <algorithm>
#include <utility>

#include "indexer/feed/decode.h"
#include "indexer/feed/file_blocks.h"
#include "indexer/feed/unpack.h"
#include "indexer/feed/xml_parser.h"
#include "indexer/feed/yml_document.h"

namespace souk::feed {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

uint64_t line_of(std::string_view text, size_t at) {
  return 1 + static_cast<uint64_t>(std::ranges::count(text.substr(0, at), '\n'));
}

}  // namespace

struct YmlReader::Impl {
  Impl(const ReaderLimits& limits, Accept accept, Report& report_in)
      : report(report_in),
        document(limits, std::move(accept), report_in),
        xml(limits, document, report_in.feed_error),
        decoder([this](std::string_view text) { return take_text(text); }, report_in.feed_error),
        unpacker(
            limits.unpacked_bytes, [this](std::string_view bytes) { return decoder.push(bytes); },
            report_in.feed_error) {
    document.bind(xml);
  }

  bool take_text(std::string_view text) {
    if (!begun && !check_begin(text)) return false;
    if (xml.push(text)) return true;
    // HTML that a broken script printed before the XML.
    const bool looks_bad = report.feed_error.kind == "not_a_feed" || report.feed_error.kind == "xml_malformed";
    if (looks_bad && !document.has_shop() && junk_before != 0) {
      report.feed_error = {"junk_before_xml", 1, "there is other text before the XML declaration"};
    }
    return false;
  }

  // The first block holds the beginning of the document: what is not XML at all gets an honest name here.
  bool check_begin(std::string_view text) {
    const size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
      blank_lines += static_cast<uint64_t>(std::ranges::count(text, '\n'));
      blank_bytes += text.size();
      return xml.push(text);
    }
    begun = true;
    const size_t declaration = text.find("<?xml ");
    const size_t root = text.find("<yml_catalog");
    const size_t xml_at = std::min(declaration, root);
    if (declaration != std::string_view::npos && declaration + blank_bytes > 0) junk_before = declaration + blank_bytes;
    const uint64_t line = blank_lines + line_of(text, first);
    if (declaration == first && junk_before != 0) {
      report.feed_error = {"junk_before_xml", line, "there is white space before the XML declaration"};
      return false;
    }
    if (text[first] == '<') return true;
    if (xml_at != std::string_view::npos) {
      report.feed_error = {"junk_before_xml", line, "there is other text before the XML"};
    } else {
      report.feed_error = {"not_a_feed", line, "this is not XML"};
    }
    return false;
  }

  bool finish() {
    if (!unpacker.finish() || !decoder.finish()) return false;
    if (!begun) {
      report.feed_error = {"empty_body", 1 + blank_lines, "the feed is empty"};
      return false;
    }
    if (!xml.finish()) return false;
    if (!document.has_shop()) {
      report.feed_error = {"missing_shop", decoder.line(), "yml_catalog has no shop"};
    } else if (report.accepted == 0) {
      report.feed_error = {"no_valid_offers", document.shop_line(), "the shop has no valid offer"};
    }
    return report.ok();
  }

  // Refusals of the first stage know no line.
  bool settle(bool good) {
    if (good) return true;
    refused = true;
    report.accepted = 0;
    if (report.feed_error.line == 0) report.feed_error.line = decoder.line();
    return false;
  }

  Report& report;
  YmlDocument document;
  XmlParser xml;
  Decoder decoder;
  Unpacker unpacker;
  bool begun = false;  // something else than white space has come
  bool refused = false;
  uint64_t blank_lines = 0;
  uint64_t blank_bytes = 0;
  uint64_t junk_before = 0;
};

YmlReader::YmlReader(ReaderLimits limits, Accept accept, Report& report)
    : impl_(std::make_unique<Impl>(limits, std::move(accept), report)) {}
YmlReader::~YmlReader() = default;

bool YmlReader::push(std::string_view bytes) {
  return !impl_->refused && impl_->settle(impl_->unpacker.push(bytes));
}

bool YmlReader::finish() {
  return !impl_->refused && impl_->settle(impl_->finish());
}

const FeedHeader& YmlReader::header() const {
  return impl_->document.header();
}

FeedHeader read_feed_file(const std::string& path, const ReaderLimits& limits, const YmlReader::Accept& accept,
                          Report& report, const std::function<void(uint64_t, uint64_t)>& progress) {
  report.file = path;
  YmlReader reader(limits, accept, report);
  const Status read = read_file_blocks(path, [&](std::string_view block, uint64_t done, uint64_t total) {
    if (progress) progress(done, total);
    return reader.push(block);
  });
  if (!read) {
    report.feed_error = {"unreadable", 0, to_string(read.error())};
  } else if (report.ok()) {
    reader.finish();
  }
  return reader.header();
}

}  // namespace souk::feed
