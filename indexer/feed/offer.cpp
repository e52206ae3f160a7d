// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/offer.h"

namespace souk::feed {

std::string_view to_string(Availability availability) {
  switch (availability) {
    case Availability::kInStock:
      return "in_stock";
    case Availability::kPreorder:
      return "preorder";
    case Availability::kBackorder:
      return "backorder";
    case Availability::kOutOfStock:
      break;
  }
  return "out_of_stock";
}

}  // namespace souk::feed
