#pragma once

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <functional>
#include <span>
#include <vector>

namespace counterpoise {

/// Integrates y' = f(t, y) by Boost.odeint: the explicit Runge-Kutta pair of Fehlberg of orders 8
/// and 7 with thirteen stages and steps chosen by its error estimate.
class Integrator {
 public:
  /// Sets `slope` to f(t, y); returns false where y has no slope, and the step is made smaller.
  using Slope = std::function<bool(double t, std::span<const double> y, std::span<double> slope)>;

  /// `absolute` holds the absolute tolerance of each entry.
  Integrator(Slope slope, double t, std::vector<double> y, double relative,
             std::vector<double> absolute);

  /// Goes on from another state of the same size; the size of the step is kept.
  void reset(double t, std::span<const double> y);
  /// Takes one step, which ends at `limit` at the latest. Returns false if it cannot.
  bool step(double limit);
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] std::span<const double> y() const { return y_; }

 private:
  using State = std::vector<double>;
  /// Says how large an estimated error is; a step is taken if it is at most 1.
  struct ErrorNorm {
    double relative;
    std::vector<double> absolute;

    template <typename Algebra>
    double error(const Algebra& /*algebra*/, const State& y, const State& /*slope*/,
                 const State& errors, double /*step*/) const {
      return largest(y, errors);
    }
    /// The largest error of an entry relative to its tolerance; infinite if one is NaN.
    [[nodiscard]] double largest(const State& y, const State& errors) const;
  };
  /// Changes the size of steps so that errors stay far below what would refuse a step, but above
  /// rounding, which shorter steps would not make smaller.
  struct StepAdjuster : boost::numeric::odeint::default_step_adjuster<double, double> {
    double most_margin;  // by how much errors may be below the tolerance

    StepAdjuster(double relative, std::size_t entries);
    [[nodiscard]] double decrease_step(double step, double error, int order) const;
    [[nodiscard]] double increase_step(double step, double error, int order) const;
  };
  using Pair = boost::numeric::odeint::runge_kutta_fehlberg78<State>;

  Slope slope_;
  boost::numeric::odeint::controlled_runge_kutta<Pair, ErrorNorm, StepAdjuster> stepper_;
  State y_;
  double time_;
  double step_;  // the size of the next step, if no limit ends it
};

}  // namespace counterpoise
