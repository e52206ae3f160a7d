// SPDX-License-Identifier: Apache-2.0
#include "indexer/check/check_report.h"

#include <fmt/core.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/check/offer_json.h"
#include "indexer/feed/kinds.h"

namespace souk::check {
namespace {

namespace json = boost::json;

constexpr size_t kShownMessages = 50;  // of errors and of warnings, to people

using Kinds = std::map<std::string, uint64_t>;

json::object counts(const Kinds& kinds) {
  json::object out;
  for (const auto& [kind, count] : kinds) out[kind] = count;
  return out;
}

Status put(std::FILE* out, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), out) == text.size()) return {};
  return fail(ErrorCode::kUnavailable, "the report cannot be written");
}

Status put_entries(std::FILE* out, const char* name, const std::vector<feed::OfferError>& entries, const char* kind) {
  std::string text = fmt::format(",\n\"{}\": [", name);
  bool first = true;
  for (const feed::OfferError& entry : entries) {
    text += first ? "\n " : ",\n ";
    first = false;
    text += json::serialize(json::object{
        {"id", text_or_null(entry.id)}, {kind, entry.kind}, {"line", entry.line}, {"message", entry.message}});
    if (text.size() < 64 * 1024) continue;
    if (Status written = put(out, text); !written) return written;
    text.clear();
  }
  return put(out, text + (first ? "]" : "\n]"));
}

std::string head(const feed::Report& report) {
  json::array warnings;
  for (const auto& [kind, count] : report.warning_kinds) warnings.emplace_back(kind);
  const feed::FeedError& error = report.feed_error;
  json::object out{{"file", report.file},
                   {"format", to_string(report.format)},
                   {"mode", to_string(report.mode)},
                   {"feed", report.ok() ? "accepted" : "rejected"},
                   {"feed_error", text_or_null(error.kind)},
                   {"date", text_or_null(report.date)},
                   {"accepted_count", report.accepted},
                   {"rejected_count", report.rejected},
                   {"warning_count", report.warning_count},
                   {"error_kinds", counts(report.error_kinds)},
                   {"warning_kinds", counts(report.warning_kinds)},
                   {"repairs", counts(report.repairs)},
                   {"warnings", std::move(warnings)}};
  if (!report.ok()) {
    out["line"] = error.line;
    out["message"] = error.message;
  }
  std::string text = "{";
  for (const auto& [name, value] : out) {
    text += text.size() == 1 ? "\n" : ",\n";
    text += fmt::format("\"{}\": {}", std::string_view(name.data(), name.size()), json::serialize(value));
  }
  return text;
}

void append_kinds(std::string& text, const char* what, const Kinds& kinds) {
  if (kinds.empty()) return;
  text += fmt::format("\n{}:\n", what);
  for (const auto& [kind, count] : kinds) {
    const feed::Kind* known = feed::find_kind(kind);
    text += fmt::format("{:>9}  {}: {}\n", count, kind, known == nullptr ? "" : known->english);
  }
}

void append_messages(std::string& text, const char* what, const std::vector<feed::OfferError>& entries,
                     uint64_t count) {
  for (size_t i = 0; i < entries.size() && i < kShownMessages; ++i) {
    const feed::OfferError& entry = entries[i];
    if (i == 0) text += fmt::format("\n{}:\n", what);
    const std::string id = entry.id.empty() ? std::string() : fmt::format(" offer {}:", entry.id);
    text += fmt::format("  line {}:{} {}: {}\n", entry.line, id, entry.kind, entry.message);
  }
  if (count > kShownMessages) text += fmt::format("  ... and {} more\n", count - kShownMessages);
}

}  // namespace

Status write_json(std::FILE* out, const feed::Report& report, const EachOffer& offers) {
  if (Status written = put(out, head(report) + ",\n\"accepted\": ["); !written) return written;
  bool first = true;
  if (report.ok()) {
    const Status done = offers([&](feed::Offer&& offer) {
      const char* comma = first ? "\n " : ",\n ";
      first = false;
      return put(out, comma + json::serialize(offer_json(offer)));
    });
    if (!done) return done;
  }
  if (Status written = put(out, first ? "]" : "\n]"); !written) return written;
  if (Status written = put_entries(out, "rejected", report.errors, "error"); !written) return written;
  if (Status written = put_entries(out, "warning_list", report.warnings, "kind"); !written) return written;
  return put(out, "\n}\n");
}

Status write_text(std::FILE* out, const feed::Report& report) {
  std::string text;
  const feed::FeedError& error = report.feed_error;
  if (report.ok()) {
    text = fmt::format("{}: accepted ({}, {})\n", report.file, to_string(report.format), to_string(report.mode));
  } else {
    text =
        fmt::format("{}: refused ({}, {}): {}{}: {}\n", report.file, to_string(report.format), to_string(report.mode),
                    error.kind, error.line > 0 ? fmt::format(" in line {}", error.line) : std::string(), error.message);
  }
  text += fmt::format("{} offers accepted, {} rejected, {} warnings\n", report.accepted, report.rejected,
                      report.warning_count);
  append_kinds(text, "Rejected offers by kind", report.error_kinds);
  append_kinds(text, "Warnings by kind", report.warning_kinds);
  append_kinds(text, "Repairs", report.repairs);
  append_messages(text, "Rejected offers", report.errors, report.rejected);
  append_messages(text, "Warnings", report.warnings, report.warning_count);
  return put(out, text);
}

}  // namespace souk::check
