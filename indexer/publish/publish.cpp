// SPDX-License-Identifier: Apache-2.0
#include "indexer/publish/publish.h"

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "core/index/manifest.h"
#include "runtime/net/http_client.h"

namespace souk::publish {

namespace fs = std::filesystem;
namespace json = boost::json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kTimeout{5000};

Result<json::object> ask(const net::Endpoint& control, net::Request request) {
  auto response = net::fetch(control, std::move(request), kTimeout);
  if (!response)
    return fail(response.error().code, "control does not answer: " + response.error().message, to_string(control));
  boost::system::error_code error;
  json::value value = json::parse(response->body, error);
  if (response->status != 200 || error || !value.is_object()) {
    return fail(ErrorCode::kUnavailable,
                "control answered " + std::to_string(response->status) + ": " + response->body.substr(0, 200),
                to_string(control));
  }
  return std::move(value.as_object());
}

std::string text_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

// "node-3: the file is cut short" for every replica that reports a problem.
std::string problems_in(const json::object& status) {
  std::string text;
  const json::value* replicas = status.if_contains("replicas");
  if (replicas == nullptr || !replicas->is_array()) return text;
  for (const json::value& replica : replicas->as_array()) {
    if (!replica.is_object()) continue;
    const std::string problem = text_of(replica.as_object(), "problem");
    if (!problem.empty()) text += (text.empty() ? "" : "; ") + text_of(replica.as_object(), "name") + ": " + problem;
  }
  return text;
}

struct Built {
  fs::file_time_type at;
  fs::path folder;
};

std::vector<Built> built_generations(const std::string& folder) {
  std::vector<Built> found;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename();
    const bool is_hash = name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!is_hash) continue;
    const auto at = fs::last_write_time(entry.path() / index::kManifestFile, problem);
    if (!problem) found.push_back({at, entry.path()});
  }
  return found;
}

}  // namespace

Result<GenerationId> publish(const net::Endpoint& control, uint64_t content_hash, uint32_t shards) {
  net::Request request{.method = "POST", .path = "/generations", .query = {}, .headers = {}, .body = {}};
  request.body = json::serialize(json::object{{"hash", hex16(content_hash)}, {"shards", shards}});
  auto answer = ask(control, std::move(request));
  if (!answer) return std::unexpected(answer.error());
  return parse_generation(text_of(*answer, "generation"));
}

Status wait_until_active(const net::Endpoint& control, const GenerationId& id, std::chrono::seconds timeout,
                         const std::function<void(std::string_view)>& waiting) {
  const Deadline deadline = Deadline::after(real_clock(), timeout);
  const std::string wanted = to_string(id);
  for (;;) {
    auto status = ask(control, {.method = "GET", .path = "/status", .query = {}, .headers = {}, .body = {}});
    if (!status) return std::unexpected(status.error());
    if (text_of(*status, "active") == wanted) return {};
    const std::string problems = problems_in(*status);
    if (deadline.passed(real_clock())) {
      return fail(ErrorCode::kDeadlineExceeded,
                  "generation " + wanted + " is not active yet" + (problems.empty() ? "" : ": " + problems));
    }
    waiting(problems);
    std::this_thread::sleep_for(milliseconds(500));  // control's own step is a second
  }
}

Result<size_t> remove_old_generations(const net::Endpoint& control, const std::string& folder, size_t kept) {
  auto status = ask(control, {.method = "GET", .path = "/status", .query = {}, .headers = {}, .body = {}});
  if (!status) return std::unexpected(status.error());
  std::set<std::string> needed;
  for (const char* name : {"active", "target"}) {
    const std::string text = text_of(*status, name);
    if (text.empty()) continue;
    const auto id = parse_generation(std::string_view(text));
    if (!id) return std::unexpected(id.error());
    needed.insert(hex16(id->content_hash));
  }
  std::vector<Built> built = built_generations(folder);
  std::ranges::sort(built, std::ranges::greater(), &Built::at);
  size_t removed = 0;
  for (size_t i = kept; i < built.size(); ++i) {
    if (needed.contains(built[i].folder.filename())) continue;
    // Without its manifest it is no generation, should this process end in between.
    std::error_code problem;
    fs::remove(built[i].folder / index::kManifestFile, problem);
    if (!problem) fs::remove_all(built[i].folder, problem);
    if (problem) return fail(ErrorCode::kUnavailable, "cannot be removed: " + problem.message(), built[i].folder);
    ++removed;
  }
  return removed;
}

}  // namespace souk::publish
