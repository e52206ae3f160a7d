// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace souk::obs {

enum class Level { kDebug, kInfo, kWarning, kError };

// One line per event: time, level, process name, message; control characters are escaped and a line is cut at 2 KiB.
// Thread-safe. One logger per server object, never global.
class Log {
 public:
  static Log to_stderr(std::string process_name, Level least = Level::kInfo);
  static Log null();  // for tests

  void debug(std::string_view message) const { write(Level::kDebug, message); }
  void info(std::string_view message) const { write(Level::kInfo, message); }
  void warning(std::string_view message) const { write(Level::kWarning, message); }
  void error(std::string_view message) const { write(Level::kError, message); }
  void write(Level level, std::string_view message) const;

 private:
  struct Impl;
  explicit Log(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace souk::obs
