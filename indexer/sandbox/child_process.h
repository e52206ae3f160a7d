// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace souk::sandbox {

// A file descriptor that is closed with its owner.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  void reset(int fd = -1);

 private:
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  int fd_ = -1;
};

// How a child ended.
struct ChildEnd {
  int exit_code = 0;
  int signal = 0;  // that killed it; 0 = it ended by itself
  std::chrono::milliseconds cpu{0};
};

// A child process with given file descriptors and no others; no environment but the sanitizers' and the loader's. It
// is killed and waited for at the latest with its owner.
class ChildProcess {
 public:
  // fds[i] is its descriptor 3 + i; 0-2 are /dev/null. kUnavailable when it cannot be started.
  static Result<ChildProcess> start(const std::string& program, const std::vector<std::string>& arguments,
                                    const std::vector<int>& fds);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  int pidfd() const { return pidfd_.get(); }  // readable when it has ended
  void kill();
  Result<ChildEnd> wait();  // once

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_;  // 0 = waited for
  Fd pidfd_;
};

}  // namespace souk::sandbox
