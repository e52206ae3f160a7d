// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/report_page.h"

#include <algorithm>
#include <functional>
#include <map>

#include "indexer/feed/kinds.h"
#include "indexer/partner/html.h"
#include "indexer/partner/texts.h"

namespace souk::partner {

namespace {

using Outcome = ingest::FeedRun::Outcome;

constexpr size_t kExamples = 20;  // of each kind

std::string_view explain(std::string_view kind, Language language) {
  const feed::Kind* known = feed::find_kind(kind);
  return known == nullptr ? kind : in(language, *known);
}

// Whether the run has counts of its own.
bool was_read(Outcome outcome) {
  return outcome == Outcome::kIngested || outcome == Outcome::kHeld || outcome == Outcome::kRefused;
}

// One page: its head, the bar above and what stands below.
class Page {
 public:
  Page(Language language, const std::string& shop) : language_(language), say_(texts(language)) {
    html_.markup("<!DOCTYPE html>\n<html lang=\"")
        .text(to_string(language))
        .markup("\"><head><meta charset=\"utf-8\">");
    html_.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html_.markup("<meta name=\"robots\" content=\"noindex\"><link rel=\"stylesheet\" href=\"/style.css\"><title>");
    if (!shop.empty()) html_.text(shop).markup(" · ");
    html_.text(say_.title).markup("</title></head><body><header><div class=\"bar\"><span class=\"brand\">souk</span>");
    if (!shop.empty()) html_.markup("<strong class=\"shop\">").foreign(shop).markup("</strong>");
  }

  // The end of the bar, with links to this page in the other language.
  void begin_main(std::string_view path, bool signed_in) {
    html_.markup("<nav>");
    link_language(path, Language::kRussian);
    link_language(path, Language::kEnglish);
    if (signed_in) {
      html_.markup("<form method=\"post\" action=\"/logout\"><button class=\"plain\">").text(say_.sign_out);
      html_.markup("</button></form>");
    }
    html_.markup("</nav></div></header><main>\n");
  }

  std::string end() { return html_.markup("</main></body></html>\n").take(); }

  void note(const Note& note) {
    if (note.text.empty()) return;
    html_.markup("<p class=\"note ").text(note.style).markup("\" role=\"status\">").text(note.text).markup("</p>\n");
  }

  void row(std::string_view name) { html_.markup("<dt>").text(name).markup("</dt><dd>"); }
  void end_row() { html_.markup("</dd>"); }

  void figure(std::string_view name, uint64_t value, std::string_view style) {
    html_.markup("<div class=\"figure ").text(value == 0 ? std::string_view("none") : style).markup("\"><b>");
    html_.number(value, language_).markup("</b><span>").text(name).markup("</span></div>");
  }

  void badge(Outcome outcome) {
    const OutcomeText& text = outcome_text(outcome);
    html_.markup("<span class=\"badge ").text(text.style).markup("\">").text(in(language_, text)).markup("</span>");
  }

  void figures(const feed::Report& report) {
    html_.markup("<div class=\"figures\">");
    figure(say_.taken, report.accepted, "good");
    figure(say_.refused, report.rejected, "bad");
    figure(say_.warnings, report.warning_count, "wait");
    html_.markup("</div>");
  }

  void feed_error(const feed::FeedError& error, std::string_view title, std::string_view after);
  void kinds(std::string_view title, const std::map<std::string, uint64_t>& counts,
             const std::vector<feed::OfferError>& entries, std::string_view style);
  void faults(const feed::Report& report);
  void hold(const offers::Hold& hold);
  void feed(const ingest::ShopStatus& status);
  void run(const ingest::FeedRun& run, bool last);
  void runs(const std::vector<ingest::FeedRun>& runs, uint64_t shown);
  void actions(const std::string& address);

  Html& html() { return html_; }
  const Texts& say() const { return say_; }

