// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/wire/snippet.pb.h"
#include "runtime/net/http.h"

namespace souk::snippet {

struct SnippetId {
  DocKey key;
  uint64_t version = 0;  // content version: two documents of one key differ in it
  auto operator<=>(const SnippetId&) const = default;
};

// Asks snippet servers for documents. Used from one IO thread.
class SnippetClient {
 public:
  SnippetClient(net::Transport& transport, std::vector<net::Endpoint> servers, const Clock& clock);

  // One entry per id, in order; empty = no document of that key and version. A document whose own key is not the
  // asked one is a kCorruption of that server. Servers are tried in turn until one answers; kUnavailable when none.
  boost::asio::awaitable<Result<std::vector<std::optional<wire::SnippetDoc>>>> get(std::vector<SnippetId> ids,
                                                                                   Deadline deadline);

 private:
  net::Transport& transport_;
  std::vector<net::Endpoint> servers_;
  const Clock& clock_;
  size_t next_ = 0;
};

}  // namespace souk::snippet
