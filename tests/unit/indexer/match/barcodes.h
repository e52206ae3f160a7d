// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace souk::match {

inline constexpr const char* kPen = "4006381333931";
inline constexpr const char* kCpu = "0735858149778";

}  // namespace souk::match
