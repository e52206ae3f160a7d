// SPDX-License-Identifier: Apache-2.0
#include "control/cli/index_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <optional>
#include <span>
#include <vector>

#include "control/cli/text_table.h"
#include "runtime/files/read_file.h"

namespace souk::control {

namespace {

namespace json = boost::json;
using index::FileStats;
using index::Part;
using index::PostingStats;

constexpr std::string_view kDocument = "document";

// What the bytes of a part are best divided by.
struct Unit {
  std::string_view name;
  uint64_t count = 0;
};

Unit shard_unit(Part part, const index::ShardFigures& shard) {
  switch (part) {
    case Part::kMainPostings:
      return {"posting", shard.main.postings};
    case Part::kDescriptionPostings:
      return {"posting", shard.description.postings};
    case Part::kParamLists:
      return {"posting", shard.params.postings};
    case Part::kForward:
      return {"word", shard.words};
    case Part::kParams:
      return {"value", shard.param_values};
    case Part::kGroups:
      return {"group", shard.counts.groups};
    default:
      return {kDocument, shard.counts.documents};
  }
}

Unit unit_of(Part part, const FileStats& stats) {
  if (stats.shard) return shard_unit(part, *stats.shard);
  const index::DictionaryFigures& dictionary = *stats.dictionary;
  if (part == Part::kLexicon) return {"term", dictionary.counts.terms};
  if (part != Part::kNames) return {kDocument, dictionary.counts.documents};
  return {"name",
          dictionary.categories + dictionary.vendors + dictionary.shops + dictionary.params + dictionary.param_values};
}

uint64_t documents(const FileStats& stats) {
  return stats.shard ? stats.shard->counts.documents : stats.dictionary->counts.documents;
}

std::optional<double> ratio(uint64_t bytes, uint64_t count) {
  if (count == 0) return std::nullopt;
  return static_cast<double>(bytes) / static_cast<double>(count);
}

std::string ratio_text(uint64_t bytes, uint64_t count) {
  const auto value = ratio(bytes, count);
  return value ? fmt::format("{:.2f}", *value) : "-";
}

json::value ratio_json(uint64_t bytes, uint64_t count) {
  const auto value = ratio(bytes, count);
  return value ? json::value(*value) : json::value(nullptr);
}

std::string share_text(uint64_t bytes, const FileStats& stats) {
  return fmt::format("{:.1f}", 100 * static_cast<double>(bytes) / static_cast<double>(stats.bytes));
}

// "3 documents", "1 document"
std::string counted(uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string headline(const FileStats& stats) {
  const std::string size =
      fmt::format("{} bytes ({:.1f} MiB)", stats.bytes, static_cast<double>(stats.bytes) / (1 << 20));
  if (stats.shard) {
    const index::ShardStats& counts = stats.shard->counts;
    return fmt::format("shard {} of {}: {}, {}, {}\n", counts.shard, counts.shards,
                       counted(counts.documents, "document"), counted(counts.groups, "group"), size);
  }
  const index::DictionaryFigures& dictionary = *stats.dictionary;
  return fmt::format("dictionary: {}, {}, {}; {} categories, {}, {}, {} with {}; {}\n",
                     counted(dictionary.counts.documents, "document"), counted(dictionary.counts.models, "model"),
                     counted(dictionary.counts.terms, "term"), dictionary.categories,
                     counted(dictionary.vendors, "vendor"), counted(dictionary.shops, "shop"),
                     counted(dictionary.params, "param"), counted(dictionary.param_values, "value"), size);
}

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string> row(std::string name, uint64_t bytes, const Unit& unit, const FileStats& stats) {
  return {std::move(name), std::to_string(bytes), share_text(bytes, stats), ratio_text(bytes, documents(stats)),
          unit.name == kDocument || unit.count == 0 ? ""
                                                    : fmt::format("{} a {}", ratio_text(bytes, unit.count), unit.name)};
}

std::string bytes_table(std::string title, const Rows& rows) {
  return format_table(
      {{std::move(title), 0, false}, {"bytes", 0, true}, {"%", 0, true}, {"a document", 0, true}, {"and", 0, false}},
      rows);
}

std::string section_table(const FileStats& stats) {
  Rows rows;
  for (const auto& [id, bytes] : stats.sections)
    rows.push_back(row(std::string(index::name_of(id)), bytes, unit_of(index::part_of(id), stats), stats));
  return bytes_table("section", rows);
}

std::string part_table(const FileStats& stats) {
  Rows rows;
  for (size_t i = 0; i < index::kParts; ++i) {
    const auto part = static_cast<Part>(i);
    if (stats.parts[i] == 0) continue;
    rows.push_back(row(part_title(part), stats.parts[i], unit_of(part, stats), stats));
  }
  rows.push_back(row("all", stats.bytes, {kDocument}, stats));
  return bytes_table("part", rows);
}

struct NamedForm {
  std::string_view name;
  std::string_view of;  // lists or chunks
  const PostingStats::Form& form;
};
std::vector<NamedForm> forms_of(const PostingStats& lists) {
  return {{"single", "lists", lists.single_lists},
          {"short", "lists", lists.short_lists},
          {"chunked", "lists", lists.chunked_lists},
          {"array", "chunks", lists.array_chunks},
          {"bitmap", "chunks", lists.bitmap_chunks}};
}

struct NamedLists {
  std::string_view name;
  const PostingStats& lists;
};
std::vector<NamedLists> lists_of(const index::ShardFigures& shard) {
  return {{"main", shard.main}, {"description", shard.description}, {"params", shard.params}};
}

std::string list_table(const index::ShardFigures& shard) {
  Rows rows;
  const auto add = [&rows](std::string_view lists, std::string form, const PostingStats::Form& what) {
    rows.push_back({std::string(lists), std::move(form), std::to_string(what.count), std::to_string(what.postings),
                    std::to_string(what.bytes), ratio_text(what.bytes, what.postings)});
  };
  for (const auto& [name, lists] : lists_of(shard)) {
    for (const auto& [form, of, what] : forms_of(lists)) {
      if (what.count != 0) add(name, fmt::format("{}{} {}", of == "chunks" ? "- " : "", form, of), what);
    }
    add(name, "all", {lists.terms, lists.postings, lists.bytes});
  }
  return format_table({{"lists", 0, false},
                       {"form", 0, false},
                       {"count", 0, true},
                       {"postings", 0, true},
                       {"bytes", 0, true},
                       {"a posting", 0, true}},
                      rows);
}

json::object lists_json(const PostingStats& lists) {
  json::object object{{"terms", lists.terms},
                      {"postings", lists.postings},
                      {"bytes", lists.bytes},
                      {"bytes_per_posting", ratio_json(lists.bytes, lists.postings)}};
  for (const auto& [name, of, form] : forms_of(lists)) {
    object[fmt::format("{}_{}", name, of)] = json::object{{"count", form.count},
                                                          {"postings", form.postings},
                                                          {"bytes", form.bytes},
                                                          {"bytes_per_posting", ratio_json(form.bytes, form.postings)}};
  }
  return object;
}

void add_shard(json::object& object, const FileStats& stats) {
  const index::ShardFigures& shard = *stats.shard;
  object["kind"] = "shard";
  object["shard"] = shard.counts.shard;
  object["shards"] = shard.counts.shards;
  object["documents"] = shard.counts.documents;
  object["groups"] = shard.counts.groups;
  object["words"] = shard.words;
  object["param_values"] = shard.param_values;
  json::object lists;
  for (const auto& [name, set] : lists_of(shard)) lists[name] = lists_json(set);
  object["lists"] = std::move(lists);
}

void add_dictionary(json::object& object, const FileStats& stats) {
  const index::DictionaryFigures& dictionary = *stats.dictionary;
  object["kind"] = "dictionary";
  object["documents"] = dictionary.counts.documents;
  object["models"] = dictionary.counts.models;
  object["terms"] = dictionary.counts.terms;
  object["categories"] = dictionary.categories;
  object["vendors"] = dictionary.vendors;
  object["shops"] = dictionary.shops;
  object["params"] = dictionary.params;
  object["param_values"] = dictionary.param_values;
}

}  // namespace

std::string part_title(Part part) {
  std::string text(index::name_of(part));
  std::ranges::replace(text, '_', ' ');
  return text;
}

Result<index::FileStats> measure_index_file(const std::string& path) {
  const auto bytes = files::read_file(path, kMaxIndexFile);
  if (!bytes) return std::unexpected(bytes.error());
  auto stats = index::measure_file(std::as_bytes(std::span(*bytes)));
  if (!stats) return fail(stats.error().code, to_string(stats.error()), path);
  return stats;
}

std::string index_table(const FileStats& stats) {
  std::string text = headline(stats) + "\n" + section_table(stats) + "\n" + part_table(stats);
  if (stats.shard) text += "\n" + list_table(*stats.shard);
  return text;
}

json::object index_json(const FileStats& stats) {
  json::object object{
      {"kind", nullptr}, {"bytes", stats.bytes}, {"bytes_per_document", ratio_json(stats.bytes, documents(stats))}};
  if (stats.shard) {
    add_shard(object, stats);
  } else {
    add_dictionary(object, stats);
  }
  json::array sections;
  for (const auto& [id, bytes] : stats.sections) {
    sections.push_back(json::object{{"name", index::name_of(id)},
                                    {"part", index::name_of(index::part_of(id))},
                                    {"bytes", bytes},
                                    {"bytes_per_document", ratio_json(bytes, documents(stats))}});
  }
  object["sections"] = std::move(sections);
  json::object parts;
  for (size_t i = 0; i < index::kParts; ++i) {
    const auto part = static_cast<Part>(i);
    if (stats.parts[i] == 0) continue;
    const Unit unit = unit_of(part, stats);
    json::object figures{{"bytes", stats.parts[i]},
                         {"bytes_per_document", ratio_json(stats.parts[i], documents(stats))}};
    if (unit.name != kDocument)
      figures[fmt::format("bytes_per_{}", unit.name)] = ratio_json(stats.parts[i], unit.count);
    parts[index::name_of(part)] = std::move(figures);
  }
  object["parts"] = std::move(parts);
  return object;
}

}  // namespace souk::control
