// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "meta/serve/answer.h"
#include "meta/serve/meta_metrics.h"
#include "meta/understand/catalogue.h"
#include "runtime/exec/limiter.h"
#include "runtime/obs/access_log.h"
#include "snippet/client/snippet_client.h"

namespace souk::meta_serve {

// The whole-query side of a node: /search, /offers, /offer/KEY. parse -> understand -> plan -> fan out -> merge ->
// snippets -> JSON. Lives on one IO thread.
class MetaServer {
 public:
  struct Settings {
    std::string node;     // name, for the access log
    bool strict = false;  // an incomplete answer is refused instead of flagged
    std::chrono::milliseconds query_deadline{1000};
    size_t queries = 64;                     // at once; more are refused
    std::vector<net::Endpoint> shard_nodes;  // [0] holds shard 1
    uint64_t seed = 0;                       // of request and trace ids
  };
  // The catalogue that new queries are pinned to; null before the first generation is active.
  using ActiveCatalogue = std::function<std::shared_ptr<const understand::Catalogue>()>;
  struct Services {  // outlive the server
    ActiveCatalogue active;
    std::function<bool()> all_peers_full;
    net::Transport& transport;
    snippet::SnippetClient& snippets;
    const Clock& clock;
    obs::Metrics& metrics;
    obs::AccessLog& access_log;
  };

  MetaServer(Settings settings, Services services);

  boost::asio::awaitable<net::Response> handle(net::Request request);

  // It refuses new queries right now.
  bool full() const { return limiter_.full(); }
  size_t in_flight() const { return limiter_.inside(); }

  // A query string as the sub-request it becomes, for GET /shardN. shard and budget are filled in.
  Result<wire::ShardRequest> sub_request(const std::string& query, uint32_t shard);

 private:
  struct Query;  // one request's way through the stages
  using Answer = Result<boost::json::object>;
  using Documents = Result<std::vector<std::optional<wire::SnippetDoc>>>;

  boost::asio::awaitable<Answer> route(Query& query, const net::Request& request);
  boost::asio::awaitable<Answer> search(Query& query);
  boost::asio::awaitable<Answer> offer(Query& query, DocKey key);
  boost::asio::awaitable<Status> find(Query& query);
  boost::asio::awaitable<Status> gather(Query& query);
  boost::asio::awaitable<Documents> fetch(std::vector<snippet::SnippetId> ids, const Query& query);
  boost::asio::awaitable<Status> add_items(Query& query, boost::json::object& answer);
  Status read(Query& query, std::string_view query_string);  // the arguments
  Status plan(Query& query);
  Status take_replies(Query& query);
  boost::json::object frame(const Query& query) const;
  Query begin(const net::Request& request);
  net::Response refusal();
  void record(const Query& query, const net::Request& request, const Answer& answer, const net::Response& response);
  std::string request_id(const net::Request& request);

  Settings settings_;
  ActiveCatalogue active_;
  std::function<bool()> all_peers_full_;
  net::Transport& transport_;
  snippet::SnippetClient& snippets_;
  const Clock& clock_;
  MetaMetrics metrics_;
  obs::AccessLog& access_log_;
  exec::Limiter limiter_;
  text::Analyzer analyzer_;
  std::mt19937_64 random_;
};

}  // namespace souk::meta_serve
