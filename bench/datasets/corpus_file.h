// SPDX-License-Identifier: Apache-2.0
// The files of souk-bench-titles, as the C++ engines under test read them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace souk::bench {

struct CorpusDocument {
  uint64_t key = 0;
  uint32_t model = 0;
  uint32_t category = 0;
  uint32_t vendor = 0;
  uint64_t price = 0;
  uint32_t quality = 0;
  std::string_view title;  // valid until the next one is read
};

// documents.tsv line by line.
class CorpusFile {
 public:
  static Result<CorpusFile> open(const std::string& folder);
  // False at the end.
  Result<bool> next(CorpusDocument& document);

 private:
  explicit CorpusFile(std::string path) : path_(std::move(path)), buffer_(1U << 20) {}
  bool read_line(std::string_view& line);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;
  uint64_t lines_ = 0;
};

// Words between single blanks: each(std::string_view).
template <typename Each>
void for_each_word(std::string_view text, const Each& each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

struct CorpusQuery {
  std::vector<std::string> words;
  uint32_t category = 0;
  uint64_t price_from = 0;  // inclusive
  uint64_t price_to = 0;    // inclusive
  std::vector<std::string> phrase;
};
Result<std::vector<CorpusQuery>> read_corpus_queries(const std::string& folder);

}  // namespace souk::bench
