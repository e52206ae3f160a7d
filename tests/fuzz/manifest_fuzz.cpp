// SPDX-License-Identifier: Apache-2.0
// Hostile manifests behind a right checksum: what is accepted is whole, and says the same when it is written and read
// again. "@even@" in the input stands for the 4,096 slots of two shards, "@hash@" for a SHA-256, "@sum@" for the
// checksum of what is before its member.
#include <cstdint>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/index/manifest.h"

namespace {

void replace(std::string& text, std::string_view word, const std::string& by) {
  constexpr size_t kMostTimes = 16;
  size_t at = 0;
  for (size_t times = 0; times < kMostTimes && (at = text.find(word, at)) != std::string::npos; ++times) {
    text.replace(at, word.size(), by);
    at += by.size();
  }
}

std::string even_slots() {
  std::string text;
  for (const uint16_t shard : souk::placement::even_slot_table(2)) text += std::to_string(shard) + ",";
  text.pop_back();
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  static const std::string slots = even_slots();
  std::string text(reinterpret_cast<const char*>(data), size);
  replace(text, "@even@", slots);
  replace(text, "@hash@", std::string(64, 'a'));
  if (const size_t member = text.find(",\"checksum\":\"@sum@"); member != std::string::npos) {
    text.replace(text.find("@sum@", member), 5, hex16(xxh3(std::string_view(text).substr(0, member))));
  }
  const auto manifest = index::parse_manifest(text);
  if (!manifest) {
    const Error& error = manifest.error();
    SOUK_CHECK(error.code == ErrorCode::kCorruption || error.code == ErrorCode::kVersionMismatch);
    SOUK_CHECK(error.argument == index::kManifestFile && !error.message.empty());
    return 0;
  }
  SOUK_CHECK(manifest->shards >= 1 && manifest->shard_files.size() == manifest->shards);
  SOUK_CHECK(placement::check_slot_table(manifest->slots, manifest->shards).has_value());
  for (uint32_t shard = 1; shard <= manifest->shards; ++shard) {
    SOUK_CHECK(manifest->shard_files[shard - 1].name == index::shard_file_name(shard));
  }
  const std::string again = index::to_json(*manifest);
  const auto second = index::parse_manifest(again);
  SOUK_CHECK(second && index::to_json(*second) == again);
  SOUK_CHECK(index::content_hash_of(*second) == index::content_hash_of(*manifest));
  return 0;
}
