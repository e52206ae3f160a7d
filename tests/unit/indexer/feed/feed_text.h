// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/feed_reader.h"

namespace souk::feed {

struct Reading {
  Report report;
  FeedHeader header;
  std::vector<Offer> offers;
  bool good = false;
};

inline std::vector<std::string> ids(const Reading& reading) {
  std::vector<std::string> out;
  for (const Offer& offer : reading.offers) out.push_back(offer.id);
  return out;
}

// Reads a feed that is pushed in blocks of the given size.
inline Reading read_text(std::string_view feed, size_t block = std::string_view::npos,
                         const ReadOptions& options = {}) {
  Reading reading;
  FeedReader reader(options, [&](Offer&& offer) { reading.offers.push_back(std::move(offer)); }, reading.report);
  bool more = true;
  for (size_t at = 0; more && at < feed.size(); at += std::min(block, feed.size() - at)) {
    more = reader.push(feed.substr(at, block));
  }
  reading.good = more && reader.finish();
  reading.header = reader.header();
  return reading;
}

inline Reading read_leniently(std::string_view feed, size_t block = std::string_view::npos) {
  return read_text(feed, block, {.mode = Mode::kLenient, .limits = {}});
}

// A whole feed around the offers; line 9 is the first of `offers`.
inline std::string feed_with(const std::string& offers,
                             const std::string& prolog = R"(<?xml version="1.0" encoding="UTF-8"?>)") {
  return prolog + "\n" + R"(<yml_catalog date="2026-01-10 12:00">
<shop><name>Пример</name><company>ООО Пример</company><url>https://shop.example/</url>
<currencies><currency id="RUR" rate="1"/><currency id="USD" rate="CBRF"/></currencies>
<categories>
<category id="1">Дом</category><category id="2" parentId="1">Лампы</category>
</categories>
<offers>
)" + offers +
         "</offers></shop></yml_catalog>\n";
}

// An offer with all that is required; more = further elements, attributes = further attributes.
inline std::string offer_text(const std::string& id, const std::string& more = {}, const std::string& attributes = {}) {
  return "<offer id=\"" + id + "\" " + attributes + "><url>https://shop.example/" + id +
         "</url><price>100</price><currencyId>RUB</currencyId><categoryId>2</categoryId><name>Лампа</name>" + more +
         "</offer>\n";
}

inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Kinds of the errors or warnings, in order.
inline std::vector<std::string> kinds(const std::vector<OfferError>& entries) {
  std::vector<std::string> out;
  for (const OfferError& entry : entries) out.push_back(entry.kind);
  return out;
}

}  // namespace souk::feed
