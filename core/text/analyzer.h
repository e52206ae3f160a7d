// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace souk::text {

struct Token {
  std::string term;    // normalised and stemmed; never empty, at most kMaxTermBytes
  uint32_t begin = 0;  // bytes of the source text
  uint32_t end = 0;
};

// Text -> terms, the same for documents and queries: runs of letters, digits and their marks; NFKC, case folded, ё = е;
// stemmed by script (Cyrillic: Snowball Russian, Latin: Snowball English, mixed or with digits: not at all).
// One thread at a time: Snowball keeps state. Cost: ~0.3 us a word; the last words stemmed are remembered.
class Analyzer {
 public:
  static constexpr size_t kMaxTermBytes = 96;

  Analyzer();
  ~Analyzer();
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;

  // Texts over 4 GiB are not allowed.
  std::vector<Token> analyze(std::string_view utf8);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souk::text
