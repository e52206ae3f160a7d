// SPDX-License-Identifier: Apache-2.0
// souk-bench-titles: writes a corpus of product-like documents and queries about it, as every engine under test reads
// them. documents.tsv: key, model, category, vendor, price, quality, title (words with single blanks between them).
// queries.tsv: words, category, price from, price to, phrase.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/datasets/titles.h"
#include "core/base/error.h"

namespace souk::bench {
namespace {

class TextFile {
 public:
  explicit TextFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {}
  void write(std::string_view text) {
    if (file_ && std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) failed_ = true;
  }
  Status close() {
    const bool whole = file_ && !failed_ && std::fflush(file_.get()) == 0;
    if (!whole) return fail(ErrorCode::kUnavailable, std::string("cannot write: ") + std::strerror(errno), path_);
    return {};
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool failed_ = false;
};

// How many documents have each word.
struct Frequencies {
  std::vector<uint32_t> by_word;
  uint64_t tokens = 0;
  uint64_t postings = 0;
};

std::vector<WordId> distinct_words(const Title& title) {
  std::vector<WordId> words = title.words;
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return words;
}

Status write_documents(const Titles& titles, uint32_t documents, const std::string& folder, Frequencies& frequencies) {
  TextFile file(folder + "/documents.tsv");
  frequencies.by_word.resize(titles.words());
  Title title;
  std::string line;
  for (uint32_t number = 0; number < documents; ++number) {
    titles.make(number, title);
    line = std::to_string(number + 1);
    for (const uint64_t value : {uint64_t{title.model}, uint64_t{title.category}, uint64_t{title.vendor}, title.price,
                                 uint64_t{title.quality}}) {
      line.append("\t").append(std::to_string(value));
    }
    char before = '\t';
    for (const WordId word : title.words) {
      line += before;
      line += titles.spell(word);
      before = ' ';
    }
    file.write(line += '\n');
    frequencies.tokens += title.words.size();
    for (const WordId word : distinct_words(title)) {
      ++frequencies.by_word[word];
      ++frequencies.postings;
    }
  }
  return file.close();
}

// How gladly a word is asked for, by the documents in a million that have it: neither what is everywhere nor what
// nobody has.
double appeal(double per_million) {
  if (per_million < 20) return 0.005;
  if (per_million < 300) return 0.025;
  if (per_million < 2000) return 0.25;
  if (per_million < 60'000) return 1;
  return 0.25;
}

struct Query {
  std::vector<WordId> words;
  std::vector<WordId> phrase;
  uint32_t category;
  uint64_t price_from, price_to;
};

// Takes one of the candidates by their weights.
size_t pick_weighted(const std::vector<double>& weights, Random& random) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double at = random.unit() * sum;
  size_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if ((at -= weights[i]) < 0) break;
  }
  return last;
}

class QueryMaker {
 public:
  QueryMaker(const Titles& titles, uint32_t documents, const Frequencies& frequencies, uint64_t seed)
      : titles_(titles), documents_(documents), frequencies_(frequencies), random_(seed) {}

  Query make() {
    Title title;
    titles_.make(static_cast<uint32_t>(random_.below(documents_)), title);
    Query query;
    query.category = title.category;
    query.price_from = title.price * 6 / 10;
    query.price_to = title.price * 16 / 10;
    std::vector<WordId> words = distinct_words(title);
    static const std::vector<double> kLengths = {0, 15, 30, 30, 15, 10};  // of a query, in words
    const size_t length = std::min(pick_weighted(kLengths, random_), words.size());
    std::vector<double> weights;
    for (const WordId word : words) weights.push_back(weight(word));
    while (query.words.size() < length) {
      const size_t picked = pick_weighted(weights, random_);
      query.words.push_back(words[picked]);
      weights[picked] = 0;
      words[picked] = words.back();
      weights[picked] = weights.back();
      words.pop_back();
      weights.pop_back();
    }
    std::vector<double> pairs;
    for (size_t i = 0; i + 1 < title.words.size(); ++i) {
      pairs.push_back(title.words[i] == title.words[i + 1] ? 0 : weight(title.words[i]) * weight(title.words[i + 1]));
    }
    const size_t pair = pick_weighted(pairs, random_);
    query.phrase = {title.words[pair], title.words[pair + 1]};
    return query;
  }

