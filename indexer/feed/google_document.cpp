// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/google_document.h"

#include <fmt/core.h>

#include <utility>

#include "indexer/feed/plain_text.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

constexpr size_t kMaxDeclarations = 64;  // in force at once; each name looks through them

std::string_view prefix_of(std::string_view name) {
  const size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string_view() : name.substr(0, colon);
}

}  // namespace

GoogleDocument::GoogleDocument(const ReadOptions& options, FeedReader::Accept accept, Report& report)
    : mode_(options.mode),
      limits_(options.limits),
      accept_(std::move(accept)),
      report_(report),
      validator_(OfferValidator::Rules::kGoogle, options, report) {}

void GoogleDocument::declare(Attributes attributes) {
  for (const XmlAttribute& attribute : attributes) {
    if (!attribute.name.starts_with("xmlns")) continue;
    const std::string_view rest = attribute.name.substr(5);
    if (!rest.empty() && rest[0] != ':') continue;
    Space space = Space::kOther;
    if (attribute.value == "http://base.google.com/ns/1.0") {
      space = Space::kGoogle;
    } else if (attribute.value == "http://www.w3.org/2005/Atom") {
      space = Space::kAtom;
    } else if (attribute.value.empty() || attribute.value == "http://purl.org/rss/1.0/") {
      space = Space::kNone;
    }
    if (declarations_.size() == kMaxDeclarations) {
      parser_->refuse("size_limit", "the feed declares too many namespaces");
      return;
    }
    declarations_.push_back({depth_, std::string(rest.empty() ? rest : rest.substr(1)), space});
  }
}

// What is not declared gives kOther, after the feed was refused or repaired.
GoogleDocument::Space GoogleDocument::find_space(std::string_view prefix) {
  for (size_t i = declarations_.size(); i > 0; --i) {
    if (declarations_[i - 1].prefix == prefix) return declarations_[i - 1].space;
  }
  if (prefix.empty()) return Space::kNone;
  if (prefix == "xml" || prefix == "xmlns") return Space::kOther;
  const std::string message = fmt::format("the prefix {} is not declared", in_quotes(prefix));
  if (!repaired_ && mode_ == Mode::kLenient) {
    repaired_ = true;
    report_.warn({parser_->line(), {}, "namespace_repaired", message});
  } else if (!repaired_) {
    parser_->refuse("xml_malformed", message);
    return Space::kOther;
  }
  return prefix == "g" ? Space::kGoogle : Space::kOther;
}

GoogleDocument::Name GoogleDocument::resolve(std::string_view name, Attributes attributes) {
  for (const XmlAttribute& attribute : attributes) {
    const std::string_view prefix = prefix_of(attribute.name);
    if (!prefix.empty()) find_space(prefix);
  }
  const std::string_view prefix = prefix_of(name);
  Name out;
  out.space = find_space(prefix);
  out.local = prefix.empty() ? name : name.substr(prefix.size() + 1);
  out.bad = !report_.ok();
  return out;
}

void GoogleDocument::on_start(std::string_view written, Attributes attributes) {
  ++depth_;
  declare(attributes);
  const Name name = resolve(written, attributes);
  if (name.bad) return;
  if (ignored_ > 0) {
    ++ignored_;
    return;
  }
  switch (place_) {
    case Place::kOutside:
      return start_root(name, written);
    case Place::kRoot:
      if (name.local == "channel" && kind_ == Kind::kRss) {
        place_ = Place::kChannel;
        parser_->items("item");
        return;
      }
      [[fallthrough]];
    case Place::kChannel:
      return start_in_channel(name, attributes);
    case Place::kItem:
      return start_in_item(name, attributes);
    case Place::kDetail:
      return start_in_detail(name);
    case Place::kHeaderText:
    case Place::kText:
    case Place::kDetailText:
      text_.blank();
      break;
  }
  ++ignored_;
}

void GoogleDocument::start_root(const Name& name, std::string_view written) {
  root_line_ = parser_->line();
  if (name.local == "rss") {
    kind_ = Kind::kRss;
  } else if (name.local == "feed") {
    kind_ = Kind::kAtom;
    parser_->items(written == "feed" ? "entry" : std::string(prefix_of(written)) + ":entry");
  } else if (name.local == "RDF") {
    kind_ = Kind::kRdf;
    parser_->items("item");
  } else {
    parser_->refuse("not_a_feed", fmt::format("the document begins with {}, which is no feed", in_quotes(written)));
    return;
  }
  place_ = Place::kRoot;
}

bool GoogleDocument::is_item(const Name& name) const {
  if (kind_ == Kind::kRss) return place_ == Place::kChannel && name.local == "item" && name.space != Space::kOther;
  if (kind_ == Kind::kRdf) return place_ == Place::kRoot && name.local == "item" && name.space != Space::kOther;
  return place_ == Place::kRoot && name.local == "entry" && (name.space == Space::kAtom || name.space == Space::kNone);
}

