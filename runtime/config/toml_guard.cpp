// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/toml_guard.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "runtime/net/utf8.h"

namespace souk::config {

namespace {

constexpr size_t kMaxBytes = 1024 * 1024;
constexpr int kMaxNesting = 16;
constexpr int kMaxDots = 64;
constexpr size_t kMaxLine = 8 * 1024;  // toml11 copies the whole line for every value on it

// The byte after the string, or after the comment, that begins at `at`. A string that does not end is the parser's
// business.
size_t skip_comment(std::string_view text, size_t at) {
  return std::min(text.find('\n', at), text.size());
}

size_t skip_string(std::string_view text, size_t at) {
  const char quote = text[at];
  const bool multi_line = text.substr(at, 3) == std::string_view("\"\"\"") || text.substr(at, 3) == "'''";
  for (size_t i = at + (multi_line ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      if (!multi_line) return i + 1;
      if (text.substr(i, 3) == text.substr(at, 3)) return i + 3;
    } else if (text[i] == '\n' && !multi_line) {
      return i;
    }
  }
  return text.size();
}

int line_at(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

// Where the first bad line begins and what is wrong with it; nullptr = nothing.
std::pair<size_t, const char*> find_bad_line(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.size() > kMaxLine) return {at, "the line is longer than 8 KiB"};
    if (line.contains('\0') || !net::is_utf8(line)) return {at, "not valid UTF-8 text"};
    at = end + 1;
  }
  return {0, nullptr};
}

}  // namespace

Error config_error(std::string_view file_name, int line, std::string_view reason) {
  return Error{ErrorCode::kInvalidArgument,
               std::string(file_name) + ":" + std::to_string(line) + ": " + std::string(reason), ""};
}

Status check_toml_text(std::string_view text, std::string_view file_name) {
  const auto refuse = [&](size_t at, std::string_view reason) {
    return std::unexpected(config_error(file_name, line_at(text, at), reason));
  };
  if (text.size() > kMaxBytes) return refuse(0, "the file is larger than 1 MiB");
  const auto [bad, reason] = find_bad_line(text);
  if (reason != nullptr) return refuse(bad, reason);

  int depth = 0;
  int dots = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      at = skip_comment(text, at);
      continue;
    }
    if (c == '"' || c == '\'') {
      at = skip_string(text, at);
      continue;
    }
    if (c == '\n') dots = 0;
    if (c == '.' && ++dots > kMaxDots) return refuse(at, "too many dots");
    if ((c == '[' || c == '{') && ++depth > kMaxNesting) return refuse(at, "brackets are nested too deeply");
    if (c == ']' || c == '}') --depth;
    ++at;
  }
  return {};
}

Result<std::string> read_config_file(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
                path + ": cannot be read: " + std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kInvalidArgument, path + ": not a file");
  if (info.st_size > static_cast<off_t>(kMaxBytes)) {
    return fail(ErrorCode::kInvalidArgument, path + ": the file is larger than 1 MiB");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<size_t>(info.st_size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file || static_cast<size_t>(file.gcount()) != text.size()) {
    return fail(ErrorCode::kInvalidArgument, path + ": cannot be read");
  }
  return text;
}

}  // namespace souk::config
