// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace souk::net {

// The strict gate in front of the HTTP parser. Beast 1.81 accepts ambiguous framing (Transfer-Encoding in many
// spellings, repeated or listed Content-Length, no or two Hosts, folded lines, a body with GET), which two servers in a
// row may read differently: request smuggling. The gate lets through only heads that can be read in one way.
// A pure function over bytes; thread-safe.
class HttpGate {
 public:
  struct Limits {
    size_t head_bytes = 8 * 1024;  // request line, headers and the empty line
    size_t headers = 64;
    size_t body_bytes = 64 * 1024;
  };

  struct NeedMore {};  // the head is not whole yet and nothing is wrong so far
  struct Head {
    size_t bytes = 0;  // of the head, the empty line included
    uint64_t content_length = 0;
    bool expects_continue = false;
  };
  struct Refusal {
    int status = 400;  // 400, 413, 414, 417, 431 or 505; the connection must be closed after it
    std::string reason;
  };
  using Verdict = std::variant<NeedMore, Head, Refusal>;

  explicit HttpGate(Limits limits) : limits_(limits) {}

  // bytes: all that was received since the end of the request before. Accepted: HTTP/1.1 with exactly one Host, and
  // HTTP/1.0 with at most one; a target that begins with '/'; no Transfer-Encoding; at most one Content-Length of
  // digits only, 0 for GET and HEAD; lines ended by CR LF and not folded; no control characters but TAB in a value.
  Verdict check(std::string_view bytes) const;

 private:
  Limits limits_;
};

}  // namespace souk::net
