// SPDX-License-Identifier: Apache-2.0
// What bench/engine.py asks of an engine under test. A program is started with
//   build CORPUS INDEX   builds the index in an empty folder and prints one line of JSON, or
//   serve CORPUS INDEX   opens it and prints one line, then answers each line of its input with one:
//     run SET PASSES FILE  asks the set's queries; FILE gets each query's fastest pass in ns, one a line
//     count SET FILE       FILE gets a line "matches check check" per query, exact; the checks are 0 but for facets
// The lines are JSON objects; "error" in one says what went wrong. The end of the input ends the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/datasets/corpus_file.h"
#include "core/base/error.h"

namespace souk::bench {

struct Counted {
  uint64_t matches = 0;
  // Of facet counts: the sum of (number of the category or vendor + 1) x count.
  uint64_t category_check = 0;
  uint64_t vendor_check = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // JSON members for the line that is printed.
  virtual Result<std::string> build(const std::string& corpus, const std::string& index) = 0;
  virtual Result<std::string> open(const std::string& index, const std::vector<CorpusQuery>& queries) = 0;
  // Whether there is such a set; what is called now is about it. What can be prepared is, untimed.
  virtual bool choose(std::string_view set) = 0;
  // Timed: the best ten of query `number`. Returns something that depends on them.
  virtual Result<uint64_t> search(size_t number) = 0;
  virtual Result<Counted> count(size_t number) = 0;
};

// The main program of such a driver.
int run_driver(Engine& engine, int argc, char** argv);

}  // namespace souk::bench
