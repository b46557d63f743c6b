#include "springs/mounts/deciding_loads.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr double alike_loads = 1e-9;

}  // namespace

DecidingLoads::DecidingLoads(const MountProblem& problem) : problem_(problem) {
  if (problem.unknowns() > 0) return;
  const std::size_t count = problem.springs().size();
  e_.resize(count);
  f_.resize(count);
  for (const MountProblem::LoadOfObjective& load : problem.loads_of_objective()) {
    if (load.origin.actuator < 0) continue;  // a tension
    Series& own = series_.emplace_back();
    own.load = load;
    const std::size_t samples = problem.samples(load.origin.motion);
    for (std::size_t k = 0; k < samples; ++k) {
      const int sample = static_cast<int>(k);
      own.fixed.push_back(problem.load_without_moving_springs(load.origin, sample)[0].middle());
      own.weights.push_back(load.weight_at(sample));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (problem.springs()[i].motion() != load.origin.motion) continue;
      const std::vector<int>& actuators = problem.springs()[i].actuators();
      const auto at = std::find(actuators.begin(), actuators.end(), load.origin.actuator);
      if (at != actuators.end())
        own.springs.push_back({i, static_cast<std::size_t>(at - actuators.begin())});
    }
  }
}

/// Computes e and f (see MovingSpring) of the springs that are different functions.
void DecidingLoads::find_functions(std::span<const Interval> place) {
  const MountFunctions& functions = problem_.functions();
  std::vector<Interval> z;
  for (std::size_t i = 0; i < problem_.springs().size(); ++i) {
    if (problem_.same_as(i) != i) continue;
    const MovingSpring& spring = problem_.springs()[i];
    const std::vector<SmoothNumber> parameters = functions.parameters(spring.motion(), place);
    z.clear();
    for (const MovingCoordinate& one : functions.moving(spring.motion(), spring.spring()))
      z.push_back(functions.position(one, parameters).value);
    const auto samples = static_cast<std::size_t>(spring.samples());
    e_[i].resize(spring.actuators().size());
    f_[i].resize(spring.actuators().size());
    for (std::size_t a = 0; a < spring.actuators().size(); ++a) {
      e_[i][a].resize(samples);
      f_[i][a].resize(samples);
      for (std::size_t k = 0; k < samples; ++k) {
        const MovingSpring::Line line = spring.line(static_cast<int>(k), z);
        const MovingSpring::Triple slope = spring.slope(static_cast<int>(k), a, z);
        f_[i][a][k] = MovingSpring::f({&line, 1}, {&slope, 1}).middle();
        e_[i][a][k] = f_[i][a][k] / line.length.middle();
      }
    }
  }
}

auto DecidingLoads::at(std::span<const double> place) -> Found {
  Found found;
  const std::vector<Interval> point(place.begin(), place.end());
  find_functions(point);
  for (const Series& own : series_) {
    values_ = own.fixed;
    for (const Series::OfSpring& of : own.springs) {
      const std::size_t same = problem_.same_as(of.spring);
      const TensionLaw& law = problem_.law_of(of.spring);
      const std::vector<double>& e = e_[same][of.actuator];
      const std::vector<double>& f = f_[same][of.actuator];
      for (std::size_t k = 0; k < values_.size(); ++k)
        values_[k] += law.offset * e[k] + law.rate * f[k];
    }
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const double value = own.load.constant + own.weights[k] * std::abs(values_[k]);
      if (!(value > found.value + alike_loads * std::abs(found.value)) &&
          std::isfinite(found.value))
        continue;
      if (!std::isfinite(value)) continue;
      found.value = value;
      found.name = MountProblem::name_of(own.load, static_cast<int>(k), values_[k] < 0.0);
    }
  }
  return found;
}

}  // namespace counterpoise
