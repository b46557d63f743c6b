#include "springs/problem/problem_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_judge.hpp"
#include "cases/study_units.hpp"
#include "springs/problem/drive_problem.hpp"

namespace counterpoise {
namespace {

/// The straight line through the tensions of a spring whose law is not straight where it is
/// shortest and longest. Limits and metrics read tensions only there, and its loads are among the
/// bare ones.
TensionLaw law_at_ends(const Spring& spring, const AffineLoads::SpringShape& shape) {
  const double least = tension_of(spring, shape.shortest);
  const double most = tension_of(spring, shape.longest);
  const double way = shape.longest - shape.shortest;
  TensionLaw law;
  law.rate = way > 0.0 ? (most - least) / way : 0.0;
  law.offset = least - law.rate * shape.shortest;
  law.ends = {least, most};
  return law;
}

}  // namespace

double SizingGoal::value(std::span<const double> objectives) const {
  double value = -no_limit;
  for (const Part& part : largest)
    value = std::max(value, part.weight * (objectives[part.objective] - part.reference));
  return value;
}

ProblemWriter::ProblemWriter(const Study& study, const SpringRoles& roles, Interruption interrupted)
    : study_(study),
      roles_(roles),
      interrupted_(std::move(interrupted)),
      design_(study),
      laws_(study, roles),
      values_(study.metric_scope.names().size(), 0.0),
      shares_(shares_of_motions(study)) {
  for (const Objective& objective : study.objectives) {
    objectives_.emplace_back();
    if (!objective.expression || study.cost_of_drives(*objective.expression)) continue;
    objectives_.back().emplace(*objective.expression, study, roles);
    note_parameters(*objective.expression);
  }
  for (const Constraint& constraint : study.constraints) {
    auto& both = constraints_.emplace_back();
    if (study.cost_in(constraint.expression)) continue;  // left to the search for drives
    if (std::isfinite(constraint.max)) both[0].emplace(constraint.expression, study, roles);
    if (std::isfinite(constraint.min)) both[1].emplace(constraint.expression, study, roles, true);
    note_parameters(constraint.expression);
  }
  judged_with_springs_ = roles.inner_parameters;
  for (const std::vector<int>* variables : {&roles.sized, &roles.chosen})
    for (const int v : *variables)
      for (const int p : study.reach[v].design.bounds) judged_with_springs_[p] = true;
  require_possible_ranges();
  static_cast<void>(SpringUnknowns(study, roles, laws_.structure()));  // refuses products
}

/// Checks both ends of every sized range, with everything else in the middle.
void ProblemWriter::require_possible_ranges() {
  std::vector<double> middle;
  for (const Variable& variable : study_.variables)
    middle.push_back(variable.discrete() ? 0.0 : variable.low + (variable.high - variable.low) / 2);
  design_.set_point(middle);
  if (design_.bind() && design_.refused_by(-1)->all_beyond_bounds().empty())
    return;  // not the springs' fault; cases say so
  for (const int v : roles_.sized) {
    const Variable& variable = study_.variables[v];
    for (const double end : {variable.low, variable.high}) {
      std::vector<double> point = middle;
      point[v] = end;
      design_.set_point(point);
      const auto reason = design_.bind();
      // bounds of parameters are limits of the problem
      if (reason && design_.refused_by(-1)->all_beyond_bounds().empty())
        throw InputError(variable.where, fmt::format("the range of {} ends at {:.6g}, where {}",
                                                     variable.name, end, *reason));
    }
  }
}

void ProblemWriter::note_parameters(const Expression& expression) {
  for (const int used : expression.used())
    if (used < study_.metric_offset() && roles_.inner_parameters[used] &&
        std::find(read_parameters_.begin(), read_parameters_.end(), used) == read_parameters_.end())
      read_parameters_.push_back(used);
}

void ProblemWriter::set_baselines(const Baselines& baselines) {
  const Baselines::Pair& pair = baselines.pairs.front();
  const auto fill = [&](int offset, const CaseOutcome& outcome, bool springs) {
    if (!outcome.computable) return;
    for (std::size_t i = 0; i < study_.metrics.size(); ++i)
      if (springs || study_.metrics[i].of != MetricOf::spring)
        values_[static_cast<std::size_t>(offset) + i] =
            value_of(outcome.metrics, study_.metrics[i]);
  };
  fill(study_.baseline_offset(), pair.baseline, true);
  fill(study_.without_springs_offset(), pair.without_springs, false);
}

/// Sets the values that expressions read and springs do not change: parameters, and lengths and
/// clearances of springs.
void ProblemWriter::set_values(const Geometry& geometry) {
  std::copy(geometry.parameters.begin(), geometry.parameters.end(), values_.begin());
  constexpr auto min_length = static_cast<int>(SpringStatistic::min_length);
  constexpr auto max_length = static_cast<int>(SpringStatistic::max_length);
  constexpr auto clearance = static_cast<int>(SpringStatistic::clearance);
  for (std::size_t i = 0; i < study_.metrics.size(); ++i) {
    const MetricName& metric = study_.metrics[i];
    if (metric.of != MetricOf::spring ||
        (metric.statistic != min_length && metric.statistic != max_length &&
         metric.statistic != clearance))
      continue;
    const auto spring = static_cast<std::size_t>(metric.element);
    const bool least = metric.statistic != max_length;
    double value = least ? no_limit : -no_limit;
    for (const AffineLoads& motion : *geometry.loads) {
      const AffineLoads::SpringShape& shape = motion.springs[spring];
      if (metric.statistic == clearance)
        value = std::min(value, shape.least_distance - shape.radius);
      else
        value = least ? std::min(value, shape.shortest) : std::max(value, shape.longest);
    }
    values_[static_cast<std::size_t>(study_.metric_offset()) + i] = value;
  }
}

MetricForm ProblemWriter::form_of_objective(int index) const {
  const auto at = static_cast<std::size_t>(index);
  if (minimises_drives(study_, index)) return {MetricSum{}};  // left to the search for drives
  return objectives_[at] ? objectives_[at]->form(values_.data())
                         : form_of(study_, study_.objectives[at]);
}

/// Binds the design of the current point with all motions. If there is no such design, the engine
/// says so when the optimum is evaluated.
void ProblemWriter::bind() {
  design_.set_point(point_);
  static_cast<void>(design_.bind());
  for (std::size_t m = 0; m < study_.motions.size(); ++m) static_cast<void>(design_.bind_motion(m));
}

/// The springs of all motions at the current point.
DesignSprings ProblemWriter::springs() {
  bind();
  DesignSprings found;
  for (std::size_t m = 0; m < study_.motions.size(); ++m)
    found.push_back(design_.mechanism(m).springs);
  return found;
}

/// Whether a parameter or a bound of it follows from a variable that chooses springs.
bool ProblemWriter::follows_choice(std::size_t parameter) const {
  return std::any_of(roles_.chosen.begin(), roles_.chosen.end(), [&](int v) -> bool {
    return study_.reach[v].design.changes_parameter_or_bounds(parameter);
  });
}

/// The bounds of parameters that sized variables change, of the design that all motions share that
/// set no parameters, and of each motion that does. Those that are not affine in the sized
/// variables are named beside the problem.
std::vector<ParameterBound> ProblemWriter::parameter_bounds(WrittenProblem& out) const {
  const Model& model = *study_.model;
  std::vector<ParameterBound> found;
  for (const std::size_t m : study_.motions_by_design()) {
    const bool plain = study_.motions[m].settings.empty();
    for (std::size_t p = 0; p < model.parameters.size(); ++p)
      for (const bool upper : {false, true}) {
        const Parameter& parameter = model.parameters[p];
        const std::optional<Number>& bound = upper ? parameter.max : parameter.min;
        if (!bound) continue;
        const AffineValue value = laws_.parameter(m, p);
        const AffineValue limit =
            bound->fixed() ? AffineAnalysis::constant(bound->value)
                           : laws_.analysis().scaled(
                                 laws_.expression(m, static_cast<std::size_t>(bound->expression)),
                                 parameter.unit.times, parameter.unit.over);
        if (!value.varies && !limit.varies) continue;
        ParameterBound& own = found.emplace_back();
        own.words.name = fmt::format("{} of parameter {}{}", upper ? "max" : "min", parameter.name,
                                     plain ? "" : " in motion " + study_.motions[m].name);
        own.words.unit = si_unit(parameter.unit);
        own.words.at_least = !upper;
        if (value.refusal || limit.refusal || follows_choice(p)) {
          out.beside.push_back(own.words.name);
          found.pop_back();
          continue;
        }
        const double sign = upper ? 1.0 : -1.0;
        own.beyond.constant = sign * (value.number.constant - limit.number.constant);
        own.beyond.slopes.assign(roles_.sized.size(), 0.0);
        for (std::size_t i = 0; i < own.beyond.slopes.size(); ++i) {
          if (value.varies) own.beyond.slopes[i] += sign * value.number.slopes[i];
          if (limit.varies) own.beyond.slopes[i] -= sign * limit.number.slopes[i];
        }
        if (!limit.varies) own.bound = limit.number.constant;
        double most = own.beyond.constant;
        for (std::size_t i = 0; i < own.beyond.slopes.size(); ++i) {
          const Variable& variable = study_.variables[roles_.sized[i]];
          const double slope = own.beyond.slopes[i];
          most += std::max(slope * variable.low, slope * variable.high);
        }
        own.kept_by_ranges = most <= slack_of(own.bound, own.beyond.constant);
      }
  }
  return found;
}

void ProblemWriter::add_unknowns(WrittenProblem& out) const {
  const auto variable_of = [&](std::size_t i) -> const Variable& {
    return study_.variables[roles_.sized[i]];
  };
  for (std::size_t i = 0; i < roles_.sized.size(); ++i) {
    const Variable& variable = variable_of(i);
    const int rate = unknowns_->all()[i].rate;
    out.rates.push_back(rate);
    if (rate < 0) {
      out.add_unknown(variable.name, variable.low, variable.high);
      continue;
    }
    const Variable& by = variable_of(static_cast<std::size_t>(rate));
    const auto [low, high] = std::minmax({variable.low * by.low, variable.low * by.high,
                                          variable.high * by.low, variable.high * by.high});
    out.add_unknown(by.name + " * " + variable.name, low, high);
  }
}

std::vector<ConvexLimit> ProblemWriter::limits_of_any_spring() {
  WrittenProblem out;
  std::vector<ParameterBound> limits = parameter_bounds(out);
  const auto affine = laws_.of(design_);
  for (std::size_t m = 0; m < affine.size(); ++m)
    for (std::size_t s = 0; s < affine[m].size(); ++s) {
      const auto not_negative = [&](AffineNumber number) {
        if (number.fixed()) return;
        number.constant = -number.constant;
        for (double& slope : number.slopes) slope = -slope;
        limits.push_back({{}, std::move(number)});
      };
      not_negative(affine[m][s].rate);
      if (motions_[m].mechanism->springs[s].type != SpringType::torsion)
        not_negative(affine[m][s].free_length);
    }
  for (ParameterBound& limit : limits) limit.kept_by_ranges = false;
  out = {};
  out.problem.lower.resize(unknowns_->count());
  bound_parameters(limits, *unknowns_, out);
  return std::move(out.problem.limits);
}

void ProblemWriter::write(const Geometry& geometry, const SizingGoal& goal, WrittenProblem& out) {
  set_values(geometry);
  point_ = geometry.point;
  bind();
  const auto affine = laws_.of(design_);
  unknowns_.emplace(study_, roles_, affine);

  out = {};
  add_unknowns(out);
  motions_.clear();
  for (std::size_t m = 0; m < study_.motions.size(); ++m) {
    motions_.push_back(
        {&(*geometry.loads)[m], geometry.mechanisms[m], shares_[m], {}, geometry.masses[m]});
    for (std::size_t s = 0; s < affine[m].size(); ++s) {
      const Spring& spring = motions_[m].mechanism->springs[s];
      motions_[m].laws.push_back(!spring.is_straight()
                                     ? law_at_ends(spring, (*geometry.loads)[m].springs[s])
                                     : unknowns_->law_of(affine[m][s]));
    }
  }
  bound_products(study_, roles_, *unknowns_, out);
  for (std::size_t m = 0; m < motions_.size(); ++m)
    limit_springs(study_, roles_, *unknowns_, motions_[m], affine[m], m, out);
  const std::vector<ParameterBound> bounds = parameter_bounds(out);
  for (std::string& name : bound_parameters(bounds, *unknowns_, out))
    out.beside.push_back(std::move(name));
  lengths_ = idle_lengths(study_, roles_, *unknowns_, motions_, affine, bounds, out.conflict);

  SizingProblem builder(study_, motions_, out);
  set_parameters(builder);
  if (!roles_.chosen.empty()) add_stock_to(out, builder);
  for (const ChoiceGroup& group : out.stock.options)
    if (group.options.empty()) return;  // nothing to choose from
  add_forms(goal, builder);
}

/// A parameter that forms read is the unknown of its own variable. Parameters that chosen variables
/// set follow when the levels are known.
void ProblemWriter::set_parameters(SizingProblem& builder) const {
  for (const int parameter : read_parameters_) {
    bool sized = false;
    for (std::size_t i = 0; i < roles_.sized.size(); ++i) {
      const Variable& variable = study_.variables[roles_.sized[i]];
      const VariableTarget& target = variable.targets.front();
      if (target.parameter != parameter || target.expression || unknowns_->all()[i].rate >= 0)
        continue;
      builder.set_parameter(parameter, static_cast<int>(i));
      sized = true;
    }
    const bool chosen =
        roles_.sized.empty() || std::any_of(roles_.chosen.begin(), roles_.chosen.end(), [&](int v) {
          const auto& targets = study_.variables[v].targets;
          return std::any_of(targets.begin(), targets.end(), [&](const VariableTarget& target) {
            return target.parameter == parameter;
          });
        });
    if (!sized && !chosen)
      refuse_parameter(parameter,
                       "follows from sized springs or masses in a way that is not linear; what "
                       "may stand here is a variable that is a mass or, of a spring that is sized, "
                       "its rate or initial tension, a free length only where its rate is fixed: "
                       "limit it by its range");
    const auto follows = [&](int v) -> bool {
      const Reach& reach = study_.reach[v].design;
      return reach.parameters[parameter];
    };
    if (std::count_if(roles_.chosen.begin(), roles_.chosen.end(), follows) > 1)
      refuse_parameter(parameter,
                       "follows from more than one variable that chooses springs; an exact search "
                       "needs parameters that each follow from one, and sums of these may stand "
                       "here");
  }
}

void ProblemWriter::refuse_parameter(int parameter, const char* why) const {
  const auto reads = [&](const Expression& expression) {
    const auto used = expression.used();
    return std::find(used.begin(), used.end(), parameter) != used.end();
  };
  const std::string message =
      fmt::format("uses {}, which {}", study_.model->parameters[parameter].name, why);
  for (const Objective& objective : study_.objectives)
    if (objective.expression && reads(*objective.expression))
      throw InputError(objective.where, message);
  for (const Constraint& constraint : study_.constraints)
    if (reads(constraint.expression)) throw InputError(constraint.where, message);
  throw InputError(study_.search()->where, message);
}

StockLevel ProblemWriter::level_at(int variable, int level) {
  interrupted_.poll();
  double& coordinate = point_[variable];
  const double before = coordinate;
  coordinate = level;
  StockLevel at{springs(), {}};
  at.parameters.assign(design_.parameters().begin(), design_.parameters().end());
  coordinate = before;
  return at;
}

std::string ProblemWriter::fault_of(int variable, int level, const std::vector<double>& point) {
  point_ = point;
  return fault_of_level(study_, roles_, variable, level_at(variable, level));
}

void ProblemWriter::choose_possible(std::vector<double>& point) {
  for (const int v : roles_.chosen) {
    const auto at = static_cast<std::size_t>(v);
    const auto count = static_cast<int>(study_.variables[at].level_count());
    int level = 0;
    while (level < count && !fault_of(v, level, point).empty()) ++level;
    if (level < count) point[at] = level;
  }
}

std::string ProblemWriter::broken_constraint() const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& constraint = study_.constraints[i];
    const auto varies = [](const auto& side) { return side && side->varies(); };
    if (varies(constraints_[i][0]) || varies(constraints_[i][1])) continue;
    const std::span<const int> used = constraint.expression.used();
    if (std::any_of(used.begin(), used.end(), [&](int value) {
          return value >= study_.metric_offset() && value < study_.baseline_offset();
        }))
      continue;
    if (!holds(constraint, values_.data())) return constraint.name;
  }
  return {};
}

