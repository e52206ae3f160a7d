// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "indexer/commands.h"
#include "indexer/sandbox/parse_child.h"

namespace {

// Feeds are read in children that run this very program, also when its file has been replaced since.
constexpr const char* kOwnProgram = "/proc/self/exe";

void add_ingest(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("ingest", "read shops' feeds into the offer store");
  auto options = std::make_shared<souk::indexer::IngestOptions>();
  command->add_option("--topology", options->topology, "topology.toml")->required();
  command->add_option("--data", options->data, "the world's folder")->required();
  command->add_option("--market", options->market, "market.toml; default: the one in the world's folder");
  command->add_option("--feed", options->feeds, "[NAME=]FILE or [NAME=]URL, NAME = the shop's")->required();
  command->add_option("--mode", options->mode, "strict or lenient from now on; default: as each shop is set to");
  options->program = kOwnProgram;
  command->callback([options, &code] { code = souk::indexer::run_ingest(*options); });
}

void add_serve(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("serve", "fetch, read, build and publish periodically, and serve the shops");
  auto options = std::make_shared<souk::indexer::ServeOptions>();
  command->add_option("--topology", options->topology, "topology.toml")->required();
  command->add_option("--market", options->market, "market.toml; default: the one in the world's folder");
  command->add_option("--name", options->name, "name of this process in the topology")->required();
  command->add_option("--data", options->data, "the world's folder")->required();
  options->program = kOwnProgram;
  command->callback([options, &code] { code = souk::indexer::run_serve(*options); });
}

void add_check(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("check", "read a feed and print what the market would make of it");
  auto options = std::make_shared<souk::indexer::CheckOptions>();
  command->add_option("FILE", options->file, "the feed, packed or not")->required();
  command->add_option("--mode", options->mode, "strict (default) or lenient")
      ->check(CLI::IsMember({"strict", "lenient"}));
  command->add_flag("--json", options->json, "for programs: with every accepted offer");
  command->add_option("--max-unpacked", options->max_unpacked_bytes, "bytes the feed may unpack to; default 4 GiB")
      ->check(CLI::PositiveNumber);
  options->program = kOwnProgram;
  command->callback([options, &code] { code = souk::indexer::run_check(*options); });
}

void add_sample(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("sample", "write the feeds of a made-up market");
  auto options = std::make_shared<souk::indexer::SampleOptions>();
  command->add_option("--out", options->out, "folder for the feeds")->required();
  command->add_option("--seed", options->seed, "another seed gives another market; default 1");
  command->callback([options, &code] { code = souk::indexer::run_sample(*options); });
}

void add_build(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("build", "build a generation of the index from the offer store");
  auto options = std::make_shared<souk::indexer::BuildOptions>();
  command->add_option("--topology", options->topology, "topology.toml")->required();
  command->add_option("--market", options->market, "market.toml")->required();
  command->add_option("--data", options->data, "the world's folder")->required();
  command
      ->add_option("--memory", options->memory_mib, "MiB to build in; what exceeds it goes to the disk; default 1024")
      ->check(CLI::Range(1, 1 << 20));
  command->callback([options, &code] { code = souk::indexer::run_build(*options); });
}

void add_publish(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("publish", "make the last built generation the one to serve");
  auto options = std::make_shared<souk::indexer::PublishOptions>();
  command->add_option("--topology", options->topology, "topology.toml")->required();
  command->add_option("--data", options->data, "the world's folder")->required();
  command->add_option("--wait", options->wait_seconds, "seconds to wait until it is active")
      ->check(CLI::Range(0, 3600));
  command->callback([options, &code] { code = souk::indexer::run_publish(*options); });
}

// Not for people: the side of reading a feed that is locked in (indexer/sandbox).
void add_parse(CLI::App& app) {
  CLI::App* command = app.add_subcommand("parse", "")->group("");
  auto options = std::make_shared<souk::sandbox::ChildOptions>();
  command->add_option("--mode", options->mode)->required();
  command->add_option("--unpacked-bytes", options->unpacked_bytes)->required();
  command->add_option("--cpu-seconds", options->cpu_seconds)->required();
  command->add_option("--memory-bytes", options->memory_bytes)->required();
  command->add_option("--output-bytes", options->output_bytes)->required();
  command->callback([options] { souk::sandbox::run_parse_child(*options); });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CLI::App app("souk-indexer: from shops' feeds to a generation");
    app.require_subcommand(1);
    int code = 0;
    add_ingest(app, code);
    add_serve(app, code);
    add_check(app, code);
    add_sample(app, code);
    add_build(app, code);
    add_publish(app, code);
    add_parse(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? 0 : 1;
    }
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-indexer: %s\n", error.what());
    return 1;
  }
}
