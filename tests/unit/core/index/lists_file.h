// SPDX-License-Identifier: Apache-2.0
// Posting lists alone in a file, for their tests.
#pragma once

#include <cstdint>
#include <map>
#include <span>
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

ListsFile write_lists(uint32_t documents, const index::PostingSections& sections, const Postings& postings);
Result<index::PostingLists> open_lists(index::Bytes file, const ListsFile& like);

// Every posting by decode().
Postings decode_all(const index::PostingLists& lists);
// Every posting by view() and unpack(), with what the views say about themselves checked: "" or the first thing wrong.
std::string read_views(const index::PostingLists& lists, Postings& read);

}  // namespace souk::test
