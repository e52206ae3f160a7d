// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace souk::fetch {

// What waits for its turn, by host: hosts take turns, in each the first come is the first served, and no more than
// per_host of one and parallel in all run at once. So a slow host with many items delays its own only.
template <typename Item>
class HostQueue {
 public:
  HostQueue(size_t parallel, size_t per_host) : parallel_(parallel), per_host_(per_host) {}

  void push(const std::string& host, Item item) {
    Host& entry = hosts_[host];
    entry.waiting.push_back(std::move(item));
    ++waiting_;
    offer_turn(host, entry);
  }

  // The next to run, if one may; release() its host afterwards.
  std::optional<std::pair<std::string, Item>> pop() {
    if (running_ >= parallel_ || turns_.empty()) return std::nullopt;
    std::string host = std::move(turns_.front());
    turns_.pop_front();
    Host& entry = hosts_.at(host);
    entry.has_turn = false;
    Item item = std::move(entry.waiting.front());
    entry.waiting.pop_front();
    --waiting_;
    ++running_;
    ++entry.running;
    offer_turn(host, entry);
    return std::pair(std::move(host), std::move(item));
  }

  void release(const std::string& host) {
    const auto found = hosts_.find(host);
    --running_;
    --found->second.running;
    offer_turn(host, found->second);
    if (found->second.running == 0 && found->second.waiting.empty()) hosts_.erase(found);
  }

  // All that wait; they are forgotten.
  std::vector<Item> drain() {
    std::vector<Item> items;
    for (auto& [host, entry] : hosts_) {
      for (Item& item : entry.waiting) items.push_back(std::move(item));
      entry.waiting.clear();
      entry.has_turn = false;
    }
    turns_.clear();
    waiting_ = 0;
    std::erase_if(hosts_, [](const auto& host) { return host.second.running == 0; });
    return items;
  }

  size_t waiting() const { return waiting_; }
  size_t running() const { return running_; }

 private:
  struct Host {
    std::deque<Item> waiting;
    size_t running = 0;
    bool has_turn = false;
  };

  void offer_turn(const std::string& host, Host& entry) {
    if (entry.has_turn || entry.waiting.empty() || entry.running >= per_host_) return;
    entry.has_turn = true;
    turns_.push_back(host);
  }

  const size_t parallel_, per_host_;
  std::map<std::string, Host> hosts_;
  std::deque<std::string> turns_;  // hosts of which one may start, each once
  size_t waiting_ = 0, running_ = 0;
};

}  // namespace souk::fetch
