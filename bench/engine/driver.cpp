// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

namespace souk::bench {

namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

void reply(const std::string& members) {
  std::printf("{%s}\n", members.c_str());
  std::fflush(stdout);
}

std::string error_member(const Error& error) {
  std::string text = to_string(error);
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\\', '/');
  return "\"error\":\"" + text + "\"";
}

Status write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::ofstream file(path, std::ios::binary);
  for (const std::string& line : lines) file << line << '\n';
  if (!file.flush()) return fail(ErrorCode::kUnavailable, "cannot be written", path);
  return {};
}

class Server {
 public:
  Server(Engine& engine, size_t queries) : engine_(engine), queries_(queries) {}

  // One command; JSON members.
  Result<std::string> answer(const std::string& line) {
    std::istringstream words(line);
    std::string command, set, file;
    words >> command >> set;
    if (!engine_.choose(set)) return fail(ErrorCode::kNotFound, "no such set", set);
    uint32_t passes = 0;
    if (command == "run") words >> passes;
    words >> file;
    if (!words || (command != "run" && command != "count")) {
      return fail(ErrorCode::kInvalidArgument, "not a command", line);
    }
    return command == "run" ? run(passes, file) : count(file);
  }

 private:
  Result<std::string> run(uint32_t passes, const std::string& file) {
    std::vector<uint64_t> fastest(queries_, kNever);
    for (uint32_t pass = 0; pass < passes; ++pass) {
      for (size_t number = 0; number < queries_; ++number) {
        const auto begin = std::chrono::steady_clock::now();
        const auto found = engine_.search(number);
        const auto end = std::chrono::steady_clock::now();
        if (!found) return std::unexpected(found.error());
        seen_ += *found;
        const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
        fastest[number] = std::min(fastest[number], static_cast<uint64_t>(took));
      }
    }
    std::vector<std::string> lines;
    for (const uint64_t ns : fastest) lines.push_back(std::to_string(ns));
    if (Status done = write_lines(file, lines); !done) return std::unexpected(done.error());
    return "\"seen\":" + std::to_string(seen_);
  }

  Result<std::string> count(const std::string& file) {
    std::vector<std::string> lines;
    for (size_t number = 0; number < queries_; ++number) {
      const auto counted = engine_.count(number);
      if (!counted) return std::unexpected(counted.error());
      lines.push_back(std::to_string(counted->matches) + ' ' + std::to_string(counted->category_check) + ' ' +
                      std::to_string(counted->vendor_check));
    }
    if (Status done = write_lines(file, lines); !done) return std::unexpected(done.error());
    return std::string("\"queries\":") + std::to_string(queries_);
  }

  Engine& engine_;
  size_t queries_;
  uint64_t seen_ = 0;
};

Status serve(Engine& engine, const std::string& corpus, const std::string& index) {
  const auto queries = read_corpus_queries(corpus);
  if (!queries) return std::unexpected(queries.error());
  auto opened = engine.open(index, *queries);
  if (!opened) return std::unexpected(opened.error());
  reply(*opened);
  Server server(engine, queries->size());
  for (std::string line; std::getline(std::cin, line);) {
    const auto answer = server.answer(line);
    reply(answer ? *answer : error_member(answer.error()));
  }
  return {};
}

Status build(Engine& engine, const std::string& corpus, const std::string& index) {
  const auto built = engine.build(corpus, index);
  if (!built) return std::unexpected(built.error());
  reply(*built);
  return {};
}

}  // namespace

int run_driver(Engine& engine, int argc, char** argv) {
  const std::string command = argc == 4 ? argv[1] : "";
  if (command != "build" && command != "serve") {
    std::fprintf(stderr, "usage: %s build|serve CORPUS INDEX (started by ./souk bench engine)\n", argv[0]);
    return 2;
  }
  const Status done = command == "build" ? build(engine, argv[2], argv[3]) : serve(engine, argv[2], argv[3]);
  if (done) return 0;
  reply(error_member(done.error()));
  return 1;
}

}  // namespace souk::bench
