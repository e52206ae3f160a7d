// SPDX-License-Identifier: Apache-2.0
#include "control/cli/built_generation.h"

#include "core/base/ids.h"
#include "runtime/files/read_file.h"

namespace souk::control {

namespace {

constexpr size_t kMaxLatest = 64;
constexpr size_t kMaxManifest = 1 << 20;

}  // namespace

std::string generation_folder(const std::string& data, uint64_t content_hash) {
  return data + "/generations/" + hex16(content_hash);
}

Result<uint64_t> last_built(const std::string& data) {
  const std::string path = data + "/generations/LATEST";
  auto text = files::read_file(path, kMaxLatest);
  if (!text && text.error().code != ErrorCode::kNotFound) return std::unexpected(text.error());
  if (!text) return fail(ErrorCode::kNotFound, "no generation was built yet", data + "/generations");
  while (text->ends_with('\n')) text->pop_back();
  const auto id = parse_generation("1-" + *text);
  if (!id) return fail(ErrorCode::kCorruption, "is not a generation's hash", path);
  return id->content_hash;
}

Result<index::Manifest> read_manifest(const std::string& data, uint64_t content_hash) {
  const std::string path = generation_folder(data, content_hash) + "/" + std::string(index::kManifestFile);
  const auto text = files::read_file(path, kMaxManifest);
  if (!text) return std::unexpected(text.error());
  auto manifest = index::parse_manifest(*text);
  if (!manifest) return fail(manifest.error().code, manifest.error().message, path);
  return manifest;
}

}  // namespace souk::control
