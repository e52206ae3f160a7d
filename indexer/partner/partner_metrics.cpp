// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/partner_metrics.h"

namespace souk::partner {

namespace {

prometheus::Counter& requests(obs::Metrics& metrics, const std::string& face, const std::string& outcome) {
  return metrics.counter("souk_indexer_partner_requests_total",
                         "Requests of shops and operators: refused is a 4xx, failed a 5xx.",
                         {{"face", face}, {"outcome", outcome}});
}

}  // namespace

PartnerMetrics::Face::Face(obs::Metrics& metrics, const std::string& face)
    : answered(requests(metrics, face, "answered")),
      refused(requests(metrics, face, "refused")),
      failed(requests(metrics, face, "failed")) {}

void PartnerMetrics::Face::note(int status) {
  (status < 400 ? answered : status < 500 ? refused : failed).Increment();
}

PartnerMetrics::PartnerMetrics(obs::Metrics& metrics)
    : api(metrics, "api"),
      pages(metrics, "pages"),
      admin(metrics, "admin"),
      seconds(metrics.seconds("souk_indexer_partner_request_seconds", "Requests of shops, checks of feeds included.")),
      wrong_tokens(metrics.counter("souk_indexer_partner_wrong_tokens_total", "Sign-ins with a token of no shop.")),
      sessions(metrics.gauge("souk_indexer_partner_sessions", "People signed in to the pages.")),
      queued_calls(metrics.gauge("souk_indexer_partner_queued_calls", "Calls that wait for a thread.")) {}

}  // namespace souk::partner
