// SPDX-License-Identifier: Apache-2.0
#include "bench/datasets/corpus_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <span>

namespace souk::bench {

namespace {

// Whether the line has exactly as many fields.
bool split(std::string_view line, std::span<std::string_view> fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t end = line.find('\t');
    if ((end == std::string_view::npos) != (i + 1 == fields.size())) return false;
    fields[i] = line.substr(0, end);
    if (end != std::string_view::npos) line.remove_prefix(end + 1);
  }
  return true;
}

template <typename Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::unexpected<Error> bad_line(const std::string& path, uint64_t line) {
  return fail(ErrorCode::kCorruption, "not a line of souk-bench-titles", path + ":" + std::to_string(line));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

}  // namespace

Result<CorpusFile> CorpusFile::open(const std::string& folder) {
  CorpusFile file(folder + "/documents.tsv");
  file.file_.reset(std::fopen(file.path_.c_str(), "rb"));
  if (!file.file_) return fail(ErrorCode::kNotFound, "cannot be opened", file.path_);
  return file;
}

bool CorpusFile::read_line(std::string_view& line) {
  while (true) {
    const char* const from = buffer_.data() + begin_;
    if (const void* const found = std::memchr(from, '\n', end_ - begin_)) {
      line = {from, static_cast<size_t>(static_cast<const char*>(found) - from)};
      begin_ += line.size() + 1;
      return true;
    }
    // A line is far shorter than the buffer.
    std::memmove(buffer_.data(), from, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const size_t got = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_.get());
    if (got == 0) return false;
    end_ += got;
  }
}

Result<bool> CorpusFile::next(CorpusDocument& document) {
  std::string_view line;
  if (!read_line(line)) {
    if (end_ != begin_ || std::ferror(file_.get()) != 0) return bad_line(path_, lines_ + 1);
    return false;
  }
  ++lines_;
  std::array<std::string_view, 7> fields;
  if (!split(line, fields) || !parse(fields[0], document.key) || !parse(fields[1], document.model) ||
      !parse(fields[2], document.category) || !parse(fields[3], document.vendor) || !parse(fields[4], document.price) ||
      !parse(fields[5], document.quality)) {
    return bad_line(path_, lines_);
  }
  document.title = fields[6];
  return true;
}

Result<std::vector<CorpusQuery>> read_corpus_queries(const std::string& folder) {
  const std::string path = folder + "/queries.tsv";
  std::ifstream file(path);
  std::vector<CorpusQuery> queries;
  for (std::string line; std::getline(file, line);) {
    std::array<std::string_view, 5> fields;
    CorpusQuery& query = queries.emplace_back();
    if (!split(line, fields) || !parse(fields[1], query.category) || !parse(fields[2], query.price_from) ||
        !parse(fields[3], query.price_to)) {
      return bad_line(path, queries.size());
    }
    query.words = words_of(fields[0]);
    query.phrase = words_of(fields[4]);
    if (query.words.empty() || query.phrase.size() != 2) return bad_line(path, queries.size());
  }
  if (queries.empty()) return fail(ErrorCode::kNotFound, "no queries", path);
  return queries;
}

}  // namespace souk::bench
