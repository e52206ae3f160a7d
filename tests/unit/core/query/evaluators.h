// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

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

// For INSTANTIATE_TEST_SUITE_P.
inline std::string name_of_evaluator(const testing::TestParamInfo<NamedEvaluator>& info) {
  return info.param.name;
}

// All that answer requests on this CPU: what one must do, each must.
std::vector<NamedEvaluator> evaluators();

}  // namespace souk::test
