// SPDX-License-Identifier: Apache-2.0
// The query string of /search on its whole way: whatever is accepted is within its bounds, and its plan is one that
// every shard takes and answers as asked.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/merge/merge.h"
#include "core/oracle/oracle.h"
#include "core/query/search.h"
#include "meta/understand/highlight.h"
#include "meta/understand/parameters.h"
#include "meta/understand/place.h"
#include "meta/understand/plan.h"
#include "runtime/net/utf8.h"
#include "tests/unit/core/world.h"

namespace souk {
namespace {

constexpr std::string_view kMarket = R"(
default_facets = ["category", "vendor", "price", "shop", "param.Цвет", "param.Никто"]
[category_facets]
"Зоо > Игрушки" = ["vendor", "param.Вес"]
[[places]]
name = "a"
category = ["Зоо"]
region = ["Москва", "Нигде"]
delivery = ["courier"]
adult = false
sorts = ["price", "newest"]
per_page = 100
facets = ["shop", "param.Никто"]
[[places]]
name = "b"
vendor = ["Никто"]
group = "offer"
price_to = 500
)";

std::vector<test::TestOffer> offers() {
  std::vector<test::TestOffer> all;
  for (uint64_t id = 1; id <= 6; ++id) {
    test::TestOffer offer;
    offer.id = id;
    offer.model = id % 3;
    offer.title = id % 2 == 0 ? "злой кот" : "мышь USB 2";
    offer.description = "подарок для кота";
    offer.category = id % 2 == 0 ? std::vector<std::string>{"Зоо", "Игрушки"} : std::vector<std::string>{"Дети"};
    offer.vendor = id % 4 == 0 ? "" : "Lynx";
    offer.shop = static_cast<uint32_t>(id % 3 + 1);
    offer.price = static_cast<int64_t>(100 * id);
    offer.flags = static_cast<uint8_t>(id % 8);
    offer.params = {{"Цвет", id % 2 == 0 ? "Белый" : "Красный"}, {"Вес", "5 кг"}};
    all.push_back(offer);
  }
  return all;
}

// A generation of two shards.
struct Base {
  test::World world{offers(), 2};
  placement::SlotTable slots = placement::even_slot_table(2);
  config::Market market = config::parse_market(kMarket, "market.toml").value();
  understand::Catalogue catalogue{GenerationId{1, 1}, 2, &slots, &world.dictionary(), &market};
};

void check_refusal(const Error& error) {
  SOUK_CHECK(error.code == ErrorCode::kInvalidArgument);
  SOUK_CHECK(!error.message.empty() && net::is_utf8(error.message) && !error.message.contains('\n'));
  SOUK_CHECK(net::is_utf8(error.argument));
}

void check_bounds(const understand::Parameters& parameters) {
  SOUK_CHECK(parameters.page >= 1 && parameters.per_page >= 1 && parameters.per_page <= understand::kMaxPerPage);
  SOUK_CHECK(uint64_t{parameters.page} * parameters.per_page <= understand::kMaxDepth);
  SOUK_CHECK(parameters.min_match <= query::kMaxSlots);
  SOUK_CHECK(parameters.totals == wire::TOTALS_EXACT || parameters.facets->empty());
  SOUK_CHECK(parameters.text.size() <= understand::kMaxTextBytes);
  SOUK_CHECK(parameters.price_from.value_or(0) >= 0 && parameters.price_to.value_or(0) >= 0);
  for (const std::string& warning : parameters.warnings) SOUK_CHECK(net::is_utf8(warning));
}

void check_highlights(const std::vector<understand::Highlight>& highlights, size_t most) {
  size_t end = 0;
  for (const understand::Highlight& highlight : highlights) {
    SOUK_CHECK(highlight.start >= end && highlight.length > 0);
    end = highlight.start + highlight.length;
  }
  SOUK_CHECK(end <= most);
}

wire::After place_of_last(const wire::Hits& hits) {
  const int last = hits.keys_size() - 1;
  wire::After after;
  after.set_order(hits.order(last));
  after.set_group(hits.groups(last));
  after.set_key(hits.keys(last));
  return after;
}

// The last hit of one of the shards, if there is any.
std::optional<wire::After> ask_shards(const understand::Plan& plan, const Base& base) {
  const test::FixedClock clock;
  std::optional<wire::After> last;
  SOUK_CHECK(!plan.shards.empty());
  SOUK_CHECK(plan.facets.size() == static_cast<size_t>(plan.request.facets_size()));
  for (const uint32_t shard : plan.shards) {
    SOUK_CHECK(shard >= 1 && shard <= 2);
    wire::ShardRequest request = plan.request;
    request.set_shard(shard);
    SOUK_CHECK(query::check_request(request, base.world.dictionary()).has_value());
    const query::ShardView view{base.world.shards()[shard - 1], base.world.dictionary()};
    const auto reply = oracle::search_exhaustively(view, request, {clock, Deadline::never()});
    SOUK_CHECK(reply.has_value());
    SOUK_CHECK(merge::check_reply(request, *reply).has_value());
    SOUK_CHECK(merge::check_ordinals(request, *reply, base.world.dictionary()).has_value());
    if (!reply->hits().keys().empty()) last = place_of_last(reply->hits());
  }
  return last;
}

// Both stages of the query; the page behind any of their hits is a plan, too.
void ask(understand::Parameters parameters, const understand::QueryText& text, understand::Plan plan,
         const Base& base) {
  parameters.page = 1;
  for (const bool description : {false, true}) {
    if (description) understand::widen_to_description(plan, base.catalogue);
    const auto last = ask_shards(plan, base);
    if (!last) continue;
    parameters.cursor = understand::next_cursor(plan, *last);
    const auto next = understand::make_plan(parameters, text, base.catalogue);
    SOUK_CHECK(next.has_value() && next->request.with_description() == description);
    ask_shards(*next, base);
  }
}

}  // namespace
}  // namespace souk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  static const Base base;
  static text::Analyzer analyzer;
  auto parameters = understand::parse_parameters({reinterpret_cast<const char*>(data), size});
  if (!parameters) {
    check_refusal(parameters.error());
    return 0;
  }
  check_bounds(*parameters);
  const Status placed = understand::apply_place(base.market, *parameters);
  if (!placed) {
    check_refusal(placed.error());
    return 0;
  }
  check_bounds(*parameters);
  const auto text = understand::read_query_text(analyzer, parameters->text);
  if (!text) {
    check_refusal(text.error());
    return 0;
  }
  const auto plan = understand::make_plan(*parameters, *text, base.catalogue);
  if (!plan) {
    check_refusal(plan.error());
    return 0;
  }
  check_highlights(understand::highlights(analyzer, parameters->text, plan->terms), parameters->text.size());
  for (const std::string& warning : plan->warnings) SOUK_CHECK(net::is_utf8(warning));
  ask(*parameters, *text, *plan, base);
  return 0;
}
