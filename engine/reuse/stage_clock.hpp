#pragma once

#include <chrono>

#include "engine/reuse/stage.hpp"

namespace counterpoise {

/// Adds up the time that each of several kinds of work takes, in two accounts. A reading costs a
/// few nanoseconds: it counts the processor's own ticks where these exist and finds out at the end
/// how long one is.
template <class Kind, std::size_t kinds>
class TickClock {
 public:
  TickClock() : begun_(Clock::now()), first_tick_(tick()) {}

  /// What follows is of the account of work that is counted apart from the rest, or of the other.
  void count_apart(bool apart) { account_ = apart ? 1 : 0; }
  /// Starts to time what follows.
  void start() { last_ = tick(); }
  /// Adds the time since the last reading to this kind.
  void stop(Kind kind) {
    const std::uint64_t now = tick();
    ticks_[account_][static_cast<std::size_t>(kind)] += now - last_;
    last_ = now;
  }

  [[nodiscard]] double seconds(Kind kind, bool apart) const {
    const std::chrono::duration<double> passed = Clock::now() - begun_;
    const auto all = static_cast<double>(tick() - first_tick_);
    const auto own = static_cast<double>(ticks_[apart ? 1 : 0][static_cast<std::size_t>(kind)]);
    return all > 0.0 ? passed.count() * own / all : 0.0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::uint64_t tick() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
#endif
  }

  Clock::time_point begun_;
  std::uint64_t first_tick_;
  std::uint64_t last_ = 0;
  std::size_t account_ = 0;
  std::array<std::array<std::uint64_t, kinds>, 2> ticks_{};
};
using StageClock = TickClock<Stage, stage_count>;

}  // namespace counterpoise
