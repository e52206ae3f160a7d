// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/sign_in.h"

namespace souk::partner {

boost::asio::awaitable<SignIn::Outcome> SignIn::with_token(std::string token, std::string peer_ip) {
  if (!limiter_.allows(peer_ip)) co_return Outcome{Refusal::kTooMany, {}, {}};
  if (token.empty()) co_return Outcome{Refusal::kWrongToken, {}, {}};
  auto work = [token = std::move(token)](ingest::FeedService& service) { return service.authenticate(token); };
  Result<std::string> shop = co_await calls_.read(std::move(work));
  if (shop) co_return Outcome{Refusal::kNone, std::move(*shop), {}};
  if (shop.error().code != ErrorCode::kNotFound) co_return Outcome{Refusal::kBusy, {}, shop.error()};
  limiter_.note_failure(peer_ip);
  metrics_.wrong_tokens.Increment();
  co_return Outcome{Refusal::kWrongToken, {}, {}};
}

}  // namespace souk::partner
