#pragma once

#include <chrono>
#include <ctime>

namespace counterpoise::bench {

/// Time since it was made [s]: by the clock on the wall, and of the processor in all threads.
class Stopwatch {
 public:
  [[nodiscard]] double wall() const { return wall_now() - wall_; }
  [[nodiscard]] double cpu() const { return cpu_now() - cpu_; }

 private:
  static double wall_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  }
  static double cpu_now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double wall_ = wall_now();
  double cpu_ = cpu_now();
};

}  // namespace counterpoise::bench
