#pragma once

#include <chrono>
#include <string>

#include "cli/output/host.hpp"
#include "studies/run.hpp"

namespace counterpoise {

/// A time that is left or has passed, as people say it: "42 s", "17 min", "5.3 h".
std::string time_text(double seconds);

/// Shows how far a run is, on stderr: on a terminal as a line with a bar, rate and time left,
/// which the next output replaces; elsewhere as a new line every ten seconds. With a host,
/// progress goes to it instead.
class ProgressLine {
 public:
  ProgressLine();
  void show(const Progress& progress);

 private:
  void say(const std::string& line) const;

  using Clock = std::chrono::steady_clock;
  Host* host_;  // of the thread that made this object
  bool terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace counterpoise
