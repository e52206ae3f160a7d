// SPDX-License-Identifier: Apache-2.0
#include "control/cli/world_status.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <filesystem>

#include "control/cli/json_access.h"
#include "control/cli/process_table.h"
#include "control/cli/text_table.h"

namespace souk::control {

namespace {

namespace json = boost::json;

struct Expected {
  std::string role;
  std::string name;
  std::string program;
  net::Endpoint address;  // shown
  net::Endpoint status;   // asked
  std::optional<uint64_t> shard;
};

std::vector<Expected> expected_processes(const config::Topology& topology, const std::string& data) {
  std::vector<Expected> list;
  const auto& control = topology.control;
  list.push_back({"control", control.name, "souk-control", control.address, control.address, {}});
  for (const auto& snippet : topology.snippets) {
    list.push_back({"snippet", snippet.name, "souk-snippet", snippet.address, snippet.address, {}});
  }
  for (const auto& node : topology.nodes) {
    const auto shard = node.has_shard ? std::optional<uint64_t>(node.shard) : std::nullopt;
    list.push_back({"node", node.name, "souk-node", node.public_address, node.admin_address, shard});
  }
  for (const auto& balancer : topology.balancers) {
    list.push_back({"haproxy", balancer.name, "haproxy", balancer.listen, reachable(balancer.listen), {}});
  }
  // Not every world serves shops: the indexer is shown where it was started.
  const auto& indexer = topology.indexer;
  std::error_code problem;
  if (indexer.admin_address.port != 0 && std::filesystem::exists(data + "/run/" + indexer.name + ".pid", problem)) {
    list.push_back({"indexer", indexer.name, "souk-indexer", indexer.partner_address, indexer.admin_address, {}});
  }
  return list;
}

std::string generation_of(const json::object& answer, const std::string& role) {
  if (role == "control") return text_at(answer, "active");
  if (role == "node") return text_at(answer, "generation");
  const json::array* generations = array_at(answer, "generations");
  if (generations == nullptr || generations->empty() || !generations->back().is_string()) return "";
  return std::string(generations->back().get_string());
}

// HAProxy has no page of its own: a node behind it has to answer.
void ask_balancer(ProcessStatus& status, const Expected& process, const Fetch& fetch) {
  const auto response = fetch(process.status, get_request("/ping"));
  status.state = !response ? "silent" : response->status == 200 ? "serving" : "no node answers";
}

void ask(ProcessStatus& status, const Expected& process, const Fetch& fetch) {
  const auto response = fetch(process.status, get_request("/status"));
  const auto answer = response ? answer_object(*response) : std::unexpected(response.error());
  if (!answer) {
    status.state = "silent";
    return;
  }
  const std::string state = text_at(*answer, "state");
  status.state = state.empty() ? "serving" : state;
  status.generation = generation_of(*answer, process.role);
  status.documents = number_at(*answer, "documents");
  if (const auto memory = number_at(*answer, "memory_bytes")) status.memory_bytes = memory;
}

json::value or_null(const std::optional<uint64_t>& number) {
  return number ? json::value(*number) : json::value(nullptr);
}

std::string or_dash(const std::optional<uint64_t>& number) {
  return number ? std::to_string(*number) : "-";
}

}  // namespace

std::vector<ProcessStatus> world_status(const config::Topology& topology, const std::string& data_folder,
                                        const Fetch& fetch, const std::string& proc) {
  std::vector<ProcessStatus> list;
  for (const Expected& process : expected_processes(topology, data_folder)) {
    ProcessStatus& status = list.emplace_back();
    status.role = process.role;
    status.name = process.name;
    status.shard = process.shard;
    status.address = net::to_string(process.address);
    const auto info = look_up_process(data_folder + "/run/" + process.name + ".pid", process.program, proc);
    if (!info) {
      status.state = "stopped";
      continue;
    }
    if (info->pid != 0) status.pid = info->pid;
    if (!info->alive) {
      status.state = "dead";
      continue;
    }
    if (info->resident_bytes != 0) status.memory_bytes = info->resident_bytes;
    if (process.role == "haproxy") {
      ask_balancer(status, process, fetch);
    } else {
      ask(status, process, fetch);
    }
  }
  return list;
}

json::object status_json(const std::vector<ProcessStatus>& processes) {
  json::array list;
  for (const ProcessStatus& process : processes) {
    list.push_back(json::object{{"role", process.role},
                                {"name", process.name},
                                {"pid", process.pid ? json::value(*process.pid) : json::value(nullptr)},
                                {"shard", or_null(process.shard)},
                                {"generation", process.generation},
                                {"documents", or_null(process.documents)},
                                {"memory_bytes", or_null(process.memory_bytes)},
                                {"state", process.state},
                                {"address", process.address}});
  }
  return {{"processes", std::move(list)}};
}

std::string status_table(const std::vector<ProcessStatus>& processes) {
  const std::vector<Column> columns = {{"role", 0, false},    {"name", 40, false},      {"pid", 0, true},
                                       {"shard", 0, true},    {"generation", 0, false}, {"documents", 0, true},
                                       {"RAM, MiB", 0, true}, {"state", 60, false},     {"address", 0, false}};
  std::vector<std::vector<std::string>> rows;
  for (const ProcessStatus& process : processes) {
    const std::string memory =
        process.memory_bytes ? fmt::format("{:.1f}", static_cast<double>(*process.memory_bytes) / (1 << 20)) : "-";
    rows.push_back({process.role, process.name, process.pid ? std::to_string(*process.pid) : "-",
                    or_dash(process.shard), process.generation.empty() ? "-" : process.generation,
                    or_dash(process.documents), memory, process.state, process.address});
  }
  return format_table(columns, rows);
}

}  // namespace souk::control
