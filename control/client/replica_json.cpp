// SPDX-License-Identifier: Apache-2.0
#include "control/client/replica_json.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

namespace souk::control {

namespace {

namespace json = boost::json;

constexpr size_t kMaxBytes = 64 * 1024;
constexpr size_t kMaxNameBytes = 100;
constexpr size_t kMaxProblemBytes = 1000;
constexpr size_t kMaxReady = 64;
constexpr uint64_t kMaxShard = 65'536;

// "" is no generation.
json::string generation_text(const GenerationId& id) {
  return id ? json::string(to_string(id)) : json::string();
}

Result<GenerationId> generation_member(const json::object& object, std::string_view name) {
  const auto text = text_member(object, name, kMaxNameBytes);
  if (!text) return std::unexpected(text.error());
  if (text->empty()) return GenerationId{};
  auto id = parse_generation(*text);
  if (!id) id.error().argument = name;
  return id;
}

Result<std::vector<GenerationId>> ready_member(const json::object& object) {
  const json::value* value = object.if_contains("ready");
  if (value == nullptr || !value->is_array() || value->get_array().size() > kMaxReady) {
    return fail(ErrorCode::kInvalidArgument, "must be a list of at most 64 generations", "ready");
  }
  std::vector<GenerationId> ready;
  for (const json::value& entry : value->get_array()) {
    const auto id = entry.is_string() ? parse_generation(std::string_view(entry.get_string()))
                                      : fail(ErrorCode::kInvalidArgument, "not a generation id");
    if (!id) return fail(ErrorCode::kInvalidArgument, id.error().message, "ready");
    ready.push_back(*id);
  }
  return ready;
}

}  // namespace

Result<json::object> parse_object(std::string_view text) {
  if (text.size() > kMaxBytes) return fail(ErrorCode::kInvalidArgument, "the JSON is too long");
  json::parse_options options;
  options.max_depth = 8;
  json::error_code failure;
  json::value value = json::parse(text, failure, {}, options);
  if (failure) return fail(ErrorCode::kInvalidArgument, "not JSON: " + failure.message());
  if (!value.is_object()) return fail(ErrorCode::kInvalidArgument, "must be a JSON object");
  return std::move(value.get_object());
}

Result<std::string> text_member(const json::object& object, std::string_view name, size_t max_bytes) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) {
    return fail(ErrorCode::kInvalidArgument, "must be a text", std::string(name));
  }
  std::string text(value->get_string());
  if (text.size() > max_bytes) return fail(ErrorCode::kInvalidArgument, "is too long", std::string(name));
  const bool control = std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (control) return fail(ErrorCode::kInvalidArgument, "has a control character", std::string(name));
  return text;
}

Result<uint64_t> number_member(const json::object& object, std::string_view name, uint64_t max) {
  const json::value* value = object.if_contains(name);
  json::error_code failure;
  const auto number = value == nullptr || !value->is_number() ? 0 : value->to_number<uint64_t>(failure);
  if (value == nullptr || !value->is_number() || value->is_double() || failure || number > max) {
    return fail(ErrorCode::kInvalidArgument, "must be a whole number in 0.." + std::to_string(max), std::string(name));
  }
  return number;
}

json::object to_json(const ReplicaState& state) {
  json::array ready;
  for (const GenerationId& id : state.ready) ready.push_back(generation_text(id));
  // A problem may quote a peer or a file: keep it one short line of valid text.
  std::string problem = state.problem.substr(0, kMaxProblemBytes);
  std::ranges::replace_if(problem, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return {{"name", state.name},
          {"cluster", state.cluster},
          {"shard", state.shard},
          {"ready", std::move(ready)},
          {"problem", std::move(problem)}};
}

json::object to_json(const Orders& orders) {
  return {
      {"active", generation_text(orders.active)}, {"target", generation_text(orders.target)}, {"epoch", orders.epoch}};
}

Result<ReplicaState> replica_from_json(std::string_view text) {
  const auto object = parse_object(text);
  if (!object) return std::unexpected(object.error());
  const auto name = text_member(*object, "name", kMaxNameBytes);
  if (!name) return std::unexpected(name.error());
  const auto cluster = text_member(*object, "cluster", kMaxNameBytes);
  if (!cluster) return std::unexpected(cluster.error());
  const auto shard = number_member(*object, "shard", kMaxShard);
  if (!shard) return std::unexpected(shard.error());
  auto ready = ready_member(*object);
  if (!ready) return std::unexpected(ready.error());
  const auto problem = text_member(*object, "problem", kMaxProblemBytes);
  if (!problem) return std::unexpected(problem.error());
  return ReplicaState{*name, *cluster, static_cast<uint32_t>(*shard), std::move(*ready), *problem};
}

Result<Orders> orders_from_json(std::string_view text) {
  const auto object = parse_object(text);
  if (!object) return std::unexpected(object.error());
  const auto active = generation_member(*object, "active");
  if (!active) return std::unexpected(active.error());
  const auto target = generation_member(*object, "target");
  if (!target) return std::unexpected(target.error());
  const auto epoch = number_member(*object, "epoch", INT64_MAX);
  if (!epoch) return std::unexpected(epoch.error());
  return Orders{*active, *target, *epoch};
}

}  // namespace souk::control
