// SPDX-License-Identifier: Apache-2.0
// Both ends of /snippets. Even first byte: the rest is a body sent to the snippet server. Odd: it is what a hostile
// server answers, which must never pass for a document of another version.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string_view>

#include "core/base/hash.h"
#include "snippet/client/snippet_client.h"
#include "snippet/serve/snippet_server.h"

namespace souk::snippet {
namespace {

constexpr uint64_t kKey = 77;

std::string document() {
  wire::SnippetDoc doc;
  doc.set_key(kKey);
  return doc.SerializeAsString();
}

// Has one document.
class OneDocument final : public SnippetStore {
 public:
  Status ingest(const std::string& /*path*/, const GenerationId& /*id*/) override { return {}; }
  bool has(const GenerationId& /*id*/) const override { return true; }
  std::vector<GenerationId> generations() const override { return {}; }
  Result<std::vector<std::string>> get(const std::vector<Id>& ids) const override {
    std::vector<std::string> values;
    for (const Id& id : ids) values.push_back(id.key.value() == kKey ? document() : std::string());
    return values;
  }
  uint64_t memory_bytes() const override { return 0; }
};

// Answers everything with these bytes.
class OneAnswer final : public net::Transport {
 public:
  explicit OneAnswer(std::string_view body) : body_(body) {}
  boost::asio::awaitable<Result<net::Response>> send(net::Endpoint /*to*/, net::Request /*what*/,
                                                     Deadline /*until*/) override {
    net::Response response;
    response.body = body_;
    co_return response;
  }

 private:
  std::string body_;
};

template <typename T>
T run(boost::asio::awaitable<T> work) {
  boost::asio::io_context io;
  std::optional<T> result;
  boost::asio::co_spawn(io, std::move(work), [&](const std::exception_ptr& thrown, T value) {
    SOUK_CHECK(!thrown);
    result = std::move(value);
  });
  io.run();
  return std::move(*result);
}

void ask_server(std::string_view body) {
  static OneAnswer nobody("");
  const Clock& clock = real_clock();
  static SnippetServer server({.name = "snippet-1", .generations_folder = "", .control = {}},
                              std::make_shared<OneDocument>(), nobody, clock, obs::Log::null());
  net::Request request;
  request.method = "POST";
  request.path = "/snippets";
  request.body = body;
  const net::Response answer = run(server.handler()(std::move(request)));
  wire::SnippetRequest understood;
  if (!understood.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    SOUK_CHECK(answer.status == 400);
    return;
  }
  const bool fits = understood.keys_size() == understood.versions_size() &&
                    static_cast<size_t>(understood.keys_size()) <= SnippetServer::kMaxIds;
  // A budget of a millisecond may run out while the machine is busy.
  SOUK_CHECK(fits ? answer.status == 200 || answer.status >= 500 : answer.status == 400);
  if (answer.status != 200) return;
  wire::SnippetReply reply;
  SOUK_CHECK(reply.ParseFromString(answer.body) && reply.documents_size() == understood.keys_size());
}

void ask_client(std::string_view reply) {
  const Clock& clock = real_clock();
  OneAnswer hostile(reply);
  SnippetClient client(hostile, {{"127.0.0.1", 1}}, clock);
  const std::vector<SnippetId> ids{{DocKey(kKey), xxh3(document())}, {DocKey(kKey + 1), 5}};
  const auto deadline = Deadline::after(clock, std::chrono::seconds(60));
  const auto documents = run(client.get(ids, deadline));
  if (!documents) {
    SOUK_CHECK(documents.error().code == ErrorCode::kUnavailable);
    return;
  }
  SOUK_CHECK(documents->size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    if (const auto& shown = documents->at(i)) SOUK_CHECK(shown->key() == ids[i].key.value());
  }
}

}  // namespace
}  // namespace souk::snippet

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  data[0] % 2 == 0 ? souk::snippet::ask_server(bytes) : souk::snippet::ask_client(bytes);
  return 0;
}
