// SPDX-License-Identifier: Apache-2.0
#include "indexer/sandbox/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace souk::sandbox {
namespace {

constexpr int kFirstFd = 3;
constexpr int kAside = 64;  // above any descriptor that the child gets

std::unexpected<Error> cannot_start(const std::string& program, int error) {
  return fail(ErrorCode::kUnavailable, std::string("the reading process cannot be started: ") + std::strerror(error),
              program);
}

// posix_spawn's instructions, which have to be freed.
class SpawnSetup {
 public:
  SpawnSetup() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  // The first error, or 0.
  int prepare(const std::vector<Fd>& fds) {
    int error = 0;
    for (int fd = 0; fd < kFirstFd && error == 0; ++fd) {
      error = ::posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0);
    }
    int target = kFirstFd;
    for (const Fd& fd : fds) {
      if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions_, fd.get(), target++);
    }
    if (error == 0) error = ::posix_spawn_file_actions_addclosefrom_np(&actions_, target);
    // Servers ignore or block some signals; the child starts with none of that.
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    if (error == 0) error = ::posix_spawnattr_setsigmask(&attributes_, &none);
    if (error == 0) error = ::posix_spawnattr_setsigdefault(&attributes_, &all);
    // A group of its own: the terminal's Ctrl-C is for the parent, which ends its children itself.
    if (error == 0) error = ::posix_spawnattr_setpgroup(&attributes_, 0);
    constexpr int kFlags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    if (error == 0) error = ::posix_spawnattr_setflags(&attributes_, static_cast<short>(kFlags));
    return error;
  }

  int spawn(pid_t& pid, const std::string& program, char* const* arguments, char* const* environment) const {
    return ::posix_spawn(&pid, program.c_str(), &actions_, &attributes_, arguments, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<char*> kept_environment() {
  constexpr std::array<std::string_view, 5> kKept{
      "LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "TSAN_OPTIONS=", "LSAN_OPTIONS="};
  std::vector<char*> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    for (const std::string_view name : kKept) {
      if (std::string_view(*entry).starts_with(name)) kept.push_back(*entry);
    }
  }
  kept.push_back(nullptr);
  return kept;
}

}  // namespace

void Fd::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

Result<ChildProcess> ChildProcess::start(const std::string& program, const std::vector<std::string>& arguments,
                                         const std::vector<int>& fds) {
  // Copies out of the way of the numbers they will have: dup2 in order must not overwrite one that is still needed.
  std::vector<Fd> aside;
  for (const int fd : fds) {
    aside.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, kAside));
    if (!aside.back().ok()) return cannot_start(program, errno);
  }
  SpawnSetup setup;
  if (const int error = setup.prepare(aside); error != 0) return cannot_start(program, error);
  std::vector<std::string> texts{program};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const std::vector<char*> environment = kept_environment();
  pid_t pid = 0;
  if (const int error = setup.spawn(pid, program, pointers.data(), environment.data()); error != 0) {
    return cannot_start(program, error);
  }
  ChildProcess child(pid);
  child.pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));  // glibc 2.36 declares none for C++
  if (!child.pidfd_.ok()) return cannot_start(program, errno);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), pidfd_(std::move(other.pidfd_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ == 0) return;
  kill();
  ignore(wait(), "its owner has failed and does not ask");
}

void ChildProcess::kill() {
  if (pid_ != 0) ::kill(pid_, SIGKILL);  // not waited for yet, so the number is still its
}

Result<ChildEnd> ChildProcess::wait() {
  int status = 0;
  rusage usage{};
  pid_t done = 0;
  do {
    done = ::wait4(pid_, &status, 0, &usage);
  } while (done < 0 && errno == EINTR);
  pid_ = 0;
  if (done < 0) return fail(ErrorCode::kInternal, std::string("wait for the reading process: ") + std::strerror(errno));
  ChildEnd end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  end.cpu = std::chrono::milliseconds((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                                      (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000);
  return end;
}

}  // namespace souk::sandbox
