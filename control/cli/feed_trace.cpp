// SPDX-License-Identifier: Apache-2.0
#include "control/cli/feed_trace.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <filesystem>

#include "control/cli/json_access.h"
#include "core/base/hash.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/input/file_blocks.h"
#include "runtime/files/read_file.h"

namespace souk::control {

namespace {

namespace json = boost::json;

constexpr size_t kMaxReport = 512U << 20;

std::optional<feed::OfferError> error_of(const json::array& errors, const std::string& offer_id) {
  for (const json::value& value : errors) {
    const json::object* error = value.if_object();
    if (error == nullptr || text_at(*error, "id") != offer_id) continue;
    return feed::OfferError{number_at(*error, "line").value_or(0), offer_id, text_at(*error, "kind"),
                            text_at(*error, "message")};
  }
  return std::nullopt;
}

}  // namespace

Result<FeedTrace> trace_in_report(const std::string& data, const std::string& shop, const std::string& offer_id) {
  // Names with a slash are refused when feeds are read.
  if (shop.contains('/')) return fail(ErrorCode::kNotFound, "there is no report", shop);
  const std::string path = data + "/reports/" + shop + ".json";
  const auto text = files::read_file(path, kMaxReport);
  if (!text) return std::unexpected(text.error());
  json::error_code failure;
  const json::value value = json::parse(*text, failure);
  const json::object* report = value.if_object();
  if (failure || report == nullptr) return fail(ErrorCode::kCorruption, "is not a report", path);
  FeedTrace trace;
  trace.file = text_at(*report, "file");
  if (const json::object* error = object_at(*report, "feed_error")) {
    trace.feed_error = {text_at(*error, "kind"), number_at(*error, "line").value_or(0), text_at(*error, "message")};
  }
  const json::array* errors = array_at(*report, "errors");
  if (errors == nullptr) return trace;
  trace.rejected = error_of(*errors, offer_id);
  const json::object* offers = object_at(*report, "offers");
  trace.has_all_errors = offers == nullptr || number_at(*offers, "rejected").value_or(0) <= errors->size();
  return trace;
}

Result<uint64_t> line_in_feed(const std::string& path, const std::string& sha256, feed::Mode mode,
                              const std::string& offer_id) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return fail(ErrorCode::kNotFound, "the file is gone", path);
  Sha256 sha;
  const Status read = input::read_file_blocks(path, [&](std::string_view block, uint64_t, uint64_t) {
    sha.update(block);
    return true;
  });
  if (!read) return std::unexpected(read.error());
  if (sha.hex() != sha256) {
    return fail(ErrorCode::kVersionMismatch, "the file is not the one that was accepted last", path);
  }
  uint64_t line = 0;
  feed::Report report;
  feed::read_feed_file(path, {.mode = mode, .limits = {}},
                       [&](feed::Offer&& offer) {
                         if (line == 0 && offer.id == offer_id) line = offer.line;
                       },
                       report, {});
  if (line == 0) return fail(ErrorCode::kNotFound, "the file has no such offer", path);
  return line;
}

}  // namespace souk::control
