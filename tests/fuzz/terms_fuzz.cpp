// SPDX-License-Identifier: Apache-2.0
// The term dictionary. Even first byte: hostile sections behind right checksums; what opens must answer everything and
// agree with itself. Odd: the rest is words, one a line, which must come back from a file made of them.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/index/term_dictionary.h"

namespace souk::index {
namespace {

constexpr SectionId kBlocks = SectionId::kLexiconBlocks;
constexpr SectionId kBytes = SectionId::kLexiconBytes;

// A file in memory; a container must be 8-aligned.
class File {
 public:
  Sink sink() {
    return [this](std::string_view bytes) {
      text_ += bytes;
      return Status{};
    };
  }
  Bytes bytes() {
    words_.resize(text_.size() / sizeof(uint64_t) + 1);
    std::ranges::copy(text_, reinterpret_cast<char*>(words_.data()));
    return std::as_bytes(std::span(words_)).first(text_.size());
  }

 private:
  std::string text_;
  std::vector<uint64_t> words_;
};

uint32_t distance_of(const TermDictionary::SimilarTerms& found, uint32_t ordinal) {
  for (const auto& one : found.terms) {
    if (one.ordinal == ordinal) return one.distance;
  }
  return 3;
}

void ask(const TermDictionary& dictionary) {
  const uint32_t size = dictionary.size();
  const uint32_t step = size / 16 + 1;
  for (uint32_t i = 0; i < size; i += step) {
    const std::string term = dictionary.term(i);
    SOUK_CHECK(!term.empty() && term.size() <= TermDictionary::kMaxTermBytes);
    SOUK_CHECK(i == 0 || dictionary.term(i - 1) < term);
    SOUK_CHECK(dictionary.find(term) == i);
    SOUK_CHECK(dictionary.find(term + "a") != i);
    const auto all = dictionary.with_prefix(term);
    SOUK_CHECK(all.begin == i && all.end > i && all.end <= size);
    SOUK_CHECK(all.end == size || !dictionary.term(all.end).starts_with(term));
    SOUK_CHECK(dictionary.term(all.end - 1).starts_with(term));
    // What is within a distance is within the next one, and is as far from here as here from there.
    const auto near = dictionary.similar(term, 1, size, {});
    const auto far = dictionary.similar(term, 2, size, {});
    SOUK_CHECK(near.complete && far.complete && distance_of(near, i) == 0);
    for (const auto& one : near.terms) SOUK_CHECK(distance_of(far, one.ordinal) == one.distance);
    if (far.terms.size() > 8) continue;
    for (const auto& one : far.terms) {
      SOUK_CHECK(distance_of(dictionary.similar(dictionary.term(one.ordinal), 2, size, {}), i) == one.distance);
    }
  }
}

void open_hostile(std::string_view input) {
  if (input.size() < 3) return;
  const auto terms = static_cast<uint8_t>(input[0]);
  const auto width = static_cast<size_t>(static_cast<uint8_t>(input[1]) % 9);
  const size_t bounds = std::min(input.size() - 2, width * (terms / TermDictionary::kBlock + 2U));
  File file;
  ContainerWriter writer(FileKind::kDictionary, file.sink());
  SOUK_CHECK(writer.add(kBlocks, Coding::kNarrow, std::as_bytes(std::span(input.substr(2, bounds)))).has_value());
  SOUK_CHECK(writer.add(kBytes, Coding::kPlain, std::as_bytes(std::span(input.substr(2 + bounds)))).has_value());
  SOUK_CHECK(writer.finish().has_value());
  const auto container = Container::open(file.bytes(), FileKind::kDictionary);
  SOUK_CHECK(container.has_value());
  const auto dictionary = TermDictionary::open(*container, kBlocks, kBytes, terms);
  if (dictionary) ask(*dictionary);
}

void write_and_read(std::string_view input) {
  std::set<std::string> terms;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    if (!line.empty() && line.size() <= TermDictionary::kMaxTermBytes) terms.emplace(line);
  }
  TermDictionaryWriter out;
  for (const std::string& term : terms) out.add(term);
  File file;
  ContainerWriter writer(FileKind::kDictionary, file.sink());
  SOUK_CHECK(out.write(writer, kBlocks, kBytes).has_value());
  SOUK_CHECK(writer.finish().has_value());
  const auto container = Container::open(file.bytes(), FileKind::kDictionary);
  SOUK_CHECK(container.has_value());
  const auto dictionary = TermDictionary::open(*container, kBlocks, kBytes, terms.size());
  SOUK_CHECK(dictionary.has_value() && dictionary->size() == terms.size());
  uint32_t ordinal = 0;
  for (const std::string& term : terms) SOUK_CHECK(dictionary->term(ordinal++) == term);
  ask(*dictionary);
}

}  // namespace
}  // namespace souk::index

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 16384) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    souk::index::open_hostile(input);
  } else {
    souk::index::write_and_read(input);
  }
  return 0;
}
