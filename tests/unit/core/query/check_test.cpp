// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/query/search.h"
#include "tests/unit/core/world.h"

namespace souk::query {
namespace {

class CheckRequest : public testing::Test {
 protected:
  test::World world_{{{.id = 1, .category = {"Зоо", "Корм"}, .vendor = "Lynx", .params = {{"Цвет", "Белый"}}},
                      {.id = 2, .category = {"Зоо"}, .shop = 2, .params = {{"Цвет", "Чёрный"}}}},
                     1};

  // The field that is named, or "" when the request is within its bounds.
  std::string refused(const std::function<void(wire::ShardRequest&)>& change) const {
    wire::ShardRequest request = world_.request();
    change(request);
    const Status checked = check_request(request, world_.dictionary());
    if (checked) return "";
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalidArgument);
    return checked.error().argument;
  }
};

TEST_F(CheckRequest, APlainOnePasses) {
  EXPECT_EQ(refused([](auto&) {}), "");
}

TEST_F(CheckRequest, Terms) {
  const auto with = [](size_t terms, size_t bytes, uint32_t weight) {
    return [=](wire::ShardRequest& request) {
      for (size_t i = 0; i < terms; ++i) {
        request.add_terms()->set_text(std::string(bytes, 'x'));
        request.mutable_terms(static_cast<int>(i))->set_weight(weight);
      }
    };
  };
  EXPECT_EQ(refused(with(32, 256, 65535)), "");
  EXPECT_EQ(refused(with(33, 1, 1)), "terms");
  EXPECT_EQ(refused(with(1, 0, 1)), "terms");
  EXPECT_EQ(refused(with(1, 257, 1)), "terms");
  EXPECT_EQ(refused(with(1, 1, 65536)), "terms");
}

// Three terms, and what is changed of them.
std::function<void(wire::ShardRequest&)> three_terms(const std::function<void(wire::ShardRequest&)>& change) {
  return [change](wire::ShardRequest& request) {
    for (const char* text : {"a", "b", "c"}) request.add_terms()->set_text(text);
    change(request);
  };
}

template <typename Message>
void fill(Message& message, const std::vector<uint32_t>& terms) {
  message.mutable_terms()->Add(terms.begin(), terms.end());
}

TEST_F(CheckRequest, Slots) {
  const auto with = [](size_t slots, const std::vector<uint32_t>& terms) {
    return three_terms([=](wire::ShardRequest& r) {
      for (size_t i = 0; i < slots; ++i) fill(*r.add_slots(), terms);
    });
  };
  EXPECT_EQ(refused(with(1, {0, 1, 2})), "");
  EXPECT_EQ(refused(with(32, {2})), "");
  EXPECT_EQ(refused(with(33, {2})), "slots");
  EXPECT_EQ(refused(with(1, {})), "slots");
  EXPECT_EQ(refused(with(1, {3})), "slots");
  EXPECT_EQ(refused(with(1, {0xFFFFFFFF})), "slots");
  EXPECT_EQ(refused(with(1, std::vector<uint32_t>(kMaxTerms, 0))), "");
  EXPECT_EQ(refused(with(1, std::vector<uint32_t>(kMaxTerms + 1, 0))), "slots");
  EXPECT_EQ(refused([](auto& r) { fill(*r.add_slots(), {0}); }), "slots") << "there are no terms";
}

TEST_F(CheckRequest, MinMatch) {
  EXPECT_EQ(refused(three_terms([](auto& r) { r.set_min_match(3); })), "");
  EXPECT_EQ(refused(three_terms([](auto& r) { r.set_min_match(4); })), "min_match");
  EXPECT_EQ(refused(three_terms([](auto& r) {
              fill(*r.add_slots(), {0, 1});
              r.set_min_match(2);
            })),
            "min_match");
  EXPECT_EQ(refused([](auto& r) { r.set_min_match(1); }), "min_match");
}

TEST_F(CheckRequest, Phrases) {
  const auto with = [](size_t phrases, const std::vector<uint32_t>& terms) {
    return three_terms([=](wire::ShardRequest& r) {
      for (size_t i = 0; i < phrases; ++i) fill(*r.add_phrases(), terms);
    });
  };
  EXPECT_EQ(refused(with(8, {0, 1, 0})), "");
  EXPECT_EQ(refused(with(9, {0})), "phrases");
  EXPECT_EQ(refused(with(1, {})), "phrases");
  EXPECT_EQ(refused(with(1, {3})), "phrases");
  EXPECT_EQ(refused(with(1, std::vector<uint32_t>(kMaxTerms, 1))), "");
  EXPECT_EQ(refused(with(1, std::vector<uint32_t>(kMaxTerms + 1, 1))), "phrases");
}

TEST_F(CheckRequest, Variants) {
  const auto with = [](size_t variants, uint32_t set) {
    return three_terms([=](wire::ShardRequest& r) {
      for (size_t i = 0; i < variants; ++i) r.add_variants(set);
    });
  };
  EXPECT_EQ(refused(with(32, 7)), "");
  EXPECT_EQ(refused(with(33, 7)), "variants");
  EXPECT_EQ(refused(with(1, 0)), "variants");
  EXPECT_EQ(refused(with(1, 8)), "variants");
  EXPECT_EQ(refused(with(1, 0x80000001)), "variants");
  EXPECT_EQ(refused([](auto& r) { r.add_variants(1); }), "variants") << "there are no slots";
  EXPECT_EQ(refused([](auto& r) {
              for (int i = 0; i < 32; ++i) r.add_terms()->set_text("a");
              r.add_variants(0xFFFFFFFF);
            }),
            "");
}

TEST_F(CheckRequest, Totals) {
  const auto at_least = [](const std::function<void(wire::ShardRequest&)>& change) {
    return three_terms([change](wire::ShardRequest& r) {
      r.set_totals(wire::TOTALS_AT_LEAST);
      change(r);
    });
  };
  EXPECT_EQ(refused(at_least([](auto&) {})), "");
  EXPECT_EQ(refused(at_least([](auto& r) { r.add_variants(1); })), "totals");
  EXPECT_EQ(refused(at_least([](auto& r) { r.add_facets(); })), "totals");
  EXPECT_EQ(refused([](auto& r) { r.set_totals(static_cast<wire::Totals>(2)); }), "totals");
}

TEST_F(CheckRequest, After) {
  const auto after = [](wire::Group group, uint64_t group_key, uint64_t key) {
    return [=](wire::ShardRequest& r) {
      r.set_group(group);
      r.mutable_after()->set_order(std::numeric_limits<int64_t>::min());
      r.mutable_after()->set_group(group_key);
      r.mutable_after()->set_key(key);
    };
  };
  EXPECT_EQ(refused(after(wire::GROUP_MODEL, 1, 0)), "");
  EXPECT_EQ(refused(after(wire::GROUP_MODEL, 0, 1)), "after");
  EXPECT_EQ(refused(after(wire::GROUP_OFFER, 1, 1)), "");
  EXPECT_EQ(refused(after(wire::GROUP_OFFER, 1, 0)), "after");
}

TEST_F(CheckRequest, Numbers) {
  EXPECT_EQ(refused([](auto& r) { r.set_limit(10'100); }), "");
  EXPECT_EQ(refused([](auto& r) { r.set_limit(10'101); }), "limit");
  EXPECT_EQ(refused([](auto& r) { r.set_quality_weight(1'000'000); }), "");
  EXPECT_EQ(refused([](auto& r) { r.set_quality_weight(1'000'001); }), "quality_weight");
  EXPECT_EQ(refused([](auto& r) { r.set_sort(static_cast<wire::Sort>(5)); }), "sort");
  EXPECT_EQ(refused([](auto& r) { r.set_sort(static_cast<wire::Sort>(-1)); }), "sort");
  EXPECT_EQ(refused([](auto& r) { r.set_group(static_cast<wire::Group>(2)); }), "group");
}

TEST_F(CheckRequest, Ordinals) {
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->mutable_vendors()->add_values(0); }), "");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->mutable_vendors()->add_values(1); }), "filters.vendors");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->mutable_shops()->add_values(2); }), "filters.shops");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->mutable_regions()->add_values(3); }), "");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->mutable_regions()->add_values(4); }), "filters.regions");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->set_ways(index::kWays); }), "");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->set_ways(index::kAdult); }), "filters.ways");
  EXPECT_EQ(refused([](auto& r) { r.mutable_fixed()->mutable_vendors()->add_values(0); }), "");
  EXPECT_EQ(refused([](auto& r) { r.mutable_fixed()->mutable_vendors()->add_values(1); }), "filters.vendors");
  EXPECT_EQ(refused([](auto& r) { r.mutable_fixed()->add_params(); }), "fixed");
  EXPECT_EQ(refused([](auto& r) { r.mutable_fixed()->set_model(1); }), "fixed");
  EXPECT_EQ(refused([](auto& r) { r.mutable_fixed()->set_offer(1); }), "fixed");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->add_params()->add_values(1); }), "");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->add_params()->add_values(2); }), "filters.params");
  EXPECT_EQ(refused([](auto& r) { r.mutable_filters()->add_params()->add_values(index::kNoOrdinal); }),
            "filters.params");
}

