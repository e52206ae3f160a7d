// SPDX-License-Identifier: Apache-2.0
#include "control/cli/readiness.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "control/cli/json_access.h"
#include "control/cli/text_table.h"

namespace souk::control {

namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kPollEvery{200};

// Empty when the answer is whole.
std::string search_problem(const config::Topology& topology, const Fetch& fetch) {
  if (topology.balancers.empty()) return "the topology has no balancer";
  const net::Endpoint balancer = reachable(topology.balancers.front().listen);
  const auto response = fetch(balancer, get_request("/search", "per_page=1"));
  if (!response) return "the balancer does not answer: " + to_string(response.error());
  const auto answer = answer_object(*response);
  if (!answer) return "/search " + to_string(answer.error());
  const json::value* complete = answer->if_contains("complete");
  if (complete != nullptr && complete->is_bool() && complete->get_bool()) return "";
  const json::object* coverage = object_at(*answer, "coverage");
  return "/search is incomplete, missing shards: " + (coverage ? joined_at(*coverage, "missing", ", ") : "?");
}

void add_control_problems(std::vector<std::string>& problems, const config::Topology& topology, const Fetch& fetch) {
  const auto response = fetch(topology.control.address, get_request("/status"));
  const auto answer = response ? answer_object(*response) : std::unexpected(response.error());
  if (!answer) {
    problems.push_back("control: " + to_string(answer.error()));
    return;
  }
  const json::array* list = array_at(*answer, "problems");
  if (list == nullptr) return;
  for (const json::value& problem : *list) {
    if (problem.is_string()) problems.push_back(terminal_text(std::string_view(problem.get_string())));
  }
}

}  // namespace

std::vector<std::string> not_ready(const config::Topology& topology, const Fetch& fetch) {
  const std::string problem = search_problem(topology, fetch);
  if (problem.empty()) return {};
  std::vector<std::string> problems;
  add_control_problems(problems, topology, fetch);
  problems.push_back(problem);
  return problems;
}

Status wait_until_ready(const config::Topology& topology, const Fetch& fetch, const Clock& clock,
                        const Waiting& waiting) {
  const Deadline deadline = Deadline::after(clock, waiting.timeout);
  std::string shown;
  for (;;) {
    const std::vector<std::string> problems = not_ready(topology, fetch);
    if (problems.empty()) return {};
    if (deadline.passed(clock)) {
      std::string all;
      for (const std::string& problem : problems) all += (all.empty() ? "" : "; ") + problem;
      return fail(ErrorCode::kDeadlineExceeded,
                  "not ready after " + std::to_string(waiting.timeout.count() / 1000) + " s: " + all);
    }
    std::string line = problems.front();
    if (problems.size() > 1) line += " (and " + std::to_string(problems.size() - 1) + " more)";
    if (line != shown) waiting.progress(line);
    shown = line;
    waiting.pause(kPollEvery);
  }
}

}  // namespace souk::control
