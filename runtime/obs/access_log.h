// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

namespace souk::obs {

// One query, as it is logged: one JSON object on one line. Every text comes from outside and is escaped; long ones are
// cut.
struct AccessEntry {
  std::string request_id;
  std::string trace;  // traceparent as passed on
  std::string node;
  std::string path;
  std::string query;  // the arguments as sent
  int status = 0;
  std::string error;  // code of a refusal
  int64_t took_us = 0;
  std::string generation;
  bool complete = false;
  uint64_t models = 0;
  uint64_t offers = 0;
  uint64_t dropped = 0;
  uint32_t sub_requests = 0;
  std::string digest;
};

std::string to_line(const AccessEntry& entry, const std::string& time);

// Appends lines to a stream; thread-safe. Without a stream it writes nothing.
class AccessLog {
 public:
  explicit AccessLog(std::FILE* out) : out_(out) {}
  void write(const AccessEntry& entry);

 private:
  std::mutex mutex_;
  std::FILE* out_;
};

}  // namespace souk::obs
