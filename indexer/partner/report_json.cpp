// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/report_json.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <span>

#include "indexer/feed/kinds.h"
#include "indexer/partner/html.h"
#include "indexer/partner/texts.h"
#include "runtime/net/utf8.h"

namespace souk::partner {

namespace {

namespace json = boost::json;

json::value time_json(int64_t unix_seconds) {
  return unix_seconds <= 0 ? json::value(nullptr) : json::value(json::string(utc_time(unix_seconds)));
}

// Texts may quote a feed; a report comes from a sandbox.
json::string text_json(std::string_view text) {
  return net::is_utf8(text) ? json::string(text) : json::string(net::to_valid_utf8(text));
}

void explain(std::string_view kind, json::object& object) {
  const feed::Kind* known = feed::find_kind(kind);
  object["english"] = text_json(known == nullptr ? kind : known->english);
  object["russian"] = text_json(known == nullptr ? kind : known->russian);
}

void append_kinds(const std::map<std::string, uint64_t>& counts, std::string_view severity, json::array& list) {
  for (const auto& [kind, count] : counts) {
    json::object entry{{"kind", text_json(kind)}, {"severity", severity}, {"count", count}};
    explain(kind, entry);
    list.push_back(std::move(entry));
  }
}

json::array entries_json(const std::vector<feed::OfferError>& entries, const ListRange& range) {
  const auto rest = std::span(entries).subspan(std::min<size_t>(range.from, entries.size()));
  json::array list;
  for (const feed::OfferError& entry : rest.first(std::min<size_t>(range.limit, rest.size()))) {
    list.push_back(json::object{{"line", entry.line},
                                {"id", text_json(entry.id)},
                                {"kind", text_json(entry.kind)},
                                {"message", text_json(entry.message)}});
  }
  return list;
}

// What a list of runs knows.
void append_counts(const feed::Report& report, json::object& object) {
  object["address"] = text_json(report.file);
  object["accepted"] = report.accepted;
  object["rejected"] = report.rejected;
  object["warning_count"] = report.warning_count;
  object["added"] = report.added;
  object["changed"] = report.changed;
  object["removed"] = report.removed;
  object["feed_error"] = nullptr;
  if (report.ok()) return;
  json::object error{{"kind", text_json(report.feed_error.kind)}};
  explain(report.feed_error.kind, error);
  object["feed_error"] = std::move(error);
}

// What only the whole report does.
void append_rest(const feed::Report& report, const ListRange& range, json::object& object) {
  if (json::object* error = object["feed_error"].if_object()) {
    (*error)["line"] = report.feed_error.line;
    (*error)["message"] = text_json(report.feed_error.message);
  }
  object["mode"] = feed::to_string(report.mode);
  object["format"] = feed::to_string(report.format);
  object["feed_date"] = text_json(report.date);
  json::array kinds;
  append_kinds(report.error_kinds, "offer", kinds);
  append_kinds(report.warning_kinds, "warning", kinds);
  append_kinds(report.repairs, "repair", kinds);
  object["kinds"] = std::move(kinds);
  object["errors"] = entries_json(report.errors, range);
  object["warnings"] = entries_json(report.warnings, range);
}

json::value hold_json(const offers::Hold& hold) {
  if (hold.reason.empty()) return nullptr;
  const HoldText& reason = hold_text(hold.reason);
  return json::object{{"reason", text_json(hold.reason)}, {"english", reason.english},
                      {"russian", reason.russian},        {"message", text_json(hold.message)},
                      {"since", time_json(hold.since)},   {"released", hold.released}};
}

}  // namespace

json::object shop_json(const ingest::ShopStatus& status) {
  const offers::Shop& shop = status.shop;
  json::object feed{{"url", text_json(shop.settings.feed_url)},
                    {"mode", feed::to_string(shop.settings.mode)},
                    {"period_seconds", shop.settings.period_seconds}};
  return {{"name", text_json(shop.name)},
          {"display_name", text_json(shop.display_name)},
          {"url", text_json(shop.url)},
          {"feed", std::move(feed)},
          {"regions", json::array(shop.settings.regions.begin(), shop.settings.regions.end())},
          {"live_offers", status.live_offers},
          {"reading", status.reading},
          {"fetched", time_json(shop.state.fetched)},
          {"next_fetch", time_json(shop.state.next_fetch)},
          {"failures", shop.state.failures},
          {"held", hold_json(shop.state.hold)}};
}

json::object admin_json(const ingest::ShopStatus& status) {
  json::object object{{"number", status.shop.number}, {"key", std::to_string(status.shop.key.value())}};
  for (auto& member : shop_json(status)) object[member.key()] = std::move(member.value());
  return object;
}

json::object summary_json(const ingest::FeedRun& run) {
  json::object object{{"number", run.number},
                      {"at", time_json(run.at)},
                      {"outcome", outcome_text(run.outcome).name},
                      {"note", text_json(run.note)}};
  append_counts(run.report, object);
  return object;
}

json::object run_json(const ingest::FeedRun& run, const ListRange& range) {
  json::object object = summary_json(run);
  append_rest(run.report, range, object);
  return object;
}

json::object report_json(const feed::Report& report) {
  json::object object;
  append_counts(report, object);
  append_rest(report, ListRange{0, ListRange::kMost}, object);
  return object;
}

json::array runs_json(const std::vector<ingest::FeedRun>& runs) {
  json::array list;
  for (const ingest::FeedRun& run : runs) list.push_back(summary_json(run));
  return list;
}

}  // namespace souk::partner
