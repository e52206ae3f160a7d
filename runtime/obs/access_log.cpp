// SPDX-License-Identifier: Apache-2.0
#include "runtime/obs/access_log.h"

#include <fmt/chrono.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <chrono>

namespace souk::obs {

namespace json = boost::json;

namespace {

constexpr size_t kMostBytes = 1024;

// A cut inside a character is no harm: what is not UTF-8 is replaced below.
std::string cut(const std::string& text) {
  return text.size() <= kMostBytes ? text : text.substr(0, kMostBytes) + "...";
}

// Boost.JSON escapes control characters; bytes above ASCII are escaped here, since arguments as sent may be any bytes.
std::string ascii(const std::string& text) {
  std::string out;
  for (const char c : cut(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x7F) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

}  // namespace

std::string to_line(const AccessEntry& entry, const std::string& time) {
  json::object line{{"time", time},
                    {"node", entry.node},
                    {"request_id", ascii(entry.request_id)},
                    {"traceparent", ascii(entry.trace)},
                    {"path", ascii(entry.path)},
                    {"query", ascii(entry.query)},
                    {"status", entry.status},
                    {"took_us", entry.took_us}};
  if (!entry.error.empty()) line["error"] = entry.error;
  if (!entry.generation.empty()) {
    line["generation"] = entry.generation;
    line["complete"] = entry.complete;
    line["models"] = entry.models;
    line["offers"] = entry.offers;
    line["dropped"] = entry.dropped;
    line["sub_requests"] = entry.sub_requests;
    line["digest"] = entry.digest;
  }
  return json::serialize(line) + "\n";
}

void AccessLog::write(const AccessEntry& entry) {
  if (out_ == nullptr) return;
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto millis = now.time_since_epoch().count() % 1000;
  const std::string time =
      fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), millis);
  const std::string line = to_line(entry, time);
  const std::lock_guard lock(mutex_);
  std::fwrite(line.data(), 1, line.size(), out_);
  std::fflush(out_);
}

}  // namespace souk::obs
