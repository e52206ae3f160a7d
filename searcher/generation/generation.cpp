// SPDX-License-Identifier: Apache-2.0
#include "searcher/generation/generation.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/base/hash.h"
#include "runtime/files/read_file.h"

namespace souk::generation {

namespace {

constexpr size_t kMostManifestBytes = 1 << 20;
using FilePointer = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::unexpected<Error> at_file(const Error& error, const std::string& path) {
  return fail(error.code, error.argument.empty() ? error.message : error.argument + ": " + error.message, path);
}

// The shard must be the one asked for, of this generation's shape and dictionary.
Status check_shard(const index::ShardStats& stats, const Generation& generation, uint32_t shard) {
  const index::Dictionary& dictionary = generation.dictionary;
  if (stats.shard != shard || stats.shards != generation.manifest.shards) {
    return fail(ErrorCode::kCorruption, fmt::format("it is shard {} of {}", stats.shard, stats.shards));
  }
  if (stats.categories != dictionary.categories() || stats.vendors != dictionary.vendors() ||
      stats.shops != dictionary.shops() || stats.param_values != dictionary.param_values() ||
      stats.terms != dictionary.terms().size()) {
    return fail(ErrorCode::kCorruption, "it was made with another dictionary");
  }
  return {};
}

Status load_shard(const std::string& folder, uint32_t shard, Generation& generation) {
  if (shard > generation.manifest.shards) {
    return fail(ErrorCode::kVersionMismatch,
                fmt::format("the generation has {} shards, not {}", generation.manifest.shards, shard), folder);
  }
  const index::Manifest::File& file = generation.manifest.shard_files[shard - 1];
  auto bytes = FileBytes::load(folder, file, index::FileKind::kShard);
  if (!bytes) return std::unexpected(bytes.error());
  generation.shard_bytes = std::move(*bytes);
  auto index = index::ShardIndex::open(generation.shard_bytes.bytes());
  if (!index) return at_file(index.error(), folder + "/" + file.name);
  if (Status done = check_shard(index->stats(), generation, shard); !done)
    return at_file(done.error(), folder + "/" + file.name);
  generation.shard = std::make_unique<const index::ShardIndex>(std::move(*index));
  return {};
}

}  // namespace

Result<FileBytes> FileBytes::load(const std::string& folder, const index::Manifest::File& file, index::FileKind kind) {
  const std::string path = folder + "/" + file.name;
  const FilePointer input(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!input) return fail(ErrorCode::kUnavailable, std::string("cannot be read: ") + std::strerror(errno), path);
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);  // before allocating what the manifest claims
  if (error) return fail(ErrorCode::kUnavailable, error.message(), path);
  if (size != file.size)
    return fail(ErrorCode::kCorruption, fmt::format("the file has {} bytes instead of {}", size, file.size), path);

  FileBytes result;
  result.data_ = std::make_unique_for_overwrite<std::byte[]>(size);
  result.size_ = size;
  constexpr size_t kBlock = 1 << 20;
  Sha256 hash;
  for (size_t at = 0; at < size;) {
    const size_t got = std::fread(result.data_.get() + at, 1, std::min(kBlock, size - at), input.get());
    if (got == 0) return fail(ErrorCode::kUnavailable, "the file ends early", path);
    hash.update({reinterpret_cast<const char*>(result.data_.get()) + at, got});
    at += got;
  }
  if (hash.hex() != file.sha256) {
    // Which part it is, where the file itself can tell.
    const auto parts = index::Container::open(result.bytes(), kind);
    const std::string part = parts ? std::string() : ": " + to_string(parts.error());
    return fail(ErrorCode::kCorruption, "the file's SHA-256 is not the manifest's" + part, path);
  }
  return result;
}

Result<std::shared_ptr<const Generation>> load_generation(const std::string& generations, const GenerationId& id,
                                                          uint32_t shard) {
  const std::string folder = generations + "/" + hex16(id.content_hash);
  const std::string manifest_path = folder + "/" + std::string(index::kManifestFile);
  auto text = files::read_file(manifest_path, kMostManifestBytes);
  if (!text) {
    const bool missing = text.error().code == ErrorCode::kNotFound;  // it may come
    return fail(missing ? ErrorCode::kUnavailable : text.error().code, text.error().message, manifest_path);
  }
  auto manifest = index::parse_manifest(*text);
  if (!manifest) return at_file(manifest.error(), folder);
  if (manifest->content_hash != id.content_hash)
    return fail(ErrorCode::kCorruption, "the manifest is of another generation", manifest_path);
  if (index::content_hash_of(*manifest) != id.content_hash)
    return fail(ErrorCode::kCorruption, "the manifest's files are not those of its generation", manifest_path);

  auto generation = std::make_shared<Generation>();
  generation->id = id;
  generation->manifest = std::move(*manifest);
  auto bytes = FileBytes::load(folder, generation->manifest.dictionary, index::FileKind::kDictionary);
  if (!bytes) return std::unexpected(bytes.error());
  generation->dictionary_bytes = std::move(*bytes);
  const std::string dictionary_path = folder + "/" + std::string(index::kDictionaryFile);
  auto dictionary = index::Dictionary::open(generation->dictionary_bytes.bytes());
  if (!dictionary) return at_file(dictionary.error(), dictionary_path);
  generation->dictionary = std::move(*dictionary);
  auto market = config::parse_market(generation->dictionary.market_text(), "market.toml");
  if (!market) return at_file(market.error(), dictionary_path);
  generation->market = std::move(*market);
  if (shard > 0) {
    if (Status done = load_shard(folder, shard, *generation); !done) return std::unexpected(done.error());
  }
  return generation;
}

}  // namespace souk::generation
