// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/read_feed.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/hash.h"
#include "indexer/input/file_blocks.h"
#include "indexer/sandbox/parse_child.h"

namespace souk::ingest {
namespace {

namespace fs = std::filesystem;

// Changes whenever the same bytes may be read as other offers.
constexpr int kReaderLevel = 1;
constexpr size_t kSha256Digits = 64;

Result<std::string> hash_file(const std::string& path, const std::function<bool()>& stop) {
  Sha256 sha;
  const Status read = input::read_file_blocks(path, [&](std::string_view block, uint64_t, uint64_t) {
    sha.update(block);
    return !stop || !stop();
  });
  if (!read) return std::unexpected(read.error());
  return sha.hex();
}

}  // namespace

OwnedFile::~OwnedFile() {
  std::error_code problem;
  if (!path_.empty()) fs::remove(path_, problem);
}

Result<OwnedFile> make_work_file(const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "the folder cannot be made: " + problem.message(), folder);
  std::string pattern = (fs::path(folder) / "offers-XXXXXX").string();
  const int file = ::mkstemp(pattern.data());
  if (file < 0) return fail(ErrorCode::kUnavailable, std::strerror(errno), pattern);
  ::close(file);
  return OwnedFile(pattern);
}

std::string fingerprint_of(const std::string& sha256, feed::Mode mode, const config::Market& market) {
  std::string way = fmt::format("{} {} {}", kReaderLevel, to_string(mode), market.base_currency);
  for (const auto& [currency, rate] : market.rates) way += " " + currency;
  return fmt::format("{}-{:016x}", sha256, xxh3(std::string_view(way)));
}

std::string sha256_of(const std::string& fingerprint) {
  return fingerprint.substr(0, kSha256Digits);
}

Result<ReadFeed> read_feed(const FeedFile& file, const ReadSettings& settings, const config::Market& market,
                           const std::function<void(uint64_t, uint64_t)>& progress, const std::function<bool()>& stop) {
  ReadFeed read;
  const auto describe = [&] {
    read.report.shop = file.shop;
    read.report.file = file.shown;
    read.report.mode = file.mode;
  };
  describe();
  const auto hash = hash_file(file.path, stop);
  if (!hash) {
    read.report.feed_error = {"unreadable", 0, hash.error().message};
    return read;
  }
  read.fingerprint = fingerprint_of(*hash, file.mode, market);
  if (read.fingerprint == file.known_fingerprint) {
    read.report.unchanged = true;
    return read;
  }
  auto output = make_work_file(settings.work_folder);
  if (!output) return std::unexpected(output.error());
  read.offers = std::move(*output);
  const sandbox::ParseJob job{.feed = file.path,
                              .output = read.offers.path(),
                              .options = {file.mode, settings.limits},
                              .limits = {},
                              .program = settings.program};
  auto parsed = sandbox::parse_in_child(job, progress, stop);
  if (!parsed) return std::unexpected(parsed.error());
  read.header = std::move(parsed->header);
  read.report = std::move(parsed->report);
  describe();
  const auto again = hash_file(file.path, stop);
  if (read.report.ok() && (!again || *again != *hash)) {
    read.report.feed_error = {"unreadable", 0, "the file changed while it was read"};
  }
  return read;
}

}  // namespace souk::ingest
