// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/xml_parser.h"

// Without it expat.h hides what guards against entity expansion.
#define XML_DTD 1
#include <expat.h>
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <new>
#include <vector>

#include "indexer/feed/html_entities.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/utf8.h"

namespace souk::feed {
namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";

// The characters of &name; in an attribute; nothing when XML and HTML know no such entity.
bool append_reference(std::string& out, std::string_view name) {
  static constexpr std::pair<std::string_view, char> kXml[]{
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, c] : kXml) {
    if (name == known) {
      out += c;
      return true;
    }
  }
  if (name.starts_with('#')) {  // expat has checked it
    const bool hex = name.starts_with("#x");
    append_utf8(out, static_cast<uint32_t>(std::stoul(std::string(name.substr(hex ? 2 : 1)), nullptr, hex ? 16 : 10)));
    return true;
  }
  const auto code = html_entity(name);
  if (code) append_utf8(out, *code);
  return code.has_value();
}

}  // namespace

struct XmlParser::Impl {
  Impl(const ReaderLimits& limits_in, XmlHandler& handler_in, FeedError& error_in)
      : limits(limits_in), handler(handler_in), error(error_in), parser(XML_ParserCreate("UTF-8")) {
    if (parser == nullptr) throw std::bad_alloc();
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetSkippedEntityHandler(parser, on_skipped_entity);
    XML_SetEntityDeclHandler(parser, on_entity_declaration);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    XML_SetCommentHandler(parser, [](void* self, const char*) { of(self).progress = true; });
    XML_SetProcessingInstructionHandler(parser, [](void* self, const char*, const char*) { of(self).progress = true; });
  }
  ~Impl() { XML_ParserFree(parser); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static Impl& of(void* self) { return *static_cast<Impl*>(self); }

  // Runs a handler; exceptions must not pass through expat's C frames.
  template <typename Fn>
  void guarded(const Fn& call) {
    progress = true;
    if (stopped) return;
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
    error = {std::move(kind), line(), std::move(message)};
    stop();
  }

  uint64_t line() {
    const XML_Index index = XML_GetCurrentByteIndex(parser);
    if (index < 0) return lines_before + 1;
    const auto at = static_cast<uint64_t>(index);
    if (at >= fed) {
      // Events come in order: only what lies between two questions is counted.
      if (at - fed < counted_to) counted_to = counted = 0;
      const std::string_view between = block.substr(counted_to, at - fed - counted_to);
      counted += static_cast<uint64_t>(std::ranges::count(between, '\n'));
      counted_to = at - fed;
      return lines_before + 1 + counted;
    }
    // The token began in an earlier block: expat still holds it as a whole.
    int offset = 0;
    int size = 0;
    const char* context = XML_GetInputContext(parser, &offset, &size);
    if (context == nullptr) return lines_before + 1;
    const std::string_view rest =
        std::string_view(context, static_cast<size_t>(size)).substr(static_cast<size_t>(offset));
    return lines_before + 1 - static_cast<uint64_t>(std::ranges::count(rest.substr(0, fed - at), '\n'));
  }

  static void on_start(void* self, const char* name, const char** attributes) {
    Impl& impl = of(self);
    impl.guarded([&] { impl.start(name, attributes); });
  }
  static void on_end(void* self, const char*) {
    Impl& impl = of(self);
    impl.guarded([&] {
      --impl.depth;
      impl.handler.on_end();
    });
  }
  static void on_text(void* self, const char* text, int size) {
    Impl& impl = of(self);
    impl.guarded([&] { impl.handler.on_text({text, static_cast<size_t>(size)}); });
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
  static void on_doctype(void* self, const char* name, const char*, const char*, int) {
    Impl& impl = of(self);
    impl.guarded([&] {
      impl.has_doctype = true;
      impl.handler.on_doctype(name);
    });
  }

  void start(const char* name, const char** in) {
    if (++depth > limits.depth) {
      refuse("size_limit", fmt::format("elements are nested deeper than {}", limits.depth));
      return;
    }
    root_seen = true;
    attributes.clear();
    for (; *in != nullptr; in += 2) attributes.push_back({in[0], in[1]});
    if (attributes.size() > limits.attributes) {
      refuse("size_limit", fmt::format("an element has more than {} attributes", limits.attributes));
      return;
    }
    // With a document type expat drops unknown entities from attributes without a word.
    if (has_doctype && !attributes.empty() && !repair_attributes()) return;
    handler.on_start(name, attributes);
  }

  // Reads the values again from the tag as written, if it has references. false = refused.
  bool repair_attributes() {
    int offset = 0;
    int size = 0;
    const char* context = XML_GetInputContext(parser, &offset, &size);
    if (context == nullptr) return true;
    const std::string_view tag(context + offset, static_cast<size_t>(XML_GetCurrentByteCount(parser)));
    if (!tag.contains('&')) return true;
    values.clear();
    values.resize(attributes.size());
    size_t at = tag.find_first_of(kXmlBlanks);
    const auto specified = static_cast<size_t>(XML_GetSpecifiedAttributeCount(parser)) / 2;
    for (size_t i = 0; i < specified && at < tag.size(); ++i) {
      const size_t open = tag.find_first_of("\"'", at);
      const size_t close = tag.find(tag[open], open + 1);
      if (!decode_value(tag.substr(open + 1, close - open - 1), values[i])) return false;
      attributes[i].value = values[i];
      at = close + 1;
    }
    return true;
  }

  bool decode_value(std::string_view raw, std::string& out) {
    for (size_t at = 0; at < raw.size();) {
      if (raw[at] != '&') {
        if (raw[at] == '\r' && raw.substr(at + 1).starts_with('\n')) ++at;  // a line end is one character
        out += kXmlBlanks.contains(raw[at]) ? ' ' : raw[at];
        ++at;
        continue;
      }
      const size_t end = std::min(raw.find(';', at), raw.size());
      const std::string_view name = raw.substr(at + 1, end - at - 1);
      if (!append_reference(out, name)) {
        refuse("undefined_entity", fmt::format("the entity {} is not defined", in_quotes(name)));
        return false;
      }
      if (html_entity(name) && name != "amp" && name != "lt" && name != "gt" && name != "quot") {
        handler.on_html_entity(name);
      }
      at = end + 1;
    }
    return true;
  }

  void skipped_entity(std::string_view name, bool is_parameter) {
    const auto code = is_parameter ? std::nullopt : html_entity(name);
    if (!code) {
      refuse("undefined_entity", fmt::format("the entity {} is not defined", in_quotes(name)));
    } else {
      std::string text;
      append_utf8(text, *code);
      handler.on_html_entity(name);
      handler.on_text(text);
    }
  }

  bool parse(std::string_view bytes, bool last) {
    block = bytes;
    counted = counted_to = 0;
    progress = false;
    const XML_Status status = XML_Parse(parser, bytes.data(), static_cast<int>(bytes.size()), last ? 1 : 0);
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
    if (stopped) return false;
    if (status != XML_STATUS_OK) {
      report_problem(last);
      return false;
    }
    // Only within one token does expat take input without calling anybody.
    pending = progress ? 0 : pending + bytes.size();
    lines_before += static_cast<uint64_t>(std::ranges::count(bytes, '\n'));
    fed += bytes.size();
    if (pending <= limits.token_bytes) return true;
    error = {"size_limit", lines_before + 1,
             fmt::format("a tag or comment is larger than {} bytes", limits.token_bytes)};
    return false;
  }

  void report_problem(bool last) {
    const XML_Error code = XML_GetErrorCode(parser);
    error = {kind_of(code, last), static_cast<uint64_t>(XML_GetCurrentLineNumber(parser)),
             fmt::format("{} (column {})", XML_ErrorString(code), XML_GetCurrentColumnNumber(parser) + 1)};
    if (error.kind == "truncated") error.message = "the feed ends too early: elements are still open";
  }

  std::string kind_of(XML_Error code, bool last) const {
    if (root_seen && depth == 0) return "trailing_junk";
    switch (code) {
      case XML_ERROR_UNDEFINED_ENTITY:
        return "undefined_entity";
      case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return "trailing_junk";
      case XML_ERROR_NO_ELEMENTS:
      case XML_ERROR_UNCLOSED_TOKEN:
      case XML_ERROR_UNCLOSED_CDATA_SECTION:
      case XML_ERROR_PARTIAL_CHAR:
        return last ? "truncated" : "xml_malformed";
      case XML_ERROR_MISPLACED_XML_PI:
        return root_seen ? "xml_malformed" : "junk_before_xml";
      case XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
        return "dtd_entity_forbidden";
      case XML_ERROR_NO_MEMORY:
        throw std::bad_alloc();
      default:
        return "xml_malformed";
    }
  }

  const ReaderLimits limits;
  XmlHandler& handler;
  FeedError& error;
  XML_Parser parser;
  std::vector<XmlAttribute> attributes;
  std::vector<std::string> values;
  std::exception_ptr thrown;
  bool stopped = false;
  bool has_doctype = false;
  bool root_seen = false;
  bool progress = false;
  size_t depth = 0;
  size_t pending = 0;         // bytes that expat took without an event
  uint64_t fed = 0;           // bytes before the block in work
  uint64_t lines_before = 0;  // line ends before it
  std::string_view block;
  uint64_t counted_to = 0;  // bytes of the block in which line ends are counted
  uint64_t counted = 0;
};

XmlParser::XmlParser(const ReaderLimits& limits, XmlHandler& handler, FeedError& error)
    : impl_(std::make_unique<Impl>(limits, handler, error)) {}
XmlParser::~XmlParser() = default;
bool XmlParser::push(std::string_view utf8) {
  return impl_->parse(utf8, false);
}
bool XmlParser::finish() {
  return impl_->parse({}, true);
}
uint64_t XmlParser::line() const {
  return impl_->line();
}
void XmlParser::refuse(std::string kind, std::string message) {
  impl_->refuse(std::move(kind), std::move(message));
}

}  // namespace souk::feed
