// SPDX-License-Identifier: Apache-2.0
#include "control/serve/registry.h"

#include <algorithm>
#include <charconv>

#include "control/client/replica_json.h"
#include "runtime/net/json_text.h"

namespace souk::control {

namespace {

constexpr const char* kActive = "generation/active";
constexpr const char* kTarget = "generation/target";
constexpr const char* kEpoch = "generation/epoch";
constexpr const char* kByHash = "generation/by_hash/";
constexpr const char* kGenerationCounter = "counter/generation";
constexpr const char* kShopCounter = "counter/shop";
constexpr const char* kShopByName = "shop/by_name/";
constexpr const char* kReplica = "replica/";
constexpr size_t kMaxShopName = 100;
constexpr uint64_t kMaxShops = 1'000'000;

Coverage coverage_of(const config::Topology& topology) {
  Coverage coverage;
  for (const config::ClusterConfig& cluster : topology.clusters) {
    coverage.clusters.push_back({cluster.name, cluster.shards});
  }
  coverage.snippets = !topology.snippets.empty();
  return coverage;
}

std::unexpected<Error> damaged(const std::string& key) {
  return fail(ErrorCode::kCorruption, "the metastore holds a value that is not right", key);
}

Result<uint64_t> to_number(const Entry& entry) {
  uint64_t number = 0;
  const char* end = entry.value.data() + entry.value.size();
  const auto [stopped, failure] = std::from_chars(entry.value.data(), end, number);
  if (failure != std::errc{} || stopped != end) return damaged(entry.key);
  return number;
}

Result<GenerationId> to_generation(const Entry& entry) {
  if (entry.value.empty()) return GenerationId{};
  const auto id = parse_generation(entry.value);
  if (!id) return damaged(entry.key);
  return *id;
}

std::string text_or_empty(const GenerationId& id) {
  return id ? to_string(id) : std::string();
}

}  // namespace

Registry::Registry(std::unique_ptr<Metastore> store, const config::Topology& topology, const Clock& clock, obs::Log log)
    : store_(std::move(store)),
      topology_(topology),
      coverage_(coverage_of(topology)),
      clock_(clock),
      log_(std::move(log)) {}

Status Registry::load() {
  const auto orders = read_orders();
  if (!orders) return std::unexpected(orders.error());
  const auto entries = store_->changes(kReplica, 0);
  if (!entries) return std::unexpected(entries.error());
  for (const Entry& entry : *entries) {
    auto state = replica_from_json(entry.value);
    if (!state) return damaged(entry.key);
    if (check_known(*state)) replicas_[state->name] = Known{*state, false, {}};
  }
  return {};
}

Result<Registry::StoredOrders> Registry::read_orders() {
  StoredOrders stored;
  const auto read = [&](const char* key) -> Result<Entry> {
    auto entry = store_->get(key);
    if (!entry) return std::unexpected(entry.error());
    stored.unchanged.push_back({key, *entry ? (*entry)->revision : 0});
    return *entry ? **entry : Entry{key, "", 0};
  };
  const auto active = read(kActive);
  if (!active) return std::unexpected(active.error());
  const auto target = read(kTarget);
  if (!target) return std::unexpected(target.error());
  const auto epoch = read(kEpoch);
  if (!epoch) return std::unexpected(epoch.error());
  const auto active_id = to_generation(*active);
  if (!active_id) return std::unexpected(active_id.error());
  const auto target_id = to_generation(*target);
  if (!target_id) return std::unexpected(target_id.error());
  const auto number = epoch->revision == 0 ? Result<uint64_t>(0) : to_number(*epoch);
  if (!number) return std::unexpected(number.error());
  stored.orders = Orders{*active_id, *target_id, *number};
  return stored;
}

Status Registry::write_orders(const StoredOrders& before, const Orders& after, Transaction more) {
  if (after.epoch == before.orders.epoch) return {};
  more.conditions.insert(more.conditions.end(), before.unchanged.begin(), before.unchanged.end());
  more.puts.push_back({kActive, text_or_empty(after.active)});
  more.puts.push_back({kTarget, text_or_empty(after.target)});
  more.puts.push_back({kEpoch, std::to_string(after.epoch)});
  const auto committed = store_->commit(more);
  if (!committed) return std::unexpected(committed.error());
  if (after.active != before.orders.active) log_.info("active generation is " + to_string(after.active));
  if (after.target != before.orders.target) log_.info("target generation is " + to_string(after.target));
  return {};
}

Result<uint64_t> Registry::next_number(const std::string& counter, Transaction& transaction) {
  const auto entry = store_->get(counter);
  if (!entry) return std::unexpected(entry.error());
  const auto last = *entry ? to_number(**entry) : Result<uint64_t>(0);
  if (!last) return last;
  transaction.conditions.push_back({counter, *entry ? (*entry)->revision : 0});
  transaction.puts.push_back({counter, std::to_string(*last + 1)});
  return *last + 1;
}

Status Registry::check_known(const ReplicaState& state) const {
  if (const config::NodeConfig* node = topology_.node(state.name)) {
    if (node->cluster == state.cluster && node->shard == state.shard) return {};
    return fail(ErrorCode::kInvalidArgument, "the topology has this node elsewhere", state.name);
  }
  if (topology_.snippet(state.name) != nullptr && state.cluster.empty() && state.shard == 0) return {};
  return fail(ErrorCode::kInvalidArgument, "the topology has no such replica", state.name);
}

Status Registry::remember(const ReplicaState& state) {
  const auto found = replicas_.find(state.name);
  const bool changed = found == replicas_.end() || found->second.state.ready != state.ready ||
                       found->second.state.problem != state.problem || found->second.state.cluster != state.cluster ||
                       found->second.state.shard != state.shard;
  if (changed) {
    Transaction transaction;
    transaction.puts.push_back({kReplica + state.name, net::to_text(to_json(state))});
    const auto committed = store_->commit(transaction);
    if (!committed) return std::unexpected(committed.error());
    if (!state.problem.empty()) log_.warning(state.name + " reports: " + state.problem);
  }
  replicas_[state.name] = Known{state, true, clock_.now()};
  return {};
}

std::vector<Report> Registry::reports() const {
  std::vector<Report> list;
  for (const auto& [name, known] : replicas_) {
    if (known.reported) list.push_back({known.state, known.at});
  }
  return list;
}

Result<Orders> Registry::report(ReplicaState state) {
  if (const Status known = check_known(state); !known) return std::unexpected(known.error());
  if (const Status remembered = remember(state); !remembered) return std::unexpected(remembered.error());
  const auto before = read_orders();
  if (!before) return std::unexpected(before.error());
  const Orders after = advance(before->orders, coverage_, reports(), clock_.now());
  if (const Status written = write_orders(*before, after, {}); !written) return std::unexpected(written.error());
  return after;
}

Result<GenerationId> Registry::publish(uint64_t content_hash, uint64_t shards) {
  for (const Coverage::Cluster& cluster : coverage_.clusters) {
    if (cluster.shards == shards) continue;
    return fail(ErrorCode::kInvalidArgument,
                "cluster " + cluster.name + " has " + std::to_string(cluster.shards) + " shards, the generation " +
                    std::to_string(shards),
                "shards");
  }
  const std::string key = kByHash + hex16(content_hash);
  const auto known = store_->get(key);
  if (!known) return std::unexpected(known.error());
  Transaction transaction;
  GenerationId id;
  if (*known) {
    const auto stored = to_generation(**known);
    if (!stored) return stored;
    id = *stored;
  } else {
    const auto number = next_number(kGenerationCounter, transaction);
    if (!number) return std::unexpected(number.error());
    id = GenerationId{*number, content_hash};
    transaction.conditions.push_back({key, 0});
    transaction.puts.push_back({key, to_string(id)});
  }
  const auto before = read_orders();
  if (!before) return std::unexpected(before.error());
  // Replicas may hold an older generation still: then it is active again at once.
  const Orders after = advance(control::publish(before->orders, id), coverage_, reports(), clock_.now());
  const Status written = write_orders(*before, after, std::move(transaction));
  if (!written) return std::unexpected(written.error());
  return id;
}

Result<uint32_t> Registry::register_shop(const std::string& name) {
  if (name.empty() || name.size() > kMaxShopName) {
    return fail(ErrorCode::kInvalidArgument, "must have 1 to 100 bytes", "name");
  }
  const std::string key = kShopByName + name;
  const auto known = store_->get(key);
  if (!known) return std::unexpected(known.error());
  if (*known) {
    const auto number = to_number(**known);
    if (!number) return std::unexpected(number.error());
    return static_cast<uint32_t>(*number);
  }
  Transaction transaction;
  const auto number = next_number(kShopCounter, transaction);
  if (!number) return std::unexpected(number.error());
  if (*number > kMaxShops) return fail(ErrorCode::kOverloaded, "there are a million shops already", "name");
  transaction.conditions.push_back({key, 0});
  transaction.puts.push_back({key, std::to_string(*number)});
  const auto committed = store_->commit(transaction);
  if (!committed) return std::unexpected(committed.error());
  log_.info("shop " + std::to_string(*number) + " is " + name);
  return static_cast<uint32_t>(*number);
}

Result<Registry::Summary> Registry::summary() {
  const auto stored = read_orders();
  if (!stored) return std::unexpected(stored.error());
  Summary summary;
  summary.orders = stored->orders;
  const SteadyTime now = clock_.now();
  for (const auto& [name, known] : replicas_) {
    const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(now - known.at).count();
    summary.replicas.push_back({known.state, known.reported ? age : -1});
  }
  const auto shops = store_->changes(kShopByName, 0);
  if (!shops) return std::unexpected(shops.error());
  for (const Entry& entry : *shops) {
    const auto number = to_number(entry);
    if (!number) return std::unexpected(number.error());
    summary.shops.push_back({static_cast<uint32_t>(*number), entry.key.substr(std::string_view(kShopByName).size())});
  }
  std::ranges::sort(summary.shops, {}, &Shop::number);
  if (!stored->orders.target) {
    summary.problems.emplace_back("no generation is published");
  } else {
    summary.problems = missing(stored->orders.target, coverage_, reports(), now);
  }
  return summary;
}

}  // namespace souk::control
