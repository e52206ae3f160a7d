// SPDX-License-Identifier: Apache-2.0
#include "control/cli/size_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "control/cli/built_generation.h"
#include "control/cli/index_view.h"
#include "control/cli/text_table.h"
#include "core/base/ids.h"
#include "core/index/container.h"
#include "core/index/index_stats.h"
#include "core/placement/slots.h"
#include "runtime/files/read_file.h"

namespace souk::control {

namespace {

constexpr double kMiB = 1 << 20;
constexpr double kGiB = 1 << 30;
constexpr int kGenerations = 2;  // the active one and the one that comes
constexpr double kUsable =
    0.8;  // of a node's RAM; the rest is for the dictionary, the process, its queries and the system
using index::Part;
constexpr Part kShardParts[] = {Part::kMainPostings, Part::kDescriptionPostings,
                                Part::kParamLists,   Part::kForward,
                                Part::kColumns,      Part::kParams,
                                Part::kKeys,         Part::kGroups};

Status add_shard(const std::string& path, GenerationSize& size) {
  const auto bytes = files::read_file(path, kMaxIndexFile);
  if (!bytes) return std::unexpected(bytes.error());
  const auto container = index::Container::open(std::as_bytes(std::span(*bytes)), index::FileKind::kShard);
  if (!container) return fail(container.error().code, to_string(container.error()), path);
  const index::PartBytes parts = index::bytes_by_part(container->section_bytes());
  uint64_t named = 0;
  for (size_t i = 0; i < std::size(kShardParts); ++i) {
    const uint64_t part = index::bytes_of(parts, kShardParts[i]);
    size.parts[i].bytes += part;
    named += part;
  }
  size.parts.back().bytes += bytes->size() - named;
  return {};
}

double bytes_per_offer(const GenerationSize& measured) {
  double bytes = 0;
  for (const auto& part : measured.parts) bytes += static_cast<double>(part.bytes);
  return bytes / static_cast<double>(measured.offers);
}

// The fewest shards of which two generations fit into a node.
Result<uint64_t> shards_that_fit(double all_bytes, uint64_t node_ram_gib) {
  const double shards = std::ceil(kGenerations * all_bytes / (static_cast<double>(node_ram_gib) * kGiB * kUsable));
  if (shards > placement::kOpenSlots) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{:.0f} shards would be needed, {} are possible", shards, placement::kOpenSlots),
                "--node-ram");
  }
  return std::max<uint64_t>(1, static_cast<uint64_t>(shards));
}

std::vector<std::string> row(std::string name, double per_offer, double in_node) {
  return {std::move(name), fmt::format("{:.1f}", per_offer), fmt::format("{:.1f}", in_node / kMiB)};
}

}  // namespace

Result<GenerationSize> measure_last_built(const std::string& data) {
  const auto hash = last_built(data);
  if (!hash) return std::unexpected(hash.error());
  const auto manifest = read_manifest(data, *hash);
  if (!manifest) return std::unexpected(manifest.error());
  if (manifest->offers == 0) return fail(ErrorCode::kNotFound, "the last built generation has no offers", hex16(*hash));
  GenerationSize size;
  size.shards = manifest->shards;
  size.offers = manifest->offers;
  size.dictionary_bytes = manifest->dictionary.size;
  for (const Part part : kShardParts) size.parts.push_back({part_title(part), 0});
  size.parts.push_back({"headers and padding", 0});
  for (const index::Manifest::File& file : manifest->shard_files) {
    const Status done = add_shard(generation_folder(data, *hash) + "/" + file.name, size);
    if (!done) return std::unexpected(done.error());
  }
  return size;
}

Result<std::string> size_table(const GenerationSize& measured, const SizeQuestion& question) {
  const auto offers = static_cast<double>(question.offers);
  const double all_bytes = bytes_per_offer(measured) * offers;
  uint64_t shards = measured.shards;
  if (question.node_ram_gib) {
    const auto fit = shards_that_fit(all_bytes, *question.node_ram_gib);
    if (!fit) return std::unexpected(fit.error());
    shards = *fit;
  }
  const double shard_bytes = all_bytes / static_cast<double>(shards);

  std::vector<std::vector<std::string>> rows;
  for (const auto& part : measured.parts) {
    const double per_offer = static_cast<double>(part.bytes) / static_cast<double>(measured.offers);
    rows.push_back(row(part.name, per_offer, per_offer * offers / static_cast<double>(shards)));
  }
  rows.push_back(row("all", bytes_per_offer(measured), shard_bytes));
  std::string text = fmt::format("measured: {} offers in {} shards; asked: {} offers\n\n", measured.offers,
                                 measured.shards, question.offers);
  text += format_table({{"part", 0, false}, {"bytes per offer", 0, true}, {"a shard, MiB", 0, true}}, rows);
  const double dictionary = static_cast<double>(measured.dictionary_bytes);
  const double grown = dictionary * std::max(1.0, offers / static_cast<double>(measured.offers));
  text += fmt::format("\nRAM of a node for a shard, two generations loaded: {:.2f} GiB\n",
                      kGenerations * shard_bytes / kGiB);
  text += fmt::format(
      "and twice the dictionary: {:.1f} MiB now, at most {:.1f} MiB then (it grows slower than the offers)\n",
      dictionary / kMiB, grown / kMiB);
  text += fmt::format("nodes: {} shards x {} replicas = {}\n", shards, question.replicas, shards * question.replicas);
  return text;
}

}  // namespace souk::control
