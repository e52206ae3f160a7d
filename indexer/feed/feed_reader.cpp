// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/feed_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "indexer/feed/google_attributes.h"
#include "indexer/feed/google_tsv.h"
#include "indexer/feed/json_lines.h"
#include "indexer/feed/xml_reader.h"
#include "indexer/input/decode.h"
#include "indexer/input/file_blocks.h"
#include "indexer/input/unpack.h"
#include "indexer/input/utf8.h"
#include "indexer/input/zip.h"

namespace souk::feed {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr size_t kHead = 16 * 1024;         // of text, to know the format by
constexpr size_t kMaxBlanks = 1024 * 1024;  // before it

// Where an XML feed begins in the text, at its declaration or else at its root; npos when there is none.
size_t find_xml(std::string_view text) {
  size_t at = text.find("<?xml ");
  for (const std::string_view root : {"<yml_catalog", "<rss", "<feed", "<rdf:RDF"}) at = std::min(at, text.find(root));
  return at;
}

// How much of the text, whose first character that is not blank is at `first`, stands before the XML and cannot be part
// of it: 0 when it can, or when there is no XML.
size_t junk_before(std::string_view text, size_t first) {
  const size_t at = find_xml(text);
  if (at == std::string_view::npos) return 0;
  const bool has_declaration = text.substr(at).starts_with("<?");
  if (at == first) return has_declaration ? at : 0;  // blanks may stand before a root only
  const std::string_view begin = text.substr(first);
  const bool may_be_prolog = begin.starts_with("<!") || begin.starts_with("<?");
  if (has_declaration) return begin.starts_with("<!DOCTYPE") ? 0 : at;
  return may_be_prolog ? 0 : at;
}

// Whether the line has a tab and a cell that names the column of ids.
bool is_table_head(std::string_view line) {
  if (!line.contains('\t')) return false;
  for (;;) {
    const size_t end = line.find('\t');
    if (google_column_name(line.substr(0, end)) == "id") return true;
    if (end == std::string_view::npos) return false;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

struct FeedReader::Impl {
  Impl(const ReadOptions& options_in, Accept accept_in, Report& report_in)
      : options(options_in),
        accept(std::move(accept_in)),
        report(report_in),
        decoder([this](std::string_view text) { return take_text(text); }, warner(), report_in.feed_error),
        unpacker(
            options_in.limits.unpacked_bytes, [this](std::string_view bytes) { return decoder.push(bytes); },
            report_in.feed_error) {
    report.mode = options.mode;
  }

  bool is_lenient() const { return options.mode == Mode::kLenient; }

  input::Warn warner() {
    if (!is_lenient()) return nullptr;
    return [this](input::Fault&& fault) {
      report.warn({fault.line, {}, std::move(fault.kind), std::move(fault.message)});
    };
  }

  bool take_text(std::string_view text) {
    if (format) return push(text);
    head += text;
    const bool blank = head.find_first_not_of(kBlanks) == std::string::npos;
    return head.size() < (blank ? kMaxBlanks : kHead) || begin();
  }

  bool push(std::string_view text) {
    if (format->push(text)) return true;
    // HTML that a broken script printed before the XML.
    const bool looks_bad = report.feed_error.kind == "not_a_feed" || report.feed_error.kind == "xml_malformed";
    if (looks_bad && junk_line > 0 && !xml->has_root()) {
      report.feed_error = {"junk_before_xml", junk_line, "there is other text before the XML declaration"};
    }
    return false;
  }

  // The beginning of the text, or all of it, is in `head`: what is no feed at all gets an honest name here.
  bool begin() {
    std::string text = std::exchange(head, {});
    const size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string::npos) {
      report.feed_error = {"empty_body", 1 + input::count_lines(text), "the feed is empty"};
      return false;
    }
    const uint64_t line = 1 + input::count_lines(std::string_view(text).substr(0, first));
    format = make_format(std::string_view(text).substr(first));
    if (format) return push(text);
    const size_t junk = junk_before(text, first);
    if (text[first] != '<' && junk == 0) {
      report.feed_error = {"not_a_feed", line, "this is neither XML, nor a table with an id column, nor JSON lines"};
      return false;
    }
    if (!is_lenient() && junk > 0 && (text[first] != '<' || junk == first)) {
      report.feed_error = {"junk_before_xml", line, "there is other text before the XML"};
      return false;
    }
    junk_line = junk > 0 ? line : 0;
    const size_t xml_at = is_lenient() ? junk : 0;
    if (xml_at > 0) report.warn({line, {}, "junk_before_xml", "the text before the XML is left out"});
    auto reader = std::make_unique<XmlReader>(options, std::move(accept), report,
                                              1 + input::count_lines(std::string_view(text).substr(0, xml_at)));
    xml = reader.get();
    format = std::move(reader);
    return push(std::string_view(text).substr(xml_at));
  }

  // Of the formats that are not XML; first: from the first character on that is not blank.
  std::unique_ptr<FormatReader> make_format(std::string_view first) {
    if (first[0] == '{') {
      report.format = Format::kJsonLines;
      return std::make_unique<JsonLines>(options, std::move(accept), report);
    }
    if (first[0] == '<' || !is_table_head(first.substr(0, first.find('\n')))) return nullptr;
    report.format = Format::kGoogleTsv;
    return std::make_unique<GoogleTsv>(options, std::move(accept), report);
  }

  bool finish() {
    const bool decoded = unpacker.finish() && decoder.finish();
    return settle_head(decoded) && format->finish();
  }

  // What is in the head comes before what the stages before found wrong.
  bool settle_head(bool good) {
    if (format || (!good && head.find_first_not_of(kBlanks) == std::string::npos)) return good;
    const FeedError later = std::exchange(report.feed_error, {});
    if (!begin()) return false;
    report.feed_error = later;
    return good;
  }

  // Refusals of the first stage know no line.
  bool settle(bool good) {
    if (good) return true;
    refused = true;
    report.accepted = 0;
    if (report.feed_error.line == 0) report.feed_error.line = decoder.line();
    return false;
  }

  const ReadOptions options;
  Accept accept;
  Report& report;
  input::Decoder decoder;
  input::Unpacker unpacker;
  std::string head;  // text until the format is known
  std::unique_ptr<FormatReader> format;
  XmlReader* xml = nullptr;  // format, when it is one
  uint64_t junk_line = 0;
  bool refused = false;
  FeedHeader no_header;
};

FeedReader::FeedReader(const ReadOptions& options, Accept accept, Report& report)
    : impl_(std::make_unique<Impl>(options, std::move(accept), report)) {}
FeedReader::~FeedReader() = default;

bool FeedReader::push(std::string_view bytes) {
  return !impl_->refused && impl_->settle(impl_->unpacker.push(bytes) || (impl_->settle_head(false)));
}

bool FeedReader::finish() {
  return !impl_->refused && impl_->settle(impl_->finish());
}

const FeedHeader& FeedReader::header() const {
  return impl_->format ? impl_->format->header() : impl_->no_header;
}

FeedHeader read_feed(int fd, const ReadOptions& options, const FeedReader::Accept& accept, Report& report,
                     const std::function<void(uint64_t, uint64_t)>& progress) {
  FeedReader reader(options, accept, report);
  Status read;
  if (input::is_zip(fd)) {
    FeedError fault;
    const bool unpacked = input::read_zip(
        fd, options.limits.unpacked_bytes, [&](std::string_view block) { return reader.push(block); }, progress, fault);
    if (!unpacked && report.ok()) report.feed_error = {fault.kind, std::max<uint64_t>(fault.line, 1), fault.message};
  } else {
    read = input::read_file_blocks(fd, [&](std::string_view block, uint64_t done, uint64_t total) {
      if (progress) progress(done, total);
      return reader.push(block);
    });
  }
  if (!read) {
    report.feed_error = {"unreadable", 0, to_string(read.error())};
  } else if (report.ok()) {
    reader.finish();
  }
  if (!report.ok()) report.accepted = 0;
  report.date = reader.header().date;
  return reader.header();
}

FeedHeader read_feed_file(const std::string& path, const ReadOptions& options, const FeedReader::Accept& accept,
                          Report& report, const std::function<void(uint64_t, uint64_t)>& progress) {
  report.file = path;
  const auto file = input::InputFile::open(path);
  if (file) return read_feed(file->fd(), options, accept, report, progress);
  report.mode = options.mode;
  report.feed_error = {"unreadable", 0, to_string(file.error())};
  return {};
}

}  // namespace souk::feed
