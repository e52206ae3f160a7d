// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace souk::offers {

// What makes paths of names one category.
std::string category_identity(std::span<const std::string> path);

}  // namespace souk::offers
