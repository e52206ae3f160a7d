// SPDX-License-Identifier: Apache-2.0
// souk-store-kill: kills a process that writes an offer store, at random moments, and checks what it leaves.
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <random>
#include <thread>

#include "bench/datasets/random.h"
#include "core/base/clock.h"
#include "indexer/offers/rocksdb_storage.h"
#include "tests/kill/check_store.h"
#include "tests/world/postgres_server.h"

namespace souk::offers {
namespace {

using std::chrono::steady_clock;
constexpr int kSkipped = 77;
constexpr int kLastCommits = 1'000'000;  // a writer ends by being killed
constexpr std::chrono::seconds kPatience{30};

struct Options {
  std::string database = "rocksdb";
  std::string place;  // of the store: folder or connection
  uint64_t seed = 0;
  uint32_t rounds = 20;
  std::string record;
  std::string commit = "unknown";  // of the sources
  bool write = false;
};

Result<std::unique_ptr<OfferStore>> open(const Options& options, uint64_t seed) {
  if (options.database == "postgres") return open_postgres_store(options.place, real_clock());
  // Now one way of committing, now the other.
  auto storage = open_rocksdb_storage(options.place, bench::Random(seed).chance(0.5) ? 64 << 10 : kStagingBytes);
  if (!storage) return std::unexpected(storage.error());
  return make_catalogue(std::move(*storage), real_clock());
}

// The process that is killed: commit after commit, each told in a line when it is done.
Status write(const Options& options) {
  const auto store = open(options, static_cast<uint64_t>(::getpid()));
  if (!store) return std::unexpected(store.error());
  const auto revision = (*store)->revision();
  if (!revision) return std::unexpected(revision.error());
  History history(options.seed);
  while (history.revision() < *revision) history.advance();
  for (int i = 0; i < kLastCommits; ++i) {
    const Status done = history.apply_next(**store);
    if (!done) return done;
    history.advance();
    fmt::print("{}\n", history.revision());
    std::fflush(stdout);
  }
  return {};
}

struct Killed {
  uint64_t told = 0;  // the last commit that the writer said was done; 0 = none
  bool died_itself = false;
};

// Starts a writer and kills it after so long.
Killed run_writer(const char* program, const Options& options, std::chrono::microseconds life) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const std::string seed = std::to_string(options.seed);
  const pid_t writer = ::fork();
  if (writer < 0) throw std::runtime_error("no process");
  if (writer == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execl(program, program, "--write", "--database", options.database.c_str(), "--place", options.place.c_str(),
            "--seed", seed.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(life);  // the moment is what is tested
  ::kill(writer, SIGKILL);
  int status = 0;
  ::waitpid(writer, &status, 0);
  std::string said;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) said.append(buffer, got);
  ::close(ends[0]);
  Killed killed{0, !WIFSIGNALED(status)};
  const size_t end = said.rfind('\n');
  if (end != std::string::npos) {
    const size_t before = said.rfind('\n', end == 0 ? 0 : end - 1);
    killed.told = std::stoull(said.substr(before == std::string::npos ? 0 : before + 1, end));
  }
  return killed;
}

// A database server may need a moment to notice that a writer is dead.
Result<std::unique_ptr<OfferStore>> open_after_kill(const Options& options, uint64_t round) {
  const auto deadline = steady_clock::now() + kPatience;
  auto store = open(options, round);
  while (!store && store.error().code == ErrorCode::kUnavailable && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    store = open(options, round);
  }
  return store;
}

struct Outcome {
  std::string problem;
  uint64_t rounds = 0, commits = 0;
  uint64_t untold = 0;  // commits that were whole when the writer could not say so any more
};

Outcome run(const char* program, const Options& options) {
  bench::Random random(options.seed);
  StoreChecker checker(options.seed);
  Outcome outcome;
  while (outcome.rounds < options.rounds && outcome.problem.empty()) {
    const auto killed = run_writer(program, options, std::chrono::microseconds(random.between(1'000, 700'000)));
    ++outcome.rounds;
    if (killed.died_itself) {
      outcome.problem = "the writer failed";
      break;
    }
    const auto store = open_after_kill(options, outcome.rounds);
    if (!store) {
      outcome.problem = to_string(store.error());
      break;
    }
    const uint64_t least = std::max(killed.told, outcome.commits);
    outcome.problem = checker.problem_of(**store, least, least + 1);
    if (options.database == "rocksdb" && std::filesystem::exists(options.place + "/staging")) {
      outcome.problem = "staged files were left";
    }
    outcome.commits = checker.history().revision();
    outcome.untold += outcome.commits > least ? 1 : 0;
  }
  return outcome;
}

int drive(const char* program, Options options) {
  if (options.seed == 0) options.seed = std::random_device()();
  const world::TemporaryFolder folder;
  std::unique_ptr<world::PostgresServer> server;
  options.place = (folder.path() / "offers").string();
  if (options.database == "postgres") {
    if (!world::PostgresServer::is_installed()) return kSkipped;
    server = std::make_unique<world::PostgresServer>();
    options.place = server->connection();
  }
  const auto begin = steady_clock::now();
  const Outcome outcome = run(program, options);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(steady_clock::now() - begin).count();
  const std::string line = fmt::format(
      R"({{"date":"{}","test":"store_kill","database":"{}","seed":{},"rounds":{},"commits":{},"untold":{},"seconds":{},"commit":"{}","result":"{}"}})",
      fmt::format("{:%F}", fmt::gmtime(std::time(nullptr))), options.database, options.seed, outcome.rounds,
      outcome.commits, outcome.untold, seconds, options.commit, outcome.problem.empty() ? "ok" : outcome.problem);
  fmt::print("{}\n", line);
  if (!options.record.empty()) std::ofstream(options.record, std::ios::app) << line << "\n";
  return outcome.problem.empty() ? 0 : 1;
}

int main_of(int argc, char** argv) {
  CLI::App app("souk-store-kill: kills a writer of an offer store again and again and checks what it leaves");
  Options options;
  app.add_option("--database", options.database)->check(CLI::IsMember({"rocksdb", "postgres"}));
  app.add_option("--rounds", options.rounds, "default 20")->check(CLI::Range(1U, 1'000'000U));
  app.add_option("--seed", options.seed, "default: another one each time");
  app.add_option("--record", options.record, "file to append a line of JSON to");
  app.add_option("--commit", options.commit, "of the sources, for the record");
  app.add_flag("--write", options.write, "be the writer");
  app.add_option("--place", options.place, "the writer's store");
  CLI11_PARSE(app, argc, argv);
  if (!options.write) return drive(argv[0], options);
  const Status done = write(options);
  if (!done) fmt::print(stderr, "souk-store-kill: {}\n", to_string(done.error()));
  return done ? 0 : 1;
}

}  // namespace
}  // namespace souk::offers

int main(int argc, char** argv) {
  try {
    return souk::offers::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-store-kill: %s\n", error.what());
    return 1;
  }
}
