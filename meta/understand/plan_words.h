// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/index/dictionary.h"
#include "meta/understand/plan.h"

namespace souk::understand {

// Of one prefix; fewer when several share query::kMaxTerms.
inline constexpr size_t kMaxPrefixTerms = 100;

// The words as terms with their weights, slots and phrases of the plan's request. A prefix becomes the most frequent
// terms of the lexicon that begin so, and where none does the word without its star; more than fit are warned of. Looks
// at the frequency of every term with the prefix: about 1 ms for a million.
void plan_words(const QueryText& text, uint32_t min_match, const index::Dictionary& dictionary, Plan& plan);

}  // namespace souk::understand
