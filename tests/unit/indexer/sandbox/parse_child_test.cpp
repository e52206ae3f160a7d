// SPDX-License-Identifier: Apache-2.0
#include "indexer/sandbox/parse_child.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "indexer/feed/codec.h"
#include "indexer/feed/feed_reader.h"
#include "tests/world/temporary_folder.h"

namespace souk::sandbox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

void write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string yml(size_t offers) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<yml_catalog date=\"2026-01-10 12:00\"><shop><name>Shop</name>"
      "<company>Company</company><url>https://shop.example/</url><currencies><currency id=\"RUR\" rate=\"1\"/>"
      "</currencies><categories><category id=\"1\">Телефоны</category></categories><offers>\n";
  for (size_t i = 1; i <= offers; ++i) {
    const std::string id = std::to_string(i);
    text += "<offer id=\"" + id + "\" available=\"true\"><url>https://shop.example/" + id + "</url><price>" + id +
            "</price><currencyId>RUR</currencyId><categoryId>1</categoryId><picture>https://shop.example/" + id +
            ".jpg</picture><name>Телефон " + id + "</name></offer>\n";
  }
  return text + "</offers></shop></yml_catalog>\n";
}

// Offers as their records, which are equal when the offers are.
std::string record_of(const feed::Offer& offer) {
  feed::FeedOfferRecord record;
  feed::fill_record(record, offer);
  return record.SerializeAsString();
}

std::vector<std::string> read_in_process(const ParseJob& job, feed::Report& report) {
  std::vector<std::string> offers;
  feed::read_feed_file(job.feed, job.options, [&offers](feed::Offer&& offer) { offers.push_back(record_of(offer)); },
                       report, {});
  return offers;
}

class ParseChild : public testing::Test {
 protected:
  ParseJob job(std::string_view feed, const std::string& name = "feed") const {
    ParseJob job;
    job.feed = folder_.path() / name;
    job.output = folder_.path() / (name + ".offers");
    job.program = SOUK_HOSTILE_PARSER;
    write_file(job.feed, feed);
    return job;
  }

  static Result<ParsedFeed> parse(const ParseJob& job) { return parse_in_child(job, {}, {}); }

  static std::vector<std::string> offers_of(const ParseJob& job) {
    std::vector<std::string> offers;
    const Status read = read_parsed_offers(job.output, [&offers](feed::Offer&& offer) {
      offers.push_back(record_of(offer));
      return Status{};
    });
    EXPECT_TRUE(read) << to_string(read.error());
    return offers;
  }

  static size_t open_files() {
    return static_cast<size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
  }

  static void expect_no_child() {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  const world::TemporaryFolder folder_;
};

TEST_F(ParseChild, GivesWhatReadingInProcessGives) {
  const ParseJob good = job(yml(3000));
  uint64_t last = 0;
  uint64_t total = 0;
  const auto parsed = parse_in_child(good,
                                     [&](uint64_t done, uint64_t of) {
                                       EXPECT_GE(done, last);
                                       last = done;
                                       total = of;
                                     },
                                     {});
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_EQ(parsed->report.feed_error.kind, "") << parsed->report.feed_error.message;
  EXPECT_EQ(parsed->report.accepted, 3000U);
  EXPECT_EQ(parsed->report.file, good.feed);
  EXPECT_EQ(parsed->header.shop_name, "Shop");
  EXPECT_EQ(total, fs::file_size(good.feed));
  EXPECT_EQ(last, total);

  feed::Report report;
  EXPECT_EQ(offers_of(good), read_in_process(good, report));
  expect_no_child();
}

TEST_F(ParseChild, RefusedFeedLeavesNoOffers) {
  std::string cut = yml(5000);
  cut.resize(cut.size() - 100);
  const ParseJob refused = job(cut);
  const auto parsed = parse(refused);
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_EQ(parsed->report.feed_error.kind, "truncated");
  EXPECT_EQ(parsed->report.accepted, 0U);
  EXPECT_TRUE(offers_of(refused).empty());
}

TEST_F(ParseChild, MissingFeedIsUnreadable) {
  ParseJob missing = job("");
  missing.feed += ".missing";
  const auto parsed = parse(missing);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->report.feed_error.kind, "unreadable");
  missing.feed = folder_.path();
  const auto folder = parse(missing);
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->report.feed_error.kind, "unreadable");
}

