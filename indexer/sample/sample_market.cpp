// SPDX-License-Identifier: Apache-2.0
#include "indexer/sample/sample_market.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "indexer/sample/feed_text.h"
#include "indexer/sample/models.h"
#include "indexer/sample/shops.h"

namespace souk::sample {
namespace {

constexpr size_t kModels = 9000;

}  // namespace

std::vector<std::pair<std::string, std::string>> make_sample_market(uint64_t seed) {
  Random random(seed);
  const auto specs = shop_specs();
  const auto russian = static_cast<size_t>(
      std::ranges::count_if(specs, [](const ShopSpec& shop) { return shop.language == Language::kRussian; }));
  const std::vector<Model> models = make_models({kModels, russian, specs.size()}, random);
  const std::vector<std::vector<ShopOffer>> offers = make_offers(models, random);

  std::vector<std::pair<std::string, std::string>> files;
  for (size_t i = 0; i < specs.size(); ++i) {
    std::string text = feed_text(specs[i], offers[i]);
    if (specs[i].encoding == Encoding::kWindows1251) text = to_windows_1251(text);
    if (specs[i].packed) text = to_gzip(text);
    files.emplace_back(fmt::format("shop-{:02}.yml{}", i + 1, specs[i].packed ? ".gz" : ""), std::move(text));
  }
  return files;
}

Status write_sample_market(const std::string& folder, uint64_t seed) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorCode::kUnavailable, fmt::format("cannot make the folder: {}", error.message()), folder);
  for (const auto& [name, bytes] : make_sample_market(seed)) {
    const std::string path = folder + "/" + name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return fail(ErrorCode::kUnavailable, "cannot write the file", path);
  }
  return {};
}

}  // namespace souk::sample
