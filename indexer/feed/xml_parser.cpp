// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/xml_parser.h"

// Without it expat.h hides what guards against entity expansion.
#define XML_DTD 1
#include <expat.h>
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <new>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "indexer/feed/item_scanner.h"
#include "indexer/feed/item_search.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/xml_fault.h"
#include "indexer/feed/xml_references.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

constexpr const char* kTruncated = "the feed ends too early: elements are still open";
constexpr size_t kMaxNames = 10'000;  // expat keeps them all
constexpr size_t kPiece = 4096;
constexpr size_t kMaxCarried = 256 * 1024;  // of an item whose end has not come

}  // namespace

struct XmlParser::Impl {
  Impl(const ReadOptions& options, XmlHandler& handler_in, Report& report_in, uint64_t first_line)
      : limits(options.limits),
        lenient(options.mode == Mode::kLenient),
        handler(&handler_in),
        report(report_in),
        scanner(options.limits.attributes),
        parser(XML_ParserCreate("UTF-8")),
        lines_before(first_line - 1) {
    if (parser == nullptr) throw std::bad_alloc();
    set_up();
  }
  ~Impl() { XML_ParserFree(parser); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static Impl& of(void* self) { return *static_cast<Impl*>(self); }

  void set_up() {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetSkippedEntityHandler(parser, on_skipped_entity);
    XML_SetEntityDeclHandler(parser, on_entity_declaration);
    XML_SetAttlistDeclHandler(parser, on_attribute_declaration);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    XML_SetCommentHandler(parser, [](void* self, const char*) { of(self).progress = true; });
    XML_SetProcessingInstructionHandler(parser, [](void* self, const char*, const char*) { of(self).progress = true; });
  }

  // Runs a handler; exceptions must not pass through expat's C frames.
  template <typename Fn>
  void guarded(const Fn& call) {
    progress = true;
    if (stopped || in_prologue) return;
    try {
      call();
    } catch (...) {
      thrown = std::current_exception();
      stop();
    }
  }

  void stop() {
    stopped = true;
    XML_StopParser(parser, XML_FALSE);
  }

  void refuse(std::string kind, std::string message) {
    if (stopped) return;
    report.feed_error = {std::move(kind), line(), std::move(message)};
    stop();
  }

  // What expat holds from its event on, to the end of what it was given.
  std::string_view held() const {
    int offset = 0;
    int size = 0;
    const char* context = XML_GetInputContext(parser, &offset, &size);
    if (context == nullptr) return {};
    return {context + offset, static_cast<size_t>(size - offset)};
  }

  // Of the event in work. Events come in order: within a block only what lies between two questions is counted.
  uint64_t line() {
    if (in_scanned) {
      count_scanned(scanned_at);
      return lines_before + 1;
    }
    const XML_Index index = XML_GetCurrentByteIndex(parser);
    if (index < 0) return lines_before + 1;
    const auto at = static_cast<uint64_t>(index);
    if (at < counted_at) return counted_lines + 1;
    const std::string_view rest = held();
    if (rest.data() == nullptr) return lines_before + 1;
    if (!is_counted && at < fed) {
      // The token began in an earlier block.
      counted_lines = lines_before - input::count_lines(rest.substr(0, fed - at));
    } else {
      if (!is_counted) counted_lines = lines_before;
      const uint64_t size = at - (is_counted ? counted_at : fed);
      counted_lines += input::count_lines({rest.data() - size, size});
    }
    is_counted = true;
    counted_at = at;
    return counted_lines + 1;
  }

  static void on_start(void* self, const char* name, const char** attributes) {
    Impl& impl = of(self);
    impl.guarded([&] { impl.start(name, attributes); });
  }
  static void on_end(void* self, const char*) {
    Impl& impl = of(self);
    impl.guarded([&] { impl.end(); });
  }
  static void on_text(void* self, const char* text, int size) {
    Impl& impl = of(self);
    impl.guarded([&] { impl.handler->on_text({text, static_cast<size_t>(size)}); });
  }
  static void on_skipped_entity(void* self, const char* name, int is_parameter) {
    Impl& impl = of(self);
    impl.guarded([&] { impl.skipped_entity(name, is_parameter != 0); });
  }
  static void on_entity_declaration(void* self, const char* name, int, const char*, int, const char*, const char*,
                                    const char*, const char*) {
    Impl& impl = of(self);
    impl.guarded([&] {
      impl.refuse("dtd_entity_forbidden", fmt::format("the document type declares the entity {}", in_quotes(name)));
    });
  }
  // Attributes may have defaults then, which only expat knows of.
  static void on_attribute_declaration(void* self, const char*, const char*, const char*, const char*, int) {
    of(self).has_defaults = true;
  }
  static void on_doctype(void* self, const char* name, const char*, const char*, int) {
    Impl& impl = of(self);
    impl.guarded([&] {
      impl.has_doctype = true;
      impl.handler->on_doctype(name);
    });
  }

  void start(const char* raw_name, const char** in) {
    const std::string_view name = raw_name;
    if (lenient && item_open && name == item_name) {
      // An item within an item: the outer one was never closed.
      nested_item = true;
      fault_at = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser));
      fault_line = line();
      stop();
      return;
    }
    if (++depth > limits.depth) {
      refuse("size_limit", fmt::format("elements are nested deeper than {}", limits.depth));
      return;
    }
    root_seen = true;
    if (list_depth == 0) {
      open_names.resize(depth);
      open_names.back() = name;
    }
    if (depth == list_depth + 1) item_open = name == item_name;
    attributes.clear();
    names.insert(xxh3(name));
    for (; *in != nullptr; in += 2) {
      attributes.push_back({in[0], in[1]});
      names.insert(xxh3(attributes.back().name));
    }
    if (names.size() > kMaxNames) {
      refuse("size_limit", fmt::format("elements and attributes have more than {} different names", kMaxNames));
      return;
    }
    if (attributes.size() > limits.attributes) {
      refuse("size_limit", fmt::format("an element has more than {} attributes", limits.attributes));
      return;
    }
    // With a document type expat drops unknown entities from attributes without a word.
    if (has_doctype && !attributes.empty() && !repair_attributes()) return;
    handler->on_start(name, attributes);
  }

  void end() {
    --depth;
    if (depth == list_depth) {
      item_open = false;
      item_end = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser) + XML_GetCurrentByteCount(parser));
    }
    if (depth < list_depth) list_depth = 0;
    handler->on_end();
  }

  // Reads the values again from the tag as written, if it has references. false = refused.
  bool repair_attributes() {
    const std::string_view tag = held().substr(0, static_cast<size_t>(XML_GetCurrentByteCount(parser)));
    if (!tag.contains('&')) return true;
    values.assign(attributes.size(), {});
    size_t at = tag.find_first_of(kXmlBlanks);
    const auto specified = static_cast<size_t>(XML_GetSpecifiedAttributeCount(parser)) / 2;
    for (size_t i = 0; i < specified && at < tag.size(); ++i) {
      const size_t open = tag.find_first_of("\"'", at);
      const size_t close = tag.find(tag[open], open + 1);
      const std::string_view unknown = decode_attribute(tag.substr(open + 1, close - open - 1), values[i], *handler);
      if (!unknown.empty()) {
        refuse("undefined_entity", fmt::format("the entity {} is not defined", in_quotes(unknown)));
        return false;
      }
      attributes[i].value = values[i];
      at = close + 1;
    }
    return true;
  }

  void skipped_entity(std::string_view name, bool is_parameter) {
    std::string text;
    if (is_parameter || !decode_attribute(fmt::format("&{};", name), text, *handler).empty()) {
      refuse("undefined_entity", fmt::format("the entity {} is not defined", in_quotes(name)));
    } else {
      handler->on_text(text);
    }
  }

  bool take(std::string_view bytes, bool last) {
    std::string joined;
    if (!carried.empty()) {
      if (!last && carried.size() < kMaxCarried && !search.may_end(carried, bytes)) {
        carried += bytes;
        return true;
      }
      joined = std::exchange(carried, {}).append(bytes);
      bytes = joined;
    }
    // Behind a lost item the block is parsed in small pieces: what is behind the next fault is parsed again.
    size_t piece = bytes.size();
    block_begin = bytes.data();
    next_item_end = nullptr;
    while (!ended) {
      if (seeking) {
        if (!sought.empty()) {
          joined = std::exchange(sought, {}).append(bytes);
          bytes = joined;
          block_begin = bytes.data();
          next_item_end = nullptr;
        }
        const size_t at = find_item(bytes);
        if (at == std::string_view::npos) {
          if (last) report.feed_error = {"truncated", sought_line, kTruncated};
          return !last;
        }
        bytes.remove_prefix(at);
        restart();
      }
      if (between_items && !has_defaults) {
        bytes.remove_prefix(take_scanned(bytes));
        if (stopped) return false;
        if (bytes.empty() && !last) return true;
        if (found == ItemScanner::Found::kIncomplete && !last && bytes.size() < kMaxCarried) {
          carried = bytes;
          return true;
        }
      }
      const std::string_view part = bytes.substr(0, std::min(piece, end_of_item(bytes)));
      if (parse(part, last && part.size() == bytes.size())) {
        bytes.remove_prefix(part.size());
        if (bytes.empty()) return true;
      } else if (recover(last, part)) {
        bytes = start_seeking(bytes);
        piece = kPiece;
      } else {
        return ended;
      }
    }
    return true;
  }

  // Where to look again whether the items can be scanned: behind the end tag of one, if the text before it is not
  // known to be within something else. Looks at each byte of the block once only.
  size_t end_of_item(std::string_view bytes) {
    const size_t from = std::min(least_piece, bytes.size());
    if (list_depth == 0) return bytes.size();
    if (next_item_end <= bytes.data() + from) {
      next_item_end = bytes.data() + from + search.end_of_item(bytes.substr(from));
    }
    return static_cast<size_t>(next_item_end - bytes.data());
  }

  // Gives the handler the items that the text begins with, without expat, which stands between two items and never
  // hears of them. Returns how far they go; `found` says what stopped it.
  size_t take_scanned(std::string_view text) {
    scanned = text;
    scanned_counted = 0;
    size_t at = 0;
    for (;;) {
      at = std::min(text.find_first_not_of(kXmlBlanks, at), text.size());
      const std::string_view rest = text.substr(at);
      found = rest.empty() ? ItemScanner::Found::kIncomplete
                           : scanner.scan(rest, item_name, limits.depth - std::min(limits.depth, list_depth));
      if (found != ItemScanner::Found::kItem) break;
      in_scanned = true;
      for (const ItemScanner::Token& token : scanner.tokens()) {
        scanned_at = at + token.at;
        scanner.give(token, *handler);
        if (stopped) return at;
      }
      in_scanned = false;
      at += scanner.size();
    }
    count_scanned(at);
    return at;
  }

  void count_scanned(size_t to) {
    lines_before += input::count_lines(scanned.substr(scanned_counted, to - scanned_counted));
    scanned_counted = to;
  }

  bool parse(std::string_view bytes, bool last) {
    is_counted = false;
    progress = between_items = false;
    const XML_Status status = XML_Parse(parser, bytes.data(), static_cast<int>(bytes.size()), last ? 1 : 0);
    if (status != XML_STATUS_OK || stopped) return false;
    // Only within one token does expat take input without calling anybody; but for a document type, all of which it
    // keeps.
    pending = progress && root_seen ? 0 : pending + bytes.size();
    lines_before += input::count_lines(bytes);
    fed += bytes.size();
    counted_at = 0;
    between_items = list_depth != 0 && depth == list_depth && item_end == fed;
    // End tags in a comment or CDATA section would make ever so many small pieces.
    least_piece = between_items ? 0 : std::min(2 * least_piece + 64, kMaxCarried);
    if (pending <= limits.token_bytes) return true;
    report.feed_error = {
        "size_limit", lines_before + 1,
        fmt::format("a tag, a comment or what stands before the root is larger than {} bytes", limits.token_bytes)};
    stop();
    return false;
  }

  // After parse() has failed: true = an item is lost, a lenient reading goes on behind the fault.
  bool recover(bool last, std::string_view part) {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
    if (stopped && !nested_item) return false;
    const XML_Error code = XML_GetErrorCode(parser);
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    const std::string kind = nested_item ? "xml_malformed" : xml_fault_kind(code, last, root_seen, depth == 0);
    if (!nested_item) {
      fault_line = line();
      fault_at = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser));
      if (code == XML_ERROR_TAG_MISMATCH) fault_at -= 2;  // expat stands at the name
    }
    const std::string message = nested_item ? "an item begins within another one" : XML_ErrorString(code);
    if (lenient && kind == "trailing_junk") {
      report.warn({fault_line, {}, kind, "what follows the feed's last element is left out"});
      lines_before = fault_line - 1;
      ended = true;
      return false;
    }
    if (!lenient || list_depth == 0 || (kind != "xml_malformed" && kind != "undefined_entity")) {
      const size_t before = fault_at < fed ? 0 : static_cast<size_t>(part.data() - block_begin) + (fault_at - fed);
      report.feed_error = {kind, fault_line,
                           kind == "truncated" ? kTruncated : message + column_behind({block_begin, before})};
      return false;
    }
    nested_item = stopped = false;
    handler->on_item_lost(fault_line, fmt::format("not well-formed XML in line {}: {}", fault_line, message));
    return !stopped;
  }

  // Returns what of the bytes in work lies behind the fault; what lies before them is `sought`.
  std::string_view start_seeking(std::string_view bytes) {
    seeking = true;
    sought_line = fault_line;
    // What failed at its very first byte must not be tried again.
    seek_from = prologue_size > 0 && fault_at <= prologue_size ? 1 : 0;
    if (fault_at >= fed) return bytes.substr(fault_at - fed);
    const auto event_at = static_cast<uint64_t>(XML_GetCurrentByteIndex(parser));
    sought = std::string_view(held().data() - (event_at - fault_at), fed - fault_at);
    return bytes;
  }

  // Looks for the next item, or for the end of their list: where it begins. If there is none, only what may be the
  // beginning of one is kept for the next block.
  size_t find_item(std::string_view text) {
    const ItemSearch::Place place = search.find_start(text, std::exchange(seek_from, 0));
    sought_line += input::count_lines(text.substr(0, place.at));
    seeking = !place.found;
    if (place.found) return place.at;
    sought = text.substr(place.at);
    return std::string_view::npos;
  }

  // The parser stands before the text in line sought_line, with the list's ancestors open.
  void restart() {
    XML_ParserReset(parser, "UTF-8");
    set_up();
    std::string prologue;
    for (size_t i = 0; i < list_depth; ++i) prologue += "<" + open_names[i] + ">";
    in_prologue = true;
    XML_Parse(parser, prologue.data(), static_cast<int>(prologue.size()), 0);
    in_prologue = false;
    depth = list_depth;
    item_open = false;
    prologue_size = fed = prologue.size();
    lines_before = sought_line - 1;
    counted_at = 0;
    pending = least_piece = 0;
    between_items = true;
  }

  const ReaderLimits limits;
  const bool lenient;
  XmlHandler* handler;
  Report& report;
  ItemScanner scanner;
  XML_Parser parser;
  std::vector<XmlAttribute> attributes;
  std::vector<std::string> values;
  std::unordered_set<uint64_t> names;
  std::exception_ptr thrown;
  size_t depth = 0;
  size_t pending = 0;         // bytes that expat took without an event
  uint64_t fed = 0;           // bytes that expat was given before the block in work
  uint64_t lines_before = 0;  // line ends of the feed before the block
  uint64_t counted_at = 0;    // the event of the block whose line was asked for last
  uint64_t counted_lines = 0;
  bool is_counted = false;  // there is one
  bool stopped = false;
  bool has_doctype = false;
  bool has_defaults = false;
  bool root_seen = false;
  bool progress = false;
  bool between_items = false;  // all that expat was given is read, and no item is open
  bool in_scanned = false;     // events come from the scanner
  ItemScanner::Found found = ItemScanner::Found::kItem;

  std::vector<std::string> open_names;  // from the root to the list of items
  std::string item_name;
  ItemSearch search;
  size_t list_depth = 0;  // of the element that holds the items; 0 = none is open
  uint64_t item_end = 0;  // of the last item's text, of what expat was given
  std::string carried;    // of an item whose end has not come; expat does not know of it
  const char* block_begin = nullptr;
  const char* next_item_end = nullptr;  // in the block, or its end
  size_t least_piece = 0;
  std::string_view scanned;
  size_t scanned_at = 0;
  size_t scanned_counted = 0;

  // Of a lenient reading.
  uint64_t fault_at = 0;  // of what expat was given
  uint64_t fault_line = 0;
  uint64_t prologue_size = 0;  // of the ancestors' tags that the parser was started again with
  std::string sought;          // text before the next block in which the next item is looked for as well
  uint64_t sought_line = 0;    // where that text begins
  size_t seek_from = 0;        // byte of it
  bool item_open = false;
  bool nested_item = false;
  bool ended = false;    // junk follows the root
  bool seeking = false;  // for the next item
  bool in_prologue = false;
};

XmlParser::XmlParser(const ReadOptions& options, XmlHandler& handler, Report& report, uint64_t first_line)
    : impl_(std::make_unique<Impl>(options, handler, report, first_line)) {}
XmlParser::~XmlParser() = default;
bool XmlParser::push(std::string_view utf8) {
  return impl_->take(utf8, false);
}
bool XmlParser::finish() {
  return impl_->take({}, true);
}
uint64_t XmlParser::last_line() const {
  return impl_->lines_before + 1;
}
uint64_t XmlParser::line() const {
  return impl_->line();
}
void XmlParser::refuse(std::string kind, std::string message) {
  impl_->refuse(std::move(kind), std::move(message));
}
void XmlParser::set_handler(XmlHandler& handler) {
  impl_->handler = &handler;
}
void XmlParser::items(std::string_view name) {
  impl_->item_name = name;
  impl_->search = ItemSearch(name, impl_->open_names.back());
  impl_->list_depth = impl_->depth;
}

}  // namespace souk::feed
