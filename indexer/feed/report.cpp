// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/report.h"

#include <fmt/core.h>

#include <boost/json/serialize.hpp>
#include <utility>

namespace souk::feed {
namespace {

void append_list(std::string& out, const char* name, const std::vector<OfferError>& entries) {
  out += fmt::format(",\n\"{}\": [", name);
  bool first = true;
  for (const OfferError& entry : entries) {
    out += first ? "\n " : ",\n ";
    first = false;
    out += boost::json::serialize(
        boost::json::value{{"line", entry.line}, {"id", entry.id}, {"kind", entry.kind}, {"message", entry.message}});
  }
  out += first ? "]" : "\n]";
}

void append_counts(std::string& out, const char* name, const std::map<std::string, uint64_t>& counts) {
  boost::json::object object;
  for (const auto& [kind, count] : counts) object[kind] = count;
  out += fmt::format(",\n\"{}\": {}", name, boost::json::serialize(object));
}

std::string json_text(const std::string& text) {
  return boost::json::serialize(boost::json::value(text));
}

}  // namespace

void Report::reject(OfferError error) {
  ++rejected;
  ++error_kinds[error.kind];
  if (errors.size() < kKept) errors.push_back(std::move(error));
}

void Report::warn(OfferError warning) {
  ++warning_count;
  ++warning_kinds[warning.kind];
  if (warnings.size() < kKept) warnings.push_back(std::move(warning));
}

void Report::repair(const char* kind) {
  ++repairs[kind];
}

std::string to_json(const Report& report) {
  std::string out = "{\n\"shop\": " + json_text(report.shop) + ",\n\"file\": " + json_text(report.file);
  out += fmt::format(",\n\"status\": \"{}\"", report.unchanged ? "unchanged" : report.ok() ? "accepted" : "refused");
  out += fmt::format(",\n\"mode\": \"{}\",\n\"format\": \"{}\",\n\"date\": {}", to_string(report.mode),
                     to_string(report.format), report.date.empty() ? "null" : json_text(report.date));
  if (!report.ok()) {
    const FeedError& error = report.feed_error;
    out += fmt::format(",\n\"feed_error\": {{\"kind\":{},\"line\":{},\"message\":{}}}", json_text(error.kind),
                       error.line, json_text(error.message));
  }
  out += fmt::format(",\n\"offers\": {{\"accepted\":{},\"rejected\":{},\"added\":{},\"changed\":{},\"removed\":{}}}",
                     report.accepted, report.rejected, report.added, report.changed, report.removed);
  out += fmt::format(",\n\"warning_count\": {}", report.warning_count);
  append_counts(out, "error_kinds", report.error_kinds);
  append_counts(out, "warning_kinds", report.warning_kinds);
  append_counts(out, "repairs", report.repairs);
  append_list(out, "errors", report.errors);
  append_list(out, "warnings", report.warnings);
  out += "\n}\n";
  return out;
}

}  // namespace souk::feed
