// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/transfer.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/version.h"
#include "indexer/fetch/address_policy.h"

namespace souk::fetch {
namespace {

constexpr long kTransferBuffer = 16 * 1024;
constexpr uint64_t kMaxHeaderBytes = 64 * 1024;
constexpr size_t kMaxValidator = 1000;
constexpr std::chrono::seconds kLongestRetryAfter{86'400};
constexpr long kOk = 200, kNotModified = 304, kTooManyRequests = 429, kUnavailable = 503;

bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// Texts of servers end up in logs, reports and, as validators, in later requests.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = ' ';
  }
  return text;
}

bool is_header_value(const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  return !text.empty() && text.size() <= kMaxValidator && std::ranges::none_of(text, is_control);
}

template <typename Value>
void set(CURL* easy, CURLoption option, Value value) {
  ::curl_easy_setopt(easy, option, value);
}

}  // namespace

FetchResult failed(std::string kind, std::string message) {
  FetchResult result;
  result.error = std::move(kind);
  result.message = one_line(std::move(message));
  return result;
}

BodyFile::~BodyFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(part_.c_str());
}

bool BodyFile::open() {
  if (fd_ < 0) fd_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  return fd_ >= 0;
}

bool BodyFile::write(const char* bytes, size_t size) {
  if (!open()) return false;
  while (size > 0) {
    const ssize_t written = ::write(fd_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

bool BodyFile::commit() {
  if (!open()) return false;
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) == 0 && std::rename(part_.c_str(), path_.c_str()) == 0) return true;
  const int error = errno;
  ::unlink(part_.c_str());
  errno = error;
  return false;
}

Transfer::Transfer(const FetchLimits& limits, const FetchRequest& request, const FeedUrl& url)
    : limits_(limits), request_(request), url_(url), easy_(::curl_easy_init()), file_(request.destination) {
  if (!easy_) return;
  set_options();
  set_headers();
}

Transfer::~Transfer() = default;

void Transfer::set_options() {
  CURL* const easy = easy_.get();
  set(easy, CURLOPT_URL, url_.text.c_str());
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);  // each hop is checked here
  set(easy, CURLOPT_PROXY, "");           // not the environment's
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(easy, CURLOPT_FORBID_REUSE, 1L);
  set(easy, CURLOPT_NOSIGNAL, 1L);
  // A hanging resolver must not hold up this thread, and with it all other fetches, when its fetch ends.
  set(easy, CURLOPT_QUICK_EXIT, 1L);
  set(easy, CURLOPT_BUFFERSIZE, kTransferBuffer);
  set(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!limits_.ca_file.empty()) {
    set(easy, CURLOPT_CAINFO, limits_.ca_file.c_str());
    set(easy, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connect.count()));
  set(easy, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(limits_.min_bytes_per_second));
  set(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits_.slow.count()));
  set(easy, CURLOPT_ERRORBUFFER, error_text_);
  set(easy, CURLOPT_OPENSOCKETFUNCTION, &Transfer::on_open_socket);
  set(easy, CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set(easy, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(easy, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(easy, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(easy, CURLOPT_WRITEDATA, static_cast<void*>(this));
}

void Transfer::set_headers() {
  const auto add = [this](const std::string& line) {
    curl_slist* const longer = ::curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) return;
    static_cast<void>(headers_.release());
    headers_.reset(longer);
  };
  add(fmt::format("User-Agent: souk/{}", kEngineVersion));
  add("Accept: */*");
  add("Accept-Encoding: identity");  // packed feeds are unpacked by who reads them, within limits
  if (is_header_value(request_.etag)) add("If-None-Match: " + request_.etag);
  if (is_header_value(request_.last_modified)) add("If-Modified-Since: " + request_.last_modified);
  set(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
}

void Transfer::set_time_left(std::chrono::milliseconds left) {
  left = std::max(left, std::chrono::milliseconds(1));  // 0 would be no limit
  deadline_ = Deadline::after(real_clock(), left);
  set(easy_.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
}

// The very address that is connected to is looked at, so that nothing can be resolved otherwise afterwards.
curl_socket_t Transfer::on_open_socket(void* self, curlsocktype /*purpose*/, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string text = to_text(address->addr);
  if (!transfer.limits_.allow_private_addresses && !transfer.limits_.is_allowed(text)) {
    transfer.forbidden_ = text;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

size_t Transfer::on_header(char* /*bytes*/, size_t size, size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.header_bytes_ += size * count;
  if (transfer.header_bytes_ <= kMaxHeaderBytes) return size * count;
  transfer.fail_with("size_limit", fmt::format("the answer has more than {} bytes of headers", kMaxHeaderBytes));
  return CURL_WRITEFUNC_ERROR;
}

size_t Transfer::on_body(char* bytes, size_t size, size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_body(bytes, size * count);
}

size_t Transfer::take_body(const char* bytes, size_t size) {
  if (status() != kOk) {
    unwanted_body_ = true;  // what a redirect or an error says to people
    return CURL_WRITEFUNC_ERROR;
  }
  curl_off_t announced = -1;
  ::curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
  bytes_ += size;
  if (bytes_ > limits_.body_bytes || (announced > 0 && static_cast<uint64_t>(announced) > limits_.body_bytes)) {
    fail_with("size_limit", fmt::format("the feed has more than {} bytes", limits_.body_bytes));
    return CURL_WRITEFUNC_ERROR;
  }
  if (file_.write(bytes, size)) return size;
  fail_with("io_failed", fmt::format("cannot write {}: {}", request_.destination, std::strerror(errno)));
  return CURL_WRITEFUNC_ERROR;
}

void Transfer::fail_with(const char* kind, std::string message) {
  failure_ = kind;
  failure_message_ = std::move(message);
}

std::string Transfer::header(const char* name) const {
  curl_header* found = nullptr;
  if (::curl_easy_header(easy_.get(), name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK) return {};
  return found->value;
}

long Transfer::status() const {
  long status = 0;
  ::curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  return status;
}

Transfer::End Transfer::finish(CURLcode code) {
  // Of anything but a feed the head is enough.
  const bool cut = code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR;
  const bool whole = code == CURLE_OK || unwanted_body_ || (cut && status() >= 300);
  // A host's address may be forbidden and its next one be good.
  if (!whole && status() == 0 && !forbidden_.empty()) {
    const std::string message = fmt::format("{} is {}, not an address of the public internet", url_.host, forbidden_);
    return {failed("forbidden_address", message), {}};
  }
  if (!whole && !failure_.empty()) return {failed(failure_, failure_message_), {}};
  if (!whole) return {explain(code), {}};
  if (is_redirect(status())) {
    std::string location = header("Location");
    if (!location.empty()) return {std::nullopt, std::move(location)};
  }
  return {conclude(), {}};
}

FetchResult Transfer::explain_timeout() const {
  // libcurl gives all its time-outs one code, and rounds: it may be a millisecond early.
  constexpr std::chrono::milliseconds kRounding{20};
  if (deadline_.remaining(real_clock()) <= kRounding) {
    return failed("timeout", fmt::format("the feed did not come within {} s", limits_.total.count() / 1000));
  }
  curl_off_t connected_us = 0;
  ::curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME_T, &connected_us);
  if (connected_us == 0) {
    return failed("timeout", fmt::format("no connection to {} within {} ms", url_.host, limits_.connect.count()));
  }
  return failed("too_slow", fmt::format("less than {} bytes a second for {} s", limits_.min_bytes_per_second,
                                        limits_.slow.count()));
}

FetchResult Transfer::explain(CURLcode code) const {
  const std::string reason = error_text_[0] != '\0' ? error_text_ : ::curl_easy_strerror(code);
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return explain_timeout();
    case CURLE_COULDNT_RESOLVE_HOST:
      return failed("dns_failed", reason);
    case CURLE_PARTIAL_FILE:
      return failed("short_body", reason);
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return failed("tls_failed", reason);
    case CURLE_OUT_OF_MEMORY:
      return failed("io_failed", reason);
    case CURLE_URL_MALFORMAT:
      return failed("bad_url", reason);
    case CURLE_RECV_ERROR:
      if (status() == kOk) return failed("short_body", reason);
      return failed("connect_failed", reason);
    default:
      return failed("connect_failed", reason);
  }
}

FetchResult Transfer::answer(FetchResult::Outcome outcome) const {
  FetchResult result;
  result.outcome = outcome;
  result.bytes = bytes_;
  const auto validator = [this](const char* name) {
    std::string value = header(name);
    return is_header_value(value) ? value : std::string();
  };
  result.etag = validator("ETag");
  result.last_modified = validator("Last-Modified");
  return result;
}

FetchResult Transfer::conclude() {
  const long status = this->status();
  if (status == kOk) {
    if (!file_.commit()) {
      return failed("io_failed", fmt::format("cannot write {}: {}", request_.destination, std::strerror(errno)));
    }
    return answer(FetchResult::Outcome::kDownloaded);
  }
  if (status == kNotModified && is_conditional()) {
    FetchResult result = answer(FetchResult::Outcome::kNotModified);
    if (result.etag.empty()) result.etag = request_.etag;
    if (result.last_modified.empty()) result.last_modified = request_.last_modified;
    return result;
  }
  FetchResult result = failed(fmt::format("http_{}", status), fmt::format("the server answered {}", status));
  if (status == kTooManyRequests || status == kUnavailable) {
    curl_off_t seconds = 0;
    ::curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &seconds);
    result.retry_after = std::clamp(std::chrono::seconds(seconds), std::chrono::seconds(0), kLongestRetryAfter);
  }
  return result;
}

}  // namespace souk::fetch
