// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/base/hash.h"
#include "core/index/manifest.h"
#include "tests/world/world.h"

namespace souk::generation {

// Generations in two shards: a second of the same names with another price, and a third with a vendor more.
struct BuiltGenerations {
  BuiltGenerations() {
    std::vector<feed::Offer> offers;
    for (int i = 1; i <= 20; ++i) {
      offers.push_back(world::make_offer(std::to_string(i), "Лампа " + std::to_string(i), 1000 * i));
      offers.back().vendor = i % 2 == 0 ? "Свет" : "Philips";
    }
    world.put_offers("shop", offers);
    first = world.publish();
    offers[0].price = 77700;
    world.put_offers("shop", offers);
    second = world.publish();
    offers[1].vendor = "Новый";
    world.put_offers("shop", offers);
    third = world.publish();
  }

  std::string generations() const { return world.folder() + "/generations"; }

  world::World world;
  GenerationId first, second, third;
};

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The manifest's entry of a file as it lies there now.
inline index::Manifest::File entry_of(const std::filesystem::path& path) {
  const std::string bytes = read(path);
  Sha256 hash;
  hash.update(bytes);
  return {path.filename().string(), bytes.size(), hash.hex()};
}

}  // namespace souk::generation
