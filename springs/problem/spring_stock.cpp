#include "springs/problem/spring_stock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/mechanism/elements.hpp"

namespace counterpoise {
namespace {

/// Says which of a spring's own limits the geometry breaks; empty if none.
std::string broken_limit(const Spring& spring, const AffineLoads::SpringShape& shape) {
  const SpringLaw law = law_of(spring);
  const double terms = size_of_tension(spring, shape.longest);
  const auto beyond = [](double value, double limit, double term) {
    return value > limit + slack_of(limit, term);
  };
  const double first = law.rate * shape.shortest + law.offset;
  const double last = law.rate * shape.longest + law.offset;
  const double least = std::min(first, last), greatest = std::max(first, last);
  if (beyond(-shape.shortest, -spring.min_length, shape.longest))
    return fmt::format("spring {} shorter than min_length ({:.6g} m against {:.6g} m)", spring.name,
                       shape.shortest, spring.min_length);
  if (beyond(shape.longest, spring.max_length, shape.longest))
    return fmt::format("spring {} longer than max_length ({:.6g} m against {:.6g} m)", spring.name,
                       shape.longest, spring.max_length);
  const double clearance = shape.least_distance - spring.radius;
  if (beyond(-clearance, -spring.min_clearance, shape.longest))
    return fmt::format(
        "spring {} nearer than min_clearance to an obstacle ({:.6g} m against {:.6g} m)",
        spring.name, clearance, spring.min_clearance);
  const double most = std::max(std::abs(first), std::abs(last));
  if (beyond(most, spring.max_load, terms))
    return fmt::format("spring {} above max_load ({:.6g} N against {:.6g} N)", spring.name, most,
                       spring.max_load);
  const ActingLimits acting = acting_limits(spring);
  if (beyond(-least, -acting.min_tension, terms))
    return fmt::format("spring {} would have to push (tension {:.6g} N)", spring.name, least);
  if (beyond(greatest, acting.max_tension, terms))
    return fmt::format("spring {} would have to pull (tension {:.6g} N)", spring.name, greatest);
  if (beyond(-shape.shortest, -acting.min_length, shape.longest))
    return fmt::format("spring {} shorter than free_length ({:.6g} m against {:.6g} m)",
                       spring.name, shape.shortest, acting.min_length);
  if (beyond(shape.longest, acting.max_length, shape.longest))
    return fmt::format("spring {} longer than free_length ({:.6g} m against {:.6g} m)", spring.name,
                       shape.longest, acting.max_length);
  if (lacks_direction(spring, shape.shortest, shape.meeting))
    return fmt::format("the ends of spring {} meet, where its tension of {:.6g} N has no direction",
                       spring.name, law.offset);
  return {};
}

/// Says which of the parameters that follow from a variable a level puts beyond its bounds; empty
/// if none. Bounds that depend on other parameters, and parameters that follow from sized springs
/// too, are left to the engine.
std::string beyond_bounds(const Study& study, const SpringRoles& roles, int variable,
                          const std::vector<double>& values) {
  const auto follows = [&](int v, std::size_t p) -> bool {
    return study.reach[v].design.parameters[p];
  };
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (!follows(variable, p) ||
        std::any_of(roles.sized.begin(), roles.sized.end(), [&](int v) { return follows(v, p); }))
      continue;
    const Parameter& parameter = study.model->parameters[p];
    const std::string& name = parameter.name;
    const double value = values[p];
    if (!std::isfinite(value)) return fmt::format("parameter {} is {}", name, value);
    const auto beyond = [](double excess, double bound) { return excess > slack_of(bound, 0.0); };
    if (parameter.min && parameter.min->fixed() &&
        beyond(parameter.min->value - value, parameter.min->value))
      return fmt::format("parameter {} below its min ({:.6g} against {:.6g})", name, value,
                         parameter.min->value);
    if (parameter.max && parameter.max->fixed() &&
        beyond(value - parameter.max->value, parameter.max->value))
      return fmt::format("parameter {} above its max ({:.6g} against {:.6g})", name, value,
                         parameter.max->value);
  }
  return {};
}

/// One chosen variable: its levels at this geometry, and the laws they give.
class GroupMaker {
 public:
  GroupMaker(const Study& study, const SpringRoles& roles, int variable,
             std::vector<MotionLoads>& motions)
      : study_(study), roles_(roles), springs_(roles.springs[variable]), motions_(motions) {
    group_.variable = variable;
    for (const MotionLoads& motion : motions)
      for (const int s : springs_) note_sense(motion, static_cast<std::size_t>(s));
  }

  void take(int level, StockLevel at) {
    if (std::string reason = fault_of_level(study_, roles_, group_.variable, at); !reason.empty()) {
      refuse(level, std::move(reason));
      return;
    }
    note_custom(at);
    for (std::size_t m = 0; m < motions_.size(); ++m)
      for (const int s : springs_) {
        const auto spring = static_cast<std::size_t>(s);
        std::string reason =
            broken_limit(at.springs[m][spring], motions_[m].loads->springs[spring]);
        if (reason.empty()) continue;
        if (study_.motions.size() > 1) reason += " in motion " + study_.motions[m].name;
        refuse(level, std::move(reason));
        return;
      }
    group_.levels.push_back(level);
    levels_.push_back(std::move(at));
  }