TEST_F(ParseChild, FailuresOfTheMachineAreErrors) {
  ParseJob good = job(yml(1));
  good.program = folder_.path() / "no-program";
  EXPECT_EQ(parse(good).error().code, ErrorCode::kUnavailable);
  good.program = "/bin/false";  // begins, but never says that it is locked in
  EXPECT_EQ(parse(good).error().code, ErrorCode::kUnavailable);
  good = job(yml(1));
  good.output = folder_.path() / "no-folder" / "offers";
  EXPECT_EQ(parse(good).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(parse(job("hostile:fail_early")).error().code, ErrorCode::kUnavailable);
  expect_no_child();
}

// Runs it in a process of its own, which answers with a number.
pid_t in_fork(const std::function<int()>& run) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(run());
  return pid;
}

int answer_of(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ParseChild, WithoutSeccompNothingIsRead) {
  const ParseJob good = job(yml(1));
  const pid_t pid = in_fork([&good] {
    scmp_filter_ctx old_kernel = ::seccomp_init(SCMP_ACT_ALLOW);
    const scmp_arg_cmp set_seccomp{0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0};
    ::seccomp_rule_add(old_kernel, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
    ::seccomp_rule_add_array(old_kernel, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, &set_seccomp);
    if (::seccomp_load(old_kernel) != 0) return 1;
    const auto parsed = parse(good);
    if (parsed || parsed.error().code != ErrorCode::kUnavailable) return 2;
    return parsed.error().message.contains("seccomp") ? 0 : 3;
  });
  EXPECT_EQ(answer_of(pid), 0);
}

TEST_F(ParseChild, NothingOfTheParentIsHandedOn) {
  ::setenv("SOUK_TEST_SECRET", "secret", 1);
  const int open_file = ::open(job("").feed.c_str(), O_RDONLY);  // without O_CLOEXEC
  const auto parsed = parse(job("hostile:look_around"));
  ::close(open_file);
  ::unsetenv("SOUK_TEST_SECRET");
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_EQ(parsed->report.feed_error.kind, "") << parsed->report.feed_error.message;
}

// 0 when there is none, or it has ended.
pid_t child_of(pid_t parent) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator("/proc", problem)) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = read_file(entry.path() / "stat");
    const size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos || stat.size() < name_end + 4) continue;
    const bool ended = stat[name_end + 2] == 'Z';
    if (!ended && std::atol(stat.c_str() + name_end + 4) == parent) return static_cast<pid_t>(std::atol(stat.c_str()));
  }
  return 0;
}

bool is_running(pid_t pid) {
  const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  const size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.size() > name_end + 2 && stat[name_end + 2] != 'Z';
}

