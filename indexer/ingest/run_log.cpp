// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/run_log.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/delimited_message_util.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "indexer/feed/codec.h"
#include "indexer/ingest/feed_run.pb.h"
#include "runtime/files/file_sink.h"
#include "runtime/files/read_file.h"

namespace souk::ingest {
namespace {

namespace fs = std::filesystem;
namespace pb = google::protobuf;

constexpr size_t kMaxFile = size_t{256} << 20;  // two full lists of a report
constexpr size_t kMaxHead = size_t{64} << 10;   // of a file: the run's own record

FeedRunRecord to_record(const FeedRun& run) {
  FeedRunRecord record;
  record.set_number(run.number);
  record.set_at(run.at);
  record.set_outcome(static_cast<uint32_t>(run.outcome));
  record.set_note(run.note);
  record.set_shop(run.report.shop);
  record.set_file(run.report.file);
  record.set_added(run.report.added);
  record.set_changed(run.report.changed);
  record.set_removed(run.report.removed);
  record.set_accepted(run.report.accepted);
  record.set_rejected(run.report.rejected);
  record.set_warning_count(run.report.warning_count);
  record.set_feed_error(run.report.feed_error.kind);
  return record;
}

std::unexpected<Error> damaged(const std::string& path) {
  return fail(ErrorCode::kCorruption, "the file is not a feed's run", path);
}

Result<FeedRun> read_run(const std::string& path, bool whole) {
  const auto bytes = whole ? files::read_file(path, kMaxFile) : files::read_head(path, kMaxHead);
  if (!bytes) return std::unexpected(bytes.error());
  pb::io::ArrayInputStream in(bytes->data(), static_cast<int>(bytes->size()));
  FeedRunRecord record;
  bool ended = false;
  constexpr auto kLast = static_cast<uint32_t>(FeedRun::Outcome::kFetchFailed);
  if (!pb::util::ParseDelimitedFromZeroCopyStream(&record, &in, &ended) || record.outcome() > kLast) {
    return damaged(path);
  }
  FeedRun run;
  run.number = record.number();
  run.at = record.at();
  run.outcome = static_cast<FeedRun::Outcome>(record.outcome());
  run.note = record.note();
  feed::Report& report = run.report;
  if (whole) {
    feed::ReportRecord stored;
    if (!pb::util::ParseDelimitedFromZeroCopyStream(&stored, &in, &ended)) return damaged(path);
    const Status read = feed::read_record(std::move(stored), report);
    if (!read) return std::unexpected(read.error());
  }
  report.shop = record.shop();
  report.file = record.file();
  report.unchanged = run.outcome == FeedRun::Outcome::kUnchanged || run.outcome == FeedRun::Outcome::kNotModified;
  report.added = record.added();
  report.changed = record.changed();
  report.removed = record.removed();
  report.accepted = record.accepted();
  report.rejected = record.rejected();
  report.warning_count = record.warning_count();
  report.feed_error.kind = record.feed_error();
  return run;
}

}  // namespace

std::string_view to_string(FeedRun::Outcome outcome) {
  switch (outcome) {
    case FeedRun::Outcome::kIngested:
      return "ingested";
    case FeedRun::Outcome::kUnchanged:
      return "unchanged";
    case FeedRun::Outcome::kNotModified:
      return "not_modified";
    case FeedRun::Outcome::kHeld:
      return "held";
    case FeedRun::Outcome::kRefused:
      return "refused";
    case FeedRun::Outcome::kFetchFailed:
      break;
  }
  return "fetch_failed";
}

std::vector<uint64_t> RunLog::numbers(const std::string& shop) const {
  std::vector<uint64_t> found;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(fs::path(folder_) / shop, problem)) {
    const std::string name = entry.path().filename();
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) found.push_back(number);
  }
  std::ranges::sort(found);
  return found;
}

Status RunLog::add(FeedRun& run) {
  const fs::path folder = fs::path(folder_) / run.report.shop;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "the folder cannot be made: " + problem.message(), folder);
  const std::vector<uint64_t> before = numbers(run.report.shop);
  run.number = before.empty() ? 1 : before.back() + 1;
  std::string bytes;
  {
    pb::io::StringOutputStream out(&bytes);
    feed::ReportRecord report;
    feed::fill_record(report, run.report);
    pb::util::SerializeDelimitedToZeroCopyStream(to_record(run), &out);
    pb::util::SerializeDelimitedToZeroCopyStream(report, &out);
  }
  if (Status done = files::replace_file(folder / std::to_string(run.number), bytes); !done) return done;
  for (size_t i = 0; i + kKept <= before.size(); ++i) fs::remove(folder / std::to_string(before[i]), problem);

  // That nothing has changed, or nothing came, must not wipe out what the last real reading found.
  const fs::path page = fs::path(folder_) / (run.report.shop + ".json");
  const bool was_read = !run.report.unchanged && run.outcome != FeedRun::Outcome::kFetchFailed;
  if (!was_read && fs::exists(page, problem)) return {};
  return files::replace_file(page, to_json(run.report));
}

Result<std::vector<FeedRun>> RunLog::list(const std::string& shop) const {
  std::vector<FeedRun> runs;
  std::vector<uint64_t> all = numbers(shop);
  std::ranges::reverse(all);
  for (const uint64_t number : all) {
    if (runs.size() == kKept) break;
    // One that is damaged, or was the oldest and is gone by now, does not hide the others.
    auto run = read_run(fs::path(folder_) / shop / std::to_string(number), false);
    if (run) runs.push_back(std::move(*run));
  }
  return runs;
}

Result<FeedRun> RunLog::read(const std::string& shop, uint64_t number) const {
  const fs::path path = fs::path(folder_) / shop / std::to_string(number);
  std::error_code problem;
  if (!fs::exists(path, problem)) return fail(ErrorCode::kNotFound, "the shop has no such run", std::to_string(number));
  return read_run(path, true);
}

}  // namespace souk::ingest
