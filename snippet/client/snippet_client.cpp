// SPDX-License-Identifier: Apache-2.0
#include "snippet/client/snippet_client.h"

#include <algorithm>
#include <numeric>
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
  Documents found(ids.size());
  std::vector<size_t> open(ids.size());  // which are still to be found
  std::iota(open.begin(), open.end(), size_t{0});
  bool answered = ids.empty();
  Error last{ErrorCode::kUnavailable, "no snippet server is configured", ""};
  const size_t first = next_++;
  for (size_t tried = 0; tried < servers_.size() && !open.empty(); ++tried) {
    const auto left = deadline.remaining(clock_);
    if (left.count() == 0) {
      last = Error{ErrorCode::kDeadlineExceeded, "no snippet server answered in time", ""};
      break;
    }
    // A server that hangs must leave time for the others.
    const auto budget = std::max(std::chrono::milliseconds(1), left / static_cast<int64_t>(servers_.size() - tried));
    const net::Endpoint server = servers_[(first + tried) % servers_.size()];
    std::vector<SnippetId> asked;
    for (const size_t i : open) asked.push_back(ids[i]);
    net::Request request;
    request.method = "POST";
    request.path = "/snippets";
    request.headers.push_back({"content-type", "application/x-protobuf"});
    if (!traceparent.empty()) request.headers.push_back({"traceparent", traceparent});
    request.body = request_body(asked, budget);
    const Result<net::Response> response =
        co_await transport_.send(server, std::move(request), Deadline::after(clock_, budget));
    auto documents = response ? decode(*response, asked) : std::unexpected(response.error());
    if (!documents) {
      last = Error{ErrorCode::kUnavailable, "snippet server: " + documents.error().message, net::to_string(server)};
      continue;
    }
    answered = true;
    for (size_t i = 0; i < asked.size(); ++i) found[open[i]] = std::move((*documents)[i]);
    std::erase_if(open, [&found](size_t i) { return found[i].has_value(); });
  }
  if (answered) co_return found;
  co_return std::unexpected(last);
}

}  // namespace souk::snippet
