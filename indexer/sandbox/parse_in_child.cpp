// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/clock.h"
#include "indexer/feed/codec.h"
#include "indexer/sandbox/child_pipe.h"
#include "indexer/sandbox/child_process.h"
#include "indexer/sandbox/parse_child.h"

namespace souk::sandbox {
namespace {

using Progressing = std::function<void(uint64_t, uint64_t)>;
using Stopping = std::function<bool()>;

constexpr std::chrono::milliseconds kStopPoll{100};

std::unexpected<Error> system_error(const std::string& what, const std::string& path = {}) {
  return fail(ErrorCode::kUnavailable, what + ": " + std::strerror(errno), path);
}

// What the child says may be anything; a message is one line of printable ASCII.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 0x7F) c = '?';
  }
  return text;
}

// A run of one child: what it sent and how it ended.
class Watch {
 public:
  Watch(const ParseJob& job, ChildProcess& child, const Fd& pipe) : job_(job), child_(child), pipe_(pipe.get()) {}

  // Until the child has ended, by itself or killed.
  Result<ChildEnd> run(const Progressing& progress, const Stopping& stop) {
    const Deadline deadline = Deadline::after(real_clock(), job_.limits.wall);
    for (;;) {
      if (stop && stop()) {
        stopped_ = true;
      } else if (deadline.passed(real_clock())) {
        timed_out_ = true;
      }
      if (stopped_ || timed_out_ || frames_.bad()) break;
      std::array<pollfd, 2> waited{pollfd{child_.pidfd(), POLLIN, 0}, pollfd{pipe_open_ ? pipe_ : -1, POLLIN, 0}};
      const auto wait = std::min(deadline.remaining(real_clock()), kStopPoll);
      if (::poll(waited.data(), waited.size(), static_cast<int>(wait.count()) + 1) < 0 && errno != EINTR) {
        return system_error("poll");
      }
      if (waited[1].revents != 0) take_some(progress);
      // What it had sent before its end is still in the pipe.
      if (waited[0].revents != 0 && !take_some(progress)) break;
    }
    child_.kill();
    return child_.wait();
  }

  Result<ParsedFeed> verdict(const ChildEnd& end) {
    if (stopped_) return fail(ErrorCode::kUnavailable, "reading was stopped", job_.feed);
    if (failed_) return fail(ErrorCode::kUnavailable, *failed_, job_.feed);
    if (!ready_ && !timed_out_) {
      return fail(ErrorCode::kUnavailable, "the reading process ended before it read anything: " + describe(end),
                  job_.program);
    }
    feed::FeedError error = fault(end);
    if (error.kind.empty()) {
      auto parsed = read_report();
      if (parsed) return std::move(*parsed);
      error = {"parse_crash", 0, "the reader's report is damaged: " + one_line(parsed.error().message)};
    }
    ParsedFeed refused;
    refused.report.feed_error = std::move(error);
    return refused;
  }

 private:
  // False when there was nothing to take.
  bool take_some(const Progressing& progress) {
    if (!pipe_open_) return false;
    std::array<char, 64 * 1024> block;
    const ssize_t size = ::read(pipe_, block.data(), block.size());
    if (size < 0 && errno == EINTR) return true;
    pipe_open_ = size > 0 || (size < 0 && errno == EAGAIN);
    if (size <= 0) return false;
    frames_.push({block.data(), static_cast<size_t>(size)});
    while (auto frame = frames_.next()) take(std::move(*frame), progress);
    return true;
  }

  void take(Frame&& frame, const Progressing& progress) {
    switch (frame.kind) {
      case FrameKind::kReady:
        ready_ = true;
        break;
      case FrameKind::kProgress:
        if (progress) {
          const Progress value = read_progress(frame);
          progress(value.done, value.total);
        }
        break;
      case FrameKind::kReport:
        if (report_) extra_ = true;
        report_ = std::move(frame.payload);
        break;
      case FrameKind::kFailed:
        failed_ = one_line(std::move(frame.payload));
        break;
      case FrameKind::kCrashed:
        crashed_ = one_line(std::move(frame.payload));
        break;
    }
  }

  std::string describe(const ChildEnd& end) const {
    switch (end.signal) {
      case 0:
        return fmt::format("it ended with code {}", end.exit_code);
      case SIGSYS:
        return "it made a forbidden system call";
      case SIGXFSZ:
        return fmt::format("its offers exceed {} bytes", job_.limits.output_bytes);
      default:
        return fmt::format("it was ended by signal {} ({})", end.signal, ::sigdescr_np(end.signal));
    }
  }

