// SPDX-License-Identifier: Apache-2.0
// Any bytes as a peer's /status: they may say that the peer is there or not, never more than a peer can say, and never
// take this node down.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "meta/health/health.h"

namespace souk::health {
namespace {

class OneAnswer final : public net::Transport {
 public:
  explicit OneAnswer(std::string_view body) : body_(body) {}
  boost::asio::awaitable<Result<net::Response>> send(net::Endpoint /*to*/, net::Request /*what*/,
                                                     Deadline /*until*/) override {
    net::Response response;
    response.body = body_;
    co_return response;
  }

 private:
  std::string body_;
};

}  // namespace
}  // namespace souk::health

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  using namespace souk::health;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  OneAnswer transport(input);
  const Clock& clock = real_clock();
  const GenerationId active = parse_generation("7-00ab00000000cdef").value();
  Health::Settings settings;
  settings.mode = size % 2 == 0 ? Mode::kMesh : Mode::kStrict;
  settings.shards = 2;
  settings.engine = "1";
  settings.shard = 1;
  settings.peers = {{"node-2", {"127.0.0.1", 1}}};
  Health::Probes probes;
  probes.active = [&] { return active; };
  probes.stale = [] { return std::string(); };
  probes.cpu_seconds = [] { return 0.0; };
  probes.queue_wait_ms = [] { return 0.0; };
  Health health(std::move(settings), std::move(probes), transport, clock);

  boost::asio::io_context io;
  boost::asio::co_spawn(io, health.poll(0), [](const std::exception_ptr& thrown) { SOUK_CHECK(!thrown); });
  io.run();
  const Peer peer = health.peers()->at(0);
  SOUK_CHECK(peer.name == "node-2" && peer.engine.size() <= 64 && peer.ready.size() <= 16);
  SOUK_CHECK(peer.missed <= Peer::kGoneAfter);
  const auto verdict = health.verdict();
  SOUK_CHECK(verdict->available == verdict->reason.empty());
  SOUK_CHECK(!verdict->reason.contains('\n') && !verdict->reason.contains('\r'));
  SOUK_CHECK(!verdict->available || verdict->any);
  return 0;
}