template <typename Condition>
bool comes_true(const Condition& condition) {
  const Deadline deadline = Deadline::after(real_clock(), std::chrono::seconds(20));
  while (!condition()) {
    if (deadline.passed(real_clock())) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST_F(ParseChild, EndsWithItsParent) {
  const ParseJob hanging = job("hostile:hang");
  const pid_t parent = in_fork([&] { return parse(hanging) ? 0 : 1; });
  pid_t child = 0;
  ASSERT_TRUE(comes_true([&] { return (child = child_of(parent)) != 0; }));
  // It is locked in: there is a filter.
  EXPECT_TRUE(
      comes_true([&] { return read_file("/proc/" + std::to_string(child) + "/status").contains("Seccomp:\t2"); }));
  ::kill(parent, SIGKILL);
  EXPECT_EQ(answer_of(parent), -1);
  EXPECT_TRUE(comes_true([&] { return !is_running(child); }));
}

TEST_F(ParseChild, StopEndsIt) {
  const size_t files = open_files();
  int asked = 0;
  const auto parsed = parse_in_child(job("hostile:hang"), {}, [&asked] { return ++asked == 3; });
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kUnavailable);
  expect_no_child();
  EXPECT_EQ(open_files(), files);
}

struct Attack {
  const char* what;
  const char* kind;     // of the feed error
  const char* message;  // part of it
};

ParseLimits tight_limits(std::string_view what) {
  ParseLimits limits;
  limits.cpu = std::chrono::seconds(1);
  // Those that would never end; all others must end by themselves, however slow the machine.
  const bool endless = what == "hang" || what == "flood_progress" || what == "report_and_hang";
  limits.wall = std::chrono::seconds(endless ? 1 : 60);
  if (what == "flood_progress") limits.cpu = std::chrono::seconds(60);
  limits.memory_bytes = uint64_t{64} << 20;
  limits.output_bytes = uint64_t{4} << 20;
  return limits;
}

const std::vector<Attack> kAttacks{
    {"hang", "parse_timeout", "more than 1 s"},
    {"cpu", "parse_timeout", "of CPU"},
    {"flood_file", "parse_crash", "exceed"},
    {"flood_pipe", "parse_crash", "no report"},
    {"flood_progress", "parse_timeout", "more than 1 s"},
    {"open", "parse_crash", "forbidden"},
    {"socket", "parse_crash", "forbidden"},
    {"fork", "parse_crash", "forbidden"},
    {"exec", "parse_crash", "forbidden"},
    {"kill_parent", "parse_crash", "forbidden"},
    {"written_code", "parse_crash", "forbidden"},
    {"crash", "parse_crash", "signal 11"},
    {"abort", "parse_crash", "signal 6"},
    {"damaged_report", "parse_crash", "damaged"},
    {"report_out_of_bounds", "parse_crash", "damaged"},
    {"two_reports", "parse_crash", "no report"},
    {"half_a_report", "parse_crash", "without a report"},
    {"announce_4_gib", "parse_crash", "no report"},
    {"report_and_hang", "parse_timeout", "more than 1 s"},
    {"report_and_fail", "parse_crash", "code 7"},
    {"many_lines", "parse_crash", "one?two?[31m??"},
    {"nothing", "parse_crash", "without a report"},
};

void expect_repelled(const Attack& attack, const Result<ParsedFeed>& parsed) {
  SCOPED_TRACE(attack.what);
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_EQ(parsed->report.feed_error.kind, attack.kind) << parsed->report.feed_error.message;
  EXPECT_THAT(parsed->report.feed_error.message, HasSubstr(attack.message));
  EXPECT_EQ(parsed->report.accepted, 0U);
}

// Every attack at once, from a few threads, with good feeds between them: each costs its own feed only.
TEST_F(ParseChild, AttacksCostTheirOwnFeedOnly) {
  const size_t files = open_files();
  const std::string good = yml(200);
  std::atomic<size_t> next = 0;
  std::atomic<size_t> good_ones = 0;
  const auto work = [&] {
    for (size_t i = next++; i < kAttacks.size(); i = next++) {
      const Attack& attack = kAttacks[i];
      ParseJob bad = job(std::string("hostile:") + attack.what, attack.what);
      bad.limits = tight_limits(attack.what);
      expect_repelled(attack, parse(bad));
      EXPECT_EQ(fs::file_size(bad.output), 0U) << attack.what;
      const auto parsed = parse(job(good, std::string("good after ") + attack.what));
      if (parsed && parsed->report.ok() && parsed->report.accepted == 200) ++good_ones;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good_ones, kAttacks.size());
  expect_no_child();
  EXPECT_EQ(open_files(), files);
}

TEST_F(ParseChild, MemoryIsLimited) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve more address space than any limit";
  ParseJob bad = job("hostile:allocate");
  bad.limits = tight_limits("allocate");
  expect_repelled({"allocate", "parse_crash", "the reader of the feed failed"}, parse(bad));
}

TEST_F(ParseChild, OffersThatAChildInventsAreChecked) {
  const ParseJob bad = job("hostile:report_bad_offers");
  ASSERT_TRUE(parse(bad));
  const Status read = read_parsed_offers(bad.output, [](feed::Offer&&) { return Status{}; });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorruption);
}

