// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "core/base/ids.h"
#include "runtime/net/http.h"

namespace souk::publish {

// Makes a built generation control's target; the same hash gives the same id again. Blocking.
Result<GenerationId> publish(const net::Endpoint& control, uint64_t content_hash, uint32_t shards);

// Waits until control says that the generation is active. kDeadlineExceeded, with what replicas complain of.
// waiting(text) is called once a second.
Status wait_until_active(const net::Endpoint& control, const GenerationId& id, std::chrono::seconds timeout,
                         const std::function<void(std::string_view)>& waiting);

// Removes built generations but for the last `kept` (by the time of their manifests) and those that are control's
// active and target: nothing can be rolled back further. What is not a generation's folder is left alone. Gives how
// many went.
Result<size_t> remove_old_generations(const net::Endpoint& control, const std::string& folder, size_t kept);

}  // namespace souk::publish
