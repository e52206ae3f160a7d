// SPDX-License-Identifier: Apache-2.0
// The http cases shared by the whole project: what the server answers in turn, and the state after each fetch.
#include <boost/json.hpp>
#include <cstdlib>
#include <map>
#include <mutex>

#include "tests/unit/indexer/fetch/fetch_fixture.h"

namespace souk::fetch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path cases_folder() {
  if (const char* shared = std::getenv("SOUK_SHARED")) return fs::path(shared) / "cases" / "feeds";
  return fs::path(SOUK_SOURCE_DIR).parent_path() / "shared" / "cases" / "feeds";
}

std::string text(const json::object& object, std::string_view name, std::string_view otherwise) {
  const json::value* value = object.if_contains(name);
  return std::string(value != nullptr && value->is_string() ? std::string_view(value->as_string()) : otherwise);
}

class HttpCases : public FetchTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    folder = cases_folder() / GetParam();
    if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there";
    const json::object expected = json::parse(read(folder / "expect.json")).as_object();
    http = expected.at("http").as_object();
    for (const json::value& response : http.at("responses").as_array()) {
      answers[text(response.as_object(), "path", kPath)].push_back(response.as_object());
    }
    first = text(http.at("responses").at(0).as_object(), "path", kPath);
  }

  // A path's answers in turn, its last one for ever.
  json::object next_answer(const std::string& path) {
    const std::lock_guard lock(mutex);
    std::vector<json::object>& left = answers[path];
    json::object answer = left.empty() ? json::object{{"status", 404}} : left.front();
    if (left.size() > 1) left.erase(left.begin());
    return answer;
  }

  void answer(const Request& request, Connection& connection) {
    const json::object answer = next_answer(request.path);
    if (const json::value* required = answer.if_contains("require_request_headers")) {
      for (const auto& [name, value] : required->as_object()) {
        std::string lower(name);
        for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const auto sent = request.headers.find(lower);
        EXPECT_TRUE(sent != request.headers.end() && sent->second == value.as_string()) << name;
      }
    }
    const std::string body_name = text(answer, "body", "");
    const std::string body = body_name.empty() ? "" : read(folder / body_name);
    std::string head = "HTTP/1.1 " + std::to_string(answer.at("status").as_int64()) + " X\r\n";
    size_t announced = body.size();
    if (const json::value* headers = answer.if_contains("headers")) {
      for (const auto& [name, value] : headers->as_object()) {
        const std::string_view content = value.as_string();
        if (name == "Content-Length" && content.starts_with('+')) {
          announced += std::stoull(std::string(content.substr(1)));
        } else {
          head += std::string(name) + ": " + std::string(content) + "\r\n";
        }
      }
    }
    connection.send(head + "Content-Length: " + std::to_string(announced) + "\r\n\r\n" + body);
  }

  static constexpr std::string_view kPath = "/feed.xml";
  fs::path folder;
  json::object http;
  std::string first;
  std::mutex mutex;
  std::map<std::string, std::vector<json::object>> answers;
};

TEST_P(HttpCases, StateAfterEachFetch) {
  TestServer server([this](const Request& request, Connection& connection) { answer(request, connection); });
  Fetcher fetcher(limits());
  FetchRequest next = request(server.url(first));
  for (const json::value& expected : http.at("expect").as_array()) {
    const json::object& state = expected.as_object();
    const size_t before = server.requests().size();
    const FetchResult result = fetcher.fetch(next);
    const std::string outcome = text(state, "outcome", "");
    const std::map<std::string, Outcome> outcomes{{"ingested", Outcome::kDownloaded},
                                                  {"not_modified", Outcome::kNotModified},
                                                  {"fetch_failed", Outcome::kFailed}};
    EXPECT_EQ(result.outcome, outcomes.at(outcome)) << result.error << " " << result.message;
    EXPECT_EQ(result.error, text(state, "error", ""));
    // A redirect's target is not kept: each fetch begins with the shop's own address.
    EXPECT_EQ(server.requests().at(before).path, first);
    EXPECT_EQ(text(state, "next_url", first), first);
    EXPECT_EQ(read(next.destination), state.at("accepted").as_array().empty() ? "" : read(folder / "feed.xml"));
    if (result.outcome == Outcome::kDownloaded) {
      next.etag = result.etag;
      next.last_modified = result.last_modified;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, HttpCases, testing::Values("http-304", "http-redirects", "http-short-body"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace souk::fetch