void ProblemWriter::add_stock_to(WrittenProblem& out, SizingProblem& builder) {
  std::vector<std::pair<int, int>> unknown_of_parameter;
  add_stock(
      study_, roles_, read_parameters_,
      [this](int variable, int level) { return level_at(variable, level); }, motions_, out,
      unknown_of_parameter);
  for (const auto& [parameter, unknown] : unknown_of_parameter)
    builder.set_parameter(parameter, unknown);
}

void ProblemWriter::add_forms(const SizingGoal& goal, SizingProblem& builder) const {
  for (const SizingGoal::Part& part : goal.largest) {
    MetricForm form = form_of_objective(part.objective);
    for (MetricSum& sum : form) {
      sum.constant = part.weight * (sum.constant - part.reference);
      for (auto* terms : {&sum.metrics, &sum.parameters})
        for (MetricSum::Term& term : *terms) term.weight *= part.weight;
    }
    builder.add_to_objective(form);
  }
  for (const SizingGoal::Bound& bound : goal.bounds) {
    const Objective& own = study_.objectives[bound.objective];
    builder.limit({fmt::format("{} at most {:.6g}", own.name, bound.most), unit_of(study_, own),
                   false, LimitWords::Bound::own},
                  form_of_objective(bound.objective), bound.most);
  }
  for (std::size_t i = 0; i < study_.constraints.size(); ++i) {
    const Constraint& constraint = study_.constraints[i];
    // what springs do not change is for the engine to judge
    const auto& [above, below] = constraints_[i];
    const auto words = [&](const char* relation, double bound, bool at_least) {
      LimitWords of{fmt::format("constraint {} {} {:.6g}", constraint.name, relation, bound), "",
                    at_least, LimitWords::Bound::own};
      of.constraint = static_cast<int>(i);
      return of;
    };
    if (above && above->varies())
      builder.limit(words("at most", constraint.max, false), above->form(values_.data()),
                    constraint.max);
    if (below && below->varies())
      builder.limit(words("at least", constraint.min, true), below->form(values_.data()),
                    -constraint.min);
  }
  builder.limit_actuators();
}

}  // namespace counterpoise