 private:
  double weight(WordId word) const { return appeal(frequencies_.by_word[word] * 1e6 / documents_); }

  const Titles& titles_;
  uint32_t documents_;
  const Frequencies& frequencies_;
  Random random_;
};

std::string spelled(const Titles& titles, const std::vector<WordId>& words) {
  std::string text;
  for (const WordId word : words) text.append(text.empty() ? "" : " ").append(titles.spell(word));
  return text;
}

// Nearest rank of what is sorted.
uint64_t rank_of(const std::vector<uint64_t>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(share * static_cast<double>(sorted.size())))];
}

std::string spread(std::vector<uint64_t> values) {
  std::ranges::sort(values);
  double sum = 0;
  for (const uint64_t value : values) sum += static_cast<double>(value);
  const auto mean = static_cast<uint64_t>(sum / static_cast<double>(values.size()));
  return "{\"mean\":" + std::to_string(mean) + ",\"p50\":" + std::to_string(rank_of(values, 0.5)) +
         ",\"p99\":" + std::to_string(rank_of(values, 0.99)) + "}";
}

struct Arguments {
  std::string folder;
  uint32_t documents = 1'000'000;
  uint32_t queries = 2000;
  uint64_t seed = 1;
};

Status run(const Arguments& arguments) {
  const Titles titles(arguments.seed, arguments.documents);
  Frequencies frequencies;
  Status done = write_documents(titles, arguments.documents, arguments.folder, frequencies);
  if (!done) return done;
  QueryMaker maker(titles, arguments.documents, frequencies, arguments.seed);
  TextFile file(arguments.folder + "/queries.tsv");
  std::vector<uint64_t> shortest, all;
  for (uint32_t i = 0; i < arguments.queries; ++i) {
    const Query query = maker.make();
    file.write(spelled(titles, query.words) + '\t' + std::to_string(query.category) + '\t' +
               std::to_string(query.price_from) + '\t' + std::to_string(query.price_to) + '\t' +
               spelled(titles, query.phrase) + '\n');
    uint64_t least = arguments.documents, sum = 0;
    for (const WordId word : query.words) {
      least = std::min<uint64_t>(least, frequencies.by_word[word]);
      sum += frequencies.by_word[word];
    }
    shortest.push_back(least);
    all.push_back(sum);
  }
  done = file.close();
  if (!done) return done;
  const auto terms = std::ranges::count_if(frequencies.by_word, [](uint32_t df) { return df > 0; });
  const auto once = std::ranges::count(frequencies.by_word, 1U);
  std::printf(
      "{\"seed\":%llu,\"documents\":%u,\"tokens\":%llu,\"postings\":%llu,\"terms\":%lld,\"terms_once\":%lld,"
      "\"queries\":%u,"
      "\"shortest_list\":%s,\"all_lists\":%s}\n",
      static_cast<unsigned long long>(arguments.seed), arguments.documents,
      static_cast<unsigned long long>(frequencies.tokens), static_cast<unsigned long long>(frequencies.postings),
      static_cast<long long>(terms), static_cast<long long>(once), arguments.queries, spread(shortest).c_str(),
      spread(all).c_str());
  return {};
}

}  // namespace
}  // namespace souk::bench

int main(int argc, char** argv) {
  CLI::App app{"souk-bench-titles: writes product-like documents and queries about them"};
  souk::bench::Arguments arguments;
  app.add_option("--out", arguments.folder, "an existing folder")->required()->check(CLI::ExistingDirectory);
  app.add_option("--docs", arguments.documents, "default 1000000")->check(CLI::Range(1000U, 20'000'000U));
  app.add_option("--queries", arguments.queries, "default 2000")->check(CLI::Range(1U, 100'000U));
  app.add_option("--seed", arguments.seed, "default 1");
  CLI11_PARSE(app, argc, argv);
  const souk::Status done = souk::bench::run(arguments);
  if (done) return 0;
  std::fprintf(stderr, "souk-bench-titles: %s\n", souk::to_string(done.error()).c_str());
  return 1;
}
