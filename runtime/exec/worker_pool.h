// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace souk::exec {

// kInteractive work is always taken before kBackground work.
enum class Priority { kInteractive, kBackground };

// A fixed number of threads over a bounded queue. Thread-safe.
class WorkerPool {
 public:
  WorkerPool(std::string name, size_t threads, size_t queue_limit, const Clock& clock);
  ~WorkerPool();  // finishes what runs, drops what is queued
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // run(Status) is called once on a pool thread: with an error when the deadline passed in the queue
  // (kDeadlineExceeded) or the pool stops (kUnavailable). It must not throw. false = the queue is full and run is never
  // called.
  bool submit(Priority priority, Deadline deadline, std::move_only_function<void(Status)> run);

  size_t queued() const;
  size_t running() const;
  size_t threads() const;
  bool full() const;
  // How long the oldest piece of work that is being done has been going on; 0 when nothing is.
  SteadyTime::duration longest_running() const;
  // Mean wait in the queue of what was taken since the last call; 0 when nothing was. For one caller.
  std::chrono::duration<double> take_mean_wait();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// run_on without a result: kOverloaded, kDeadlineExceeded, kUnavailable as above, kInternal for an exception of work.
boost::asio::awaitable<Status> run_work(WorkerPool& pool, Priority priority, Deadline deadline,
                                        std::move_only_function<void()> work);

// co_await run_on(pool, priority, deadline, fn): fn() -> Result<T> runs on a pool thread, the coroutine goes on on its
// own executor. kOverloaded when the queue is full. A cancelled coroutine does not wait: it throws operation_aborted,
// and fn is skipped if it is still queued; so fn must own what it uses. The pool must be destroyed before the
// io_context of the coroutines that wait for it.
template <typename Fn>
boost::asio::awaitable<std::invoke_result_t<Fn>> run_on(WorkerPool& pool, Priority priority, Deadline deadline, Fn fn) {
  using R = std::invoke_result_t<Fn>;
  auto result = std::make_shared<std::optional<R>>();
  std::move_only_function<void()> work = [result, fn = std::move(fn)]() mutable { result->emplace(fn()); };
  const Status done = co_await run_work(pool, priority, deadline, std::move(work));
  if (!done) co_return std::unexpected(done.error());
  co_return std::move(**result);
}

}  // namespace souk::exec
