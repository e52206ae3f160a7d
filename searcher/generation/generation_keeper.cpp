// SPDX-License-Identifier: Apache-2.0
#include "searcher/generation/generation_keeper.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "runtime/files/file_sink.h"
#include "runtime/files/read_file.h"

namespace souk::generation {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr std::chrono::seconds kStep{1};
constexpr std::chrono::seconds kRetryLoad{30};

std::string text_of(const GenerationId& id) {
  return id ? to_string(id) : std::string();
}

GenerationId id_in(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return parse_generation(std::string_view(value->as_string())).value_or(GenerationId{});
}

}  // namespace

GenerationKeeper::GenerationKeeper(Place place, Generations& generations, control::ControlClient& control,
                                   exec::WorkerPool& loader, const Clock& clock, const obs::Log& log)
    : place_(std::move(place)),
      generations_(generations),
      control_(control),
      loader_(loader),
      clock_(clock),
      log_(log) {}

Status GenerationKeeper::restore() {
  constexpr size_t kMostBytes = 4096;
  const auto text = files::read_file(place_.orders_file, kMostBytes);
  if (!text && text.error().code == ErrorCode::kNotFound) return {};  // the first start
  if (!text) return std::unexpected(text.error());
  boost::system::error_code error;
  const json::value value = json::parse(*text, error);
  if (error || !value.is_object()) return fail(ErrorCode::kCorruption, "not JSON", place_.orders_file);
  orders_.active = id_in(value.as_object(), "active");
  const json::value* epoch = value.as_object().if_contains("epoch");
  if (epoch != nullptr && epoch->is_number()) orders_.epoch = epoch->to_number<uint64_t>(error);
  if (!orders_.active) return {};
  auto loaded = load_generation(place_.generations, orders_.active, place_.shard);
  if (!loaded) return std::unexpected(loaded.error());
  generations_.add(std::move(*loaded));
  generations_.activate(orders_.active);
  log_.info("serving generation " + to_string(orders_.active) + " as control last ordered");
  return {};
}

GenerationId GenerationKeeper::serving() const {
  const auto active = generations_.active();
  return active ? active->id : GenerationId{};
}

std::string GenerationKeeper::problem() const {
  return failed_.empty() ? std::string() : failed_.begin()->second.problem;
}

Status GenerationKeeper::remember() {
  const json::object orders{{"active", text_of(orders_.active)}, {"epoch", orders_.epoch}};
  return files::replace_file(place_.orders_file, json::serialize(orders) + "\n");
}

asio::awaitable<void> GenerationKeeper::load(GenerationId id) {
  const auto failure = failed_.find(id);
  if (failure != failed_.end() && clock_.now() < failure->second.retry_at) co_return;
  log_.info("loading generation " + to_string(id));
  const SteadyTime begin = clock_.now();
  auto work = [folder = place_.generations, id, shard = place_.shard] { return load_generation(folder, id, shard); };
  auto loaded = co_await exec::run_on(loader_, exec::Priority::kBackground, Deadline::never(), std::move(work));
  if (!loaded) {
    failed_[id] = {to_string(loaded.error()), clock_.now() + kRetryLoad};
    log_.error("generation " + to_string(id) + " is refused: " + failed_[id].problem);
    co_return;
  }
  failed_.erase(id);
  generations_.add(std::move(*loaded));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now() - begin);
  log_.info("loaded generation " + to_string(id) + " in " + std::to_string(took.count()) + " ms");
}

asio::awaitable<void> GenerationKeeper::step() {
  control::ReplicaState state{place_.name, place_.cluster, place_.shard, generations_.held(), problem()};
  const auto answer = co_await control_.report(std::move(state));
  if (!answer) {
    log_.debug("control does not answer: " + to_string(answer.error()));
    co_return;
  }
  const control::Orders orders = *answer;
  if (orders.epoch < orders_.epoch) {
    log_.error("control's epoch went back from " + std::to_string(orders_.epoch) + " to " +
               std::to_string(orders.epoch) + ": not obeyed");
    co_return;
  }
  std::erase_if(failed_,
                [&](const auto& failure) { return failure.first != orders.active && failure.first != orders.target; });
  // What is to be served now comes before what comes next: a load takes its time.
  co_await hold(orders.active, orders);
  obey(orders);
  co_await hold(orders.target, orders);
  generations_.keep_only({orders.active, orders.target, previous_});
}

asio::awaitable<void> GenerationKeeper::hold(GenerationId id, control::Orders orders) {
  if (!id || generations_.find(id)) co_return;
  // Room first: what is neither active nor wanted goes before another one comes.
  generations_.keep_only({orders.active, orders.target});
  co_await load(id);
}

void GenerationKeeper::obey(const control::Orders& orders) {
  const GenerationId before = serving();
  if (orders.active != before && generations_.activate(orders.active)) {
    log_.info("generation " + to_string(orders.active) + " is active");
    previous_ = before;
  }
  const GenerationId now = serving();  // not what was ordered: that may have been refused
  const bool changed = now && (now != orders_.active || orders.epoch != orders_.epoch);
  orders_.epoch = orders.epoch;
  if (changed) {
    orders_.active = now;
    if (Status done = remember(); !done) log_.error(to_string(done.error()));
  }
}

asio::awaitable<void> GenerationKeeper::run() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (;;) {
    co_await step();
    timer.expires_after(kStep);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace souk::generation