  /// The unknowns of the laws; springs whose laws are the same at every level share theirs.
  void add_laws(WrittenProblem& out, ChoiceGroup& choice) {
    choice.options.resize(levels_.size());
    std::map<std::vector<double>, int> known;  // first unknown of a law, by its values
    for (std::size_t m = 0; m < motions_.size(); ++m)
      for (const int s : springs_) {
        const auto spring = static_cast<std::size_t>(s);
        std::vector<double> values;
        for (const StockLevel& level : levels_) {
          const SpringLaw law = law_of(level.springs[m][spring]);
          values.push_back(law.rate);
          values.push_back(law.offset);
        }
        const auto [at, fresh] = known.try_emplace(values, static_cast<int>(out.names.size()));
        if (fresh) {
          group_.custom.unknown = known.size() == 1 ? at->second : -1;
          const std::string& name = motions_[m].mechanism->springs[spring].name;
          add_unknown(name + " rate", values, 0, 2, out, choice);
          add_unknown(name + " offset", values, 1, 2, out, choice);
        }
        motions_[m].laws[spring] = {0.0, 0.0, {{at->second, 0.0, 1.0}, {at->second + 1, 1.0, 0.0}}};
      }
  }

  int add_parameter(int parameter, WrittenProblem& out, ChoiceGroup& choice) {
    std::vector<double> values;
    for (const StockLevel& level : levels_) values.push_back(level.parameters[parameter]);
    const auto unknown = static_cast<int>(out.names.size());
    add_unknown(study_.model->parameters[parameter].name, values, 0, 1, out, choice);
    return unknown;
  }

  [[nodiscard]] StockGroup& group() { return group_; }

 private:
  void refuse(int level, std::string reason) {
    group_.refused.push_back(level);
    group_.reasons.push_back(std::move(reason));
  }

  /// What every spring in this place has to keep, made to order or not.
  void note_sense(const MotionLoads& motion, std::size_t s) {
    const Spring& spring = motion.mechanism->springs[s];
    const AffineLoads::SpringShape& shape = motion.loads->springs[s];
    const bool pulls = spring.acts == SpringActs::pull;
    if (!pulls && spring.acts != SpringActs::push) return;
    CustomSpring& custom = group_.custom;
    for (const double length : {shape.shortest, shape.longest})
      custom.senses.push_back({length, pulls ? 1.0 : -1.0});
    if (spring.type == SpringType::gas) return;
    if (pulls)
      custom.most_free = std::min(custom.most_free, shape.shortest);
    else
      custom.least_free = std::max(custom.least_free, shape.longest);
  }

  /// Widens what a spring made to order could be by one row.
  void note_custom(const StockLevel& level) {
    CustomSpring& custom = group_.custom;
    const auto widen = [](std::array<double, 2>& range, double value) {
      range = {std::min(range[0], value), std::max(range[1], value)};
    };
    for (std::size_t m = 0; m < motions_.size(); ++m)
      for (const int s : springs_) {
        const Spring& spring = level.springs[m][s];
        const AffineLoads::SpringShape& shape = motions_[m].loads->springs[s];
        widen(custom.rate, spring.rate);
        widen(custom.free_length, spring.free_length);
        widen(custom.initial_tension, spring.initial_tension);
        custom.max_load = std::max(custom.max_load, spring.max_load);
        custom.coils_close = custom.coils_close && spring.min_length == spring.free_length;
        custom.shortest = std::min(custom.shortest, shape.shortest);
        custom.longest = std::max(custom.longest, shape.longest);
      }
  }

  static void add_unknown(const std::string& name, const std::vector<double>& values,
                          std::size_t first, std::size_t step, WrittenProblem& out,
                          ChoiceGroup& choice) {
    choice.unknowns.push_back(static_cast<int>(out.names.size()));
    double low = values[first], high = values[first];
    for (std::size_t i = 0; i < choice.options.size(); ++i) {
      const double value = values[first + i * step];
      choice.options[i].push_back(value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    out.add_unknown(name, low, high);
  }

  const Study& study_;
  const SpringRoles& roles_;
  const std::vector<int>& springs_;
  std::vector<MotionLoads>& motions_;
  StockGroup group_;
  std::vector<StockLevel> levels_;  // of the options
};

}  // namespace

std::string fault_of_level(const Study& study, const SpringRoles& roles, int variable,
                           const StockLevel& level) {
  for (const std::vector<Spring>& of_motion : level.springs)
    for (const int s : roles.springs[variable]) {
      Mechanism alone;
      alone.springs.push_back(of_motion[s]);
      if (auto reason = find_impossible_number(alone)) return *reason;
    }
  return beyond_bounds(study, roles, variable, level.parameters);
}

void add_stock(const Study& study, const SpringRoles& roles,
               const std::vector<int>& read_parameters, const StockLevelAt& level_at,
               std::vector<MotionLoads>& motions, WrittenProblem& out,
               std::vector<std::pair<int, int>>& unknown_of_parameter) {
  for (const int variable : roles.chosen) {
    GroupMaker maker(study, roles, variable, motions);
    const auto count = static_cast<int>(study.variables[variable].level_count());
    for (int level = 0; level < count; ++level) maker.take(level, level_at(variable, level));
    ChoiceGroup choice;
    if (!maker.group().levels.empty()) {
      maker.add_laws(out, choice);
      const std::vector<bool>& follows = study.reach[variable].design.parameters;
      for (const int parameter : read_parameters)
        if (follows[parameter])
          unknown_of_parameter.emplace_back(parameter, maker.add_parameter(parameter, out, choice));
    }
    out.stock.groups.push_back(std::move(maker.group()));
    out.stock.options.push_back(std::move(choice));
  }
}

}  // namespace counterpoise