TEST_F(CheckRequest, NumbersOfValues) {
  const auto vendors = [](int count) {
    return [count](wire::ShardRequest& r) {
      for (int i = 0; i < count; ++i) r.mutable_filters()->mutable_vendors()->add_values(0);
    };
  };
  EXPECT_EQ(refused(vendors(256)), "");
  EXPECT_EQ(refused(vendors(257)), "filters.vendors");
  const auto params = [](int count) {
    return [count](wire::ShardRequest& r) {
      for (int i = 0; i < count; ++i) r.mutable_filters()->add_params();
    };
  };
  EXPECT_EQ(refused(params(32)), "");
  EXPECT_EQ(refused(params(33)), "filters.params");
}

TEST_F(CheckRequest, CategoryRanges) {
  const auto range = [](uint32_t begin, uint32_t end) {
    return [=](wire::ShardRequest& r) {
      wire::OrdinalRange& added = *r.mutable_filters()->mutable_categories()->add_ranges();
      added.set_begin(begin);
      added.set_end(end);
    };
  };
  EXPECT_EQ(refused(range(0, 2)), "");
  EXPECT_EQ(refused(range(0, 3)), "filters.categories");
  EXPECT_EQ(refused(range(1, 1)), "filters.categories");
  EXPECT_EQ(refused(range(2, 1)), "filters.categories");
  EXPECT_EQ(refused([&range](auto& r) {
              for (int i = 0; i < 257; ++i) range(0, 1)(r);
            }),
            "filters.categories");
}

