// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "meta/serve/answer.h"
#include "meta/understand/catalogue.h"
#include "snippet/client/snippet_client.h"

namespace souk::meta_serve {

// The whole-query side of a node: /search, /offers, /offer/KEY. parse -> understand -> plan -> fan out -> merge ->
// snippets -> JSON. Lives on one IO thread.
class MetaServer {
 public:
  struct Settings {
    std::chrono::milliseconds query_deadline{1000};
    std::vector<net::Endpoint> shard_nodes;  // [0] holds shard 1
    uint64_t seed = 0;                       // of request ids
  };
  // The catalogue that new queries are pinned to; null before the first generation is active.
  using ActiveCatalogue = std::function<std::shared_ptr<const understand::Catalogue>()>;

  MetaServer(Settings settings, ActiveCatalogue active, net::Transport& transport, snippet::SnippetClient& snippets,
             const Clock& clock);

  boost::asio::awaitable<net::Response> handle(net::Request request);

  // A query string as the sub-request it becomes, for GET /shardN. shard and budget are filled in.
  Result<wire::ShardRequest> sub_request(const std::string& query, uint32_t shard);

 private:
  struct Query;  // one request's way through the stages
  boost::asio::awaitable<Result<boost::json::object>> search(Query& query);
  boost::asio::awaitable<Result<boost::json::object>> offer(Query& query, DocKey key);
  boost::asio::awaitable<Status> gather(Query& query);
  boost::asio::awaitable<Status> add_items(Query& query, boost::json::object& answer);
  Status plan(Query& query);
  boost::json::object frame(const Query& query) const;
  std::string request_id(const net::Request& request);

  Settings settings_;
  ActiveCatalogue active_;
  net::Transport& transport_;
  snippet::SnippetClient& snippets_;
  const Clock& clock_;
  text::Analyzer analyzer_;
  std::mt19937_64 random_;
};

}  // namespace souk::meta_serve
