// SPDX-License-Identifier: Apache-2.0
#include "meta/health/health.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

namespace souk::health {

namespace asio = boost::asio;
namespace json = boost::json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kPeriod{1000};
constexpr int kJitterMs = 100;
constexpr size_t kMostReady = 16;

asio::awaitable<void> sleep(milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(time);
  co_await timer.async_wait(asio::use_awaitable);
}

constexpr size_t kMostEngineBytes = 64;

// It goes into the one-line reasons of /ping.
bool is_engine(std::string_view text) {
  return text.size() <= kMostEngineBytes && std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// A peer's /status; throws what Boost.JSON throws when the shape is wrong.
void read_status(const json::object& status, Peer& peer) {
  if (std::string_view(status.at("name").as_string()) != peer.name) throw std::invalid_argument("another node answers");
  peer.shard = status.at("shard").to_number<uint32_t>();
  peer.engine = std::string(status.at("engine").as_string());
  if (!is_engine(peer.engine)) throw std::invalid_argument("not the name of an engine");
  peer.stopping = status.at("state").as_string() == "stopping";
  peer.full = status.at("load").as_object().at("full").as_bool();
  peer.ready.clear();
  for (const json::value& text : status.at("ready").as_array()) {
    const auto id = parse_generation(std::string_view(text.as_string()));
    if (id && peer.ready.size() < kMostReady) peer.ready.push_back(*id);
  }
}

}  // namespace

Health::Health(Settings settings, Probes probes, net::Transport& transport, const Clock& clock)
    : settings_(std::move(settings)),
      probes_(std::move(probes)),
      transport_(transport),
      clock_(clock),
      random_(settings_.seed),
      sampled_(clock.now()),
      cpu_before_(probes_.cpu_seconds()) {
  for (const PeerAddress& address : settings_.peers) {
    Peer& peer = seen_.emplace_back();
    peer.name = address.name;
  }
  publish();
}

asio::awaitable<void> Health::poll(size_t peer) {
  net::Request request;
  request.path = "/status";
  const auto answer =
      co_await transport_.send(settings_.peers[peer].status, std::move(request), Deadline::after(clock_, kPollLimit));
  note(peer, answer);
}

void Health::note(size_t index, const Result<net::Response>& answer) {
  Peer& peer = seen_[index];
  bool understood = false;
  if (answer && answer->status == 200) {
    boost::system::error_code error;
    const json::value value = json::parse(answer->body, error);
    try {
      if (!error) {
        Peer next = peer;
        read_status(value.as_object(), next);
        peer = std::move(next);
        understood = true;
      }
    } catch (const std::exception&) {  // not a /status of ours: as good as no answer
      understood = false;
    }
  }
  peer.missed = understood ? 0 : std::min(peer.missed + 1, Peer::kGoneAfter);
  publish();
}

void Health::publish() {
  const Self self{settings_.engine, settings_.shard, probes_.active(), probes_.stale()};
  auto verdict = std::make_shared<Verdict>(judge(settings_.mode, settings_.shards, self, seen_));
  verdict->at = clock_.now();
  verdict_.set(std::move(verdict));
  peers_.set(std::make_shared<std::vector<Peer>>(seen_));
}

void Health::sample() {
  const SteadyTime now = clock_.now();
  const double cpu = probes_.cpu_seconds();
  const double elapsed = std::chrono::duration<double>(now - sampled_).count();
  if (elapsed > 0) {
    agent_weight_.sample((cpu - cpu_before_) / (elapsed * probes_.threads), probes_.queue_wait_ms());
    weight_.store(agent_weight_.weight(), std::memory_order_relaxed);
  }
  sampled_ = now;
  cpu_before_ = cpu;
  publish();
}

bool Health::all_peers_full() const {
  const auto peers = peers_.get();
  return std::ranges::all_of(*peers, [](const Peer& peer) { return peer.gone() || peer.stopping || peer.full; });
}

asio::awaitable<void> Health::follow(size_t peer) {
  for (;;) {
    co_await poll(peer);
    const auto jitter = static_cast<int>(random_() % (2 * kJitterMs + 1)) - kJitterMs;
    co_await sleep(kPeriod + milliseconds(jitter));
  }
}

asio::awaitable<void> Health::keep_sampling() {
  for (;;) {
    sample();
    co_await sleep(kPeriod);
  }
}

}  // namespace souk::health
