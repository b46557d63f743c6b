#include "engine/falls/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace counterpoise {
namespace {

/// Small enough that no stage of it is far from the beginning; the next steps grow fast.
constexpr double first_step = 1e-6;
/// A step is refused if its error is beyond this part of the tolerance: the errors of steps add up.
constexpr double refused = 1.0 / 3.0;
/// By how much smaller errors are aimed at. A refused step becomes about a third of the longest one
/// that would be taken, and steps grow up to a quarter of that: few are refused, and cubics between
/// the ends of steps, which tell speeds and gaps, stay near the motion.
constexpr double refusal_margin = 300.0, growth_margin = 20000.0;
/// The part of an entry below which its estimated error is rounding of slopes. In a chain with more
/// than `few` freedoms it grows about as the square of their number.
double rounding_of_slopes(std::size_t entries) {
  constexpr double rounding = 1e-15, few = 30.0;
  const double freedoms = 0.5 * static_cast<double>(entries);
  return rounding * std::max(1.0, (freedoms / few) * (freedoms / few));
}

/// Thrown through the stepper where a state has no slope.
struct NoSlope {};

}  // namespace

double Integrator::ErrorNorm::largest(const State& y, const State& errors) const {
  double found = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = std::abs(errors[i]) / (relative * std::abs(y[i]) + absolute[i]);
    if (std::isnan(error)) return std::numeric_limits<double>::infinity();
    found = std::max(found, error / refused);
  }
  return found;
}

Integrator::StepAdjuster::StepAdjuster(double relative, std::size_t entries)
    : most_margin(std::max(2.0, relative / rounding_of_slopes(entries))) {}

double Integrator::StepAdjuster::decrease_step(double step, double error, int order) const {
  return default_step_adjuster::decrease_step(step, std::min(refusal_margin, most_margin) * error,
                                              order);
}

double Integrator::StepAdjuster::increase_step(double step, double error, int order) const {
  return default_step_adjuster::increase_step(step, std::min(growth_margin, most_margin) * error,
                                              order);
}

Integrator::Integrator(Slope slope, double t, std::vector<double> y, double relative,
                       std::vector<double> absolute)
    : slope_(std::move(slope)),
      stepper_(ErrorNorm{relative, std::move(absolute)}, StepAdjuster(relative, y.size())),
      y_(std::move(y)),
      time_(t),
      step_(first_step) {}

void Integrator::reset(double t, std::span<const double> y) {
  y_.assign(y.begin(), y.end());
  time_ = t;
}

bool Integrator::step(double limit) {
  const auto system = [this](const State& y, State& slope, double t) {
    if (!slope_(t, y, slope)) throw NoSlope();
  };
  for (;;) {
    const double left = limit - time_;
    const bool shortened = left <= step_;
    double step = shortened ? left : step_;
    if (time_ + step == time_) return false;
    try {
      if (stepper_.try_step(system, y_, time_, step) == boost::numeric::odeint::success) {
        if (shortened) time_ = limit;
        step_ = shortened ? std::max(step, step_) : step;
        return true;
      }
    } catch (const NoSlope&) {
      step *= 0.25;
    }
    step_ = step;
  }
}

}  // namespace counterpoise
