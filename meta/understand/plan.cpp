// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/plan.h"

#include <algorithm>
#include <ranges>

#include "core/query/search.h"
#include "core/rank/bm25f.h"
#include "core/text/normalize.h"
#include "meta/understand/place.h"
#include "meta/understand/plan_words.h"

namespace souk::understand {

namespace {

// "A > B" -> folded names from the root; one name alone stands for every category so called.
std::vector<std::string> folded_path(std::string_view path) {
  std::vector<std::string> names;
  for (const auto part : std::views::split(path, '>')) names.push_back(text::fold(std::string_view(part)));
  return names;
}

bool is_one_of(uint32_t value, const std::vector<uint32_t>& values) {
  return std::ranges::find(values, value) != values.end();
}

class Planner {
 public:
  // place: null when the request is for none.
  Planner(const Parameters& parameters, const config::Place* place, const Catalogue& catalogue, Plan& plan)
      : parameters_(parameters),
        place_(place),
        catalogue_(catalogue),
        dictionary_(*catalogue.dictionary),
        plan_(plan) {}

  void add_filters();
  void fix_filters();  // what the place always has
  Status add_facets();

 private:
  void warn(std::string what, const std::string& name) { plan_.warnings.push_back("no such " + what + ": " + name); }
  std::vector<uint32_t> categories_called(const std::string& name) const;
  void add_categories(const std::vector<std::string>& names, wire::Filters& filters);
  void add_vendors(const std::vector<std::string>& names, wire::Filters& filters);
  void add_shops(const std::vector<std::string>& names, wire::Filters& filters);
  void add_regions(const std::vector<std::string>& names, wire::Filters& filters);
  void add_params();
  std::vector<std::string> market_facets() const;
  Result<wire::Facet> facet_of(const std::string& name) const;
  bool is_asked(const wire::Facet& facet) const;

