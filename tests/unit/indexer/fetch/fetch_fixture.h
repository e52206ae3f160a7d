// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "indexer/fetch/fetcher.h"
#include "tests/unit/indexer/fetch/test_server.h"
#include "tests/world/temporary_folder.h"

namespace souk::fetch {

class FetchTest : public testing::Test {
 protected:
  // For servers on loopback; short, but only slow servers come near.
  static FetchLimits limits() {
    FetchLimits limits;
    limits.allow_private_addresses = true;
    limits.total = std::chrono::seconds(30);
    limits.slow = std::chrono::seconds(20);
    return limits;
  }

  std::string file(const std::string& name = "feed") const { return folder_.path() / name; }

  FetchRequest request(const std::string& url) const { return {url, {}, {}, file()}; }

  FetchResult fetch(const std::string& url, const FetchLimits& with = limits()) const {
    Fetcher fetcher(with);
    return fetcher.fetch(request(url));
  }

  // "" when there is none.
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  size_t files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), std::filesystem::directory_iterator()));
  }

  void expect_failed(const FetchResult& result, const std::string& kind) const {
    EXPECT_EQ(result.outcome, FetchResult::Outcome::kFailed);
    EXPECT_EQ(result.error, kind) << result.message;
    EXPECT_NE(result.message, "");
    EXPECT_EQ(result.message.find('\n'), std::string::npos);
    EXPECT_EQ(files(), 0U) << "a failed fetch leaves nothing behind";
  }

  const world::TemporaryFolder folder_;
};

using Outcome = FetchResult::Outcome;
using Request = TestServer::Request;
using Connection = TestServer::Connection;

}  // namespace souk::fetch
