// SPDX-License-Identifier: Apache-2.0
// souk-bench-feeds: makes a feed of any size, and reads one, measured.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unicode/ucnv.h>
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "bench/feeds/feed_generator.h"
#include "indexer/feed/feed_reader.h"

namespace souk::bench {
namespace {

struct Options {
  uint64_t mb = 200;
  std::string encoding = "UTF-8";
  bool gzip = false;
  std::string mode = "strict";
  std::string file;
};

// gzopen's "T" writes without packing.
using GzipFile = std::unique_ptr<gzFile_s, decltype(&gzclose)>;

int make(const Options& options) {
  const GzipFile file(gzopen(options.file.c_str(), options.gzip ? "wb6" : "wbT"), &gzclose);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> to(ucnv_open(options.encoding.c_str(), &status),
                                                              &ucnv_close);
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> from(ucnv_open("UTF-8", &status), &ucnv_close);
  if (!file || U_FAILURE(status)) {
    fmt::print(stderr, "error: {} cannot be written in {}\n", options.file, options.encoding);
    return 1;
  }
  const bool encodes = options.encoding != "UTF-8";
  std::string encoded;
  uint64_t bytes = 0;
  bool good = true;
  const uint64_t offers = FeedGenerator(options.mb << 20).run(options.encoding, [&](std::string_view text) {
    if (encodes) {
      encoded.resize(text.size() * 2);
      char* target = encoded.data();
      const char* source = text.data();
      ucnv_convertEx(to.get(), from.get(), &target, target + encoded.size(), &source, source + text.size(), nullptr,
                     nullptr, nullptr, nullptr, true, true, &status);
      encoded.resize(static_cast<size_t>(target - encoded.data()));
      text = encoded;
    }
    bytes += text.size();
    good = good && U_SUCCESS(status) &&
           gzwrite(file.get(), text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size());
  });
  if (!good) {
    fmt::print(stderr, "error: {} cannot be written\n", options.file);
    return 1;
  }
  fmt::print("{{\"bytes\":{},\"offers\":{}}}\n", bytes, offers);
  return 0;
}

double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int read(const Options& options) {
  const auto mode = feed::parse_mode(options.mode);
  if (!mode) {
    fmt::print(stderr, "error: --mode must be strict or lenient, not {}\n", options.mode);
    return 2;
  }
  feed::ReadOptions reading;
  reading.mode = *mode;
  reading.limits.unpacked_bytes = uint64_t{64} << 30;
  uint64_t params = 0;
  feed::Report report;
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_SELF, &before);
  feed::read_feed_file(options.file, reading, [&](feed::Offer&& offer) { params += offer.params.size(); }, report, {});
  getrusage(RUSAGE_SELF, &after);
  if (!report.ok()) {
    fmt::print(stderr, "error: {} is refused: {} ({}, line {})\n", options.file, report.feed_error.message,
               report.feed_error.kind, report.feed_error.line);
    return 1;
  }
  fmt::print(
      "{{\"cpu_seconds\":{:.3f},\"rss_bytes\":{},\"offers\":{},\"params\":{},\"rejected\":{},\"warnings\":{}}}\n",
      cpu_seconds(after) - cpu_seconds(before), uint64_t{1024} * static_cast<uint64_t>(after.ru_maxrss),
      report.accepted, params, report.rejected, report.warning_count);
  return 0;
}

}  // namespace
}  // namespace souk::bench

int main(int argc, char** argv) {
  souk::bench::Options options;
  CLI::App app("Makes and reads feeds of any size, to measure the reading; ./souk bench feeds calls it.");
  app.require_subcommand(1);
  CLI::App* make = app.add_subcommand("make", "write a made-up YML feed");
  make->add_option("--mb", options.mb, "MiB of UTF-8")->check(CLI::Range(1, 100'000));
  make->add_option("--encoding", options.encoding);
  make->add_flag("--gzip", options.gzip);
  make->add_option("file", options.file)->required();
  CLI::App* read = app.add_subcommand("read", "read a feed; prints what it cost as JSON");
  read->add_option("--mode", options.mode, "strict or lenient");
  read->add_option("file", options.file)->required();
  CLI11_PARSE(app, argc, argv);
  return make->parsed() ? souk::bench::make(options) : souk::bench::read(options);
}
