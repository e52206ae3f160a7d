// SPDX-License-Identifier: Apache-2.0
// souk-snippet: documents by key and version, out of RocksDB.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "runtime/config/topology.h"
#include "runtime/exec/server_loop.h"
#include "runtime/net/http_client.h"
#include "runtime/net/http_server.h"
#include "runtime/obs/log.h"
#include "snippet/serve/snippet_server.h"

namespace {

using souk::ErrorCode;
using souk::Status;

struct Arguments {
  std::string topology;
  std::string name;
  std::string data;
};

Status serve(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  const souk::config::SnippetConfig* self = topology->snippet(arguments.name);
  if (self == nullptr) {
    return souk::fail(ErrorCode::kInvalidArgument, "the topology has no such snippet server",
                      "--name " + arguments.name);
  }
  const std::filesystem::path data = arguments.data;
  auto store = souk::snippet::SnippetStore::open((data / "snippets" / arguments.name).string());
  if (!store) return std::unexpected(store.error());

  const auto log = souk::obs::Log::to_stderr(arguments.name);
  boost::asio::io_context io(1);
  souk::net::HttpClient client(io, souk::net::ClientLimits{}, souk::real_clock());
  souk::snippet::SnippetServerConfig config;
  config.name = arguments.name;
  config.generations_folder = (data / "generations").string();
  config.control = topology->control.address;
  config.threads = topology->limits.snippet_threads;
  config.queue = topology->limits.snippet_queue;
  souk::snippet::SnippetServer snippets(config, std::move(*store), client, souk::real_clock(), log);
  souk::net::ServerLimits limits;
  limits.connections = topology->limits.connections;
  souk::net::HttpServer server(io, limits, snippets.handler());
  if (Status listening = server.listen(self->address); !listening) return listening;
  log.info("snippets listen on " + souk::net::to_string(server.local_endpoint()));
  snippets.start(io);
  souk::exec::run_until_signal(io, [&] {
    server.stop();
    snippets.stop();
  });
  log.info("stopped");
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("souk-snippet: documents by key and version");
  Arguments arguments;
  app.add_option("--topology", arguments.topology, "topology file")->required();
  app.add_option("--name", arguments.name, "name of this process in the topology")->required();
  app.add_option("--data", arguments.data, "folder of the world")->required();
  try {
    app.parse(argc, argv);
    const Status served = serve(arguments);
    if (served) return 0;
    std::fprintf(stderr, "souk-snippet: %s\n", to_string(served.error()).c_str());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::fprintf(stderr, "souk-snippet: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-snippet: %s\n", error.what());
  }
  return 1;
}
