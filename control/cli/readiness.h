// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "control/cli/fetch.h"
#include "core/base/clock.h"
#include "runtime/config/topology.h"

namespace souk::control {

// What keeps the first balancer from giving a complete answer; empty = it gives one. Control is asked for the reasons.
std::vector<std::string> not_ready(const config::Topology& topology, const Fetch& fetch);

struct Waiting {
  std::chrono::milliseconds timeout{60'000};
  std::function<void(const std::string&)> progress;      // a line whenever the first reason changes
  std::function<void(std::chrono::milliseconds)> pause;  // sleeps
};

// Until a complete answer comes; kDeadlineExceeded names everything that is missing.
Status wait_until_ready(const config::Topology& topology, const Fetch& fetch, const Clock& clock,
                        const Waiting& waiting);

}  // namespace souk::control
