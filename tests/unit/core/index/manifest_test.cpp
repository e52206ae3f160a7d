// SPDX-License-Identifier: Apache-2.0
#include "core/index/manifest.h"

#include <gtest/gtest.h>

#include "core/base/hash.h"
#include "core/base/ids.h"

namespace souk::index {
namespace {

Manifest manifest() {
  Manifest m;
  m.content_hash = 0x00AB00000000CDEF;
  m.shards = 2;
  m.offers = 5'000'000'000;
  m.models = 7;
  m.slots = placement::even_slot_table(2);
  m.dictionary = {"dictionary.souk", 10, std::string(64, 'a')};
  m.shard_files = {{"shard-1.souk", 20, std::string(64, 'b')}, {"shard-2.souk", 30, std::string(64, '0')}};
  m.snippets = {"snippets.sst", uint64_t{1} << 40, std::string(64, 'd')};
  return m;
}

// The manifest's text with one part of it replaced, under a right checksum.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = to_json(manifest());
  text.resize(text.rfind(",\"checksum\""));
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return text + ",\"checksum\":\"" + hex16(xxh3(text)) + "\"}\n";
}

TEST(Manifest, ComesBack) {
  const auto read = parse_manifest(to_json(manifest()));
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  const Manifest m = manifest();
  EXPECT_EQ(read->content_hash, m.content_hash);
  EXPECT_EQ(read->shards, m.shards);
  EXPECT_EQ(read->offers, m.offers);
  EXPECT_EQ(read->models, m.models);
  EXPECT_EQ(read->slots, m.slots);
  EXPECT_EQ(read->shard_files.size(), 2U);
  EXPECT_EQ(read->snippets.size, m.snippets.size);
  EXPECT_EQ(to_json(*read), to_json(m));
}

TEST(Manifest, AGenerationWithoutOffersHasNoSnippets) {
  Manifest m = manifest();
  m.snippets = {};
  const auto read = parse_manifest(to_json(m));
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->snippets.name.empty());
}

TEST(Manifest, TheMostShardsFit) {
  Manifest m = manifest();
  m.shards = placement::kOpenSlots;
  m.slots = placement::even_slot_table(m.shards);
  m.shard_files.clear();
  for (uint32_t shard = 1; shard <= m.shards; ++shard) {
    m.shard_files.push_back({shard_file_name(shard), ~uint64_t{0}, std::string(64, 'b')});
  }
  const auto read = parse_manifest(to_json(m));
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ(read->shard_files.back().size, ~uint64_t{0});
}

TEST(Manifest, AnotherSchemaOrANewerEngineIsAnotherVersion) {
  EXPECT_EQ(parse_manifest(changed("\"schema\":1", "\"schema\":2")).error().code, ErrorCode::kVersionMismatch);
  EXPECT_EQ(parse_manifest(changed("\"engine_level\":3", "\"engine_level\":4")).error().code,
            ErrorCode::kVersionMismatch);
}

TEST(Manifest, WhatIsBrokenIsRefused) {
  const std::pair<const char*, const char*> changes[] = {
      {"\"schema\":1", "\"schema\":\"1\""},
      {"\"schema\":1,", ""},
      {"00ab00000000cdef", "00ab00000000cde"},
      {"00ab00000000cdef", "00ab00000000cdeg"},
      {"00ab00000000cdef", "-0ab00000000cdef"},
      {"\"shards\":2", "\"shards\":0"},
      {"\"shards\":2", "\"shards\":3"},
      {"\"shards\":2", "\"shards\":-2"},
      {"\"shards\":2", "\"shards\":5000000000"},
      {"\"shards\":2", "\"shards\":2.5"},
      {"\"offers\":5000000000", "\"offers\":-1"},
      {"\"offers\":5000000000", "\"offers\":1e99"},
      {"\"models\":7", "\"models\":null"},
      {"dictionary.souk", "../dictionary.souk"},
      {"shard-1.souk", "shard-2.souk"},
      {"shard-2.souk", "/etc/passwd"},
      {"snippets.sst", "snippets/../x"},
      {"aaaaaaaa", "aaaaaaa"},
      {"aaaaaaaa", "aaaaaaaA"},
      {"\"slots\":[1,", "\"slots\":["},
      {"\"slots\":[1,", "\"slots\":[0,"},
      {"\"slots\":[1,", "\"slots\":[3,"},
      {"\"slots\":[1,", "\"slots\":[65537,"},
      {"\"slots\":[1,", "\"slots\":[[],"},
      {"\"size\":20", "\"size\":\"20\""},
      {"{", "["},
      {"{", ""},
  };
  for (const auto& [from, to] : changes) {
    const auto read = parse_manifest(changed(from, to));
    ASSERT_FALSE(read.has_value()) << from << " -> " << to;
    EXPECT_EQ(read.error().code, ErrorCode::kCorruption) << from << " -> " << to;
    EXPECT_EQ(read.error().argument, "manifest.json");
    EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
  }
}

TEST(Manifest, NoJsonIsRefused) {
  for (const std::string& text : {std::string(), std::string("null"), std::string("[]"), std::string(100'000, '['),
                                  std::string((1 << 20) + 1, ' '), to_json(manifest()) + "x"}) {
    EXPECT_EQ(parse_manifest(text).error().code, ErrorCode::kCorruption) << text.substr(0, 20);
  }
}

TEST(Manifest, EveryTruncationAndEveryFlippedBitIsRefused) {
  std::string text = to_json(manifest());
  for (size_t size = 0; size < text.size(); ++size) {
    ASSERT_FALSE(parse_manifest(std::string_view(text).substr(0, size))) << size;
  }
  for (size_t at = 0; at < text.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      text[at] = static_cast<char>(text[at] ^ (1 << bit));
      const auto read = parse_manifest(text);
      text[at] = static_cast<char>(text[at] ^ (1 << bit));
      ASSERT_FALSE(read) << at << " " << bit;
      ASSERT_EQ(read.error().argument, "manifest.json");
    }
  }
  EXPECT_TRUE(parse_manifest(text)) << "whole again";
}

}  // namespace
}  // namespace souk::index
