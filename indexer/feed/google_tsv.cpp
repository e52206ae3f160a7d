// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/google_tsv.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "indexer/feed/plain_text.h"

namespace souk::feed {
namespace {

uint64_t count_lines(std::string_view text) {
  return static_cast<uint64_t>(std::ranges::count(text, '\n'));
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// "https://a/1.jpg,https://a/2.jpg" -> each; a comma within an address stays.
void split_addresses(const std::string& text, std::vector<std::string>& out) {
  size_t begin = 0;
  while (begin < text.size() && out.size() < RawOffer::kMaxRepeated) {
    size_t end = text.find(",http", begin);
    const size_t spaced = text.find(", http", begin);
    end = std::min({end, spaced, text.size()});
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

GoogleTsv::GoogleTsv(const ReadOptions& options, FeedReader::Accept accept, Report& report)
    : limits_(options.limits),
      accept_(std::move(accept)),
      report_(report),
      validator_(OfferValidator::Rules::kGoogle, options, report) {}

bool GoogleTsv::push(std::string_view utf8) {
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  buffer_ += utf8;
  return take_rows(false);
}

bool GoogleTsv::finish() {
  if (!take_rows(true)) return false;
  if (!has_header_) return refuse("empty_body", "the feed is empty");
  if (report_.accepted == 0) return refuse("no_valid_offers", "the feed has no valid item");
  return true;
}

bool GoogleTsv::take_rows(bool at_end) {
  while (at_ < buffer_.size()) {
    if (skipping_) {
      if (!skip_line(at_end)) return true;
      continue;
    }
    const std::string_view rest = std::string_view(buffer_).substr(at_);
    size_t length = 0;
    const Row row = cut_row(rest, at_end, length);
    if (row == Row::kIncomplete) return true;
    if (!take_row(row)) return false;
    if (row == Row::kBad) {
      skipping_ = true;  // to the end of its first line: what follows may be good
      continue;
    }
    line_ += count_lines(rest.substr(0, length));
    at_ += length;
  }
  return true;
}

// false = the end of the line has not come yet.
bool GoogleTsv::skip_line(bool at_end) {
  const size_t end = buffer_.find('\n', at_);
  if (end == std::string::npos) {
    at_ = buffer_.size();
    return at_end;
  }
  at_ = end + 1;
  ++line_;
  skipping_ = false;
  return true;
}

// Cuts the row that the text begins with into cells_; length = with its line end. Incomplete: more text must come, or
// there is none (at_end), or the row is too long.
GoogleTsv::Row GoogleTsv::cut_row(std::string_view text, bool at_end, size_t& length) {
  const std::string_view all = text.substr(0, kMaxRow);
  const bool whole = at_end && all.size() == text.size();
  count_ = 0;
  fault_ = nullptr;
  size_t at = 0;
  while (count_ < kMaxColumns) {
    if (count_ == cells_.size()) cells_.emplace_back();
    std::string& cell = cells_[count_++];
    cell.clear();
    const bool quoted = at < all.size() && all[at] == '"';
    const bool closed = quoted ? take_quoted(all, whole, at, cell) : take_plain(all, whole, at, cell);
    if (fault_ != nullptr) return Row::kBad;
    if (!closed) {
      if (all.size() < kMaxRow && !at_end) return Row::kIncomplete;
      fault_ = all.size() == kMaxRow ? "the row is too long" : "a quote is not closed";
      return Row::kBad;
    }
    if (at == all.size() || all[at] == '\n') {
      length = std::min(at + 1, all.size());
      return Row::kWhole;
    }
    ++at;  // the tab
  }
  fault_ = "the row has too many cells";
  return Row::kBad;
}

// These leave `at` on the tab or line end behind the cell, or at the end of all text. false = that is not there yet.
bool GoogleTsv::take_plain(std::string_view row, bool whole, size_t& at, std::string& cell) {
  const size_t end = row.find_first_of("\t\n", at);
  if (end == std::string_view::npos && !whole) return false;
  const size_t stop = std::min(end, row.size());
  cell.assign(row, at, stop - at);
  at = stop;
  return true;
}

bool GoogleTsv::take_quoted(std::string_view row, bool whole, size_t& at, std::string& cell) {
  ++at;
  while (true) {
    const size_t quote = row.find('"', at);
    if (quote == std::string_view::npos) return false;
    cell.append(row, at, quote - at);
    at = quote + 1;
    if (at == row.size() || row[at] != '"') break;
    cell += '"';
    ++at;
  }
  if (at < row.size() && row[at] == '\r') ++at;
  if (at == row.size()) return whole;
  if (row[at] != '\t' && row[at] != '\n') fault_ = "there is text behind a closing quote";
  return true;
}

bool GoogleTsv::take_row(Row row) {
  if (row == Row::kWhole && count_ == 1 && is_blank(cells_[0])) return true;
  if (!has_header_) return take_header(row);
  if (++rows_ > limits_.offers) return refuse("size_limit", fmt::format("there are more than {} rows", limits_.offers));
  if (row == Row::kBad) {
    bad_row(fault_);
    return true;
  }
  // Tabs at the end of a row are harmless.
  while (count_ > columns_.size() && is_blank(cells_[count_ - 1])) --count_;
  if (std::all_of(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(count_), is_blank)) return true;
  if (count_ > columns_.size()) {
    bad_row(fmt::format("the row has {} cells, the header {}", count_, columns_.size()));
  } else {
    take_item();
  }
  return true;
}

bool GoogleTsv::take_header(Row row) {
  if (row == Row::kBad) return refuse("not_a_feed", fmt::format("the header cannot be read: {}", fault_));
  has_header_ = true;
  bool has_id = false;
  for (size_t i = 0; i < count_; ++i) {
    const GoogleAttribute* attribute = find_google_attribute(google_column_name(cells_[i]));
    columns_.push_back(attribute);
    if (has_id || attribute == nullptr || attribute->use != GoogleAttribute::Use::kId) continue;
    has_id = true;
    id_column_ = i;
  }
  return has_id || refuse("not_a_feed", "the header has no column id");
}

void GoogleTsv::take_item() {
  raw_.clear();
  raw_.line = line_;
  for (size_t i = 0; i < count_; ++i) {
    if (columns_[i] == nullptr || is_blank(cells_[i])) continue;
    if (columns_[i]->use == GoogleAttribute::Use::kMoreImages) {
      split_addresses(cells_[i], raw_.pictures);
    } else {
      take_google_value(raw_, *columns_[i], cells_[i]);
    }
  }
  auto offer = validator_.validate(raw_);
  if (!offer) return;
  ++report_.accepted;
  accept_(std::move(*offer));
}

void GoogleTsv::bad_row(std::string message) {
  std::string id;
  if (id_column_ < count_) id = cells_[id_column_];
  fold_space(id);
  cut_characters(id, OfferLimits::kId);
  report_.reject({line_, std::move(id), "bad_row", std::move(message)});
}

bool GoogleTsv::refuse(const char* kind, std::string message) {
  report_.feed_error = {kind, line_, std::move(message)};
  return false;
}

}  // namespace souk::feed
