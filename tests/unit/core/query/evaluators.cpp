// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/query/evaluators.h"

#include <google/protobuf/util/message_differencer.h>

#include "core/query/scratch.h"
#include "tests/unit/core/query/kernels_v4_emulated.h"

namespace souk::test {

namespace {

// A part that is there and empty says the same as one that is not there.
wire::ShardReply without_empty_parts(wire::ShardReply reply) {
  if (reply.hits().keys().empty()) reply.clear_hits();
  if (reply.explain().impacts().empty()) reply.clear_explain();
  return reply;
}

}  // namespace

std::vector<NamedEvaluator> evaluators() {
  std::vector<NamedEvaluator> all = {{"exhaustive", oracle::search_exhaustively}};
  for (const query::Kernels* kernels : query::tested_kernels()) {
    all.push_back({std::string("engine_") + kernels->name,
                   [kernels](const query::ShardView& view, const wire::ShardRequest& request, const query::Stop& stop) {
                     // One for all queries: what one leaves behind must not show in the next.
                     static query::Scratch scratch;
                     return query::search(view, request, stop, *kernels, scratch);
                   }});
  }
  return all;
}

std::string difference(const wire::ShardRequest& request, const wire::ShardReply& exact,
                       const wire::ShardReply& reply) {
  const wire::ShardReply expected = without_empty_parts(exact);
  wire::ShardReply compared = without_empty_parts(reply);
  if (reply.totals_at_least()) {
    if (request.totals() != wire::TOTALS_AT_LEAST) return "not all was counted";
    if (reply.total_offers() > exact.total_offers() || reply.total_models() > exact.total_models()) {
      return "more was counted than there is";
    }
    compared.set_total_offers(exact.total_offers());
    compared.set_total_models(exact.total_models());
    compared.set_totals_at_least(false);
  }
  if (compared.SerializeAsString() == expected.SerializeAsString()) return {};
  std::string text;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&text);
  differencer.Compare(expected, compared);
  constexpr size_t kShown = 2000;
  return text.empty() ? "the bytes differ" : text.substr(0, kShown);
}

}  // namespace souk::test
