#include "studies/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_outcome.hpp"
#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "engine/mechanism/elements.hpp"
#include "results/standing.hpp"
#include "springs/possible_ends.hpp"

namespace counterpoise {
namespace {

/// Leaves out limits for which the optimum gives a shadow price.
void leave_out_priced(const std::vector<ShadowPrice>& prices, std::vector<BindingLimit>& binding) {
  std::erase_if(binding, [&](const BindingLimit& limit) {
    return std::any_of(prices.begin(), prices.end(), [&](const ShadowPrice& price) {
      // a shadow price may go with several limits: "min_length of a and min_length of b"; one that
      // has a shadow price in some motion is not without one for being reached in another
      const std::string all = " and " + price.name + " and ";
      const std::string own = " and " + limit.name.substr(0, limit.name.find(" in motion "));
      return all.find(own + " and ") != std::string::npos ||
             all.find(own + " in motion ") != std::string::npos;
    });
  });
}

/// The largest |value| of the case and of the robots it is compared with.
std::vector<double> sizes_of_objectives(const ExplainedCase& of) {
  std::vector<double> sizes(of.outcome->objectives.size(), 0.0);
  for (const CaseOutcome* robot :
       {of.outcome, &of.baselines->baseline, &of.baselines->without_springs})
    for (std::size_t i = 0; robot->computable && i < sizes.size(); ++i)
      sizes[i] = std::max(sizes[i], std::abs(robot->objectives[i]));
  return sizes;
}

}  // namespace

Explanation explain(const Study& study, const ResultsFile& results, const CaseRow& row,
                    const std::vector<double>& point, const CaseOutcome& outcome,
                    CaseEvaluator& evaluator, const std::shared_ptr<const Baselines>& baselines) {
  const std::vector<double> parameters(evaluator.parameters().begin(),
                                       evaluator.parameters().end());
  std::size_t pair = 0;
  if (study.motion_variable >= 0) {
    const auto v = static_cast<std::size_t>(study.motion_variable);
    pair = static_cast<std::size_t>(study.variables[v].motions[point[v]]);
  }
  const ExplainedCase of{point, parameters, &outcome, &baselines->pairs[pair]};
  const std::vector<int> actuators = named_actuators(study);
  const auto motions = compared_motions(study, evaluator, point);

  Explanation explanation;
  explanation.objectives = outcome.objectives;
  explanation.objective_sizes = sizes_of_objectives(of);
  explanation.actuators = critical_instants(motions, actuators);
  explanation.binding = binding_limits(study, motions, of, binding_closeness);
  explanation.near = binding_limits(study, motions, of, Explanation::near_closeness);
  explanation.exact =
      study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
  explanation.optimum = reading(
      results, [&] { return spring_optimum(study, of, baselines, results.certificate(row.id)); });
  if (explanation.optimum)
    for (std::vector<BindingLimit>* limits : {&explanation.binding, &explanation.near})
      leave_out_priced(explanation.optimum->limits, *limits);
  explanation.standing = standing_of(study, results, row);
  explanation.side_effects = side_effects(motions, actuators);
  for (const ComparedMotion& motion : motions)
    if (motion.robot.design.motion.skips)
      explanation.unreached.push_back(unreached_poses(motion.motion, motion.robot.design.mechanism,
                                                      motion.robot.design.motion,
                                                      column_of(motion.robot.run, "t")));
  return explanation;
}

namespace {

class Finder {
 public:
  Finder(const Study& study, double closeness) : study_(study), closeness_(closeness) {}

  /// `size`: of the numbers around, besides value and bound.
  void at_least(const std::string& name, double value, double bound, double size,
                const std::string& unit) {
    note({name, value, bound, unit}, bound - value, size, size);
  }
  void at_most(const std::string& name, double value, double bound, double size,
               const std::string& unit) {
    note({name, value, bound, unit}, value - bound, size, size);
  }

  void look_at_springs(const ComparedMotion& motion) {
    const std::string in = in_motion(study_, motion.motion);
    for (const Spring& spring : motion.robot.design.mechanism.springs) {
      const bool angular = turns(motion.robot.design.mechanism, spring);
      const auto& lengths = column_of(motion.robot.run, length_column(spring));
      const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
      const std::string of = " of " + spring.name + in;
      const char* unit = angular ? "rad" : "m";
      at_least("min_length" + of, *least, spring.min_length, *most, unit);
      at_most("max_length" + of, *most, spring.max_length, *most, unit);
      const double tension = largest(column_of(motion.robot.run, tension_column(spring)));
      at_most("max_load" + of, tension, spring.max_load, tension, angular ? "N*m" : "N");
      if (!spring.clear_of.empty()) {
        const auto& clearances = column_of(motion.robot.run, spring.name + ".clearance");
        at_least("min_clearance" + of, *std::min_element(clearances.begin(), clearances.end()),
                 spring.min_clearance, *most, unit);
      }
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
      if (motion.robot.design.motion.inertia)
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
      const double term = constraint.expression.size_of_terms(values.data());
      const auto look = [&](const char* relation, double bound, double excess) {
        const std::string stem = fmt::format("constraint {} {}", constraint.name, relation);
        note(
            {fmt::format("{} {:.6g}", stem, bound), value, bound, constraint.unit, false, {}, stem},
            excess, std::abs(value), term);
      };
      look("at least", constraint.min, constraint.min - value);
      look("at most", constraint.max, value - constraint.max);
    }
  }

