// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "indexer/partner/calls.h"
#include "indexer/partner/failure_limiter.h"
#include "indexer/partner/partner_metrics.h"

namespace souk::partner {

// Whose token it is, with a limit on wrong ones.
class SignIn {
 public:
  enum class Refusal { kNone, kWrongToken, kTooMany, kBusy };
  struct Outcome {
    Refusal refusal = Refusal::kNone;
    std::string shop;
    Error error;  // of kBusy
  };

  SignIn(Calls& calls, PartnerMetrics& metrics, const Clock& clock)
      : calls_(calls), metrics_(metrics), limiter_(clock) {}

  boost::asio::awaitable<Outcome> with_token(std::string token, std::string peer_ip);

 private:
  Calls& calls_;
  PartnerMetrics& metrics_;
  FailureLimiter limiter_;
};

}  // namespace souk::partner
