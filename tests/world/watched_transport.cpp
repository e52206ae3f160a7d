// SPDX-License-Identifier: Apache-2.0
#include "tests/world/watched_transport.h"

#include <algorithm>

namespace souk::world {

namespace {

// Takes an entry off its list however the coroutine ends.
template <typename T>
class Listed {
 public:
  Listed(std::list<T>& list, T value) : list_(list), at_(list.insert(list.end(), std::move(value))) {}
  ~Listed() { list_.erase(at_); }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  std::list<T>& list_;
  std::list<T>::iterator at_;
};

}  // namespace

void WatchedTransport::set_fault(const net::Endpoint& endpoint, testing::Fault fault) {
  inner_.set_fault(endpoint, fault);
  if (fault == testing::Fault::kHang) {
    hung_.insert(endpoint);
  } else {
    hung_.erase(endpoint);
  }
}

std::optional<SteadyTime> WatchedTransport::wake_at() const {
  if (calls_.empty() || !std::ranges::all_of(calls_, &Call::hangs)) return std::nullopt;
  return std::ranges::min(calls_, {}, &Call::deadline).deadline;
}

boost::asio::awaitable<Result<net::Response>> WatchedTransport::send(net::Endpoint endpoint, net::Request request,
                                                                     Deadline deadline) {
  const Listed<Call> listed(calls_, {deadline.at(), hung_.contains(endpoint)});
  auto response = co_await inner_.send(std::move(endpoint), std::move(request), deadline);
  co_return response;
}

}  // namespace souk::world