  /// Of the parameters that the study changes.
  void look_at_parameters(std::span<const double> values) {
    const Model& model = *study_.model;
    for (std::size_t p = 0; p < model.parameters.size(); ++p) {
      const bool varies =
          std::any_of(study_.reach.begin(), study_.reach.end(),
                      [&](const VariableReach& reach) { return reach.design.parameters[p]; });
      if (!varies) continue;
      const Parameter& parameter = model.parameters[p];
      const std::string unit(si_unit(parameter.unit));
      const auto look = [&](const std::optional<Number>& number, bool upper) {
        if (!number) return;
        const double given = evaluate(*number, model.expressions, values.data());
        const double bound = number->fixed() ? given : parameter.unit.to_si(given);
        if (is_end_of_variable(p, bound, upper)) return;
        const double value = values[p], size = std::abs(value);
        if (upper)
          at_most("max of parameter " + parameter.name, value, bound, size, unit);
        else
          at_least("min of parameter " + parameter.name, value, bound, size, unit);
      };
      look(parameter.min, false);
      look(parameter.max, true);
    }
  }

  /// Whether the range of a variable ends where its parameter's does, which is reported already.
  [[nodiscard]] bool is_end_of_variable(std::size_t parameter, double bound, bool upper) const {
    for (const Variable& variable : study_.variables)
      for (const VariableTarget& target : variable.targets)
        if (target.parameter == static_cast<int>(parameter) && !variable.discrete() &&
            sets_directly(variable, target) && bound == (upper ? variable.high : variable.low))
          return true;
    return false;
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
        value = variable.values[point[v]];
      }
      if (!(low < high)) continue;  // no choice
      const std::string unit = unit_of(study_, variable);
      for (const bool upper : {false, true}) {
        const double end = upper ? high : low;
        const double near = closeness_ / binding_closeness * near_end(unit, low, high, end);
        if (std::abs(value - end) > near) continue;
        found.push_back(
            {bound_name(study_, variable, upper, end), value, end, unit, false,
             possible.beyond(point, v, upper),
             fmt::format("{} at its {} bound", variable.name, upper ? "upper" : "lower"),
             largest_number(variable)});
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

  /// Notes a limit that is exceeded by so much, if that is not too little. `size`: as of
  /// at_least(). `term`: of the largest number that is added up to the value.
  void note(BindingLimit limit, double excess, double size, double term) {
    if (!std::isfinite(limit.bound)) return;
    const double slack = slack_of(limit.bound, term);
    size = std::max({std::abs(limit.bound), std::abs(limit.value), std::abs(size)});
    if (excess < -std::max(closeness_ * size, slack)) return;
    const auto known = std::find_if(found.begin(), found.end(), [&](const BindingLimit& other) {
      return other.name == limit.name;
    });
    if (known != found.end()) return;
    limit.broken = excess > slack;
    limit.size = std::max(size, std::abs(term));
    found.push_back(std::move(limit));
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
  double closeness_;
};

}  // namespace

std::vector<BindingLimit> binding_limits(const Study& study,
                                         const std::vector<ComparedMotion>& motions,
                                         const ExplainedCase& of, double closeness) {
  Finder finder(study, closeness);
  for (const ComparedMotion& motion : motions) finder.look_at_springs(motion);
  for (const ComparedMotion& motion : motions) finder.look_at_actuators(motion);
  finder.look_at_constraints(of);
  finder.look_at_parameters(of.parameters);
  finder.look_at_variables(of.point);
  return std::move(finder.found);
}

namespace {

/// Tells choices apart.
class Choice {
 public:
  Choice(const Study& study, const CaseRow& row)
      : study_(study), point_(point_of(study, row)), row_(row) {
    for (const Variable& variable : study.variables) {
      columns_.push_back(column_);
      column_ += variable.kind == VariableKind::catalogue ? 2 : 1;  // label and row
    }
  }

  /// The variables in which another case differs by more than rounding and a little.
  [[nodiscard]] std::vector<Standing::Difference> differences(const CaseRow& other) const {
    std::vector<Standing::Difference> found;
    const std::vector<double> point = point_of(study_, other);
    for (std::size_t v = 0; v < point_.size(); ++v) {
      const Variable& variable = study_.variables[v];
      const double least =
          variable.discrete() ? 0.0 : Standing::same_choice * (variable.high - variable.low);
      if (!(std::abs(point[v] - point_[v]) > least)) continue;
      std::size_t column = columns_[v];
      std::string name = variable.name;
      if (variable.kind == VariableKind::catalogue &&
          other.variables[column] == row_.variables[column]) {
        ++column;  // two rows with one label
        name += ".row";
      }
      found.push_back({name, row_.variables[column], other.variables[column]});
    }
    return found;
  }

 private:
  const Study& study_;
  std::vector<double> point_;
  const CaseRow& row_;
  std::vector<std::size_t> columns_;  // of each variable
  std::size_t column_ = 0;
};

}  // namespace

Standing standing_of(const Study& study, const ResultsFile& results, const CaseRow& row) {
  const Choice choice(study, row);
  CasePlace place = place_of(results, row, [&](const CaseRow& other) {
    return other.settled() && !choice.differences(other).empty();
  });
  Standing standing{place.rank, place.feasible, std::nullopt};
  if (place.next) {
    auto differences = choice.differences(place.next->row);
    standing.next = {std::move(place.next->row), place.next->rank, std::move(differences)};
  }
  return standing;
}

}  // namespace counterpoise
