// SPDX-License-Identifier: Apache-2.0
// The full list of metrics is pinned by tests/golden/metrics.txt, which docs/metrics.md is made of. With
// SOUK_UPDATE_GOLDEN=1 the file is written anew; look at the difference before you commit it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "indexer/partner/partner_server.h"
#include "tests/unit/indexer/partner/fake_feed_service.h"
#include "tests/world/world.h"

namespace souk::docs {
namespace {

struct Metric {
  std::string type;
  std::string help;
  std::map<std::string, std::set<std::string>> labels;
};

// "a="1",b="2"" -> adds to labels; a histogram's bounds are left out.
void read_labels(std::string_view text, Metric& metric) {
  while (!text.empty()) {
    const size_t equals = text.find("=\"");
    const size_t end = text.find('"', equals + 2);
    ASSERT_NE(end, std::string_view::npos) << text;
    const std::string name(text.substr(0, equals));
    if (name != "le") metric.labels[name].emplace(text.substr(equals + 2, end - equals - 2));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

// A page in the text format of Prometheus.
std::map<std::string, Metric> read_page(const std::string& page) {
  std::map<std::string, Metric> metrics;
  std::istringstream lines(page);
  std::string current;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash;
    std::string keyword;
    if (line.starts_with("# ")) {
      words >> hash >> keyword >> current >> std::ws;
      std::getline(words, keyword == "TYPE" ? metrics[current].type : metrics[current].help);
      continue;
    }
    EXPECT_TRUE(line.starts_with(current)) << line;
    const size_t open = line.find('{');
    if (open != std::string::npos)
      read_labels(std::string_view(line).substr(open + 1, line.rfind('}') - open - 1), metrics[current]);
  }
  return metrics;
}

// SERVER <tab> NAME <tab> TYPE <tab> LABEL=VALUE,VALUE;… <tab> HELP
std::string lines_of(const std::string& server, const std::string& page) {
  std::string text;
  for (const auto& [name, metric] : read_page(page)) {
    std::string labels;
    for (const auto& [label, values] : metric.labels) {
      labels += (labels.empty() ? "" : ";") + label + "=";
      for (const std::string& value : values) labels += (value == *values.begin() ? "" : ",") + value;
    }
    text += server + "\t" + name + "\t" + metric.type + "\t" + labels + "\t" + metric.help + "\n";
  }
  return text;
}

std::string page_of(world::World& world, const net::Handler& handler) {
  net::Request request;
  request.path = "/metrics";
  const net::Response response = world.run(handler(std::move(request)));
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.content_type.starts_with("text/plain; version=0.0.4"));
  return response.body;
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(MetricsTest, AreTheGoldenOnes) {
  world::World world;
  node::Node& node = world.node(0);
  obs::Metrics metrics;
  partner::PartnerServer indexer("indexer", std::make_shared<partner::FakeFeedService>(), metrics, world.clock(),
                                 obs::Log::null());
  const std::string text =
      "# SERVER NAME TYPE LABELS HELP, parted by tabs. Written by unit_docs with SOUK_UPDATE_GOLDEN=1.\n" +
      lines_of("node",
               page_of(world, [&node](net::Request request) { return node.handle_admin(std::move(request)); })) +
      lines_of("snippet", page_of(world, world.snippets().handler())) +
      lines_of("indexer", page_of(world, indexer.admin_handler()));
  const std::string path = SOUK_GOLDEN_DIR "/metrics.txt";
  if (std::getenv("SOUK_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
  }
  EXPECT_EQ(text, read_file(path));
}

TEST(MetricsTest, NamesSayTheirUnit) {
  const std::string text = read_file(SOUK_GOLDEN_DIR "/metrics.txt");
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string server, name, type;
    fields >> server >> name >> type;
    EXPECT_TRUE(name.starts_with("souk_")) << name;
    EXPECT_EQ(type == "counter", name.ends_with("_total")) << name;
    if (type == "histogram") EXPECT_TRUE(name.ends_with("_seconds")) << name;
    EXPECT_TRUE(line.ends_with(".")) << "help is a sentence: " << line;
  }
}

}  // namespace
}  // namespace souk::docs
