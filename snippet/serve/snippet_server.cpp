// SPDX-License-Identifier: Apache-2.0
#include "snippet/serve/snippet_server.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "core/wire/snippet.pb.h"
#include "runtime/net/json_text.h"

namespace souk::snippet {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::chrono::milliseconds kReportEvery{1000};
constexpr std::chrono::seconds kRetryAfter{10};
constexpr uint32_t kDefaultBudgetMs = 1000;
constexpr uint32_t kMaxBudgetMs = 10'000;
constexpr size_t kReportedGenerations = 16;

net::Response alive() {
  net::Response response;
  response.body = "ok\n";
  return response;
}

net::Response wrong_method(std::string allowed) {
  net::Response response = net::error_response({ErrorCode::kInvalidArgument, "method not allowed, use " + allowed, ""});
  response.status = 405;
  response.headers.push_back({"allow", std::move(allowed)});
  return response;
}

Result<std::vector<SnippetStore::Id>> decode_ids(const wire::SnippetRequest& request) {
  if (request.keys_size() != request.versions_size()) {
    return fail(ErrorCode::kInvalidArgument, "must be as many as keys", "versions");
  }
  if (static_cast<size_t>(request.keys_size()) > SnippetServer::kMaxIds) {
    return fail(ErrorCode::kInvalidArgument, "at most 1000 at once", "keys");
  }
  std::vector<SnippetStore::Id> ids;
  ids.reserve(static_cast<size_t>(request.keys_size()));
  for (int i = 0; i < request.keys_size(); ++i) ids.push_back({DocKey(request.keys(i)), request.versions(i)});
  return ids;
}

}  // namespace

struct SnippetServer::Loop {
  explicit Loop(asio::io_context& io) : timer(io) {}
  asio::steady_timer timer;
  bool stopped = false;
};

SnippetServer::Counters::Counters(obs::Metrics& metrics)
    : answered(metrics.counter("souk_snippet_requests_total", "Batches by outcome.", {{"outcome", "answered"}})),
      refused(metrics.counter("souk_snippet_requests_total", "Batches by outcome.", {{"outcome", "refused"}})),
      documents(metrics.counter("souk_snippet_documents_total", "Documents found.")),
      missing(metrics.counter("souk_snippet_missing_documents_total", "Documents asked for that are not there.")),
      seconds(metrics.seconds("souk_snippet_batch_seconds", "A batch, with its wait in the queue.")),
      memory(metrics.gauge("souk_snippet_memory_bytes", "What the store says it holds in memory.")) {}

SnippetServer::SnippetServer(SnippetServerConfig config, std::shared_ptr<SnippetStore> store, net::Transport& transport,
                             const Clock& clock, obs::Log log)
    : config_(std::move(config)),
      store_(std::move(store)),
      clock_(clock),
      log_(std::move(log)),
      control_(transport, config_.control, clock),
      counters_(metrics_),
      reads_("snippet", config_.threads, config_.queue, clock),
      ingestions_("ingest", 1, 1, clock) {}

SnippetServer::~SnippetServer() = default;

net::Handler SnippetServer::handler() {
  return [this](net::Request request) { return handle(std::move(request)); };
}

asio::awaitable<net::Response> SnippetServer::handle(net::Request request) {
  if (request.path == "/snippets") {
    if (request.method != "POST") co_return wrong_method("POST");
    co_return co_await on_snippets(std::move(request.body));
  }
  if (request.path != "/ping" && request.path != "/status" && request.path != "/metrics") {
    co_return net::error_response({ErrorCode::kNotFound, "no such page", ""});
  }
  if (request.method != "GET") co_return wrong_method("GET");
  if (request.path == "/ping") co_return alive();
  if (request.path == "/metrics") co_return on_metrics();
  co_return on_status();
}

asio::awaitable<net::Response> SnippetServer::on_snippets(std::string body) {
  wire::SnippetRequest request;
  if (!request.ParseFromString(body)) {
    co_return net::error_response({ErrorCode::kInvalidArgument, "not a snippet request", ""});
  }
  auto ids = decode_ids(request);
  if (!ids) co_return net::error_response(ids.error());
  const uint32_t asked = request.budget_ms() == 0 ? kDefaultBudgetMs : request.budget_ms();
  const auto deadline = Deadline::after(clock_, std::chrono::milliseconds(std::min(asked, kMaxBudgetMs)));
  const SteadyTime begin = clock_.now();
  auto work = [store = store_, ids = std::move(*ids)] { return store->get(ids); };
  const Result<std::vector<std::string>> documents =
      co_await exec::run_on(reads_, exec::Priority::kInteractive, deadline, std::move(work));
  counters_.seconds.Observe(std::chrono::duration<double>(clock_.now() - begin).count());
  (documents ? counters_.answered : counters_.refused).Increment();
  if (!documents) {
    if (documents.error().code == ErrorCode::kCorruption) log_.error("read: " + to_string(documents.error()));
    co_return net::error_response(documents.error());
  }
  wire::SnippetReply reply;
  for (const std::string& document : *documents) {
    reply.add_documents(document);
    (document.empty() ? counters_.missing : counters_.documents).Increment();
  }
  net::Response response;
  response.content_type = "application/x-protobuf";
  response.body = reply.SerializeAsString();
  co_return response;
}

