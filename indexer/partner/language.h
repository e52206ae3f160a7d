// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace souk::partner {

enum class Language : uint8_t { kRussian, kEnglish };

std::string_view to_string(Language language);  // "ru", "en"
std::optional<Language> parse_language(std::string_view name);

// The better liked of the two by a browser's Accept-Language; Russian when it names neither.
Language accepted_language(std::string_view header);

}  // namespace souk::partner
