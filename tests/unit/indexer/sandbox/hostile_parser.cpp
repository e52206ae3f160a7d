// SPDX-License-Identifier: Apache-2.0
// Stands in for `souk-indexer parse` in tests. A feed that begins with "hostile:WHAT" takes the reader over: from
// behind the real locks it does its worst. Any other feed is read as usual.
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/codec.h"
#include "indexer/sandbox/child_pipe.h"
#include "indexer/sandbox/jail.h"
#include "indexer/sandbox/parse_child.h"

namespace souk::sandbox {
namespace {

ChildOptions read_arguments(int argc, char** argv) {
  ChildOptions options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--mode") options.mode = value;
    if (name == "--unpacked-bytes") options.unpacked_bytes = std::stoull(value);
    if (name == "--cpu-seconds") options.cpu_seconds = std::stoull(value);
    if (name == "--memory-bytes") options.memory_bytes = std::stoull(value);
    if (name == "--output-bytes") options.output_bytes = std::stoull(value);
  }
  return options;
}

void hang() {
  std::binary_semaphore never(0);
  never.acquire();
}

void burn_cpu() {
  for (volatile uint64_t count = 0;;) count = count + 1;
}

void allocate() {
  for (std::vector<std::string> kept;;) kept.emplace_back(size_t{1} << 20, 'x');
}

void flood_file() {
  const std::string block(1 << 16, 'x');
  while (::write(kOutputFd, block.data(), block.size()) >= 0) continue;
}

void flood_pipe() {
  const std::string block(1 << 16, '\xFF');
  while (::write(kPipeFd, block.data(), block.size()) >= 0) continue;
}

void flood_progress() {
  while (write_progress(kPipeFd, 1, 2)) continue;
}

void open_file() {
  const int fd = ::open("/etc/passwd", O_RDONLY);
  if (fd >= 0) ::close(fd);
}

void open_socket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd >= 0) ::close(fd);
}

void fork_itself() {
  if (::fork() == 0) hang();
}

void execute() {
  ::execl("/bin/true", "true", nullptr);
}

void kill_parent() {
  ::kill(::getppid(), SIGTERM);
}

void run_written_code() {
  ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void crash() {
  ::signal(SIGSEGV, SIG_DFL);
  ::raise(SIGSEGV);
}

void send_damaged_report() {
  write_frame(kPipeFd, FrameKind::kReport, "\xFF\xFF\xFF");
}

void send_report() {
  feed::ReportRecord record;
  feed::fill_record(record, feed::Report{});
  write_frame(kPipeFd, FrameKind::kReport, record.SerializeAsString());
}

void send_report_out_of_bounds() {
  feed::ReportRecord record;
  feed::fill_record(record, feed::Report{});
  record.set_format(77);
  write_frame(kPipeFd, FrameKind::kReport, record.SerializeAsString());
}

void send_two_reports() {
  send_report();
  send_report();
}

void send_half_a_report() {
  constexpr std::array<char, 7> kHalf{100, 0, 0, 0, 3, 'x', 'y'};
  if (::write(kPipeFd, kHalf.data(), kHalf.size()) < 0) std::_Exit(9);
}

void announce_4_gib() {
  constexpr std::array<char, 5> kHead{'\xFF', '\xFF', '\xFF', '\xFF', 3};
  if (::write(kPipeFd, kHead.data(), kHead.size()) < 0) std::_Exit(9);
  hang();
}

void report_and_hang() {
  send_report();
  hang();
}

void report_and_fail() {
  send_report();
  std::_Exit(7);
}

void report_bad_offers() {
  if (::write(kOutputFd, "\x02\xFF\xFF", 3) < 0) std::_Exit(9);
  send_report();
}

void lie_in_many_lines() {
  write_frame(kPipeFd, FrameKind::kCrashed, "one\ntwo\x1B[31m\xD0\xBF");
}

// Not an attack: a report if there is nothing here that the parent did not mean to give.
void look_around() {
  struct stat info{};
  for (int fd = kPipeFd + 1; fd < 1024; ++fd) {
    if (::fstat(fd, &info) == 0) std::_Exit(8);
  }
  if (std::getenv("SOUK_TEST_SECRET") != nullptr) std::_Exit(8);
  send_report();
}

void do_nothing() {}

void take_over(std::string_view what, const ChildOptions& options) {
  static const std::map<std::string_view, void (*)()> kActs{{"hang", hang},
                                                            {"cpu", burn_cpu},
                                                            {"allocate", allocate},
                                                            {"flood_file", flood_file},
                                                            {"flood_pipe", flood_pipe},
                                                            {"flood_progress", flood_progress},
                                                            {"open", open_file},
                                                            {"socket", open_socket},
                                                            {"fork", fork_itself},
                                                            {"exec", execute},
                                                            {"kill_parent", kill_parent},
                                                            {"written_code", run_written_code},
                                                            {"crash", crash},
                                                            {"abort", std::abort},
                                                            {"damaged_report", send_damaged_report},
                                                            {"report_out_of_bounds", send_report_out_of_bounds},
                                                            {"two_reports", send_two_reports},
                                                            {"half_a_report", send_half_a_report},
                                                            {"announce_4_gib", announce_4_gib},
                                                            {"report_and_hang", report_and_hang},
                                                            {"report_and_fail", report_and_fail},
                                                            {"report_bad_offers", report_bad_offers},
                                                            {"many_lines", lie_in_many_lines},
                                                            {"look_around", look_around},
                                                            {"nothing", do_nothing}};
  if (what == "fail_early") std::_Exit(3);
  const auto act = kActs.find(what);
  if (act == kActs.end()) std::_Exit(4);
  const JailLimits limits{std::chrono::seconds(options.cpu_seconds), options.memory_bytes, options.output_bytes};
  if (!enter_jail(limits)) std::_Exit(5);
  write_frame(kPipeFd, FrameKind::kReady, {});
  act->second();
  ::_exit(0);
}

}  // namespace
}  // namespace souk::sandbox

int main(int argc, char** argv) {
  const souk::sandbox::ChildOptions options = souk::sandbox::read_arguments(argc, argv);
  std::array<char, 64> head{};
  const ssize_t size = ::pread(souk::sandbox::kFeedFd, head.data(), head.size(), 0);
  const std::string_view text(head.data(), size > 0 ? static_cast<size_t>(size) : 0);
  constexpr std::string_view kHostile = "hostile:";
  if (text.starts_with(kHostile)) souk::sandbox::take_over(text.substr(kHostile.size()), options);
  souk::sandbox::run_parse_child(options);
}
