// SPDX-License-Identifier: Apache-2.0
// souk-control: the only writer of the metastore. Rollout of generations and the registry of shops.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "control/serve/control_server.h"
#include "runtime/config/topology.h"
#include "runtime/exec/server_loop.h"
#include "runtime/net/http_server.h"
#include "runtime/obs/log.h"

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
  if (topology->control.name != arguments.name) {
    return souk::fail(ErrorCode::kInvalidArgument, "the topology's control has another name: " + topology->control.name,
                      "--name " + arguments.name);
  }
  const std::filesystem::path folder = std::filesystem::path(arguments.data) / "control";
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return souk::fail(ErrorCode::kUnavailable, "cannot make the folder: " + failure.message(), folder.string());
  }
  auto store = souk::control::open_sqlite_metastore((folder / "metastore.sqlite").string());
  if (!store) return std::unexpected(store.error());

  const auto log = souk::obs::Log::to_stderr(arguments.name);
  boost::asio::io_context io(1);
  const auto control = souk::control::ControlServer::make(*topology, std::move(*store), souk::real_clock(), log);
  if (!control) return std::unexpected(control.error());
  souk::net::ServerLimits limits;
  limits.connections = topology->limits.connections;
  souk::net::HttpServer server(io, limits, (*control)->handler());
  if (Status listening = server.listen(topology->control.address); !listening) return listening;
  log.info("control listens on " + souk::net::to_string(server.local_endpoint()));
  souk::exec::run_until_signal(io, [&server] { server.stop(); });
  log.info("stopped");
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("souk-control: rollout of generations and the registry of shops");
  Arguments arguments;
  app.add_option("--topology", arguments.topology, "topology file")->required();
  app.add_option("--name", arguments.name, "name of this process in the topology")->required();
  app.add_option("--data", arguments.data, "folder of the world")->required();
  try {
    app.parse(argc, argv);
    const Status served = serve(arguments);
    if (served) return 0;
    std::fprintf(stderr, "souk-control: %s\n", to_string(served.error()).c_str());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::fprintf(stderr, "souk-control: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-control: %s\n", error.what());
  }
  return 1;
}
