// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "runtime/exec/worker_pool.h"

namespace souk::exec {

namespace asio = boost::asio;

namespace {

// Shared by the waiting coroutine and the pool thread. All but `abandoned` is touched on the coroutine's executor only.
struct Ticket {
  explicit Ticket(const asio::any_io_executor& executor) : wake(executor, asio::steady_timer::time_point::max()) {}

  asio::steady_timer wake;
  bool done = false;
  Status status;
  std::atomic<bool> abandoned = false;  // nobody waits any more
};

// Marks the ticket however the coroutine ends: also when its frame is destroyed.
class Claim {
 public:
  explicit Claim(std::shared_ptr<Ticket> ticket) : ticket_(std::move(ticket)) {}
  ~Claim() { ticket_->abandoned = true; }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  std::shared_ptr<Ticket> ticket_;
};

Status run_caught(std::move_only_function<void()>& work) {
  try {
    work();
    return {};
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, error.what());
  } catch (...) {
    return fail(ErrorCode::kInternal, "unknown exception");
  }
}

}  // namespace

asio::awaitable<Status> run_work(WorkerPool& pool, Priority priority, Deadline deadline,
                                 std::move_only_function<void()> work) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const auto ticket = std::make_shared<Ticket>(executor);
  const Claim claim(ticket);
  // ticket = ticket: not const, so that it can be moved out. The IO thread may be gone once it has been told.
  std::move_only_function<void(Status)> run = [executor, ticket = ticket,
                                               work = std::move(work)](Status status) mutable {
    if (status && !ticket->abandoned) status = run_caught(work);
    work = nullptr;  // what it owns is freed here, not on the IO thread
    asio::post(executor, [ticket = std::move(ticket), status = std::move(status)]() mutable {
      ticket->status = std::move(status);
      ticket->done = true;
      ticket->wake.cancel();
    });
  };
  const bool queued = pool.submit(priority, deadline, std::move(run));
  if (!queued) co_return fail(ErrorCode::kOverloaded, "the work queue is full");
  while (!ticket->done) {
    boost::system::error_code ignored;  // of a woken timer; a cancelled coroutine throws at its next co_await
    co_await ticket->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  co_return ticket->status;
}

}  // namespace souk::exec
