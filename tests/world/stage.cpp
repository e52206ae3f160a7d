// SPDX-License-Identifier: Apache-2.0
#include "tests/world/stage.h"

namespace souk::world {

void Stage::run(boost::asio::awaitable<void> work) {
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr error) { thrown = error; });
  drive();
  if (thrown) std::rethrow_exception(thrown);
}

void Stage::drive() {
  constexpr std::chrono::milliseconds kLook{1};
  io.restart();
  while (!io.stopped()) {
    if (io.poll() > 0) continue;
    if (const auto at = transport.wake_at(); at && *at > clock.now() && *at != SteadyTime::max()) {
      clock.advance(std::chrono::ceil<std::chrono::milliseconds>(*at - clock.now()));
    }
    io.run_one_for(kLook);  // pool threads are at work, or somebody looks at the clock
  }
}

}  // namespace souk::world
