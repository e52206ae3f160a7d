// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/codec.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/sandbox/child_pipe.h"
#include "indexer/sandbox/jail.h"
#include "indexer/sandbox/offer_file.h"
#include "indexer/sandbox/parse_child.h"

namespace souk::sandbox {
namespace {

constexpr uint64_t kProgressStep = 1 << 20;

// Without unwinding: the way up may lead through a C library that does not expect it.
[[noreturn]] void end(FrameKind kind, std::string_view text) {
  const bool told = write_frame(kPipeFd, kind, text);
  ::_exit(told ? 1 : 2);
}

[[noreturn]] void end(const Error& error) {
  end(error.code == ErrorCode::kUnavailable ? FrameKind::kFailed : FrameKind::kCrashed, to_string(error));
}

[[noreturn]] void end_without_memory() {
  end(FrameKind::kCrashed, "out of memory");
}

// Reads one small feed of each encoding and format, so that what the libraries load on first use is loaded: behind the
// filter no file can be opened.
void warm_up() {
  constexpr std::string_view kBody =
      "<yml_catalog date=\"2026-01-10 12:00\"><shop><name>n</name><company>c</company><url>https://a.example/</url>"
      "<currencies><currency id=\"RUR\" rate=\"1\"/></currencies><categories><category id=\"1\">\xE0</category>"
      "</categories><offers><offer id=\"1\"><name>\xE0\xC0</name><url>https://a.example/1</url><price>1.5</price>"
      "<currencyId>RUR</currencyId><categoryId>1</categoryId><picture>https://a.example/1.jpg</picture>"
      "<description>&lt;b&gt;\xE0&lt;/b&gt;</description></offer></offers></shop></yml_catalog>";
  constexpr std::string_view kRss =
      "<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel><title>t</title><item><g:id>1</g:id>"
      "<g:title>t</g:title><g:link>https://a.example/1</g:link><g:price>1.50 USD</g:price></item></channel></rss>";
  // libzip converts times of files; glibc would look at /etc/localtime each time.
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  std::vector<std::string> feeds;
  for (const char* encoding : {"windows-1251", "koi8-r", "koi8-u", "iso-8859-1", "utf-8", "us-ascii"}) {
    feeds.push_back(std::string("<?xml version=\"1.0\" encoding=\"") + encoding + "\"?>" + std::string(kBody));
  }
  feeds.emplace_back(kRss);
  feeds.emplace_back("id\ttitle\tlink\tprice\n1\tt\thttps://a.example/1\t1.50 USD\n");
  feeds.emplace_back("{\"id\": \"1\", \"name\": \"n\"}\n");
  for (const std::string& text : feeds) {
    for (const feed::Mode mode : {feed::Mode::kStrict, feed::Mode::kLenient}) {
      feed::Report report;
      feed::FeedReader reader({mode, {}}, [](feed::Offer&&) {}, report);
      if (reader.push(text)) reader.finish();
      feed::ReportRecord record;
      feed::fill_record(record, report);
      record.ByteSizeLong();
    }
  }
}

// The lists are cut until the record fits; its counts stay whole.
std::string report_record(const feed::FeedHeader& header, feed::Report& report) {
  for (;;) {
    feed::ReportRecord record;
    feed::fill_record(record, report);
    feed::fill_record(*record.mutable_header(), header);
    if (record.ByteSizeLong() <= kMaxReportBytes) return record.SerializeAsString();
    if (report.errors.empty() && report.warnings.empty()) end(FrameKind::kCrashed, "the report is too large");
    report.errors.resize(report.errors.size() / 2);
    report.warnings.resize(report.warnings.size() / 2);
  }
}

void read_feed_into_output(const feed::ReadOptions& options) {
  OfferFileWriter writer(kOutputFd);
  feed::Report report;
  uint64_t told = 0;
  const auto accept = [&writer](feed::Offer&& offer) {
    if (const Status written = writer.write(offer); !written) end(written.error());
  };
  const auto progress = [&told](uint64_t done, uint64_t total) {
    if (done < told + kProgressStep && done != total) return;
    told = done;
    if (!write_progress(kPipeFd, done, total)) ::_exit(2);
  };
  const feed::FeedHeader header = feed::read_feed(kFeedFd, options, accept, report, progress);
  if (const Status written = writer.finish(); !written) end(written.error());
  if (!write_frame(kPipeFd, FrameKind::kReport, report_record(header, report))) ::_exit(2);
}

}  // namespace

void run_parse_child(const ChildOptions& options) {
  std::set_new_handler(&end_without_memory);
  try {
    const auto mode = feed::parse_mode(options.mode);
    if (!mode) end(FrameKind::kFailed, "unknown mode: " + options.mode);
    feed::ReadOptions read;
    read.mode = *mode;
    read.limits.unpacked_bytes = options.unpacked_bytes;
    warm_up();
    const JailLimits limits{std::chrono::seconds(options.cpu_seconds), options.memory_bytes, options.output_bytes};
    if (const Status locked = enter_jail(limits); !locked) end(FrameKind::kFailed, to_string(locked.error()));
    if (!write_frame(kPipeFd, FrameKind::kReady, {})) ::_exit(2);
    read_feed_into_output(read);
  } catch (const std::exception& error) {
    end(FrameKind::kCrashed, error.what());
  }
  ::_exit(0);
}

}  // namespace souk::sandbox