  const Parameters& parameters_;
  const config::Place* place_;
  const Catalogue& catalogue_;
  const index::Dictionary& dictionary_;
  Plan& plan_;
};

std::vector<uint32_t> Planner::categories_called(const std::string& name) const {
  if (const auto key = parse_key(name)) {
    if (const auto category = dictionary_.find_category(*key)) return {*category};
  }
  return dictionary_.find_categories(folded_path(name));
}

void Planner::add_categories(const std::vector<std::string>& names, wire::Filters& filters) {
  if (names.empty()) return;
  wire::RangeFilter& filter = *filters.mutable_categories();
  for (const std::string& name : names) {
    const auto found = categories_called(name);
    if (found.empty()) warn("category", name);
    for (const uint32_t category : found) {
      if (static_cast<size_t>(filter.ranges_size()) >= query::kMaxFilterValues) {
        plan_.warnings.push_back("not all categories of this name are searched: " + name);
        break;
      }
      wire::OrdinalRange& range = *filter.add_ranges();
      range.set_begin(category);
      range.set_end(dictionary_.category_end(category));
    }
  }
}

void Planner::add_vendors(const std::vector<std::string>& names, wire::Filters& filters) {
  if (!names.empty()) filters.mutable_vendors();
  for (const std::string& name : names) {
    const auto vendor = dictionary_.find_vendor(text::fold(name));
    vendor ? filters.mutable_vendors()->add_values(*vendor) : warn("vendor", name);
  }
}

void Planner::add_shops(const std::vector<std::string>& names, wire::Filters& filters) {
  if (!names.empty()) filters.mutable_shops();
  for (const std::string& name : names) {
    const auto key = parse_key(name);
    auto shop = key ? dictionary_.find_shop(*key) : std::nullopt;
    if (!shop) shop = dictionary_.find_shop(text::fold(name));
    shop ? filters.mutable_shops()->add_values(*shop) : warn("shop", name);
  }
}

void Planner::add_regions(const std::vector<std::string>& names, wire::Filters& filters) {
  if (!names.empty()) filters.mutable_regions();
  for (const std::string& name : names) {
    const auto region = dictionary_.find_region(text::fold(name));
    region ? filters.mutable_regions()->add_values(*region) : warn("region", name);
  }
}

void Planner::add_params() {
  for (const auto& [name, values] : parameters_.params) {
    wire::OrdinalFilter& filter = *plan_.request.mutable_filters()->add_params();
    const auto param = dictionary_.find_param(name);
    if (!param) {
      warn("param", name);
      continue;
    }
    for (const std::string& value : values) {
      const auto ordinal = dictionary_.find_param_value(*param, text::fold(value));
      ordinal ? filter.add_values(*ordinal) : warn("value of param " + name, value);
    }
  }
}

void Planner::add_filters() {
  wire::Filters& filters = *plan_.request.mutable_filters();
  add_categories(parameters_.categories, filters);
  add_vendors(parameters_.vendors, filters);
  add_shops(parameters_.shops, filters);
  add_regions(parameters_.regions, filters);
  if (parameters_.price_from) filters.set_price_from(*parameters_.price_from);
  if (parameters_.price_to) filters.set_price_to(*parameters_.price_to);
  filters.set_in_stock(parameters_.in_stock);
  filters.set_ways(parameters_.ways);
  filters.set_no_adult(!parameters_.adult);
  add_params();
  if (parameters_.model) filters.set_model(parameters_.model->value());
}

void Planner::fix_filters() {
  if (place_ == nullptr) return;
  wire::Filters& fixed = *plan_.request.mutable_fixed();
  add_categories(place_->categories, fixed);
  add_vendors(place_->vendors, fixed);
  add_shops(place_->shops, fixed);
  add_regions(place_->regions, fixed);
  if (place_->price_from) fixed.set_price_from(*place_->price_from);
  if (place_->price_to) fixed.set_price_to(*place_->price_to);
  fixed.set_in_stock(place_->in_stock);
  for (const std::string& way : place_->delivery) fixed.set_ways(fixed.ways() | way_called(way).value());
  fixed.set_no_adult(!place_->adult);
}

// The place's facets, else those of the deepest configured category that the one asked-for category lies in, else the
// market's.
std::vector<std::string> Planner::market_facets() const {
  const config::Market& market = *catalogue_.market;
  if (place_ != nullptr && place_->facets) return *place_->facets;
  if (parameters_.categories.size() != 1) return market.default_facets;
  const auto found = categories_called(parameters_.categories.front());
  if (found.size() != 1) return market.default_facets;
  for (uint32_t c = found.front(); c != index::kNoOrdinal; c = dictionary_.category_parent(c)) {
    for (const auto& [path, facets] : market.category_facets) {
      if (is_one_of(c, dictionary_.find_categories(folded_path(path)))) return facets;
    }
  }
  return market.default_facets;
}

Result<wire::Facet> Planner::facet_of(const std::string& name) const {
  wire::Facet facet;
  facet.set_own_filter(-1);
  if (name == "category") {
    facet.set_kind(wire::FACET_CATEGORY);
  } else if (name == "vendor") {
    facet.set_kind(wire::FACET_VENDOR);
  } else if (name == "shop") {
    facet.set_kind(wire::FACET_SHOP);
  } else if (name == "price") {
    facet.set_kind(wire::FACET_PRICE);
  } else if (name.starts_with("param.")) {
    facet.set_kind(wire::FACET_PARAM);
    const std::string folded = text::fold(std::string_view(name).substr(6));
    if (const auto param = dictionary_.find_param(folded)) {
      facet.mutable_param()->set_begin(dictionary_.param_begin(*param));
      facet.mutable_param()->set_end(dictionary_.param_begin(*param + 1));
    }
    for (size_t i = 0; i < parameters_.params.size(); ++i) {
      if (parameters_.params[i].first == folded) facet.set_own_filter(static_cast<int32_t>(i));
    }
  } else {
    return fail(ErrorCode::kInvalidArgument, "must be category, vendor, shop, price or param.NAME", "facets");
  }
  return facet;
}

bool Planner::is_asked(const wire::Facet& facet) const {
  return std::ranges::any_of(plan_.request.facets(), [&facet](const wire::Facet& other) {
    return other.kind() == facet.kind() && other.param().begin() == facet.param().begin();
  });
}

Status Planner::add_facets() {
  for (const std::string& name : parameters_.facets ? *parameters_.facets : market_facets()) {
    auto facet = facet_of(name);
    if (!facet) return std::unexpected(facet.error());
    if (facet->kind() == wire::FACET_PARAM && facet->param().end() == 0) {
      // The market's choice may name params that no offer has now.
      if (parameters_.facets) warn("param", name.substr(6));
      continue;
    }
    if (is_asked(*facet)) continue;  // one param has many spellings
    plan_.facets.push_back({name, facet->kind()});
    *plan_.request.add_facets() = std::move(*facet);
  }
  return {};
}

// The page behind the cursor instead of the first one.
Status resume(const std::string& text, const Catalogue& catalogue, Plan& plan) {
  const auto cursor = parse_cursor(text);
  if (!cursor) return std::unexpected(cursor.error());
  const auto refuse = [](std::string message) {
    return fail(ErrorCode::kInvalidArgument, std::move(message), "cursor");
  };
  if (cursor->query != plan.query_hash) return refuse("of another query: only page size, facets and totals may change");
  if (cursor->generation != catalogue.generation) {
    return refuse("of generation " + to_string(cursor->generation) + ", but " + to_string(catalogue.generation) +
                  " is active: begin anew without a cursor");
  }
  *plan.request.mutable_after() = cursor->after;
  if (cursor->description) widen_to_description(plan, catalogue);
  return {};
}

void add_view(const Parameters& parameters, const Catalogue& catalogue, wire::ShardRequest& request) {
  request.set_generation_number(catalogue.generation.number);
  request.set_generation_hash(catalogue.generation.content_hash);
  request.set_sort(parameters.sort);
  request.set_group(parameters.group);
  request.set_totals(parameters.totals);
  request.set_limit(parameters.page * parameters.per_page + kSpareHits);
  request.set_explain(parameters.debug);
  request.set_quality_weight(catalogue.market->quality_weight);
}

}  // namespace

Result<Plan> make_plan(const Parameters& parameters, QueryText text, const Catalogue& catalogue) {
  const auto place = place_of(parameters, *catalogue.market);
  if (!place) return std::unexpected(place.error());
  Plan plan;
  plan.text = std::move(text);
  plan.query_hash = query_hash(parameters);
  plan.warnings = parameters.warnings;
  plan.warnings.insert(plan.warnings.end(), plan.text.warnings.begin(), plan.text.warnings.end());
  add_view(parameters, catalogue, plan.request);
  plan_words(plan.text, parameters.min_match, *catalogue.dictionary, plan);
  Planner planner(parameters, *place, catalogue, plan);
  planner.add_filters();
  planner.fix_filters();
  if (Status done = planner.add_facets(); !done) return std::unexpected(done.error());
  if (parameters.cursor) {
    if (Status done = resume(*parameters.cursor, catalogue, plan); !done) return std::unexpected(done.error());
  }
  if (parameters.model) {  // all offers of a model are on one shard
    plan.shards.push_back((*catalogue.slots)[parameters.model->slot() % placement::kOpenSlots]);
  } else {
    for (uint32_t shard = 1; shard <= catalogue.shards; ++shard) plan.shards.push_back(shard);
  }
  return plan;
}

void widen_to_description(Plan& plan, const Catalogue& catalogue) {
  plan.request.set_with_description(true);
  for (int i = 0; i < plan.request.terms_size(); ++i) {
    plan.request.mutable_terms(i)->set_weight(
        rank::idf_weight(catalogue.dictionary->stats().documents, plan.any_df[static_cast<size_t>(i)]));
  }
}

std::string next_cursor(const Plan& plan, const wire::After& last) {
  return to_text({.generation = {plan.request.generation_number(), plan.request.generation_hash()},
                  .query = plan.query_hash,
                  .description = plan.request.with_description(),
                  .after = last});
}

}  // namespace souk::understand
