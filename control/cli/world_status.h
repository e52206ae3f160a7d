// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/cli/fetch.h"
#include "runtime/config/topology.h"

namespace souk::control {

// One process of the topology, as it is now.
struct ProcessStatus {
  std::string role;  // node, snippet, control or haproxy
  std::string name;
  std::optional<int64_t> pid;
  std::optional<uint64_t> shard;
  std::string generation;  // what it serves; empty when none
  std::optional<uint64_t> documents;
  std::optional<uint64_t> memory_bytes;
  // "stopped" without a pid file, "dead" when its pid is gone, "silent" when it lives but does not answer, else what it
  // says of itself.
  std::string state;
  std::string address;
};

// Every process of the topology: pid files and /proc, and the answer of those that live.
std::vector<ProcessStatus> world_status(const config::Topology& topology, const std::string& data_folder,
                                        const Fetch& fetch, const std::string& proc = "/proc");

// {"processes":[…]}
boost::json::object status_json(const std::vector<ProcessStatus>& processes);
std::string status_table(const std::vector<ProcessStatus>& processes);

}  // namespace souk::control
