// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "indexer/feed/bounded_text.h"
#include "indexer/feed/raw_offer.h"
#include "indexer/feed/read_options.h"
#include "indexer/feed/xml_parser.h"

namespace souk::feed {

// The elements within one <offer> of a YML document -> RawOffer. Unknown elements and attributes are ignored.
class YmlOffer {
 public:
  explicit YmlOffer(const ReaderLimits& limits) : max_params_(limits.params) {}

  // The offer's own start; its end is for the caller to see.
  void begin(uint64_t line, std::span<const XmlAttribute> attributes);
  void on_start(std::string_view name, std::span<const XmlAttribute> attributes);
  void on_end();
  void on_text(std::string_view text) {
    if (element_ != nullptr) text_.append(text);
  }

  // Whether all that was opened within the offer is closed again.
  bool at_offer() const { return element_ == nullptr && list_ == List::kNone && ignored_ == 0; }
  RawOffer& raw() { return raw_; }

  struct Element;  // how an element is read

 private:
  enum class List : uint8_t { kNone, kDelivery, kPickup, kCondition };

  void start_in_list(std::string_view name, std::span<const XmlAttribute> attributes);
  void start_element(const Element& element, std::span<const XmlAttribute> attributes);
  void end_element();

  const size_t max_params_;
  RawOffer raw_;
  List list_ = List::kNone;
  const Element* element_ = nullptr;  // whose text is read
  size_t ignored_ = 0;                // open elements that mean nothing here
  BoundedText text_;
  RawParam param_;
};

}  // namespace souk::feed
