// SPDX-License-Identifier: Apache-2.0
#include "indexer/sandbox/jail.h"

#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

namespace souk::sandbox {
namespace {

// Sanitizers reserve terabytes of address space for their shadow memory, and test addresses with a pipe.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr rlim_t kFiles = kSanitized ? 16 : 8;  // 0-2, the feed, the offers, the pipe, copies

std::unexpected<Error> refused(const char* what, int error) {
  return fail(ErrorCode::kUnavailable,
              std::string("the reading process cannot be locked in: ") + what + ": " + std::strerror(error));
}

// Bytes of address space in use; 0 when the system does not tell.
uint64_t mapped_bytes() {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), &std::fclose);
  unsigned long long pages = 0;
  if (!file || std::fscanf(file.get(), "%llu", &pages) != 1) return 0;
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  const rlimit value{soft, hard};
  return ::setrlimit(resource, &value) == 0;
}

Status set_limits(const JailLimits& limits) {
  const uint64_t mapped = mapped_bytes();
  if (mapped == 0) return refused("/proc/self/statm", errno);
  const rlim_t memory = kSanitized ? RLIM_INFINITY : mapped + limits.memory_bytes;
  const auto cpu = static_cast<rlim_t>(limits.cpu.count());
  const bool done = limit(RLIMIT_CPU, cpu, cpu + 1) && limit(RLIMIT_AS, memory, memory) &&
                    limit(RLIMIT_FSIZE, limits.output_bytes, limits.output_bytes) &&
                    limit(RLIMIT_NOFILE, kFiles, kFiles) && limit(RLIMIT_NPROC, 0, 0) && limit(RLIMIT_CORE, 0, 0);
  if (!done) return refused("setrlimit", errno);
  // With its parent gone nobody wants the result; should it be gone already, the next write to it ends in SIGPIPE.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::prctl(PR_SET_DUMPABLE, 0) != 0) return refused("prctl", errno);
  return {};
}

class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_KILL_PROCESS)) {}
  ~Filter() {
    if (context_ != nullptr) ::seccomp_release(context_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void allow(int call) { keep(::seccomp_rule_add(context_, SCMP_ACT_ALLOW, call, 0)); }
  void allow_when(int call, const scmp_arg_cmp& condition) {
    keep(::seccomp_rule_add_array(context_, SCMP_ACT_ALLOW, call, 1, &condition));
  }
  // All threads, should there be more than this one.
  int load() {
    if (context_ == nullptr) return -ENOMEM;
    keep(::seccomp_attr_set(context_, SCMP_FLTATR_CTL_TSYNC, 1));
    return error_ != 0 ? error_ : ::seccomp_load(context_);
  }

 private:
  void keep(int result) {
    if (result != 0 && error_ == 0) error_ = result;
  }

  scmp_filter_ctx context_;
  int error_ = 0;
};

Status load_filter() {
  Filter filter;
  constexpr std::array kCalls{// the files that are open already
                              SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev),
                              SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(dup), SCMP_SYS(close), SCMP_SYS(fadvise64),
                              // memory
                              SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
                              // its own clock, locks, signals and end
                              SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(futex), SCMP_SYS(sched_yield),
                              SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrandom), SCMP_SYS(rt_sigaction),
                              SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
                              SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group)};
  for (const int call : kCalls) filter.allow(call);
  if (kSanitized) filter.allow(SCMP_SYS(pipe2));
  filter.allow_when(SCMP_SYS(mmap), {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0});
  filter.allow_when(SCMP_SYS(mprotect), {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0});
  filter.allow_when(SCMP_SYS(newfstatat), {3, SCMP_CMP_EQ, AT_EMPTY_PATH, 0});  // what glibc's fstat() is
  filter.allow_when(SCMP_SYS(fcntl), {1, SCMP_CMP_EQ, F_GETFL, 0});             // fdopen()
  filter.allow_when(SCMP_SYS(tgkill), {0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()), 0});  // abort()
  const int result = filter.load();
  if (result != 0) return refused("seccomp", -result);
  return {};
}

}  // namespace

Status enter_jail(const JailLimits& limits) {
  Status done = set_limits(limits);
  if (done) done = load_filter();
  return done;
}

}  // namespace souk::sandbox