 private:
  void link_language(std::string_view path, Language language) {
    html_.markup("<a href=\"").text(path).markup("?lang=").text(to_string(language));
    html_.markup("\" hreflang=\"").text(to_string(language)).markup("\"");
    if (language == language_) html_.markup(" aria-current=\"true\"");
    html_.markup(">");
    html_.text(language == Language::kRussian ? "Русский" : "English").markup("</a>");
  }
  void examples(const std::vector<const feed::OfferError*>& entries, uint64_t count);

  const Language language_;
  const Texts& say_;
  Html html_;
};

void Page::feed_error(const feed::FeedError& error, std::string_view title, std::string_view after) {
  html_.markup("<div class=\"box bad\"><h3>").text(title).markup("</h3><p>");
  html_.text(explain(error.kind, language_)).markup("</p><p class=\"detail\"><code>").text(error.kind);
  html_.markup("</code>");
  if (error.line > 0) html_.markup(" · ").text(say_.line).markup(" ").number(error.line);
  if (!error.message.empty()) html_.markup(" · ").foreign(error.message);
  html_.markup("</p>");
  if (!after.empty()) html_.markup("<p>").text(after).markup("</p>");
  html_.markup("</div>\n");
}

void Page::examples(const std::vector<const feed::OfferError*>& entries, uint64_t count) {
  html_.markup("<details><summary>").text(say_.first_of).markup(": ").number(entries.size(), language_);
  html_.markup(" / ")
      .number(count, language_)
      .markup("</summary><div class=\"wide\"><table class=\"lines\"><tr><th class=\"count\">");
  html_.text(say_.line).markup("</th><th>").text(say_.offer).markup("</th><th>").text(say_.details);
  html_.markup("</th></tr>");
  for (const feed::OfferError* entry : entries) {
    html_.markup("<tr><td class=\"count\">");
    if (entry->line > 0) html_.number(entry->line);
    html_.markup("</td><td class=\"id\">").foreign(entry->id).markup("</td><td>").foreign(entry->message);
    html_.markup("</td></tr>");
  }
  html_.markup("</table></div></details>");
}

void Page::kinds(std::string_view title, const std::map<std::string, uint64_t>& counts,
                 const std::vector<feed::OfferError>& entries, std::string_view style) {
  if (counts.empty()) return;
  std::map<std::string_view, std::vector<const feed::OfferError*>> first;
  for (const feed::OfferError& entry : entries) {
    auto& list = first[entry.kind];
    if (list.size() < kExamples) list.push_back(&entry);
  }
  std::vector<std::pair<uint64_t, std::string_view>> order;
  for (const auto& [kind, count] : counts) order.emplace_back(count, kind);
  std::ranges::sort(order, std::greater<>());
  html_.markup("<section><h2>").text(title).markup("</h2><ul class=\"kinds ").text(style).markup("\">");
  for (const auto& [count, kind] : order) {
    html_.markup("<li><div class=\"kind\"><b class=\"count\">").number(count, language_).markup("</b><div><p>");
    html_.text(explain(kind, language_)).markup("</p><code>").text(kind).markup("</code></div></div>");
    if (const auto found = first.find(kind); found != first.end()) examples(found->second, count);
    html_.markup("</li>");
  }
  html_.markup("</ul></section>\n");
}

void Page::faults(const feed::Report& report) {
  kinds(say_.errors_title, report.error_kinds, report.errors, "bad");
  kinds(say_.warnings_title, report.warning_kinds, report.warnings, "wait");
  kinds(say_.repairs_title, report.repairs, {}, "");
  if (report.ok() && report.error_kinds.empty() && report.warning_kinds.empty() && report.accepted > 0) {
    html_.markup("<p class=\"quiet\">").text(say_.nothing_wrong).markup("</p>");
  }
}

void Page::hold(const offers::Hold& hold) {
  if (hold.reason.empty()) return;
  html_.markup("<section class=\"box wait\"><h2>").text(say_.held_title).markup("</h2><p>");
  html_.text(in(language_, hold_text(hold.reason))).markup("</p><p class=\"detail\">").text(say_.since).markup(" ");
  html_.time(hold.since).markup(" · ").foreign(hold.message).markup("</p><p>");
  html_.text(hold.released ? say_.held_released : say_.held_help).markup("</p></section>\n");
}

void Page::feed(const ingest::ShopStatus& status) {
  const offers::Shop& shop = status.shop;
  html_.markup("<section class=\"card\"><h2>").text(say_.feed).markup("</h2><dl>");
  html_.markup("<dt>").text(say_.address).markup("</dt><dd class=\"whole\">");
  if (shop.settings.feed_url.empty()) {
    html_.text(say_.by_file);
  } else {
    html_.foreign(shop.settings.feed_url);
  }
  end_row();
  row(say_.mode);
  html_.text(shop.settings.mode == feed::Mode::kStrict ? say_.strict : say_.lenient);
  end_row();
  if (!shop.settings.feed_url.empty()) {
    row(say_.every);
    html_.number(shop.settings.period_seconds / 60, language_).markup(" ").text(say_.minutes);
    end_row();
    row(say_.next_reading);
    if (status.reading) {
      html_.text(say_.reading_now);
    } else {
      html_.time(shop.state.next_fetch);
    }
    end_row();
  }
  if (shop.state.failures > 0) {
    row(say_.failures);
    html_.number(shop.state.failures, language_);
    end_row();
  }
  row(say_.live_offers);
  html_.markup("<b>").number(status.live_offers, language_).markup("</b>");
  end_row();
  html_.markup("</dl></section>\n");
}

void Page::run(const ingest::FeedRun& run, bool last) {
  const feed::Report& report = run.report;
  html_.markup("<section class=\"card\"><h2>").text(last ? say_.last_run : say_.run).markup(" № ").number(run.number);
  html_.markup(" ");
  badge(run.outcome);
  html_.markup("</h2><p class=\"detail\">").time(run.at);
  if (report.format != feed::Format::kUnknown) html_.markup(" · ").text(feed::to_string(report.format));
  if (!report.date.empty()) html_.markup(" · ").text(say_.feed_date).markup(" ").foreign(report.date);
  html_.markup("</p>");
  if (!run.note.empty()) html_.markup("<p>").foreign(run.note).markup("</p>");
  if (run.outcome == Outcome::kIngested || run.outcome == Outcome::kHeld) {
    figures(report);
    html_.markup("<p class=\"detail\">").text(say_.added).markup(" ").number(report.added, language_).markup(" · ");
    html_.text(say_.changed).markup(" ").number(report.changed, language_).markup(" · ").text(say_.removed);
    html_.markup(" ").number(report.removed, language_).markup("</p>");
  }
  if (!report.ok()) {
    const bool fetched = run.outcome != Outcome::kFetchFailed;
    feed_error(report.feed_error, fetched ? say_.refused_title : say_.fetch_title, say_.earlier_stay);
  }
  html_.markup("</section>\n");
}

void Page::runs(const std::vector<ingest::FeedRun>& runs, uint64_t shown) {
  if (runs.size() < 2) return;
  html_.markup("<section><h2>")
      .text(say_.runs_title)
      .markup("</h2><div class=\"wide card\"><table class=\"runs\"><tr>");
  html_.markup("<th>№</th><th>").text(say_.when).markup("</th><th>").text(say_.outcome).markup("</th>");
  for (const std::string_view name : {say_.taken, say_.refused, say_.warnings}) {
    html_.markup("<th class=\"count\">").text(name).markup("</th>");
  }
  html_.markup("</tr>");
  for (const ingest::FeedRun& run : runs) {
    if (run.number == shown) {
      html_.markup("<tr aria-current=\"true\"><td>");
    } else {
      html_.markup("<tr><td>");
    }
    html_.markup("<a href=\"/report/").number(run.number).markup("\">").number(run.number).markup("</a></td><td>");
    html_.time(run.at).markup("</td><td>");
    badge(run.outcome);
    html_.markup("</td>");
    for (const uint64_t count : {run.report.accepted, run.report.rejected, run.report.warning_count}) {
      html_.markup("<td class=\"count\">");
      if (was_read(run.outcome)) html_.number(count, language_);
      html_.markup("</td>");
    }
    html_.markup("</tr>");
  }
  html_.markup("</table></div></section>\n");
}

void Page::actions(const std::string& address) {
  html_.markup("<section class=\"card actions\"><h2>").text(say_.check_title);
  html_.markup("</h2><form method=\"post\" action=\"/check\"><label for=\"url\">").text(say_.check_help);
  html_.markup(
      "</label><div class=\"line\"><input id=\"url\" name=\"url\" type=\"url\" required maxlength=\"2048\" value=\"");
  html_.text(address).markup("\"><button>").text(say_.check).markup("</button></div></form></section>\n");
}

}  // namespace

std::string sign_in_page(Language language, const Note& note) {
  Page page(language, "");
  page.begin_main("/", false);
  const Texts& say = page.say();
  Html& html = page.html();
  html.markup("<section class=\"card sign-in\"><h1>").text(say.title).markup("</h1>");
  page.note(note);
  html.markup("<form method=\"post\" action=\"/login\"><label for=\"token\">").text(say.token);
  html.markup(
      "</label><input id=\"token\" name=\"token\" type=\"password\" autocomplete=\"current-password\" required "
      "maxlength=\"200\" autofocus><p class=\"detail\">");
  html.text(say.token_help).markup("</p><button>").text(say.sign_in).markup("</button></form></section>");
  return page.end();
}

std::string report_page(Language language, const ReportView& view) {
  const std::string& shop =
      view.status.shop.display_name.empty() ? view.status.shop.name : view.status.shop.display_name;
  Page page(language, shop);
  const bool last = !view.run || view.runs.empty() || view.run->number == view.runs.front().number;
  page.begin_main(last ? "/report" : "/report/" + std::to_string(view.run->number), true);
  Html& html = page.html();
  html.markup("<div class=\"title\"><h1>").text(page.say().title).markup("</h1>");
  if (!view.status.shop.settings.feed_url.empty()) {
    html.markup("<form method=\"post\" action=\"/reread\"><button>").text(page.say().read_again);
    html.markup("</button></form>");
  }
  html.markup("</div>\n");
  page.note(view.note);
  page.hold(view.status.shop.state.hold);
  html.markup("<div class=\"columns\">");
  if (view.run) page.run(*view.run, last);
  if (!view.run) {
    html.markup("<section class=\"card\"><h2>").text(page.say().no_runs).markup("</h2><p>");
    html.text(page.say().no_runs_help).markup("</p></section>");
  }
  page.feed(view.status);
  html.markup("</div>");
  if (view.run) page.faults(view.run->report);
  page.runs(view.runs, view.run ? view.run->number : 0);
  page.actions(view.status.shop.settings.feed_url);
  return page.end();
}

std::string check_page(Language language, const std::string& shop, const feed::Report& report) {
  Page page(language, shop);
  page.begin_main("/report", true);
  Html& html = page.html();
  html.markup("<div class=\"title\"><h1>").text(page.say().checked).markup("</h1><a href=\"/report\">");
  html.text(page.say().back).markup("</a></div><section class=\"card\"><p class=\"address\">").foreign(report.file);
  html.markup("</p><p class=\"detail\">");
  if (report.format != feed::Format::kUnknown) html.text(feed::to_string(report.format)).markup(" · ");
  html.text(page.say().check_note);
  html.markup("</p>");
  page.figures(report);
  html.markup("</section>\n");
  if (!report.ok()) page.feed_error(report.feed_error, page.say().check_refused, "");
  page.faults(report);
  page.actions(report.file);
  return page.end();
}

std::string message_page(Language language, const std::string& shop, const Note& note) {
  Page page(language, shop);
  page.begin_main("/report", true);
  page.note(note);
  page.html().markup("<p><a href=\"/report\">").text(page.say().back).markup("</a></p>");
  return page.end();
}

}  // namespace souk::partner
