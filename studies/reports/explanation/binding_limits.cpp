#include "studies/reports/explanation/binding_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_outcome.hpp"
#include "cases/study_units.hpp"
#include "engine/mechanism/spring_law.hpp"
#include "springs/possible_ends.hpp"

namespace counterpoise {
namespace {

class Finder {
 public:
  explicit Finder(const Study& study) : study_(study) {}

  /// `size`: of the numbers around, besides value and bound.
  void at_least(const std::string& name, double value, double bound, double size,
                const std::string& unit) {
    note(name, value, bound, bound - value, size, unit);
  }
  void at_most(const std::string& name, double value, double bound, double size,
               const std::string& unit) {
    note(name, value, bound, value - bound, size, unit);
  }

  void look_at_springs(const ComparedMotion& motion) {
    const std::string in = in_motion(study_, motion.motion);
    for (const Spring& spring : motion.robot.design.mechanism.springs) {
      const bool torsion = spring.type == SpringType::torsion;
      const auto& lengths = column_of(motion.robot.run, length_column(spring));
      const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
      const std::string of = " of " + spring.name + in;
      const char* unit = torsion ? "rad" : "m";
      at_least("min_length" + of, *least, spring.min_length, *most, unit);
      at_most("max_length" + of, *most, spring.max_length, *most, unit);
      const double tension = largest(column_of(motion.robot.run, tension_column(spring)));
      at_most("max_load" + of, tension, spring.max_load, tension, torsion ? "N*m" : "N");
      look_at_sense(motion, spring, of);
    }
  }

  /// What a spring keeps that only pulls or only pushes; sized springs have these limits by the
  /// same names.
  void look_at_sense(const ComparedMotion& motion, const Spring& spring, const std::string& of) {
    const ActingLimits limits = acting_limits(spring);
    const auto& tensions = column_of(motion.robot.run, tension_column(spring));
    const auto& lengths = column_of(motion.robot.run, length_column(spring));
    const auto [least, most] = std::minmax_element(tensions.begin(), tensions.end());
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    const double size = largest(tensions);
    at_least("tension (acts: pull)" + of, *least, limits.min_tension, size, "N");
    at_most("tension (acts: push)" + of, *most, limits.max_tension, size, "N");
    at_least("free_length (acts: pull)" + of, *shortest, limits.min_length, *longest, "m");
    at_most("free_length (acts: push)" + of, *longest, limits.max_length, *longest, "m");
  }

  void look_at_actuators(const ComparedMotion& motion) {
    const std::string in = in_motion(study_, motion.motion);
    const Mechanism& mechanism = motion.robot.design.mechanism;
    for (const Actuator& actuator : mechanism.actuators) {
      const auto column = [&](const char* what) -> const std::vector<double>& {
        return column_of(motion.robot.run, actuator.name + what);
      };
      const std::string force = load_unit(mechanism, actuator);
      const std::string unit = force == "N" ? "m" : "rad";
      const auto& position = column(".position");
      const auto [least, most] = std::minmax_element(position.begin(), position.end());
      const double far = std::max(std::abs(*least), std::abs(*most));
      const std::string of = " of actuator " + actuator.name + in;
      at_least("min_position" + of, *least, actuator.min_position, far, unit);
      at_most("max_position" + of, *most, actuator.max_position, far, unit);
      const double speed = largest(column(".velocity"));
      at_most("max_speed" + of, speed, actuator.max_speed, speed, unit + "/s");
      const double load = largest(column(".load"));
      // one limit of all motions, which sizing names with each
      at_most("max_load of actuator " + actuator.name, load, actuator.max_load, load, force);
    }
  }

  void look_at_constraints(const ExplainedCase& of) {
    const std::vector<double> values = values_of(of);
    for (const Constraint& constraint : study_.constraints) {
      const double value = constraint.expression.evaluate(values.data());
      const std::string name = "constraint " + constraint.name;
      at_least(fmt::format("{} at least {:.6g}", name, constraint.min), value, constraint.min,
               std::abs(value), "");
      at_most(fmt::format("{} at most {:.6g}", name, constraint.max), value, constraint.max,
              std::abs(value), "");
    }
  }

  void look_at_variables(std::span<const double> point) {
    PossibleEnds possible(study_);
    for (std::size_t v = 0; v < study_.variables.size(); ++v) {
      const Variable& variable = study_.variables[v];
      if (!variable.numeric()) continue;
      double low = variable.low, high = variable.high, value = point[v];
      if (variable.discrete()) {
        const auto [least, most] =
            std::minmax_element(variable.values.begin(), variable.values.end());
        low = *least;
        high = *most;
        value = variable.values[static_cast<std::size_t>(point[v])];
      }
      if (!(low < high)) continue;  // no choice
      const std::string unit = unit_of(study_, variable);
      for (const bool upper : {false, true}) {
        const double end = upper ? high : low;
        if (std::abs(value - end) > near_end(unit, low, high, end)) continue;
        found.push_back({bound_name(study_, variable, upper, end), value, end, unit, false,
                         possible.beyond(point, v, upper)});
      }
    }
  }

  std::vector<BindingLimit> found;

 private:
  static double largest(const std::vector<double>& values) {
    double size = 0.0;
    for (const double value : values) size = std::max(size, std::abs(value));
    return size;
  }

  void note(const std::string& name, double value, double bound, double excess, double size,
            const std::string& unit) {
    if (!std::isfinite(bound)) return;
    size = std::max({std::abs(bound), std::abs(value), std::abs(size)});
    if (excess < -binding_closeness * size) return;
    const auto known = std::find_if(found.begin(), found.end(),
                                    [&](const BindingLimit& other) { return other.name == name; });
    if (known != found.end()) return;
    const double slack = limit_slack * (bound == 0.0 ? 1.0 : std::abs(bound));
    found.push_back({name, value, bound, unit, excess > slack, {}});
  }

  /// The values that Study::metric_scope names.
  [[nodiscard]] std::vector<double> values_of(const ExplainedCase& of) const {
    std::vector<double> values(study_.metric_scope.names().size(), 0.0);
    std::copy(of.parameters.begin(), of.parameters.end(), values.begin());
    const auto fill = [&](int offset, const CaseOutcome& outcome, bool springs) {
      if (!outcome.computable) return;
      for (std::size_t i = 0; i < study_.metrics.size(); ++i)
        if (springs || study_.metrics[i].of != MetricOf::spring)
          values[static_cast<std::size_t>(offset) + i] =
              value_of(outcome.metrics, study_.metrics[i]);
    };
    fill(study_.metric_offset(), *of.outcome, true);
    fill(study_.baseline_offset(), of.baselines->baseline, true);
    fill(study_.without_springs_offset(), of.baselines->without_springs, false);
    return values;
  }

  const Study& study_;
};

}  // namespace

std::vector<BindingLimit> binding_limits(const Study& study,
                                         const std::vector<ComparedMotion>& motions,
                                         const ExplainedCase& of) {
  Finder finder(study);
  for (const ComparedMotion& motion : motions) finder.look_at_springs(motion);
  for (const ComparedMotion& motion : motions) finder.look_at_actuators(motion);
  finder.look_at_constraints(of);
  finder.look_at_variables(of.point);
  return std::move(finder.found);
}

}  // namespace counterpoise
