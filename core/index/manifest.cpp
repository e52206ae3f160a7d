// SPDX-License-Identifier: Apache-2.0
#include "core/index/manifest.h"

#include <boost/json.hpp>
#include <charconv>

#include "core/base/hash.h"
#include "core/base/ids.h"

namespace souk::index {

namespace json = boost::json;

namespace {

constexpr size_t kMostBytes = 1 << 20;
constexpr uint32_t kMostShards = 4096;

std::unexpected<Error> bad_manifest(std::string message) {
  return fail(ErrorCode::kCorruption, std::move(message), "manifest.json");
}

// The last member, and the end of the file: XXH3 of all before it. Without it a flipped bit in a count or a slot would
// pass.
std::string checksum_member(std::string_view text) {
  return ",\"checksum\":\"" + hex16(xxh3(text)) + "\"}\n";
}

bool has_right_checksum(std::string_view text) {
  static const size_t kLength = checksum_member({}).size();
  if (text.size() < kLength) return false;
  const std::string_view before = text.substr(0, text.size() - kLength);
  return text.substr(before.size()) == checksum_member(before);
}

json::object file_json(const Manifest::File& file) {
  return {{"name", file.name}, {"size", file.size}, {"sha256", file.sha256}};
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

uint64_t number(const json::object& object, std::string_view name) {
  return object.at(name).to_number<uint64_t>();
}

// Throws what Boost.JSON throws; caught in parse_manifest.
Result<Manifest::File> parse_file(const json::value& value, std::string_view name) {
  const json::object& object = value.as_object();
  Manifest::File file{std::string(object.at("name").as_string()), number(object, "size"),
                      std::string(object.at("sha256").as_string())};
  if (file.name != name) return bad_manifest("a file is called " + file.name + " instead of " + std::string(name));
  if (!is_sha256(file.sha256)) return bad_manifest("a file has no SHA-256");
  return file;
}

Result<Manifest> from_json(const json::object& object) {
  if (number(object, "schema") != Manifest::kSchema)
    return fail(ErrorCode::kVersionMismatch, "another schema", "manifest.json");
  const uint64_t level = number(object, "engine_level");
  if (level > Manifest::kEngineLevel) {
    return fail(ErrorCode::kVersionMismatch, "made for a newer engine", "manifest.json");
  }
  Manifest manifest;
  manifest.engine_level = static_cast<uint32_t>(level);
  const std::string_view hash = object.at("content_hash").as_string();
  const auto [end, error] = std::from_chars(hash.data(), hash.data() + hash.size(), manifest.content_hash, 16);
  if (error != std::errc{} || end != hash.data() + hash.size() || hash.size() != 16)
    return bad_manifest("the content hash is not 16 hex digits");
  const uint64_t shards = number(object, "shards");
  if (shards < 1 || shards > kMostShards) return bad_manifest("the number of shards is out of its bounds");
  manifest.shards = static_cast<uint32_t>(shards);
  manifest.offers = number(object, "offers");
  manifest.models = number(object, "models");
  for (const json::value& shard : object.at("slots").as_array()) manifest.slots.push_back(shard.to_number<uint16_t>());
  if (Status done = placement::check_slot_table(manifest.slots, manifest.shards); !done)
    return bad_manifest(done.error().message);
  auto dictionary = parse_file(object.at("dictionary"), kDictionaryFile);
  if (!dictionary) return std::unexpected(dictionary.error());
  manifest.dictionary = std::move(*dictionary);
  const json::array& files = object.at("shard_files").as_array();
  if (files.size() != shards) return bad_manifest("there are not as many shard files as shards");
  for (uint32_t shard = 1; shard <= manifest.shards; ++shard) {
    auto file = parse_file(files[shard - 1], shard_file_name(shard));
    if (!file) return std::unexpected(file.error());
    manifest.shard_files.push_back(std::move(*file));
  }
  if (const json::value& snippets = object.at("snippets"); !snippets.is_null()) {
    auto file = parse_file(snippets, kSnippetFile);
    if (!file) return std::unexpected(file.error());
    manifest.snippets = std::move(*file);
  }
  return manifest;
}

}  // namespace

std::string shard_file_name(uint32_t shard) {
  return "shard-" + std::to_string(shard) + ".souk";
}

uint64_t content_hash_of(const Manifest& manifest) {
  std::string content = "schema " + std::to_string(Manifest::kSchema) + " level " +
                        std::to_string(manifest.engine_level) + " dictionary " + manifest.dictionary.sha256;
  for (const Manifest::File& shard : manifest.shard_files) content += " shard " + shard.sha256;
  Sha256 hash;
  hash.update(content);
  const std::string digits = hash.hex().substr(0, 16);
  uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

std::string to_json(const Manifest& manifest) {
  json::array slots;
  for (const uint16_t shard : manifest.slots) slots.push_back(shard);
  json::array files;
  for (const Manifest::File& file : manifest.shard_files) files.push_back(file_json(file));
  const json::object object{
      {"schema", Manifest::kSchema},
      {"engine_level", manifest.engine_level},
      {"content_hash", hex16(manifest.content_hash)},
      {"shards", manifest.shards},
      {"offers", manifest.offers},
      {"models", manifest.models},
      {"dictionary", file_json(manifest.dictionary)},
      {"shard_files", files},
      {"snippets", manifest.snippets.name.empty() ? json::value(nullptr) : json::value(file_json(manifest.snippets))},
      {"slots", slots}};
  std::string text = json::serialize(object);
  text.pop_back();  // the brace
  return text + checksum_member(text);
}

Result<Manifest> parse_manifest(std::string_view text) {
  if (text.size() > kMostBytes) return bad_manifest("the file is over 1 MiB");
  if (!has_right_checksum(text)) return bad_manifest("the checksum is missing or wrong");
  json::parse_options options;
  options.max_depth = 8;
  boost::system::error_code error;
  const json::value value = json::parse(text, error, {}, options);
  if (error) return bad_manifest("not JSON: " + error.message());
  try {
    return from_json(value.as_object());
  } catch (const std::exception& exception) {  // a member is missing or of another type
    return bad_manifest(std::string("not a manifest: ") + exception.what());
  }
}

}  // namespace souk::index
