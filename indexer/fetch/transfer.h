// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "indexer/fetch/feed_url.h"
#include "indexer/fetch/fetcher.h"

namespace souk::fetch {

// A file that appears under its name when it is whole. Not flushed to the disk: what a crash loses is fetched again.
class BodyFile {
 public:
  explicit BodyFile(const std::string& path) : path_(path), part_(path + ".part") {}
  ~BodyFile();
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;

  bool write(const char* bytes, size_t size);  // false: errno says why
  bool commit();

 private:
  bool open();
  const std::string path_, part_;
  int fd_ = -1;
};

// One request of a fetch: its first, or that of a redirect. The owner adds handle() to a multi handle, and removes it
// before this object ends.
class Transfer {
 public:
  Transfer(const FetchLimits& limits, const FetchRequest& request, const FeedUrl& url);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Null when there is no memory for it.
  CURL* handle() const { return easy_.get(); }
  void set_time_left(std::chrono::milliseconds left);

  // After libcurl is done with it: the fetch's result, or where to go on.
  struct End {
    std::optional<FetchResult> result;
    std::string location;
  };
  End finish(CURLcode code);

 private:
  struct Cleanup {
    void operator()(CURL* easy) const { ::curl_easy_cleanup(easy); }
    void operator()(curl_slist* list) const { ::curl_slist_free_all(list); }
  };

  static curl_socket_t on_open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static size_t on_header(char* bytes, size_t size, size_t count, void* self);
  static size_t on_body(char* bytes, size_t size, size_t count, void* self);
  void set_options();
  void set_headers();
  size_t take_body(const char* bytes, size_t size);
  void fail_with(const char* kind, std::string message);
  std::string header(const char* name) const;
  long status() const;
  bool is_conditional() const { return !request_.etag.empty() || !request_.last_modified.empty(); }
  FetchResult explain(CURLcode code) const;
  FetchResult explain_timeout() const;
  FetchResult conclude();
  FetchResult answer(FetchResult::Outcome outcome) const;

  const FetchLimits& limits_;
  const FetchRequest& request_;
  const FeedUrl url_;
  std::unique_ptr<CURL, Cleanup> easy_;
  std::unique_ptr<curl_slist, Cleanup> headers_;
  char error_text_[CURL_ERROR_SIZE] = {};
  BodyFile file_;
  Deadline deadline_ = Deadline::never();
  uint64_t bytes_ = 0, header_bytes_ = 0;
  bool unwanted_body_ = false;
  std::string forbidden_;                  // the last address that was not connected to
  std::string failure_, failure_message_;  // what a callback ended the transfer for
};

FetchResult failed(std::string kind, std::string message);

}  // namespace souk::fetch
