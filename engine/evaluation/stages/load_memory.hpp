#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/evaluation/stages/load_metrics.hpp"
#include "engine/reuse/stale_units.hpp"

namespace counterpoise {

/// Remembers the last few metrics of one actuator and what they were made from: bare loads, and
/// shapes and laws of the springs that load it.
class LoadMemory {
 public:
  explicit LoadMemory(std::size_t springs)
      : width_(1 + 3 * springs), key_(width_), keys_(width_ * remembered), metrics_(remembered) {}

  void forget() { std::fill(keys_.begin(), keys_.end(), 0); }

  // These set what the metrics asked for next depend on.
  void set_bare(Stamp bare) { key_[0] = bare; }
  void set_spring(std::size_t i, Stamp shape, double rate, double offset) {
    key_[1 + 3 * i] = shape;
    std::memcpy(&key_[2 + 3 * i], &rate, sizeof rate);
    std::memcpy(&key_[3 + 3 * i], &offset, sizeof offset);
  }

  /// The metrics last remembered or recalled.
  [[nodiscard]] const ActuatorMetrics& latest() const { return metrics_[latest_]; }

  /// Returns the metrics remembered for what was set, or null.
  [[nodiscard]] const ActuatorMetrics* recall() {
    for (std::size_t i = 0; i < remembered; ++i) {
      const std::size_t at = (latest_ + i) % remembered;
      if (!std::equal(key_.begin(), key_.end(), keys_.begin() + offset_of(at))) continue;
      latest_ = at;
      return &metrics_[at];
    }
    return nullptr;
  }

  void remember(const ActuatorMetrics& metrics) {
    latest_ = next_;
    next_ = (next_ + 1) % remembered;
    std::copy(key_.begin(), key_.end(), keys_.begin() + offset_of(latest_));
    metrics_[latest_] = metrics;
  }

 private:
  static constexpr std::size_t remembered = remembered_loads;

  [[nodiscard]] std::ptrdiff_t offset_of(std::size_t entry) const {
    return static_cast<std::ptrdiff_t>(entry * width_);
  }

  std::size_t width_;
  std::vector<Stamp> key_;
  std::vector<Stamp> keys_;  // one key after the other; a bare stamp of 0 marks an empty one
  std::vector<ActuatorMetrics> metrics_;
  std::size_t latest_ = 0, next_ = 0;
};

}  // namespace counterpoise
