// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/client/control_client.h"
#include "runtime/exec/worker_pool.h"
#include "runtime/net/http.h"
#include "runtime/obs/log.h"
#include "runtime/obs/metrics.h"
#include "snippet/store/snippet_store.h"

namespace souk::snippet {

struct SnippetServerConfig {
  std::string name;
  std::string generations_folder;  // has HASH/snippets.sst of every generation
  net::Endpoint control;
  size_t threads = 1;  // for reads
  size_t queue = 256;  // reads that may wait for them
};

// Documents by key and version over HTTP:
//   POST /snippets  wire::SnippetRequest -> wire::SnippetReply, at most kMaxIds ids
//   GET  /status, GET /metrics, GET /ping
// and the generations that control orders. Nothing touches the disk on the IO thread. Used from one IO thread; must
// outlive what it started.
class SnippetServer {
 public:
  static constexpr size_t kMaxIds = 1000;

  SnippetServer(SnippetServerConfig config, std::shared_ptr<SnippetStore> store, net::Transport& transport,
                const Clock& clock, obs::Log log);
  ~SnippetServer();
  SnippetServer(const SnippetServer&) = delete;
  SnippetServer& operator=(const SnippetServer&) = delete;

  net::Handler handler();

  // One report to control. When control wants a generation that is not here, its ingestion is started on the
  // coroutine's executor and goes on after this returns.
  boost::asio::awaitable<void> poll();

  // poll() each second until stop().
  void start(boost::asio::io_context& io);
  void stop();

 private:
  struct Loop;
  struct Counters {
    explicit Counters(obs::Metrics& metrics);
    prometheus::Counter& answered;
    prometheus::Counter& refused;
    prometheus::Counter& documents;
    prometheus::Counter& missing;
    prometheus::Histogram& seconds;
    prometheus::Gauge& memory;
  };
  net::Response on_metrics();
  boost::asio::awaitable<net::Response> handle(net::Request request);
  boost::asio::awaitable<net::Response> on_snippets(std::string body);
  net::Response on_status() const;
  boost::asio::awaitable<void> run(std::shared_ptr<Loop> loop);
  boost::asio::awaitable<void> ingest(GenerationId generation);
  std::vector<GenerationId> ready_to_report() const;
  std::optional<GenerationId> wanted() const;
  void note_control(const Result<control::Orders>& orders);

  const SnippetServerConfig config_;
  const std::shared_ptr<SnippetStore> store_;
  const Clock& clock_;
  const obs::Log log_;
  control::ControlClient control_;
  obs::Metrics metrics_;
  Counters counters_;
  control::Orders orders_;  // as last told; in memory only, an older order could merely ingest more
  bool control_answers_ = true;
  bool ingesting_ = false;
  std::string problem_;  // of the last ingestion; empty when it went well
  GenerationId problem_generation_;
  SteadyTime retry_at_;
  std::shared_ptr<Loop> loop_;
  exec::WorkerPool reads_;
  exec::WorkerPool ingestions_;  // a thread of its own: an ingestion reads a whole file
};

}  // namespace souk::snippet
