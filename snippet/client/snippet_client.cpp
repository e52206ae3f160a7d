// SPDX-License-Identifier: Apache-2.0
#include "snippet/client/snippet_client.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"

namespace souk::snippet {

namespace {

using Documents = std::vector<std::optional<wire::SnippetDoc>>;

std::string request_body(const std::vector<SnippetId>& ids, std::chrono::milliseconds budget) {
  wire::SnippetRequest request;
  for (const SnippetId& id : ids) {
    request.add_keys(id.key.value());
    request.add_versions(id.version);
  }
  request.set_budget_ms(static_cast<uint32_t>(budget.count()));
  return request.SerializeAsString();
}

Result<Documents> decode(const net::Response& response, const std::vector<SnippetId>& ids) {
  if (response.status != 200) {
    return fail(ErrorCode::kUnavailable, "answered " + std::to_string(response.status));
  }
  wire::SnippetReply reply;
  if (!reply.ParseFromString(response.body) || static_cast<size_t>(reply.documents_size()) != ids.size()) {
    return fail(ErrorCode::kCorruption, "sent an answer that does not fit the question");
  }
  Documents documents(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string& bytes = reply.documents(static_cast<int>(i));
    if (bytes.empty()) continue;
    // The version is the hash of the bytes, so neither a wrong version nor a damaged document passes for the right one.
    if (xxh3(std::string_view(bytes)) != ids[i].version) continue;
    wire::SnippetDoc document;
    if (!document.ParseFromString(bytes) || document.key() != ids[i].key.value()) continue;
    documents[i] = std::move(document);
  }
  return documents;
}

}  // namespace

SnippetClient::SnippetClient(net::Transport& transport, std::vector<net::Endpoint> servers, const Clock& clock)
    : transport_(transport), servers_(std::move(servers)), clock_(clock) {}

boost::asio::awaitable<Result<Documents>> SnippetClient::get(std::vector<SnippetId> ids, Deadline deadline,
                                                             std::string traceparent) {
  if (ids.empty()) co_return Documents{};
  Error last{ErrorCode::kUnavailable, "no snippet server is configured", ""};
  const size_t first = next_++;
  for (size_t tried = 0; tried < servers_.size(); ++tried) {
    const auto left = deadline.remaining(clock_);
    if (left.count() == 0) co_return fail(ErrorCode::kDeadlineExceeded, "no snippet server answered in time");
    // A server that hangs must leave time for the others.
    const auto budget = std::max(std::chrono::milliseconds(1), left / static_cast<int64_t>(servers_.size() - tried));
    const net::Endpoint server = servers_[(first + tried) % servers_.size()];
    net::Request request;
    request.method = "POST";
    request.path = "/snippets";
    request.headers.push_back({"content-type", "application/x-protobuf"});
    if (!traceparent.empty()) request.headers.push_back({"traceparent", traceparent});
    request.body = request_body(ids, budget);
    const Result<net::Response> response =
        co_await transport_.send(server, std::move(request), Deadline::after(clock_, budget));
    auto documents = response ? decode(*response, ids) : std::unexpected(response.error());
    if (documents) co_return documents;
    last = Error{ErrorCode::kUnavailable, "snippet server: " + documents.error().message, net::to_string(server)};
  }
  co_return std::unexpected(last);
}

}  // namespace souk::snippet
