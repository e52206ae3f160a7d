// SPDX-License-Identifier: Apache-2.0
#include "runtime/obs/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "core/base/ascii.h"

namespace souk::obs {

namespace {

constexpr size_t kMaxLine = 2048;  // bytes of the message
constexpr std::string_view kCut = "...";

// One line, of printable characters, of bounded length.
std::string clean(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string line;
  line.reserve(std::min(text.size(), kMaxLine));
  for (const char c : text) {
    if (line.size() > kMaxLine - kCut.size() - 4) {
      // Not in the middle of a UTF-8 sequence.
      while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
      if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0) line.pop_back();
      line += kCut;
      break;
    }
    if (!is_control(c)) {
      line += c;
    } else if (c == '\n') {
      line += "\\n";
    } else {
      line += "\\x";
      line += kDigits[static_cast<unsigned char>(c) >> 4];
      line += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return line;
}

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace

struct Log::Impl {
  mutable spdlog::logger logger;
};

Log::Log(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Log Log::to_stderr(std::string process_name, Level least) {
  // Not registered with spdlog: several servers may live in one process.
  spdlog::logger logger(clean(process_name), std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger.set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %n %v");
  logger.set_level(to_spdlog(least));
  logger.flush_on(spdlog::level::debug);
  return Log(std::make_shared<const Impl>(std::move(logger)));
}

Log Log::null() {
  return Log(nullptr);
}

void Log::write(Level level, std::string_view message) const {
  if (!impl_ || !impl_->logger.should_log(to_spdlog(level))) return;
  impl_->logger.log(to_spdlog(level), spdlog::string_view_t(clean(message)));
}

}  // namespace souk::obs
