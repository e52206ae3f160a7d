// SPDX-License-Identifier: Apache-2.0
// What a hostile peer asks a shard for: whatever the check lets through is answered by every evaluator, with the same
// reply, which passes meta's checks.
#include <cstdint>

#include "core/merge/merge.h"
#include "core/oracle/oracle.h"
#include "core/query/search.h"
#include "tests/unit/core/query/evaluators.h"

namespace souk {
namespace {

std::vector<test::TestOffer> offers() {
  std::vector<test::TestOffer> all;
  for (uint64_t id = 1; id <= 12; ++id) {
    test::TestOffer offer;
    offer.id = id;
    offer.model = id % 5;
    offer.title = id % 2 == 0 ? "a b c" : "b a b";
    offer.description = id % 3 == 0 ? "a d" : "";
    offer.category = id % 2 == 0 ? std::vector<std::string>{"Zoo", "Toys"} : std::vector<std::string>{"Kids"};
    offer.vendor = id % 4 == 0 ? "" : "Lynx";
    offer.shop = static_cast<uint32_t>(id % 3 + 1);
    offer.price = static_cast<int64_t>(100 * (id % 4 + 1));
    offer.old_price = id % 2 == 0 ? 300 : 0;
    offer.in_stock = id % 3 != 0;
    offer.level = static_cast<uint8_t>(id);
    offer.flags = static_cast<uint8_t>(id % 8 | (id % 5 == 0 ? index::kAdult : 0));
    if (id % 4 == 1) offer.currency = "USD";
    offer.own_price = static_cast<int64_t>(id);
    offer.params = {{"Colour", id % 2 == 0 ? "white" : "red"}, {"Size", "a b"}};
    all.push_back(offer);
  }
  return all;
}

// Keys are too rare to be hit upon: a small number stands for one that is there.
void put_keys(wire::ShardRequest& request, const index::ShardIndex& shard) {
  const auto key = [&shard](uint64_t number) {
    return number < 16 ? shard.keys()[number % shard.documents()] : number;
  };
  const auto group = [&shard](uint64_t number) {
    return number < 16 ? shard.group_keys()[number % shard.groups()] : number;
  };
  if (request.filters().offer() != 0) request.mutable_filters()->set_offer(key(request.filters().offer()));
  if (request.filters().model() != 0) request.mutable_filters()->set_model(group(request.filters().model()));
  if (request.after().group() != 0) request.mutable_after()->set_group(group(request.after().group()));
  if (request.after().key() != 0) request.mutable_after()->set_key(key(request.after().key()));
}

}  // namespace
}  // namespace souk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  static const test::World world{offers(), 1};
  static const std::vector<test::NamedEvaluator> evaluators = test::evaluators();
  const index::ShardIndex& shard = world.shards()[0];
  wire::ShardRequest request;
  if (!request.ParseFromArray(data, static_cast<int>(size))) return 0;
  request.set_shard(1);
  put_keys(request, shard);
  if (const Status checked = query::check_request(request, world.dictionary()); !checked) {
    SOUK_CHECK(checked.error().code == ErrorCode::kInvalidArgument && !checked.error().argument.empty());
    return 0;
  }
  const test::FixedClock clock;
  const query::Stop stop{clock, Deadline::never()};
  const auto exact = oracle::search_exhaustively({shard, world.dictionary()}, request, stop);
  SOUK_CHECK(exact.has_value());
  for (const test::NamedEvaluator& evaluator : evaluators) {
    const auto reply = evaluator.evaluate({shard, world.dictionary()}, request, stop);
    SOUK_CHECK(reply.has_value());
    SOUK_CHECK(test::difference(request, *exact, *reply).empty());
    SOUK_CHECK(merge::check_reply(request, *reply).has_value());
    SOUK_CHECK(merge::check_ordinals(request, *reply, world.dictionary()).has_value());
  }
  return 0;
}