net::Response SnippetServer::on_metrics() {
  counters_.memory.Set(static_cast<double>(store_->memory_bytes()));
  return {.status = 200, .content_type = obs::kMetricsContentType, .headers = {}, .body = metrics_.text()};
}

net::Response SnippetServer::on_status() const {
  json::array generations;
  for (const GenerationId& id : store_->generations()) generations.push_back(json::string(to_string(id)));
  const char* state = ingesting_ ? "ingesting" : generations.empty() ? "empty" : "serving";
  return net::json_response(net::to_text(json::object{{"role", "snippet"},
                                                      {"name", config_.name},
                                                      {"generations", std::move(generations)},
                                                      {"memory_bytes", store_->memory_bytes()},
                                                      {"state", state}}));
}

// A report is bounded: the newest generations, and always those that control asks about.
std::vector<GenerationId> SnippetServer::ready_to_report() const {
  std::vector<GenerationId> all = store_->generations();
  std::vector<GenerationId> ready(all.end() - static_cast<ptrdiff_t>(std::min(all.size(), kReportedGenerations)),
                                  all.end());
  for (const GenerationId& id : {orders_.active, orders_.target}) {
    if (id && store_->has(id) && std::ranges::find(ready, id) == ready.end()) ready.push_back(id);
  }
  return ready;
}

// What is being served comes first; what could not be ingested waits, and holds up nothing else.
std::optional<GenerationId> SnippetServer::wanted() const {
  for (const GenerationId& id : {orders_.active, orders_.target}) {
    const bool waits = id == problem_generation_ && clock_.now() < retry_at_;
    if (id && !store_->has(id) && !waits) return id;
  }
  return std::nullopt;
}

void SnippetServer::note_control(const Result<control::Orders>& orders) {
  const bool answers = orders.has_value();
  if (answers != control_answers_) {
    log_.warning(answers ? "control answers again" : "control does not answer: " + to_string(orders.error()));
  }
  control_answers_ = answers;
  if (!answers) return;
  if (orders->epoch < orders_.epoch) {
    log_.warning("control's epoch went back from " + std::to_string(orders_.epoch) + " to " +
                 std::to_string(orders->epoch) + ": its orders are left aside");
    return;
  }
  orders_ = *orders;
}

asio::awaitable<void> SnippetServer::poll() {
  control::ReplicaState state;
  state.name = config_.name;
  state.ready = ready_to_report();
  if (problem_generation_ == orders_.target || problem_generation_ == orders_.active) state.problem = problem_;
  const Result<control::Orders> orders = co_await control_.report(std::move(state));
  note_control(orders);
  const auto missing = wanted();
  if (!missing || ingesting_) co_return;
  ingesting_ = true;
  const auto executor = co_await asio::this_coro::executor;
  asio::co_spawn(executor, ingest(*missing), asio::detached);
}

asio::awaitable<void> SnippetServer::ingest(GenerationId generation) {
  const std::string path = config_.generations_folder + "/" + hex16(generation.content_hash) + "/snippets.sst";
  log_.info("ingesting the documents of generation " + to_string(generation));
  auto work = [store = store_, path, generation] { return store->ingest(path, generation); };
  const Status ingested =
      co_await exec::run_on(ingestions_, exec::Priority::kBackground, Deadline::never(), std::move(work));
  ingesting_ = false;
  problem_.clear();
  problem_generation_ = {};
  if (ingested) {
    log_.info("generation " + to_string(generation) + " is ready");
    co_return;
  }
  problem_ = to_string(ingested.error());
  problem_generation_ = generation;
  retry_at_ = clock_.now() + kRetryAfter;
  log_.error("generation " + to_string(generation) + " cannot be ingested: " + problem_);
}

void SnippetServer::start(asio::io_context& io) {
  loop_ = std::make_shared<Loop>(io);
  asio::co_spawn(io, run(loop_), asio::detached);
}

void SnippetServer::stop() {
  if (!loop_) return;
  loop_->stopped = true;
  loop_->timer.cancel();
}

asio::awaitable<void> SnippetServer::run(std::shared_ptr<Loop> loop) {
  while (!loop->stopped) {
    co_await poll();
    if (loop->stopped) co_return;
    boost::system::error_code cancelled;
    loop->timer.expires_after(kReportEvery);
    co_await loop->timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
}

}  // namespace souk::snippet
