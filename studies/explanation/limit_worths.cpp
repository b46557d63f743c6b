#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "studies/explanation/possible_ends.hpp"
#include "studies/explanation/spring_optimum.hpp"

namespace counterpoise {
namespace {

constexpr double nothing = 1e-9;     // relative to the objective: a worth that is none
constexpr double same_limit = 1e-9;  // relative, of limits that say the same

/// " of lift_spring in motion reach" names a spring of the mechanism: whether it turns a joint.
bool of_torsion_spring(const Study& study, const std::string& name) {
  const auto& springs = study.model->nominal.springs;
  return std::any_of(springs.begin(), springs.end(), [&](const Spring& spring) {
    const std::string of = " of " + spring.name;
    return spring.type == SpringType::torsion &&
           (name.ends_with(of) || name.find(of + " in motion ") != std::string::npos);
  });
}

std::string unit_of_limit(const Study& study, const ConvexLimit& limit) {
  if (limit.unit == "m" && of_torsion_spring(study, limit.name)) return "rad";
  if (limit.unit == "N" && of_torsion_spring(study, limit.name)) return "N*m";
  const Mechanism& mechanism = study.model->nominal;
  for (const Actuator& actuator : mechanism.actuators) {
    const std::string name = "max_load of actuator " + actuator.name;
    if (limit.name == name || limit.name.starts_with(name + " "))
      return load_unit(mechanism, actuator);
  }
  for (const Objective& objective : study.objectives)
    if (limit.name.starts_with(objective.name + " at most ")) return unit_of(study, objective);
  return limit.unit;
}

/// Limits on what springs do: names as ConvexLimit has them.
bool loosened_by_less(const std::string& name) {
  return name.starts_with("min_length of ") || name.find(" at least ") != std::string::npos;
}

/// Constraints and bounds of objectives, whose own number the problem keeps as the bound.
bool has_bound(const std::string& name) {
  return name.find(" at most ") != std::string::npos ||
         name.find(" at least ") != std::string::npos;
}

bool near(double a, double b, double size) {
  return std::abs(a - b) <= same_limit * size;
}

/// Whether two limits are one: the same sum and the same bound.
bool alike(const ConvexLimit& a, const ConvexLimit& b) {
  const auto terms_alike = [](const auto& some, const auto& others) {
    return some.size() == others.size() &&
           std::equal(some.begin(), some.end(), others.begin(),
                      [](const ConvexSum::Term& one, const ConvexSum::Term& other) {
                        return one.index == other.index &&
                               near(one.weight, other.weight, std::abs(one.weight));
                      });
  };
  return a.times == b.times && a.unit == b.unit && near(a.bound, b.bound, std::abs(a.bound)) &&
         near(a.sum.constant, b.sum.constant, std::abs(a.sum.constant)) &&
         terms_alike(a.sum.linear, b.sum.linear) && terms_alike(a.sum.norms, b.sum.norms);
}

/// Limits that are loosened together: of one name, or alike.
struct LimitGroup {
  std::vector<std::string> names;
  std::vector<std::size_t> limits;
};

std::vector<LimitGroup> groups_of(const std::vector<ConvexLimit>& limits,
                                  const std::vector<std::size_t>& which) {
  std::vector<LimitGroup> groups;
  for (const std::size_t l : which) {
    const auto belongs = [&](const LimitGroup& group) {
      return std::find(group.names.begin(), group.names.end(), limits[l].name) !=
                 group.names.end() ||
             std::any_of(group.limits.begin(), group.limits.end(),
                         [&](std::size_t other) { return alike(limits[l], limits[other]); });
    };
    const auto at = std::find_if(groups.begin(), groups.end(), belongs);
    LimitGroup& group = at != groups.end() ? *at : groups.emplace_back();
    group.limits.push_back(l);
    if (std::find(group.names.begin(), group.names.end(), limits[l].name) == group.names.end())
      group.names.push_back(limits[l].name);
  }
  return groups;
}

/// What bounds of variables are worth, from bounds and limits of the unknowns that stand for them.
class BoundWorths {
 public:
  BoundWorths(const Study& study, const SpringRoles& roles, const WrittenProblem& written,
              const Certificate& certificate, const std::vector<double>& x)
      : study_(study),
        roles_(roles),
        problem_(written.problem),
        certificate_(certificate),
        x_(x),
        rates_(roles.sized.size(), -1),
        worths_(roles.sized.size()) {
    for (std::size_t i = 0; i < rates_.size(); ++i) rates_[i] = rate_of(i);
    for (std::size_t i = 0; i < rates_.size(); ++i) add_slope(i);
  }

  /// Takes a limit that stands for the bound of a free length; false for any other.
  bool take(std::size_t limit) {
    const ConvexLimit& own = problem_.limits[limit];
    for (std::size_t i = 0; i < rates_.size(); ++i)
      for (const bool upper : {false, true}) {
        if (rates_[i] < 0 || own.name != product_limit(variable(i), upper)) continue;
        worth(i, upper) += certificate_.limits[limit] * x_[static_cast<std::size_t>(rates_[i])];
        return true;
      }
    return false;
  }

