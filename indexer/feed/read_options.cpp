// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/read_options.h"

namespace souk::feed {

std::string_view to_string(Mode mode) {
  return mode == Mode::kLenient ? "lenient" : "strict";
}

std::string_view to_string(Format format) {
  switch (format) {
    case Format::kYml:
      return "yml";
    case Format::kGoogleXml:
      return "gmc-xml";
    case Format::kGoogleTsv:
      return "gmc-tsv";
    case Format::kJsonLines:
      return "json-lines";
    case Format::kUnknown:
      break;
  }
  return "unknown";
}

std::optional<Mode> parse_mode(std::string_view name) {
  if (name == "strict") return Mode::kStrict;
  if (name == "lenient") return Mode::kLenient;
  return std::nullopt;
}

}  // namespace souk::feed
