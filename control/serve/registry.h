// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/rollout/rollout.h"
#include "control/store/metastore.h"
#include "core/base/clock.h"
#include "runtime/config/topology.h"
#include "runtime/obs/log.h"

namespace souk::control {

// Everything control knows: what is published and active, who reported what, which number a shop's name has. Blocks on
// the metastore; used from one thread at a time. Reports live in memory (they are worth something for five seconds);
// what a replica reported last is stored when it changes, so that a restarted control still names it.
class Registry {
 public:
  struct Shop {
    uint32_t number = 0;
    std::string name;
  };
  struct Replica {
    ReplicaState state;
    int64_t age_ms = -1;  // since its last report; -1 = none since control started
  };
  struct Summary {
    Orders orders;
    std::vector<Replica> replicas;  // by name
    std::vector<Shop> shops;        // by number
    std::vector<std::string> problems;
  };

  Registry(std::unique_ptr<Metastore> store, const config::Topology& topology, const Clock& clock, obs::Log log);

  Status load();

  // kInvalidArgument for a replica that is not in the topology.
  Result<Orders> report(ReplicaState state);
  // The target from now on; the same content has the same id for ever. kInvalidArgument when a cluster has another
  // number of shards.
  Result<GenerationId> publish(uint64_t content_hash, uint64_t shards);
  // The shop's number, allotted when the name is new: 1..100 bytes.
  Result<uint32_t> register_shop(const std::string& name);
  Result<Summary> summary();

 private:
  struct StoredOrders {
    Orders orders;
    std::vector<Transaction::Condition> unchanged;  // what a change has to be based on
  };
  Result<StoredOrders> read_orders();
  // Stores what differs, together with the other puts.
  Status write_orders(const StoredOrders& before, const Orders& after, Transaction more);
  Result<uint64_t> next_number(const std::string& counter, Transaction& transaction);
  Status check_known(const ReplicaState& state) const;
  Status remember(const ReplicaState& state);
  std::vector<Report> reports() const;

  struct Known {
    ReplicaState state;
    bool reported = false;  // since control started
    SteadyTime at;
  };

  std::unique_ptr<Metastore> store_;
  const config::Topology topology_;
  const Coverage coverage_;
  const Clock& clock_;
  const obs::Log log_;
  std::map<std::string, Known, std::less<>> replicas_;
};

}  // namespace souk::control
