// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"

namespace souk::sandbox {

// What one feed may cost. The child that exceeds a limit is killed, and that feed is refused.
struct ParseLimits {
  std::chrono::seconds cpu{120};
  std::chrono::seconds wall{300};
  uint64_t memory_bytes = uint64_t{512} << 20;  // of address space beyond what the program itself needs
  uint64_t output_bytes = uint64_t{8} << 30;    // of the file of offers
};

struct ParseJob {
  std::string feed;           // the file to read
  std::string output;         // file of accepted offers, made anew; kept by the caller, deleted by the caller
  feed::ReadOptions options;  // of its limits only unpacked_bytes reaches the child
  ParseLimits limits;
  std::string program;  // souk-indexer; its subcommand "parse" is the child
};

// What a child made of a feed. report.feed_error is "parse_timeout" or "parse_crash" when it did not come to an end; a
// refused feed leaves no offers in the output.
struct ParsedFeed {
  feed::FeedHeader header;
  feed::Report report;
};

// Reads the feed in a child process with rlimits, a seccomp allow-list, no new files and no network, and waits for it.
// Whatever the feed is, the caller gets a report; an Error is a failure of this machine (no process, no disk). Safe
// from several threads at once. progress(bytes read, bytes in all) may be empty. stop() = true ends the child early
// (kUnavailable).
Result<ParsedFeed> parse_in_child(const ParseJob& job, const std::function<void(uint64_t, uint64_t)>& progress,
                                  const std::function<bool()>& stop);

// Gives the accepted offers of a ParseJob's output, in document order; each is checked again (feed/codec.h). Stops with
// each()'s error.
Status read_parsed_offers(const std::string& output, const std::function<Status(feed::Offer&&)>& each);

// The child's side: `souk-indexer parse`, started by parse_in_child() only. Reads the feed from fd 3, writes its offers
// to fd 4 and the rest to fd 5. Never returns: the process ends here, for behind the seccomp filter no destructor or
// exit handler may do what it likes.
struct ChildOptions {
  std::string mode;
  uint64_t unpacked_bytes = 0;
  uint64_t cpu_seconds = 0;
  uint64_t memory_bytes = 0;
  uint64_t output_bytes = 0;
};
[[noreturn]] void run_parse_child(const ChildOptions& options);

}  // namespace souk::sandbox