TEST_F(ParseChild, ReadingOffersStopsWithItsCallersError) {
  const ParseJob good = job(yml(10));
  ASSERT_TRUE(parse(good));
  size_t seen = 0;
  const Status read = read_parsed_offers(good.output, [&seen](feed::Offer&&) -> Status {
    if (++seen == 3) return fail(ErrorCode::kOverloaded, "enough");
    return {};
  });
  EXPECT_EQ(seen, 3U);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(read_parsed_offers(folder_.path() / "none", [](feed::Offer&&) { return Status{}; }).error().code,
            ErrorCode::kUnavailable);
}

TEST_F(ParseChild, CutOrDamagedOffersAreNoticed) {
  const ParseJob good = job(yml(20));
  ASSERT_TRUE(parse(good));
  const std::string whole = read_file(good.output);
  const std::vector<std::string> offers = offers_of(good);
  const fs::path damaged = folder_.path() / "damaged";
  const google::protobuf::LogSilencer quiet;
  rc::check("a cut file gives the first offers, then an error unless it is cut between two", [&] {
    const size_t cut = *rc::gen::inRange<size_t>(0, whole.size());
    write_file(damaged, std::string_view(whole).substr(0, cut));
    std::vector<std::string> read;
    const Status done = read_parsed_offers(damaged, [&read](feed::Offer&& offer) {
      read.push_back(record_of(offer));
      return Status{};
    });
    RC_ASSERT(read.size() < offers.size());
    RC_ASSERT(std::equal(read.begin(), read.end(), offers.begin()));
    if (!done) RC_ASSERT(done.error().code == ErrorCode::kCorruption);
  });
  rc::check("a changed byte gives offers within their bounds or an error", [&] {
    std::string bytes = whole;
    bytes[*rc::gen::inRange<size_t>(0, whole.size())] = *rc::gen::arbitrary<char>();
    write_file(damaged, bytes);
    const Status done = read_parsed_offers(damaged, [](feed::Offer&& offer) {
      RC_ASSERT(offer.price > 0);
      return Status{};
    });
    if (!done) RC_ASSERT(done.error().code == ErrorCode::kCorruption);
  });
}

std::vector<fs::path> shared_feeds() {
  const char* shared = std::getenv("SOUK_SHARED");
  const fs::path folder = shared != nullptr ? fs::path(shared) : fs::path(SOUK_SOURCE_DIR).parent_path() / "shared";
  std::vector<fs::path> feeds;
  std::error_code problem;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "cases" / "feeds", problem)) {
    if (entry.path().stem().string().starts_with("feed")) feeds.push_back(entry.path());
  }
  return feeds;
}

// Whatever a feed makes the libraries do must be possible behind the locks.
TEST_F(ParseChild, SharedCasesReadAsInProcess) {
  const std::vector<fs::path> feeds = shared_feeds();
  if (feeds.empty()) GTEST_SKIP() << "../shared is not there";
  for (const fs::path& path : feeds) {
    for (const feed::Mode mode : {feed::Mode::kStrict, feed::Mode::kLenient}) {
      SCOPED_TRACE(path.string() + " " + std::string(to_string(mode)));
      ParseJob shared = job("");
      shared.feed = path;
      shared.options.mode = mode;
      const auto parsed = parse(shared);
      ASSERT_TRUE(parsed) << to_string(parsed.error());
      feed::Report report;
      const std::vector<std::string> expected = read_in_process(shared, report);
      EXPECT_EQ(parsed->report.feed_error.kind, report.feed_error.kind) << parsed->report.feed_error.message;
      EXPECT_EQ(parsed->report.rejected, report.rejected);
      EXPECT_EQ(parsed->report.warning_kinds, report.warning_kinds);
      if (report.ok()) EXPECT_EQ(offers_of(shared), expected);
    }
  }
}

}  // namespace
}  // namespace souk::sandbox
