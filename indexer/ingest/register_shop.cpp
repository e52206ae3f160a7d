// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/register_shop.h"

#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "runtime/net/http_client.h"

namespace souk::ingest {
namespace {
constexpr std::chrono::milliseconds kTimeout{5000};
constexpr size_t kMaxReply = 64 * 1024;
}  // namespace

Result<uint32_t> register_shop(const net::Endpoint& control, const std::string& name) {
  net::Request request;
  request.method = "POST";
  request.path = "/shops";
  request.headers = {{"content-type", "application/json"}};
  request.body = boost::json::serialize(boost::json::object{{"name", name}});
  const auto response = net::fetch(control, std::move(request), kTimeout, kMaxReply);
  if (!response) {
    return fail(response.error().code, "control does not answer: " + response.error().message, to_string(control));
  }
  if (response->status != 200) {
    return fail(ErrorCode::kUnavailable,
                "control refused to register the shop: status " + std::to_string(response->status), name);
  }
  boost::system::error_code problem;
  const boost::json::value reply = boost::json::parse(response->body, problem);
  const auto* object = problem ? nullptr : reply.if_object();
  const auto* number = object == nullptr ? nullptr : object->if_contains("number");
  if (number == nullptr || !number->is_number()) {
    return fail(ErrorCode::kCorruption, "control's answer has no shop number", to_string(control));
  }
  const auto value = number->to_number<uint32_t>(problem);
  if (problem || value == 0)
    return fail(ErrorCode::kCorruption, "control's shop number is not one", to_string(control));
  return value;
}

}  // namespace souk::ingest
