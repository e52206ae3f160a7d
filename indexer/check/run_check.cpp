// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "indexer/check/check_report.h"
#include "indexer/commands.h"
#include "indexer/sandbox/parse_child.h"

namespace souk::indexer {
namespace {

constexpr int kRefused = 3;

int failed(const Error& error) {
  fmt::print(stderr, "souk-indexer check: {}\n", to_string(error));
  return 1;
}

// A file of its own that goes away with it.
class OfferFile {
 public:
  static Result<OfferFile> make() {
    std::error_code problem;
    const auto folder = std::filesystem::temp_directory_path(problem);
    std::string path = (folder / "souk-check-XXXXXX").string();
    const int fd = problem ? -1 : ::mkstemp(path.data());
    if (fd < 0) return fail(ErrorCode::kUnavailable, "no file can be made in the folder for temporary files", path);
    ::close(fd);
    return OfferFile(std::move(path));
  }
  ~OfferFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  OfferFile(OfferFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  OfferFile& operator=(OfferFile&&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit OfferFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace

int run_check(const CheckOptions& options) {
  const auto mode = feed::parse_mode(options.mode);
  if (!mode) return failed({ErrorCode::kInvalidArgument, "--mode must be strict or lenient", options.mode});
  auto offers = OfferFile::make();
  if (!offers) return failed(offers.error());
  sandbox::ParseJob job;
  job.feed = options.file;
  job.output = offers->path();
  job.options.mode = *mode;
  if (options.max_unpacked_bytes > 0) job.options.limits.unpacked_bytes = options.max_unpacked_bytes;
  job.program = options.program;
  auto parsed = sandbox::parse_in_child(job, {}, {});
  if (!parsed) return failed(parsed.error());
  feed::Report& report = parsed->report;
  report.file = options.file;
  const auto each_offer = [&](const auto& each) { return sandbox::read_parsed_offers(offers->path(), each); };
  const Status written =
      options.json ? check::write_json(stdout, report, each_offer) : check::write_text(stdout, report);
  if (!written) return failed(written.error());
  if (std::fflush(stdout) != 0) return failed({ErrorCode::kUnavailable, "the report cannot be written", {}});
  return report.ok() ? 0 : kRefused;
}

}  // namespace souk::indexer
