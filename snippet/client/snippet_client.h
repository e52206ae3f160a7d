// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/wire/snippet.pb.h"
#include "runtime/net/http.h"

namespace souk::snippet {

struct SnippetId {
  DocKey key;
  uint64_t version = 0;  // content version: XXH3 of the document's bytes
  auto operator<=>(const SnippetId&) const = default;
};

// Asks snippet servers for documents. Used from one IO thread.
class SnippetClient {
 public:
  SnippetClient(net::Transport& transport, std::vector<net::Endpoint> servers, const Clock& clock);

  // One entry per id, in order; empty = no server has a document of that key and version (or what it sent is another
  // one). Servers are asked in turn for what is still missing, since one may not have ingested a new generation yet;
  // kUnavailable when none answers.
  boost::asio::awaitable<Result<std::vector<std::optional<wire::SnippetDoc>>>> get(std::vector<SnippetId> ids,
                                                                                   Deadline deadline,
                                                                                   std::string traceparent = {});

 private:
  net::Transport& transport_;
  std::vector<net::Endpoint> servers_;
  const Clock& clock_;
  size_t next_ = 0;
};

}  // namespace souk::snippet
