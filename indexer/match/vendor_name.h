// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace souk::match {

// A vendor's name as it is compared: folded words without legal forms ("ООО", "Inc"). No words: it names nobody ("no
// name", "нет бренда", a country).
struct VendorName {
  std::vector<std::string> words;
  std::string joined;    // the words in one: "tplink"
  std::string initials;  // of two words or more: "hp"
  std::string sound;     // consonants in Latin letters, to compare Самсунг with Samsung
  bool is_cyrillic = false;
};
VendorName vendor_name(std::string_view vendor);

// Whether the two cannot be one maker. They can when one names nobody, when they are equal but for blanks and signs,
// when the words of one stand in the other, when one begins with the other (3 letters or more), when one is the other's
// initials, or when one is Cyrillic, the other is not and both sound alike.
bool obviously_differ(const VendorName& a, const VendorName& b);

}  // namespace souk::match
