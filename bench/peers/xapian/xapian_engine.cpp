// SPDX-License-Identifier: Apache-2.0
// Xapian as an engine under test: bench/engine/driver.h says what it is asked. No positions, one database, compacted.
#include <xapian.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "bench/engine/driver.h"

namespace souk::bench {
namespace {

constexpr Xapian::valueno kPrice = 0, kCategory = 1, kVendor = 2;
constexpr Xapian::doccount kBest = 10;

std::string category_term(uint32_t category) {
  return "C" + std::to_string(category);
}

uint64_t size_of_folder(const std::string& folder) {
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

Xapian::Document make_document(const CorpusDocument& from) {
  Xapian::Document document;
  for_each_word(from.title, [&](std::string_view word) { document.add_term(std::string(word)); });
  document.add_boolean_term(category_term(from.category));
  document.add_value(kPrice, Xapian::sortable_serialise(static_cast<double>(from.price)));
  document.add_value(kCategory, std::to_string(from.category));
  document.add_value(kVendor, std::to_string(from.vendor));
  return document;
}

class XapianEngine final : public Engine {
 public:
  Result<std::string> build(const std::string& corpus, const std::string& index) override {
    const auto begin = std::chrono::steady_clock::now();
    auto file = CorpusFile::open(corpus);
    if (!file) return std::unexpected(file.error());
    Xapian::WritableDatabase database(index + "/parts", Xapian::DB_CREATE | Xapian::DB_BACKEND_GLASS);
    CorpusDocument from;
    while (true) {
      const auto more = file->next(from);
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
      database.add_document(make_document(from));
    }
    database.commit();
    database.compact(index + "/whole", Xapian::DBCOMPACT_NO_RENUMBER);
    database.close();
    std::filesystem::remove_all(index + "/parts");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return "\"seconds\":" + std::to_string(took.count()) + ",\"threads\":1" +
           ",\"index_bytes\":" + std::to_string(size_of_folder(index));
  }

  Result<std::string> open(const std::string& index, const std::vector<CorpusQuery>& queries) override {
    database_ = Xapian::Database(index + "/whole");
    queries_ = &queries;
    return std::string("\"engine\":\"Xapian ") + Xapian::version_string() +
           "\",\"sets\":[\"and\",\"or\",\"and_filter\",\"and_facets\"]";
  }

  bool choose(std::string_view set) override {
    if (set != "and" && set != "or" && set != "and_filter" && set != "and_facets") return false;
    facets_ = set == "and_facets";
    prepared_.clear();
    for (const CorpusQuery& query : *queries_) {
      Xapian::Query words(set == "or" ? Xapian::Query::OP_OR : Xapian::Query::OP_AND, query.words.begin(),
                          query.words.end());
      if (set == "and_filter") {
        const Xapian::Query price(Xapian::Query::OP_VALUE_RANGE, kPrice,
                                  Xapian::sortable_serialise(static_cast<double>(query.price_from)),
                                  Xapian::sortable_serialise(static_cast<double>(query.price_to)));
        words =
            Xapian::Query(Xapian::Query::OP_FILTER, words,
                          Xapian::Query(Xapian::Query::OP_AND, Xapian::Query(category_term(query.category)), price));
      }
      prepared_.push_back(std::move(words));
    }
    return true;
  }

  Result<uint64_t> search(size_t number) override {
    Xapian::Enquire enquire = make_enquire(number);
    if (!facets_) return first_of(enquire.get_mset(0, kBest));
    Xapian::ValueCountMatchSpy categories(kCategory), vendors(kVendor);
    enquire.add_matchspy(&categories);
    enquire.add_matchspy(&vendors);
    return first_of(enquire.get_mset(0, kBest, database_.get_doccount())) + categories.get_total();
  }

  Result<Counted> count(size_t number) override {
    Xapian::Enquire enquire = make_enquire(number);
    Xapian::ValueCountMatchSpy categories(kCategory), vendors(kVendor);
    if (facets_) {
      enquire.add_matchspy(&categories);
      enquire.add_matchspy(&vendors);
    }
    Counted counted;
    counted.matches = enquire.get_mset(0, kBest, database_.get_doccount()).get_matches_estimated();
    if (facets_) {
      counted.category_check = check(categories);
      counted.vendor_check = check(vendors);
    }
    return counted;
  }

 private:
  Xapian::Enquire make_enquire(size_t number) const {
    Xapian::Enquire enquire(database_);
    enquire.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.75, 0));
    enquire.set_query(prepared_[number]);
    return enquire;
  }

  static uint64_t first_of(const Xapian::MSet& found) { return found.empty() ? 0 : *found.begin(); }

  static uint64_t check(const Xapian::ValueCountMatchSpy& spy) {
    uint64_t sum = 0;
    for (auto value = spy.values_begin(); value != spy.values_end(); ++value) {
      sum += (std::stoull(*value) + 1) * value.get_termfreq();
    }
    return sum;
  }

  Xapian::Database database_;
  const std::vector<CorpusQuery>* queries_ = nullptr;
  std::vector<Xapian::Query> prepared_;
  bool facets_ = false;
};

}  // namespace
}  // namespace souk::bench

int main(int argc, char** argv) {
  // Without it Xapian writes to the disk every 10,000 documents.
  ::setenv("XAPIAN_FLUSH_THRESHOLD", "1000000", 0);
  try {
    souk::bench::XapianEngine engine;
    return souk::bench::run_driver(engine, argc, argv);
  } catch (const Xapian::Error& error) {
    std::printf("{\"error\":\"%s: %s\"}\n", error.get_type(), error.get_msg().c_str());
  } catch (const std::exception& error) {
    std::printf("{\"error\":\"%s\"}\n", error.what());
  }
  return 1;
}
