#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "studies/run.hpp"

namespace counterpoise {

/// Notes SIGINT and SIGTERM from now on, instead of ending. Returns the flag that they set.
const std::atomic<bool>& notice_interruptions();

/// A time that is left or has passed, as people say it: "42 s", "17 min", "5.3 h".
std::string time_text(double seconds);

/// Shows how far a run is, on stderr: a bar with rate and time left on a terminal, a line every ten
/// seconds elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  void show(const Progress& progress);
  /// Ends the bar's line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace counterpoise
