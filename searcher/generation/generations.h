// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "runtime/exec/snapshot.h"
#include "searcher/generation/generation.h"

namespace souk::generation {

// The generations that a node can serve right now, and which one new queries take. Thread-safe; a query holds what it
// uses, so a generation goes when its last query is done.
class Generations {
 public:
  using Pointer = std::shared_ptr<const Generation>;

  Generations() { state_.set(std::make_shared<State>()); }

  Pointer active() const { return state_.get()->active; }  // null before the first
  Pointer find(const GenerationId& id) const;              // null when not held
  std::vector<GenerationId> held() const;

  // Writers: one thread at a time (the keeper's).
  void add(Pointer generation);
  bool activate(const GenerationId& id);  // false when it is not held
  void keep_only(const std::vector<GenerationId>& ids);

 private:
  struct State {
    std::vector<Pointer> all;
    Pointer active;
  };
  exec::Snapshot<State> state_;
};

}  // namespace souk::generation
