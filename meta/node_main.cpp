// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <random>
#include <thread>

#include "meta/node.h"
#include "runtime/exec/server_loop.h"
#include "runtime/net/http_client.h"

namespace souk {
namespace {

Status run(const std::string& topology_file, const std::string& name, const std::string& data) {
  auto topology = config::load_topology(topology_file);
  if (!topology) return std::unexpected(topology.error());
  const config::NodeConfig* config = topology->node(name);
  if (config == nullptr) return fail(ErrorCode::kInvalidArgument, "the topology has no node " + name, topology_file);

  const obs::Log log = obs::Log::to_stderr(name);
  obs::AccessLog access_log(stdout);
  boost::asio::io_context io(1);
  boost::asio::io_context health_io(1);
  net::HttpClient client(io, {}, real_clock());
  net::HttpClient health_client(health_io, {}, real_clock());
  node::Node node(
      {io, client, health_io, health_client, *topology, real_clock(), log, access_log, data, std::random_device{}()},
      *config);
  if (Status done = node.restore(); !done) return done;
  if (Status done = node.listen(); !done) return done;
  node.start();
  std::thread health([&health_io] { health_io.run(); });
  exec::run_until_signal(io, [&node] { return node.drain(); }, [&node] { node.stop(); });
  boost::asio::post(health_io, [&node] { node.stop_health(); });
  health.join();
  return {};
}

}  // namespace
}  // namespace souk

int main(int argc, char** argv) {
  CLI::App app{"souk-node: one shard of the index in RAM, and the meta layer"};
  std::string topology, name, data;
  app.add_option("--topology", topology, "topology.toml")->required();
  app.add_option("--name", name, "this node's name in the topology")->required();
  app.add_option("--data", data, "the world's data folder")->required();
  CLI11_PARSE(app, argc, argv);
  souk::Status done;
  try {
    done = souk::run(topology, name, data);
  } catch (const std::exception& error) {
    done = souk::fail(souk::ErrorCode::kInternal, error.what());
  }
  if (!done) std::fprintf(stderr, "souk-node %s: %s\n", name.c_str(), souk::to_string(done.error()).c_str());
  return done ? 0 : 1;
}
