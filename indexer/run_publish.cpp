// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cstdio>

#include "indexer/build/generation_builder.h"
#include "indexer/commands.h"
#include "indexer/publish/publish.h"
#include "runtime/config/topology.h"

namespace souk::indexer {
namespace {

int publish_failed(const Error& error) {
  fmt::print(stderr, "souk-indexer publish: {}\n", to_string(error));
  return 1;
}

}  // namespace

int run_publish(const PublishOptions& options) {
  const auto topology = config::load_topology(options.topology);
  if (!topology) return publish_failed(topology.error());
  const auto manifest = build::latest_manifest(options.data + "/generations");
  if (!manifest) return publish_failed(manifest.error());
  const net::Endpoint& control = topology->control.address;
  const auto id = publish::publish(control, manifest->content_hash, manifest->shards);
  if (!id) return publish_failed(id.error());
  if (options.wait_seconds > 0) {
    std::string shown;
    const auto waiting = [&shown](std::string_view problems) {
      if (problems == shown || problems.empty()) return;
      shown = problems;
      fmt::print(stderr, "souk-indexer publish: waiting: {}\n", problems);
    };
    const Status done = publish::wait_until_active(control, *id, std::chrono::seconds(options.wait_seconds), waiting);
    if (!done) return publish_failed(done.error());
  }
  fmt::print("{}\n", to_string(*id));
  return 0;
}

}  // namespace souk::indexer
