// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>

#include "core/query/kernels.h"
#include "core/wire/shard.pb.h"
#include "runtime/exec/worker_pool.h"
#include "runtime/net/http.h"
#include "runtime/obs/metrics.h"
#include "searcher/generation/generations.h"
#include "searcher/serve/scratch_pool.h"

namespace souk::shard_server {

// POST /shardN: decodes a sub-request, runs it on the pool, encodes the reply. A generation that is not held is refused
// (kVersionMismatch); so is another shard's number. Lives on one IO thread.
class ShardServer {
 public:
  ShardServer(uint32_t shard, const generation::Generations& generations, exec::WorkerPool& pool, obs::Metrics& metrics,
              const Clock& clock);

  boost::asio::awaitable<net::Response> handle(net::Request request);
  // The same below the encoding.
  boost::asio::awaitable<Result<wire::ShardReply>> answer(wire::ShardRequest request);

  std::string_view kernels() const { return kernels_.name; }  // the level in use
  std::string path() const { return "/shard" + std::to_string(shard_); }

 private:
  boost::asio::awaitable<Result<wire::ShardReply>> search(wire::ShardRequest request);
  void count(const Result<wire::ShardReply>& reply);

  uint32_t shard_;
  const generation::Generations& generations_;
  exec::WorkerPool& pool_;
  const Clock& clock_;
  const query::Kernels& kernels_ = query::best_kernels();
  std::shared_ptr<ScratchPool> scratches_ = std::make_shared<ScratchPool>();
  struct Counters {
    explicit Counters(obs::Metrics& metrics);
    prometheus::Counter &answered, &refused, &late, &overloaded;
    prometheus::Histogram &search_seconds, &queue_seconds;
  } counters_;
};

}  // namespace souk::shard_server