  /// At bounds that are worth anything, in the order of the variables.
  [[nodiscard]] std::vector<LimitWorth> all() const {
    std::vector<LimitWorth> found;
    for (std::size_t i = 0; i < worths_.size(); ++i)
      for (const bool upper : {false, true}) {
        const double per_unit = upper ? worths_[i].upper : worths_[i].lower;
        const Variable& own = variable(i);
        const double bound = upper ? own.high : own.low;
        const std::string unit = unit_of(study_, own);
        const double size = bound != 0.0 ? bound : own.high - own.low;
        found.push_back({bound_name(study_, own, upper, bound), !upper, bound, unit, per_unit,
                         small_step(unit, size), roles_.sized[i]});
      }
    return found;
  }

 private:
  struct Worth {
    double lower = 0.0, upper = 0.0;
  };

  [[nodiscard]] const Variable& variable(std::size_t sized) const {
    return study_.variables[static_cast<std::size_t>(roles_.sized[sized])];
  }
  double& worth(std::size_t sized, bool upper) {
    return upper ? worths_[sized].upper : worths_[sized].lower;
  }
  static std::string product_limit(const Variable& variable, bool upper) {
    return upper ? fmt::format("{} at most {:.6g}", variable.name, variable.high)
                 : fmt::format("{} at least {:.6g}", variable.name, variable.low);
  }
  /// Of an unknown that is a product: the unknown of its rate, which its name tells; else -1.
  [[nodiscard]] int rate_of(std::size_t sized) const {
    for (std::size_t r = 0; r < roles_.sized.size(); ++r)
      if (problem_.names[sized] == variable(r).name + " * " + variable(sized).name)
        return static_cast<int>(r);
    return -1;
  }

  /// Slopes are > 0 at a lower bound and < 0 at an upper one.
  void add_slope(std::size_t i) {
    const double slope = certificate_.slopes[i];
    const bool upper = slope < 0.0;
    const double bound = upper ? problem_.upper[i] : problem_.lower[i];
    const Variable& own = variable(i);
    const std::string unit = rates_[i] < 0 ? unit_of(study_, own) : "N";
    const double near = near_end(unit, problem_.lower[i], problem_.upper[i], bound);
    if (slope == 0.0 || std::abs(x_[i] - bound) > near) return;
    if (rates_[i] < 0) {
      worth(i, upper) += std::abs(slope);
      return;
    }
    // bound = length * rate at one end of each
    const auto r = static_cast<std::size_t>(rates_[i]);
    const Variable& rate = variable(r);
    const double length = upper ? own.high : own.low;
    const bool upper_rate = (length > 0.0) == upper;
    const double factor = upper_rate ? rate.high : rate.low;
    worth(i, upper) += std::abs(slope) * factor;
    worth(r, upper_rate) += std::abs(slope * length);
  }

  const Study& study_;
  const SpringRoles& roles_;
  const ConvexProblem& problem_;
  const Certificate& certificate_;
  const std::vector<double>& x_;
  std::vector<int> rates_;     // per sized variable
  std::vector<Worth> worths_;  // likewise
};

}  // namespace

double small_step(const std::string& unit, double size) {
  constexpr double largest_part = 0.1;  // of the limit itself
  size = std::abs(size);
  double step = 0.0;
  if (unit == "m") step = 1e-3;
  if (unit == "N" || unit == "N*m") step = 1.0;
  if (unit == "N/m") step = 100.0;
  if (unit == "rad") step = std::numbers::pi / 180.0;
  const bool fits = step > 0.0 && (size == 0.0 || step <= largest_part * size);
  return fits ? step : size > 0.0 ? 0.01 * size : 1.0;
}

std::vector<LimitWorth> limit_worths(const Study& study, const SpringRoles& roles,
                                     const WrittenProblem& written, const Certificate& certificate,
                                     const std::vector<double>& x) {
  const ConvexProblem& problem = written.problem;
  BoundWorths bounds(study, roles, written, certificate, x);
  std::vector<std::size_t> own;  // limits that are no bounds of variables
  for (std::size_t l = 0; l < problem.limits.size(); ++l)
    if (!bounds.take(l)) own.push_back(l);
  std::vector<LimitWorth> worths;
  for (const LimitGroup& group : groups_of(problem.limits, own)) {
    const ConvexLimit& first = problem.limits[group.limits.front()];
    LimitWorth worth;
    worth.name = fmt::format("{}", fmt::join(group.names, " and "));
    worth.less = loosened_by_less(first.name);
    worth.unit = unit_of_limit(study, first);
    if (has_bound(first.name)) worth.bound = worth.less ? -first.bound : first.bound;
    const bool has_size = has_bound(first.name) || first.name.starts_with("max_load of ");
    worth.step = small_step(worth.unit, has_size ? first.bound : 0.0);
    for (const std::size_t l : group.limits) {
      const int times = problem.limits[l].times;
      worth.per_unit +=
          certificate.limits[l] * (times < 0 ? 1.0 : x[static_cast<std::size_t>(times)]);
    }
    worths.push_back(std::move(worth));
  }
  for (LimitWorth& worth : bounds.all()) worths.push_back(std::move(worth));
  const double size = std::abs(objective_of(problem, x)) +
                      std::abs(objective_of(problem, std::vector<double>(x.size(), 0.0)));
  std::erase_if(worths, [&](const LimitWorth& worth) {
    return worth.per_unit * worth.step <= nothing * size;
  });
  std::stable_sort(worths.begin(), worths.end(), [](const LimitWorth& a, const LimitWorth& b) {
    return a.per_unit * a.step > b.per_unit * b.step;
  });
  return worths;
}

}  // namespace counterpoise