  // Why the report, if there is one, cannot be taken.
  feed::FeedError fault(const ChildEnd& end) const {
    if (timed_out_) {
      return {"parse_timeout", 0, fmt::format("reading took more than {} s", job_.limits.wall.count())};
    }
    if (end.signal == SIGXCPU || (end.signal == SIGKILL && end.cpu >= job_.limits.cpu)) {
      return {"parse_timeout", 0, fmt::format("reading used more than {} s of CPU", job_.limits.cpu.count())};
    }
    const std::string start = "the reader of the feed failed: ";
    if (frames_.bad() || extra_) return {"parse_crash", 0, start + "it sent what is no report"};
    if (crashed_) return {"parse_crash", 0, start + *crashed_};
    if (end.signal != 0 || end.exit_code != 0) return {"parse_crash", 0, start + describe(end)};
    if (!report_ || !frames_.empty()) return {"parse_crash", 0, start + "it ended without a report"};
    return {};
  }

  Result<ParsedFeed> read_report() {
    feed::ReportRecord record;
    if (!record.ParseFromString(*report_)) return fail(ErrorCode::kCorruption, "not a record");
    auto header = feed::read_record(std::move(*record.mutable_header()));
    if (!header) return std::unexpected(header.error());
    ParsedFeed parsed;
    parsed.header = std::move(*header);
    if (Status read = feed::read_record(std::move(record), parsed.report); !read) return std::unexpected(read.error());
    return parsed;
  }

  const ParseJob& job_;
  ChildProcess& child_;
  const int pipe_;
  FrameReader frames_;
  bool pipe_open_ = true;
  bool ready_ = false, stopped_ = false, timed_out_ = false, extra_ = false;
  std::optional<std::string> report_, failed_, crashed_;
};

std::vector<std::string> child_arguments(const ParseJob& job) {
  return {"parse",
          "--mode",
          std::string(to_string(job.options.mode)),
          "--unpacked-bytes",
          std::to_string(job.options.limits.unpacked_bytes),
          "--cpu-seconds",
          std::to_string(job.limits.cpu.count()),
          "--memory-bytes",
          std::to_string(job.limits.memory_bytes),
          "--output-bytes",
          std::to_string(job.limits.output_bytes)};
}

// O_NONBLOCK: opening a named pipe must not wait for its writer.
Result<Fd> open_feed(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info{};
  if (!fd.ok() || ::fstat(fd.get(), &info) != 0) return fail(ErrorCode::kUnavailable, std::strerror(errno), path);
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kUnavailable, "not a regular file", path);
  return fd;
}

}  // namespace

Result<ParsedFeed> parse_in_child(const ParseJob& job, const Progressing& progress, const Stopping& stop) {
  const auto finish = [&job](ParsedFeed parsed) {
    parsed.report.file = job.feed;
    parsed.report.mode = job.options.mode;
    return parsed;
  };
  const auto feed_fd = open_feed(job.feed);
  if (!feed_fd) {
    ParsedFeed unreadable;
    unreadable.report.feed_error = {"unreadable", 0, feed_fd.error().message};
    return finish(std::move(unreadable));
  }
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
  const Fd output(::open(job.output.c_str(), kNew, 0600));
  if (!output.ok()) return system_error("the offers cannot be written", job.output);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("pipe");
  const Fd pipe(ends[0]);
  Fd child_pipe(ends[1]);
  if (::fcntl(pipe.get(), F_SETFL, O_NONBLOCK) != 0) return system_error("pipe");

  auto child = ChildProcess::start(job.program, child_arguments(job), {feed_fd->get(), output.get(), child_pipe.get()});
  if (!child) return std::unexpected(child.error());
  child_pipe.reset();
  Watch watch(job, *child, pipe);
  const auto end = watch.run(progress, stop);
  if (!end) return std::unexpected(end.error());
  auto parsed = watch.verdict(*end);
  if (!parsed) return std::unexpected(parsed.error());
  if (!parsed->report.ok()) {
    parsed->report.accepted = 0;
    if (::ftruncate(output.get(), 0) != 0) return system_error("the offers cannot be dropped", job.output);
  }
  return finish(std::move(*parsed));
}

}  // namespace souk::sandbox
