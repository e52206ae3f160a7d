// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/exchange_rate.h"

namespace souk::config {

std::optional<int64_t> ExchangeRate::convert(int64_t hundredths) const {
  // At most 10^15 x 10^18, which is below 2^110.
  __extension__ using Wide = unsigned __int128;
  const Wide converted = (Wide{static_cast<uint64_t>(hundredths)} * billionths_ + kOne / 2) / kOne;
  if (converted > static_cast<uint64_t>(kMaxAmount)) return std::nullopt;
  return static_cast<int64_t>(converted);
}

}  // namespace souk::config
