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

std::string json_text(const std::string& text) {
  return boost::json::serialize(boost::json::value(text));
}

}  // namespace

void Report::reject(OfferError error) {
  ++rejected;
  if (errors.size() < kKept) errors.push_back(std::move(error));
}

void Report::warn(OfferError warning) {
  ++warning_count;
  if (warnings.size() < kKept) warnings.push_back(std::move(warning));
}

std::string to_json(const Report& report) {
  std::string out = "{\n\"shop\": " + json_text(report.shop) + ",\n\"file\": " + json_text(report.file);
  out += fmt::format(",\n\"status\": \"{}\"", report.unchanged ? "unchanged" : report.ok() ? "accepted" : "refused");
  if (!report.ok()) {
    const FeedError& error = report.feed_error;
    out += fmt::format(",\n\"feed_error\": {{\"kind\":{},\"line\":{},\"message\":{}}}", json_text(error.kind),
                       error.line, json_text(error.message));
  }
  out += fmt::format(",\n\"offers\": {{\"accepted\":{},\"rejected\":{},\"added\":{},\"changed\":{},\"removed\":{}}}",
                     report.accepted, report.rejected, report.added, report.changed, report.removed);
  out += fmt::format(",\n\"warning_count\": {}", report.warning_count);
  append_list(out, "errors", report.errors);
  append_list(out, "warnings", report.warnings);
  out += "\n}\n";
  return out;
}

}  // namespace souk::feed