TEST_F(CheckRequest, Facets) {
  const auto facet = [](int kind, uint32_t begin, uint32_t end, int own_filter) {
    return [=](wire::ShardRequest& r) {
      r.mutable_filters()->add_params();
      wire::Facet& added = *r.add_facets();
      added.set_kind(static_cast<wire::FacetKind>(kind));
      added.mutable_param()->set_begin(begin);
      added.mutable_param()->set_end(end);
      added.set_own_filter(own_filter);
    };
  };
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 0, 2, 0)), "");
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 0, 0, -1)), "");
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 0, 3, -1)), "facets");
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 2, 1, -1)), "facets");
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 0, 2, 1)), "facets");  // there is no filter 1
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 0, 2, -2)), "facets");
  EXPECT_EQ(refused(facet(wire::FACET_PARAM, 0, 2, std::numeric_limits<int>::min())), "facets");
  EXPECT_EQ(refused(facet(5, 0, 0, -1)), "facets");
  EXPECT_EQ(refused([](auto& r) {
              for (int i = 0; i < 33; ++i) r.add_facets();
            }),
            "facets");
}

TEST_F(CheckRequest, TheSameFacetTwice) {
  const auto twice = [](wire::FacetKind kind) {
    return [kind](wire::ShardRequest& r) {
      for (int i = 0; i < 2; ++i) r.add_facets()->set_kind(kind);
    };
  };
  for (const auto kind : {wire::FACET_CATEGORY, wire::FACET_VENDOR, wire::FACET_SHOP, wire::FACET_PRICE})
    EXPECT_EQ(refused(twice(kind)), "facets");
  using Range = std::pair<uint32_t, uint32_t>;
  const auto params = [](Range first, Range second) {
    return [=](wire::ShardRequest& r) {
      for (const auto& [begin, end] : {first, second}) {
        wire::Facet& facet = *r.add_facets();
        facet.set_kind(wire::FACET_PARAM);
        facet.set_own_filter(-1);
        facet.mutable_param()->set_begin(begin);
        facet.mutable_param()->set_end(end);
      }
    };
  };
  EXPECT_EQ(refused(params({0, 1}, {1, 2})), "");
  EXPECT_EQ(refused(params({1, 1}, {0, 2})), "") << "an empty one counts nothing";
  EXPECT_EQ(refused(params({0, 2}, {1, 2})), "facets");
  EXPECT_EQ(refused(params({0, 1}, {0, 1})), "facets");
}

}  // namespace
}  // namespace souk::query
