// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/ingest/feed_service.h"
#include "indexer/partner/language.h"

// The pages that a shop's manager reads, as whole HTML documents; they need no JavaScript. Pure functions.
namespace souk::partner {

// One line about what was just done.
struct Note {
  std::string_view text = {};       // empty = nothing to say
  std::string_view style = "good";  // or wait, bad
};

std::string sign_in_page(Language language, const Note& note);

struct ReportView {
  ingest::ShopStatus status;
  std::vector<ingest::FeedRun> runs;   // newest first
  std::optional<ingest::FeedRun> run;  // the one that is shown, whole
  Note note;
};
std::string report_page(Language language, const ReportView& view);

// What a feed under an address would come to.
std::string check_page(Language language, const std::string& shop, const feed::Report& report);

// Nothing but a note, to somebody who is signed in.
std::string message_page(Language language, const std::string& shop, const Note& note);

}  // namespace souk::partner
