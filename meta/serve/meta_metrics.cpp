// SPDX-License-Identifier: Apache-2.0
#include "meta/serve/meta_metrics.h"

#include <string>

namespace souk::meta_serve {

MetaMetrics::ByOutcome MetaMetrics::by_outcome(obs::Metrics& metrics, const char* name, const char* help) {
  ByOutcome counters;
  counters[0] = &metrics.counter(name, help, {{"code", "ok"}});
  for (size_t code = 0; code < kErrorCodes; ++code) {
    counters[1 + code] =
        &metrics.counter(name, help, {{"code", std::string(traits(static_cast<ErrorCode>(code)).label)}});
  }
  return counters;
}

MetaMetrics::MetaMetrics(obs::Metrics& metrics)
    : throttled(metrics.counter("souk_meta_throttled_queries_total",
                                "Queries answered 429: everything this node sees is full.")),
      incomplete(metrics.counter("souk_meta_incomplete_answers_total", "Answers with complete:false.")),
      dropped_hits(metrics.counter("souk_meta_dropped_hits_total", "Hits left out because their document is gone.")),
      second_stages(metrics.counter("souk_meta_second_stages_total", "Queries that needed a second fan-out.")),
      query_seconds(metrics.seconds("souk_meta_query_seconds", "Whole queries, as this node sees them.")),
      sub_request_seconds(
          metrics.seconds("souk_meta_sub_request_seconds", "Sub-requests to shards, with the network.")),
      snippet_seconds(metrics.seconds("souk_meta_snippet_seconds", "Fetching a page's documents.")),
      queries_(by_outcome(metrics, "souk_meta_queries_total", "Queries by outcome.")),
      sub_requests_(by_outcome(metrics, "souk_meta_sub_requests_total", "Sub-requests to shards by outcome.")) {}

}  // namespace souk::meta_serve
