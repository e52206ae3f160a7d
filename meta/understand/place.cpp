// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace souk::understand {

Result<const config::Place*> place_of(const Parameters& parameters, const config::Market& market) {
  if (!parameters.place) return nullptr;
  const config::Place* place = market.find_place(*parameters.place);
  if (place == nullptr) return fail(ErrorCode::kInvalidArgument, "the market has no such place", "place");
  return place;
}

Status apply_place(const config::Market& market, Parameters& parameters) {
  const auto found = place_of(parameters, market);
  if (!found) return std::unexpected(found.error());
  if (*found == nullptr) return {};
  const config::Place& place = **found;
  const auto says = [&](const char* argument) { return parameters.given.contains(argument); };
  if (!says("sort")) {
    parameters.sort = sort_called(place.sort).value();
  } else if (!place.sorts.empty() && std::ranges::none_of(place.sorts, [&](const std::string& name) {
               return sort_called(name) == parameters.sort;
             })) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("must be one of {} here", fmt::join(place.sorts, ", ")),
                "sort");
  }
  if (!says("group")) parameters.group = group_called(place.group).value();
  if (!says("per_page")) parameters.per_page = place.per_page;
  return check_depth(parameters);
}

}  // namespace souk::understand
