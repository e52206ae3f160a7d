// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "meta/understand/parameters.h"
#include "runtime/config/market.h"

namespace souk::understand {

// The place that the request is for; null when it names none. kInvalidArgument naming `place` when the market has no
// such place.
Result<const config::Place*> place_of(const Parameters& parameters, const config::Market& market);

// What the place says where the request says nothing: sort, group, page size. (Facets and what always holds there are
// the plan's.) kInvalidArgument for an unknown place, a sort that it does not have, and pages that become too deep.
Status apply_place(const config::Market& market, Parameters& parameters);

}  // namespace souk::understand