// In the root too, when the items are its children.
void GoogleDocument::start_in_channel(const Name& name, Attributes attributes) {
  if (is_item(name)) return begin_item();
  const bool plain = name.space == Space::kNone || (name.space == Space::kAtom && kind_ == Kind::kAtom);
  if (plain && name.local == "channel" && kind_ == Kind::kRdf && place_ == Place::kRoot) {
    place_ = Place::kChannel;
    return;
  }
  if (plain && (name.local == "title" || name.local == "link")) {
    header_text_ = name.local == "title" ? &header_.shop_name : &header_.url;
    if (kind_ == Kind::kAtom && name.local == "link") {
      const std::string_view relation = find_attribute(attributes, "rel");
      if (header_.url.empty() && (relation.empty() || relation == "alternate")) {
        header_.url = find_attribute(attributes, "href");
        fold_space(header_.url);
        cut_characters(header_.url, FeedHeader::kMaxText);
      }
    } else if (header_text_->empty()) {
      place_ = Place::kHeaderText;
      text_.begin(BoundedText::kUsual);
      return;
    }
  }
  ++ignored_;
}

void GoogleDocument::begin_item() {
  if (++offers_ > limits_.offers) {
    parser_->refuse("size_limit", fmt::format("the feed has more than {} offers", limits_.offers));
    return;
  }
  place_ = Place::kItem;
  raw_.clear();
  raw_.line = parser_->line();
}

void GoogleDocument::start_in_item(const Name& name, Attributes attributes) {
  const bool google = name.space == Space::kGoogle;
  const bool plain = name.space == Space::kNone || (name.space == Space::kAtom && kind_ == Kind::kAtom);
  attribute_ = nullptr;
  if (google && name.local == "product_detail") {
    place_ = Place::kDetail;
    detail_ = {};
    return;
  }
  if (google || (plain && name.local != "id")) attribute_ = find_google_attribute(name.local);
  if (plain && kind_ == Kind::kAtom) {
    if (name.local == "summary" || name.local == "content") attribute_ = find_google_attribute("description");
    if (name.local == "link") {
      const std::string_view relation = find_attribute(attributes, "rel");
      std::string href(find_attribute(attributes, "href"));
      if (!href.empty()) {
        if (relation.empty() || relation == "alternate") raw_.set(Field::kUrl, href);
        attribute_ = nullptr;
      }
    }
  }
  if (attribute_ == nullptr) {
    ++ignored_;
    return;
  }
  place_ = Place::kText;
  text_.begin(attribute_->field == Field::kDescription ? BoundedText::kDescription : BoundedText::kUsual);
}

void GoogleDocument::start_in_detail(const Name& name) {
  if (name.local == "attribute_name") {
    detail_text_ = &detail_.name;
  } else if (name.local == "attribute_value") {
    detail_text_ = &detail_.value;
  } else {
    ++ignored_;
    return;
  }
  place_ = Place::kDetailText;
  text_.begin(BoundedText::kUsual);
}

void GoogleDocument::on_end() {
  while (!declarations_.empty() && declarations_.back().depth == depth_) declarations_.pop_back();
  --depth_;
  if (ignored_ > 0) {
    --ignored_;
    if (place_ == Place::kText || place_ == Place::kHeaderText || place_ == Place::kDetailText) text_.blank();
    return;
  }
  switch (place_) {
    case Place::kOutside:
      return;
    case Place::kRoot:
      place_ = Place::kOutside;
      return;
    case Place::kChannel:
      place_ = Place::kRoot;
      return;
    case Place::kHeaderText:
      fold_space(text_.text());
      cut_characters(text_.text(), FeedHeader::kMaxText);
      *header_text_ = text_.text();
      place_ = depth_ > 1 ? Place::kChannel : Place::kRoot;
      return;
    case Place::kItem:
      return end_item();
    case Place::kText:
      return end_text();
    case Place::kDetail:
      raw_.add_param(std::move(detail_), limits_.params);
      place_ = Place::kItem;
      return;
    case Place::kDetailText:
      std::swap(*detail_text_, text_.text());
      place_ = Place::kDetail;
      return;
  }
}

void GoogleDocument::end_text() {
  place_ = Place::kItem;
  const bool description = attribute_->field == Field::kDescription;
  const bool first = !description || raw_[Field::kDescription].empty();
  take_google_value(raw_, *attribute_, text_.text());
  if (description && first) raw_.description_cut = text_.cut();
}

void GoogleDocument::end_item() {
  place_ = kind_ == Kind::kRss ? Place::kChannel : Place::kRoot;
  auto offer = validator_.validate(raw_);
  if (!offer) return;
  ++report_.accepted;
  accept_(std::move(*offer));
}

void GoogleDocument::on_text(std::string_view text) {
  if (place_ == Place::kText || place_ == Place::kHeaderText || place_ == Place::kDetailText) text_.append(text);
}

std::string GoogleDocument::item_id() const {
  std::string id = in_item() ? raw_.id : std::string();
  fold_space(id);
  cut_characters(id, OfferLimits::kId);
  return id;
}

void GoogleDocument::on_html_entity(std::string_view name) {
  report_.warn({parser_->line(), item_id(), "html_entity",
                fmt::format("XML has no entity {}; read as in HTML", in_quotes(name))});
}

void GoogleDocument::on_item_lost(uint64_t line, std::string message) {
  report_.reject({in_item() ? raw_.line : line, item_id(), "offer_malformed", std::move(message)});
  place_ = kind_ == Kind::kRss ? Place::kChannel : Place::kRoot;
  depth_ = kind_ == Kind::kRss ? 2 : 1;
  while (!declarations_.empty() && declarations_.back().depth > depth_) declarations_.pop_back();
  ignored_ = 0;
}

bool GoogleDocument::check_whole(uint64_t /*last_line*/) {
  if (report_.accepted == 0) report_.feed_error = {"no_valid_offers", root_line_, "the feed has no valid item"};
  return report_.ok();
}

}  // namespace souk::feed
