// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tests/unit/core/world.h"

namespace souk::test {

struct NamedEvaluator {
  std::string name;
  Evaluator evaluate;
  friend std::ostream& operator<<(std::ostream& out, const NamedEvaluator& evaluator) { return out << evaluator.name; }
};

// All that answer requests on this CPU: what one must do, each must.
std::vector<NamedEvaluator> evaluators();

// For INSTANTIATE_TEST_SUITE_P.
struct EvaluatorName {
  template <typename Info>
  std::string operator()(const Info& info) const {
    return info.param.name;
  }
};

// How a reply differs from the exact one, where it may not; "" when it is right.
std::string difference(const wire::ShardRequest& request, const wire::ShardReply& exact, const wire::ShardReply& reply);

}  // namespace souk::test
