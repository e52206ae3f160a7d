// SPDX-License-Identifier: Apache-2.0
// What a hostile peer answers to a sub-query: the input is a ShardRequest and two ShardReplies, each behind its length.
// Generation and shard are made right where they are not, so that the checks behind them are reached.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/merge/merge.h"

namespace {

// The next part: two bytes of length, then as many as there are of it.
std::string_view part(std::string_view& input) {
  if (input.size() < 2) return {};
  const size_t length = static_cast<uint8_t>(input[0]) | static_cast<size_t>(static_cast<uint8_t>(input[1])) << 8;
  const std::string_view taken = input.substr(2, length);
  input.remove_prefix(2 + taken.size());
  return taken;
}

bool parse(google::protobuf::MessageLite& message, std::string_view bytes) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  wire::ShardRequest request;
  if (!parse(request, part(input))) return 0;
  request.set_limit(std::min(request.limit(), 10'100U));
  if (request.terms_size() > 256) return 0;  // never sent
  std::vector<wire::ShardReply> replies;
  for (uint32_t shard = 1; shard <= 2; ++shard) {
    wire::ShardReply reply;
    if (!parse(reply, part(input))) return 0;
    reply.set_generation_number(request.generation_number());
    reply.set_generation_hash(request.generation_hash());
    reply.set_shard(shard);
    request.set_shard(shard);
    if (merge::check_reply(request, reply)) replies.push_back(std::move(reply));
  }
  const merge::Merged merged = merge::merge(request, replies);
  SOUK_CHECK(merged.hits.size() <= request.limit());
  SOUK_CHECK(merged.facets.size() == static_cast<size_t>(request.facets_size()));
  for (const merge::Hit& hit : merged.hits) {
    const size_t explained = request.explain() ? static_cast<size_t>(request.terms_size()) : 0;
    SOUK_CHECK(hit.impacts.size() == explained && hit.field_masks.size() == explained);
  }
  for (size_t i = 1; i < merged.hits.size(); ++i) {
    const merge::Hit& before = merged.hits[i - 1];
    const merge::Hit& hit = merged.hits[i];
    SOUK_CHECK(before.order >= hit.order);
    if (before.order == hit.order) SOUK_CHECK(before.group <= hit.group);
  }
  SOUK_CHECK(merged.variants.size() == static_cast<size_t>(request.variants_size()));
  SOUK_CHECK(!merged.totals_at_least || request.totals() == wire::TOTALS_AT_LEAST);
  for (const merge::FacetTotals& facet : merged.facets) {
    for (size_t i = 1; i < facet.values.size(); ++i) {
      SOUK_CHECK(facet.values[i - 1].ordinal < facet.values[i].ordinal);
    }
  }
  SOUK_CHECK(merge::result_digest(merged, 0, request.limit()).size() == 16);
  return 0;
}
