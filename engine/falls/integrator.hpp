#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace counterpoise {

/// Integrates y' = f(t, y) by SUNDIALS' ERKStep: the explicit Runge-Kutta pair of Fehlberg of
/// orders 8 and 7 with thirteen stages and steps chosen by its error estimate.
class Integrator {
 public:
  /// Sets `slope` to f(t, y); returns false where y has no slope, and the step is made smaller.
  using Slope = std::function<bool(double t, std::span<const double> y, std::span<double> slope)>;

  /// `absolute` holds the absolute tolerance of each entry.
  Integrator(Slope slope, double t, std::span<const double> y, double relative,
             std::span<const double> absolute);

  /// Goes on from another state of the same size; the size of the step is kept.
  void reset(double t, std::span<const double> y);
  /// Takes one step, which ends at `limit` at the latest. Returns false if it cannot.
  bool step(double limit);
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] std::span<const double> y() const;
  /// How often the slope was asked for.
  [[nodiscard]] long evaluations() const;

 private:
  struct Impl;
  struct Delete {
    void operator()(Impl* impl) const;
  };
  std::unique_ptr<Impl, Delete> impl_;
  double time_ = 0.0;
};

}  // namespace counterpoise
