// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/fetcher.h"

#include <curl/curl.h>
#include <fmt/core.h>
#include <signal.h>

#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "indexer/fetch/feed_url.h"
#include "indexer/fetch/host_queue.h"
#include "indexer/fetch/transfer.h"

namespace souk::fetch {
namespace {

constexpr size_t kMostWaiting = 100'000;
constexpr int kPollMs = 1000;

// A fetch from start() to done(), over all its redirects.
struct Task {
  FetchRequest request;
  std::function<void(FetchResult)> done;
  FeedUrl url;  // of this hop
  uint32_t redirects = 0;
  std::optional<SteadyTime> began;
};

// A task that has its turn.
struct Running {
  Running(std::unique_ptr<Task> of, const FetchLimits& limits, std::string in_queue)
      : task(std::move(of)), host(std::move(in_queue)), transfer(limits, task->request, task->url) {}
  std::unique_ptr<Task> task;
  std::string host;
  Transfer transfer;
};

}  // namespace

struct Fetcher::Impl {
  explicit Impl(const FetchLimits& of) : limits(of), queue(of.parallel, of.parallel_per_host) {
    SOUK_CHECK(::curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    multi = ::curl_multi_init();
    SOUK_CHECK(multi != nullptr);
    thread = std::thread([this] { run(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    ::curl_multi_wakeup(multi);
    thread.join();
    ::curl_multi_cleanup(multi);
    ::curl_global_cleanup();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void submit(std::unique_ptr<Task> task) {
    {
      const std::lock_guard lock(mutex);
      inbox.push_back(std::move(task));
    }
    ::curl_multi_wakeup(multi);
  }

  void run() {
    // A write to a closed connection must not end the process, and signals are for the threads that await them.
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    while (take_inbox()) {
      while (auto next = queue.pop()) begin(std::move(next->first), std::move(next->second));
      int active = 0;
      ::curl_multi_perform(multi, &active);
      int left = 0;
      bool ended = false;
      while (CURLMsg* message = ::curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        end(message->easy_handle, message->data.result);
        ended = true;
      }
      if (!ended) ::curl_multi_poll(multi, nullptr, 0, kPollMs, nullptr);
    }
    give_up();
  }

  // False when it is time to stop.
  bool take_inbox() {
    std::vector<std::unique_ptr<Task>> arrived;
    {
      const std::lock_guard lock(mutex);
      arrived.swap(inbox);
      if (stopping) {
        inbox.swap(arrived);
        return false;
      }
    }
    for (auto& task : arrived) {
      auto url = parse_feed_url(task->request.url, any_port);
      if (!url) {
        finish(*task, failed("bad_url", url.error().message));
      } else if (queue.waiting() >= kMostWaiting) {
        finish(*task, failed("io_failed", fmt::format("{} feeds wait already", kMostWaiting)));
      } else {
        task->url = std::move(*url);
        enqueue(std::move(task));
      }
    }
    return true;
  }

  void enqueue(std::unique_ptr<Task> task) {
    const std::string host = task->url.host;
    queue.push(host, std::move(task));
  }

  void begin(std::string host, std::unique_ptr<Task> task) {
    const SteadyTime now = real_clock().now();
    if (!task->began) task->began = now;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*task->began + limits.total - now);
    if (left.count() <= 0) {
      finish(*task, failed("timeout", "the feed did not come in time, redirects included"));
      queue.release(host);
      return;
    }
    auto entry = std::make_unique<Running>(std::move(task), limits, std::move(host));
    CURL* const handle = entry->transfer.handle();
    if (handle != nullptr) entry->transfer.set_time_left(left);
    if (handle == nullptr || ::curl_multi_add_handle(multi, handle) != CURLM_OK) {
      finish(*entry->task, failed("io_failed", "out of memory"));
      queue.release(entry->host);
      return;
    }
    running.emplace(handle, std::move(entry));
  }

  void end(CURL* handle, CURLcode code) {
    const auto found = running.find(handle);
    if (found == running.end()) return;
    std::unique_ptr<Running> entry = std::move(found->second);
    running.erase(found);
    Transfer::End ended = entry->transfer.finish(code);
    ::curl_multi_remove_handle(multi, handle);
    queue.release(entry->host);
    std::unique_ptr<Task> task = std::move(entry->task);
    entry.reset();  // with half a file, before anybody is told
    if (ended.result) {
      finish(*task, std::move(*ended.result));
    } else {
      redirect(std::move(task), ended.location);
    }
  }

  void redirect(std::unique_ptr<Task> task, const std::string& location) {
    if (++task->redirects > limits.redirects) {
      return finish(*task, failed("too_many_redirects", fmt::format("more than {} redirects", limits.redirects)));
    }
    auto to = resolve_redirect(task->url, location, any_port);
    if (!to) return finish(*task, failed("bad_redirect", to_string(to.error())));
    task->url = std::move(*to);
    enqueue(std::move(task));
  }

  void finish(Task& task, FetchResult result) {
    if (task.began) {
      result.took = std::chrono::duration_cast<std::chrono::milliseconds>(real_clock().now() - *task.began);
    }
    task.done(std::move(result));
  }

  void give_up() {
    const auto tell = [this](Task& task) { finish(task, failed("io_failed", "the fetcher is being closed")); };
    std::vector<std::unique_ptr<Task>> arrived;
    for (auto& [handle, entry] : running) {
      ::curl_multi_remove_handle(multi, handle);
      arrived.push_back(std::move(entry->task));
    }
    running.clear();
    for (auto& task : arrived) tell(*task);
    for (auto& task : queue.drain()) tell(*task);
    arrived.clear();
    {
      const std::lock_guard lock(mutex);
      arrived.swap(inbox);
    }
    for (auto& task : arrived) tell(*task);
  }

  const FetchLimits limits;
  const bool any_port = limits.any_port || limits.allow_private_addresses;
  CURLM* multi = nullptr;

  std::mutex mutex;  // of these two
  std::vector<std::unique_ptr<Task>> inbox;
  bool stopping = false;

  // the thread's own
  HostQueue<std::unique_ptr<Task>> queue;
  std::map<CURL*, std::unique_ptr<Running>> running;
  std::thread thread;
};

Fetcher::Fetcher(const FetchLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
Fetcher::~Fetcher() = default;

void Fetcher::start(FetchRequest request, std::function<void(FetchResult)> done) {
  auto task = std::make_unique<Task>();
  task->request = std::move(request);
  task->done = std::move(done);
  impl_->submit(std::move(task));
}

FetchResult Fetcher::fetch(FetchRequest request) {
  std::promise<FetchResult> promise;
  auto future = promise.get_future();
  start(std::move(request), [&promise](FetchResult result) { promise.set_value(std::move(result)); });
  return future.get();
}

}  // namespace souk::fetch
