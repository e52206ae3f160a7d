// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"

namespace souk::fetch {

// Whether a textual IPv4 or IPv6 address is one of the public internet: not loopback, private, shared (CGNAT),
// link-local, unique-local, multicast, documentation, unspecified, nor such a one in mapped, 6to4, Teredo or NAT64
// form.
bool is_public_address(const std::string& address);

// What fetching may cost and reach.
struct FetchLimits {
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds total{600'000};
  uint32_t min_bytes_per_second = 1024;  // over slow_seconds
  std::chrono::seconds slow{30};
  uint64_t body_bytes = uint64_t{512} << 20;  // as sent
  uint32_t redirects = 5;
  uint32_t parallel = 256;  // fetches at once; more wait
  uint32_t parallel_per_host = 4;
  bool allow_private_addresses = false;  // loopback, private, link-local …, at any port: for tests and closed networks
  std::function<bool(const std::string& address)> is_allowed = &is_public_address;  // of all others
  bool any_port = false;                                                            // not only 80, 443, 8080 and 8443
  std::string ca_file;  // PEM of the certificates that are trusted; empty = the system's
};

struct FetchRequest {
  std::string url;            // http or https, no credentials
  std::string etag;           // of the last good fetch, verbatim; empty = none
  std::string last_modified;  // likewise
  std::string destination;    // file; written as destination.part, renamed when whole; one fetch at a time for each
};

struct FetchResult {
  enum class Outcome { kDownloaded, kNotModified, kFailed };
  Outcome outcome = Outcome::kFailed;
  std::string error;    // kind when failed: short_body too_many_redirects http_NNN timeout too_slow size_limit
                        // forbidden_address bad_url bad_redirect dns_failed connect_failed tls_failed io_failed
  std::string message;  // one line for a person
  std::string etag, last_modified;  // of the answer
  uint64_t bytes = 0;
  std::chrono::milliseconds took{0};
  std::chrono::seconds retry_after{0};  // the server's wish with 429 and 503, at most a day
};

// Downloads feeds, many at once on one thread of its own, by libcurl's multi interface; memory per fetch is bounded by
// the transfer buffers, bodies go to files. No address is connected to that the policy forbids, checked on every hop at
// connect. start() is safe from any thread and never blocks; done is called once, on the fetcher's thread, and must
// return soon. The destructor ends what is under way (done is called with "io_failed").
class Fetcher {
 public:
  explicit Fetcher(const FetchLimits& limits);
  ~Fetcher();
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  void start(FetchRequest request, std::function<void(FetchResult)> done);
  // The same, waiting for it.
  FetchResult fetch(FetchRequest request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souk::fetch
