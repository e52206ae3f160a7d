// SPDX-License-Identifier: Apache-2.0
#include "control/cli/process_table.h"

#include <charconv>
#include <fstream>
#include <sstream>

namespace souk::control {

namespace {

constexpr size_t kMaxBytes = 64 * 1024;

// The beginning of a small file; nullopt when it cannot be read.
std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(kMaxBytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

pid_t parse_pid(const std::string& text) {
  pid_t pid = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), pid);
  const bool rest_is_blank = text.find_first_not_of(" \n", static_cast<size_t>(end - text.data())) == std::string::npos;
  return failure == std::errc{} && rest_is_blank && pid > 0 ? pid : 0;
}

// A zombie has an empty command line.
bool runs(const std::string& folder, const std::string& program) {
  const auto command = read_file(folder + "/cmdline");
  if (!command) return false;
  const std::string path = command->substr(0, command->find('\0'));
  return path.substr(path.rfind('/') + 1) == program;
}

uint64_t resident_bytes(const std::string& folder) {
  std::istringstream lines(read_file(folder + "/status").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("VmRSS:")) continue;
    std::istringstream words(line.substr(6));
    uint64_t kilobytes = 0;
    words >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

std::optional<ProcessInfo> look_up_process(const std::string& pid_file, const std::string& program,
                                           const std::string& proc) {
  const auto text = read_file(pid_file);
  if (!text) return std::nullopt;
  ProcessInfo info;
  info.pid = parse_pid(*text);
  if (info.pid == 0) return info;
  const std::string folder = proc + "/" + std::to_string(info.pid);
  info.alive = runs(folder, program);
  if (info.alive) info.resident_bytes = resident_bytes(folder);
  return info;
}

}  // namespace souk::control
