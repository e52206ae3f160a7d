// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "indexer/ingest/feed_service.h"
#include "indexer/partner/language.h"

namespace souk::partner {

// Everything that the pages say, in one language.
struct Texts {
  std::string_view title, sign_in, token, token_help, sign_out;
  std::string_view wrong_token, too_many_tries, foreign_form, signed_out;
  std::string_view feed, address, by_file, mode, strict, lenient, every, minutes, next_reading, reading_now, failures;
  std::string_view live_offers, last_run, run, no_runs, no_runs_help;
  std::string_view taken, refused, warnings, added, changed, removed, format, feed_date;
  std::string_view held_title, held_help, held_released, since;
  std::string_view refused_title, fetch_title, earlier_stay, check_refused;
  std::string_view errors_title, warnings_title, repairs_title, nothing_wrong;
  std::string_view kind, count, meaning, line, offer, details, first_of;
  std::string_view runs_title, when, outcome;
  std::string_view read_again, check, check_title, check_help, checked, check_note, back;
  std::string_view reread_done, reread_early, busy, failed, no_such_run;
};
const Texts& texts(Language language);

struct OutcomeText {
  std::string_view name;  // for programs
  std::string_view english, russian;
  std::string_view style;  // class of its badge: good, wait or bad
};
const OutcomeText& outcome_text(ingest::FeedRun::Outcome outcome);

struct HoldText {
  std::string_view name, english, russian;
};
const HoldText& hold_text(std::string_view reason);

template <typename Text>
std::string_view in(Language language, const Text& text) {
  return language == Language::kRussian ? text.russian : text.english;
}

}  // namespace souk::partner
