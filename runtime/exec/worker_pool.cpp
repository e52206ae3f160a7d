// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/worker_pool.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace souk::exec {

namespace {

struct Task {
  Deadline deadline;
  SteadyTime queued;
  std::move_only_function<void(Status)> run;
};

}  // namespace

struct WorkerPool::Impl {
  Impl(size_t queue_limit, const Clock& a_clock) : limit(queue_limit), clock(a_clock) {}

  void work(SteadyTime& busy) {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return stopping || queued_locked() > 0; });
      if (queued_locked() == 0) return;
      std::deque<Task>& queue = queues[0].empty() ? queues[1] : queues[0];
      Task task = std::move(queue.front());
      queue.pop_front();
      ++running;
      busy = clock.now();
      waited += busy - task.queued;
      ++taken;
      Status status;
      if (stopping) {
        status = fail(ErrorCode::kUnavailable, "the server is stopping");
      } else if (task.deadline.passed(clock)) {
        status = fail(ErrorCode::kDeadlineExceeded, "the deadline passed in the work queue");
      }
      lock.unlock();
      task.run(std::move(status));
      task.run = nullptr;
      lock.lock();
      --running;
      busy = SteadyTime::max();
    }
  }

  size_t queued_locked() const { return queues[0].size() + queues[1].size(); }

  const size_t limit;
  const Clock& clock;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::array<std::deque<Task>, 2> queues;  // by Priority
  size_t running = 0;
  bool stopping = false;
  SteadyTime::duration waited{0};  // in the queue, of the `taken` tasks since take_mean_wait()
  size_t taken = 0;
  std::vector<SteadyTime> busy_since;  // by thread; max() = idle
  std::vector<std::thread> threads;
};

WorkerPool::WorkerPool(std::string name, size_t threads, size_t queue_limit, const Clock& clock)
    : impl_(std::make_unique<Impl>(queue_limit, clock)) {
  impl_->busy_since.resize(threads, SteadyTime::max());
  for (size_t i = 0; i < threads; ++i) {
    std::thread& thread = impl_->threads.emplace_back([impl = impl_.get(), i] { impl->work(impl->busy_since[i]); });
    pthread_setname_np(thread.native_handle(), name.substr(0, 15).c_str());
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->changed.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

bool WorkerPool::submit(Priority priority, Deadline deadline, std::move_only_function<void(Status)> run) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping || impl_->queued_locked() >= impl_->limit) return false;
    impl_->queues[static_cast<size_t>(priority)].push_back({deadline, impl_->clock.now(), std::move(run)});
  }
  impl_->changed.notify_one();
  return true;
}

size_t WorkerPool::queued() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->queued_locked();
}

size_t WorkerPool::running() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->running;
}

bool WorkerPool::full() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->queued_locked() >= impl_->limit;
}

SteadyTime::duration WorkerPool::longest_running() const {
  const std::lock_guard lock(impl_->mutex);
  const SteadyTime oldest = *std::ranges::min_element(impl_->busy_since);
  return oldest == SteadyTime::max() ? SteadyTime::duration(0) : impl_->clock.now() - oldest;
}

std::chrono::duration<double> WorkerPool::take_mean_wait() {
  const std::lock_guard lock(impl_->mutex);
  const std::chrono::duration<double> sum = std::exchange(impl_->waited, SteadyTime::duration(0));
  const size_t count = std::exchange(impl_->taken, 0);
  return count == 0 ? std::chrono::duration<double>(0) : sum / static_cast<double>(count);
}

size_t WorkerPool::threads() const {
  return impl_->threads.size();
}

}  // namespace souk::exec
