#pragma once

#include <chrono>
#include <ctime>

namespace counterpoise {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// CPU time that this thread, or the whole process, has used [s]. Unlike wall-clock time it does
/// not grow while another process runs on the processor.
inline double cpu_seconds(clockid_t of) {
  timespec now{};
  clock_gettime(of, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline double thread_seconds() {
  return cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
}
inline double process_seconds() {
  return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/// The time that a thread worked [s].
struct WorkTime {
  double wall = 0.0, cpu = 0.0;

  /// CPU time per wall-clock time: the factor that converts wall-clock readings to CPU time.
  [[nodiscard]] double cpu_share() const { return wall > 0.0 ? cpu / wall : 1.0; }

  WorkTime& operator+=(const WorkTime& other) {
    wall += other.wall;
    cpu += other.cpu;
    return *this;
  }
};

/// Measures the time of the thread that creates it. Only that thread may read it.
class WorkMeter {
 public:
  [[nodiscard]] WorkTime passed() const { return {seconds_since(begun_), thread_seconds() - cpu_}; }

 private:
  Clock::time_point begun_ = Clock::now();
  double cpu_ = thread_seconds();
};

}  // namespace counterpoise
