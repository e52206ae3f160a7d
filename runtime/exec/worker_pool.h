// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
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
  // (kDeadlineExceeded) or the pool stops (kUnavailable). false = the queue is full and run is never called.
  bool submit(Priority priority, Deadline deadline, std::move_only_function<void(Status)> run);

  size_t queued() const;
  size_t running() const;
  size_t threads() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// co_await run_on(pool, priority, deadline, fn): fn() -> Result<T> runs on a pool thread, the coroutine goes on on its
// own executor. kOverloaded when the queue is full. fn must own what it uses: a cancelled coroutine does not wait.
template <typename Fn>
boost::asio::awaitable<std::invoke_result_t<Fn>> run_on(WorkerPool& pool, Priority priority, Deadline deadline, Fn fn) {
  using R = std::invoke_result_t<Fn>;
  namespace asio = boost::asio;
  auto initiate = [&pool, priority, deadline](auto handler, Fn work) {
    auto executor = asio::get_associated_executor(handler);
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    auto finish = [shared, executor](R result) {
      asio::post(executor, [shared, result = std::move(result)]() mutable { (*shared)(std::move(result)); });
    };
    const bool queued = pool.submit(priority, deadline, [finish, work = std::move(work)](Status status) mutable {
      if (!status) {
        finish(std::unexpected(status.error()));
        return;
      }
      try {
        finish(work());
      } catch (const std::exception& error) {
        finish(fail(ErrorCode::kInternal, error.what()));
      }
    });
    if (!queued) finish(fail(ErrorCode::kOverloaded, "the work queue is full"));
  };
  auto result = co_await asio::async_initiate<const asio::use_awaitable_t<>, void(R)>(initiate, asio::use_awaitable,
                                                                                      std::move(fn));
  co_return result;
}

}  // namespace souk::exec
