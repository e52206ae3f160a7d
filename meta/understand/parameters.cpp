// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/index/fields.h"
#include "core/query/search.h"
#include "core/text/normalize.h"

namespace souk::understand {

namespace {

std::unexpected<Error> bad(std::string message, std::string_view argument) {
  return fail(ErrorCode::kInvalidArgument, std::move(message), std::string(argument));
}

template <typename T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// "1299.5" -> 129950 minor units; at most two decimals, at most 10^15 minor units.
Result<int64_t> parse_price(std::string_view text, std::string_view argument) {
  const size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  std::string_view fraction = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  uint64_t units = 0;
  uint64_t cents = 0;
  const bool well_formed = parse_number(whole, units) && units <= 10'000'000'000'000 &&
                           (dot == std::string_view::npos ||
                            (fraction.size() >= 1 && fraction.size() <= 2 && parse_number(fraction, cents)));
  if (!well_formed) return bad("not a price such as 1299.50", argument);
  if (fraction.size() == 1) cents *= 10;
  return static_cast<int64_t>(units * 100 + cents);
}

Result<bool> parse_flag(std::string_view text, std::string_view argument) {
  if (text == "1" || text == "true") return true;
  if (text == "0" || text == "false") return false;
  return bad("must be 1 or 0", argument);
}

Result<uint32_t> parse_count(std::string_view text, uint32_t most, std::string_view argument) {
  uint32_t value = 0;
  if (!parse_number(text, value) || value < 1 || value > most)
    return bad(fmt::format("must be a number from 1 to {}", most), argument);
  return value;
}

Result<wire::Sort> parse_sort(std::string_view text) {
  if (const auto sort = sort_called(text)) return *sort;
  return bad("must be relevance, price, price_desc, discount or newest", "sort");
}

Result<wire::Group> parse_group(std::string_view text) {
  if (const auto group = group_called(text)) return *group;
  return bad("must be model or offer", "group");
}

// -> words that must be there, 0 = all.
Result<uint32_t> parse_match(std::string_view text) {
  if (text == "all") return 0U;
  if (text == "any") return 1U;
  uint32_t words = 0;
  if (!parse_number(text, words) || words < 1 || words > query::kMaxSlots)
    return bad(fmt::format("must be all, any or a number from 1 to {}", query::kMaxSlots), "match");
  return words;
}

Result<wire::Totals> parse_totals(std::string_view text) {
  if (text == "exact") return wire::TOTALS_EXACT;
  if (text == "at_least") return wire::TOTALS_AT_LEAST;
  return bad("must be exact or at_least", "totals");
}

// Stores a parsed value or passes its error on.
template <typename T, typename U>
Status take(Result<T> value, U& target) {
  if (!value) return std::unexpected(value.error());
  target = std::move(*value);
  return {};
}

Status add_value(std::vector<std::string>& values, const net::QueryPair& pair) {
  if (values.size() >= kMaxValues) return bad(fmt::format("more than {} values", kMaxValues), pair.name);
  values.push_back(pair.value);
  return {};
}

Status add_param(Parameters& out, const net::QueryPair& pair) {
  const std::string name = text::fold(std::string_view(pair.name).substr(6));
  if (name.empty()) return bad("a param has no name", pair.name);
  const auto known = std::ranges::find(out.params, name, &std::pair<std::string, std::vector<std::string>>::first);
  if (known != out.params.end()) return add_value(known->second, pair);
  if (out.params.size() >= query::kMaxParamFilters)
    return bad(fmt::format("more than {} params", query::kMaxParamFilters), pair.name);
  out.params.push_back({name, {pair.value}});
  return {};
}

Status add_way(Parameters& out, const net::QueryPair& pair) {
  const auto way = way_called(pair.value);
  if (!way) return bad("must be courier, pickup, store or free", pair.name);
  if ((out.ways & *way) != 0) return bad("given twice", pair.name);
  out.ways |= *way;
  return {};
}

Status add_facet(Parameters& out, const net::QueryPair& pair) {
  if (!out.facets) out.facets.emplace();
  if (pair.value.empty()) return {};  // "facets=" asks for none
  if (out.facets->size() >= query::kMaxFacets)
    return bad(fmt::format("more than {} facets", query::kMaxFacets), pair.name);
  if (std::ranges::find(*out.facets, pair.value) == out.facets->end()) out.facets->push_back(pair.value);
  return {};
}

// Arguments that may stand only once: what is searched for, then how it is shown.
Status take_question(Parameters& out, const net::QueryPair& pair, bool& known) {
  const std::string& name = pair.name;
  const std::string& value = pair.value;
  if (name == "text") {
    if (value.size() > kMaxTextBytes) return bad(fmt::format("longer than {} bytes", kMaxTextBytes), name);
    out.text = value;
    return {};
  }
  if (name == "match") return take(parse_match(value), out.min_match);
  if (name == "model")
    return take(parse_key(value), out.model).has_value() ? Status{} : bad("not a document key", name);
  if (name == "price_from") return take(parse_price(value, name), out.price_from);
  if (name == "price_to") return take(parse_price(value, name), out.price_to);
  if (name == "in_stock") return take(parse_flag(value, name), out.in_stock);
  if (name == "adult") return take(parse_flag(value, name), out.adult);
  if (name == "place") {
    out.place = value;
    return {};
  }
  known = false;
  return {};
}

Status take_view(Parameters& out, const net::QueryPair& pair, bool& known) {
  const std::string& name = pair.name;
  const std::string& value = pair.value;
  if (name == "sort") return take(parse_sort(value), out.sort);
  if (name == "group") return take(parse_group(value), out.group);
  if (name == "totals") return take(parse_totals(value), out.totals);
  if (name == "page") return take(parse_count(value, kMaxDepth, name), out.page);
  if (name == "per_page") return take(parse_count(value, kMaxPerPage, name), out.per_page);
  if (name == "debug") return take(parse_flag(value, name), out.debug);
  if (name == "cursor") {
    out.cursor = value;
    return {};
  }
  known = false;
  return {};
}

Status take_pair(Parameters& out, const net::QueryPair& pair) {
  if (pair.name == "category") return add_value(out.categories, pair);
  if (pair.name == "vendor") return add_value(out.vendors, pair);
  if (pair.name == "shop") return add_value(out.shops, pair);
  if (pair.name == "region") return add_value(out.regions, pair);
  if (pair.name == "delivery") return add_way(out, pair);
  if (pair.name == "facets") return add_facet(out, pair);
  if (pair.name.starts_with("param.")) return add_param(out, pair);
  bool known = true;
  if (Status done = take_question(out, pair, known); !done) return done;
  if (!known) {
    known = true;
    if (Status done = take_view(out, pair, known); !done) return done;
  }
  if (!known) {
    out.warnings.push_back("unknown argument: " + pair.name);
  } else if (!out.given.insert(pair.name).second) {
    return bad("given twice", pair.name);
  }
  return {};
}

// What only arguments together can be wrong in.
Status check_together(const Parameters& parameters) {
  if (Status done = check_depth(parameters); !done) return done;
  if (parameters.cursor && parameters.given.contains("page"))
    return bad("goes with no cursor, which is a page already", "page");
  if (parameters.price_from && parameters.price_to && *parameters.price_from > *parameters.price_to)
    return bad("is above price_to", "price_from");
  if (parameters.totals == wire::TOTALS_AT_LEAST && parameters.facets && !parameters.facets->empty())
    return bad("at_least goes with no facets, which count every match", "totals");
  return {};
}

}  // namespace

std::optional<wire::Sort> sort_called(std::string_view word) {
  if (word == "relevance") return wire::SORT_RELEVANCE;
  if (word == "price") return wire::SORT_PRICE;
  if (word == "price_desc") return wire::SORT_PRICE_DESC;
  if (word == "discount") return wire::SORT_DISCOUNT;
  if (word == "newest") return wire::SORT_NEWEST;
  return std::nullopt;
}

std::optional<wire::Group> group_called(std::string_view word) {
  if (word == "model") return wire::GROUP_MODEL;
  if (word == "offer") return wire::GROUP_OFFER;
  return std::nullopt;
}

std::optional<uint32_t> way_called(std::string_view word) {
  if (word == "courier") return index::kDelivered;
  if (word == "pickup") return index::kPickup;
  if (word == "store") return index::kStore;
  if (word == "free") return index::kFreeDelivery;
  return std::nullopt;
}

Status check_depth(const Parameters& parameters) {
  const uint64_t depth = uint64_t{parameters.page} * parameters.per_page;
  if (depth > kMaxDepth) return bad(fmt::format("page x per_page is over {}", kMaxDepth), "page");
  if (parameters.debug && depth > kMaxDebugDepth)
    return bad(fmt::format("goes with page x per_page up to {}", kMaxDebugDepth), "debug");
  return {};
}

Result<Parameters> parse_parameters(std::string_view query) {
  const auto pairs = net::parse_query(query, kMaxPairs);
  if (!pairs) return std::unexpected(pairs.error());
  Parameters parameters;
  for (const net::QueryPair& pair : *pairs) {
    if (Status done = take_pair(parameters, pair); !done) return std::unexpected(done.error());
  }
  if (Status done = check_together(parameters); !done) return std::unexpected(done.error());
  if (parameters.totals == wire::TOTALS_AT_LEAST) parameters.facets.emplace();  // not the market's choice either
  return parameters;
}

}  // namespace souk::understand
