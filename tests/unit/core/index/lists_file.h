// SPDX-License-Identifier: Apache-2.0
// Posting lists alone in a file, for their tests.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/index/posting_lists.h"
#include "core/index/posting_writer.h"
#include "tests/unit/core/world.h"

namespace souk::test {

struct ListsFile {
  FileBytes bytes;
  uint32_t documents = 0;
  index::PostingSections sections = index::kMainLists;
};

using Postings = std::vector<index::Posting>;  // ascending

// Terms are below this.
inline constexpr uint32_t kListTerms = 100;

// df documents out of [begin, end).
std::vector<uint32_t> some_documents(uint32_t df, uint32_t begin, uint32_t end, std::mt19937& random);
// A term's postings, behind those of the terms before it.
void add_list(Postings& postings, uint32_t term, const std::vector<uint32_t>& docs, bool weighted,
              std::mt19937& random);

ListsFile write_lists(uint32_t documents, const index::PostingSections& sections, const Postings& postings);
Result<index::PostingLists> open_lists(index::Bytes file, const ListsFile& like);

// Every posting by decode().
Postings decode_all(const index::PostingLists& lists);
// Every posting by view() and unpack(), with what the views say about themselves checked: "" or the first thing wrong.
std::string read_views(const index::PostingLists& lists, Postings& read);

}  // namespace souk::test
