#include "springs/spring_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/study_units.hpp"
#include "input/text/stored_json.hpp"
#include "springs/possible_ends.hpp"
#include "springs/problem/drive_problem.hpp"
#include "springs/problem/problem_writer.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/proof/certificate_text.hpp"

namespace counterpoise {
namespace {

constexpr double same_value = 1e-7;   // relative, of a case with the optimum at its geometry
constexpr double held = 1e-6;         // relative, of objectives that a goal holds back alike
constexpr double least_named = 1e-6;  // of weight that is worth naming

double value_of_part(const SizingGoal::Part& part, const CaseOutcome& outcome) {
  return part.weight * (outcome.objectives[at(part.objective)] - part.reference);
}

std::vector<SpringOptimum::Least> least_of(const SizingGoal& goal, const CaseOutcome& outcome) {
  const double value = goal.value(outcome.objectives);
  std::vector<SpringOptimum::Least> least;
  for (const SizingGoal::Part& part : goal.largest)
    if (value_of_part(part, outcome) >= value - held * std::abs(value))
      least.push_back({part.objective, 1.0 / part.weight});
  return least;
}

/// The weight of each norm in the goal that is minimised.
std::vector<double> weights_in_objective(const ConvexProblem& problem,
                                         const Certificate& certificate) {
  std::vector<double> weights(problem.norms.size(), 0.0);
  for (std::size_t i = 0; i < problem.objective.size(); ++i)
    for (const ConvexSum::Term& term : problem.objective[i].norms)
      weights[at(term.index)] += certificate.pieces[i] * term.weight;
  return weights;
}

std::vector<MetricHold::Instant> instants_of(const Study& study, const WrittenProblem& written,
                                             const Certificate& certificate, std::size_t norm) {
  std::vector<MetricHold::Instant> instants;
  double sum = 0.0;
  const SeriesNorm& own = written.problem.norms[norm];
  if (own.kind != NormKind::max) return instants;
  for (const Certificate::Witness& witness : certificate.witnesses) {
    if (witness.norm != static_cast<int>(norm)) continue;
    const SeriesNorm::Part& part = own.parts[at(witness.part)];
    const SeriesOrigin& origin = written.origins[at(part.series)];
    if (origin.actuator < 0) continue;  // a tension: no sample of the motion
    const double size = part.weights.empty() ? 1.0 : part.weights[at(witness.sample)];
    const double step = study.motions[origin.motion].motion.nominal.step;
    instants.push_back({origin.motion, witness.sample * step, std::abs(witness.weight) / size});
    sum += instants.back().share;
  }
  for (MetricHold::Instant& instant : instants) instant.share /= sum;
  std::erase_if(instants, [](const auto& instant) { return instant.share < least_named; });
  std::stable_sort(instants.begin(), instants.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return instants;
}

std::vector<MetricHold> holds_of(const Study& study, const WrittenProblem& written,
                                 const Certificate& certificate, const std::vector<double>& x) {
  const ConvexProblem& problem = written.problem;
  const std::vector<double> weights = weights_in_objective(problem, certificate);
  std::vector<MetricHold> holds;
  double sum = 0.0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    if (weights[n] <= 0.0 || written.norm_metrics[n] < 0) continue;
    const double share = weights[n] * value_of(problem, problem.norms[n], x);
    holds.push_back({written.norm_metrics[n], share, instants_of(study, written, certificate, n)});
    sum += share;
  }
  if (!(sum > 0.0)) return {};
  for (MetricHold& hold : holds) hold.share /= sum;
  std::erase_if(holds, [](const MetricHold& hold) { return hold.share < least_named; });
  std::stable_sort(holds.begin(), holds.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return holds;
}

/// The optimum of one case: its certificate read again, or made again, or what the sizer has just
/// found.
class Explainer {
 public:
  Explainer(const Study& study, const ExplainedCase& of, const SpringRoles& roles,
            SpringSizer& sizer)
      : study_(study), of_(of), roles_(roles), sizer_(sizer) {
    for (const int v : roles_.outer) outer_.push_back(of.point[at(v)]);
  }

  std::optional<SpringOptimum> read(const CertificateRow& stored) {
    const JsonValue text =
        parse_json(stored.text, fmt::format("certificate of case {}", stored.id));
    goal_ = goal_in(text, study_);
    CaseOutcome outcome;
    if (!sizer_.write(outer_, goal_, outcome)) return std::nullopt;
    begin(stored.bound);
    optimum_.stored = true;
    if (const JsonValue* choice = text.find("choice")) {
      optimum_.combinations = count_in(*choice, "combinations");
      size_beside_choice();
    } else {
      const StoredCertificate own = certificate_in(text, sizer_.written());
      add(own.certificate, own.x);
    }
    return std::move(optimum_);
  }

  std::optional<SpringOptimum> solve_again() {
    SizedCase sized;
    sizer_.size(outer_, goal_, sized);
    return of_sized(goal_, sized);
  }

  std::optional<SpringOptimum> of_sized(const SizingGoal& goal, const SizedCase& sized) {
    goal_ = goal;
    if (!sized.solved) return std::nullopt;
    if (sized.drives) {
      if (sized.drives->open > 0) return std::nullopt;
      begin(sized.drives->value);
      optimum_.no_shadow_prices = minimises_drives(study_, goal_.largest.front().objective)
                                      ? "what drives cost falls in steps"
                                      : "drives decide which springs are best";
      return std::move(optimum_);
    }
    const bool chosen = !roles_.chosen.empty();
    begin(chosen ? sized.choice.best.front().value : sized.solution.certificate.bound);
    if (chosen) optimum_.combinations = sized.choice.combinations;
    if (!reaches(optimum_.bound)) {
      optimum_.no_shadow_prices = "other springs are better at this geometry";
    } else if (chosen) {
      size_beside_choice();
    } else {
      add(sized.solution.certificate, sized.solution.x);
    }
    return std::move(optimum_);
  }

 private:
  void begin(double bound) {
    optimum_.value = goal_.value(of_.outcome->objectives);
    optimum_.bound = bound;
    optimum_.sized = roles_.words();
    optimum_.size = std::max(std::abs(optimum_.value), size_without_springs());
    optimum_.least = least_of(goal_, *of_.outcome);
    optimum_.largest_of = goal_.largest.size() > 1;
  }

  /// The size of the terms that are added up, because an optimum may be zero.
  [[nodiscard]] double size_without_springs() const {
    const ConvexProblem& problem = sizer_.written().problem;
    const std::vector<double> nothing(problem.lower.size(), 0.0);
    double size = 0.0;
    for (const ConvexSum& piece : problem.objective)
      size = std::max(size, std::abs(value_of(problem, piece, nothing)));
    return size;
  }

  [[nodiscard]] bool reaches(double value) const {
    const double size = std::max(std::abs(value), size_without_springs());
    return std::abs(optimum_.value - value) <= same_value * size;
  }

  void add(const Certificate& certificate, const std::vector<double>& x) {
    const WrittenProblem& written = sizer_.written();
    optimum_.limits = shadow_prices(study_, roles_, written, certificate, x);
    PossibleEnds possible(study_);
    std::erase_if(optimum_.limits, [&](const ShadowPrice& price) {
      return price.variable >= 0 &&
             !possible.beyond(of_.point, static_cast<std::size_t>(price.variable), !price.less)
                  .empty();
    });
    // nothing holds up a perfect balance
    if (optimum_.largest_of || !optimum_.is_rounding(optimum_.value))
      optimum_.held_by = holds_of(study_, written, certificate, x);
  }

  /// Multipliers of the springs that are sized beside this case's own choice from catalogues.
  void size_beside_choice() {
    if (roles_.sized.empty()) {
      optimum_.no_shadow_prices = "springs are chosen, none is sized";
      return;
    }
    ConvexProblem problem = sizer_.written().problem;
    const Stock& stock = sizer_.written().stock;
    for (std::size_t g = 0; g < stock.groups.size(); ++g) {
      const auto& levels = stock.groups[g].levels;
      const auto level = static_cast<int>(of_.point[at(stock.groups[g].variable)]);
      const auto found = std::find(levels.begin(), levels.end(), level);
      if (found == levels.end()) {
        optimum_.no_shadow_prices = "its choice of springs does not fit";
        return;
      }
      const ChoiceGroup& options = stock.options[g];
      const auto& values = options.options[found - levels.begin()];
      for (std::size_t i = 0; i < values.size(); ++i)
        problem.lower[at(options.unknowns[i])] = problem.upper[at(options.unknowns[i])] = values[i];
    }
    const ConvexSolution solution = solve(problem);
    if (solution.status != ConvexSolution::Status::optimal || !reaches(solution.value))
      optimum_.no_shadow_prices = "other springs are better at this geometry";
    else
      add(solution.certificate, solution.x);
  }

  const Study& study_;
  const ExplainedCase& of_;
  const SpringRoles& roles_;
  SpringSizer& sizer_;
  std::vector<double> outer_;
  SizingGoal goal_;
  SpringOptimum optimum_;
};

}  // namespace

std::optional<SpringOptimum> spring_optimum(const Study& study, const ExplainedCase& of,
                                            const std::shared_ptr<const Baselines>& baselines,
                                            const std::optional<CertificateRow>& stored) {
  const Search* search = study.search();
  if (search == nullptr || search->method != SearchMethod::exact_springs) return std::nullopt;
  const SpringRoles roles = find_spring_roles(study);
  SpringSizer sizer(study, roles);
  sizer.set_baselines(baselines);
  Explainer explainer(study, of, roles, sizer);
  if (stored) return explainer.read(*stored);
  // only the certificate of a case of a trade-off says for what goal it was sized
  return search->trade_off ? std::nullopt : explainer.solve_again();
}

std::optional<SpringOptimum> optimum_of(const Study& study, const SpringRoles& roles,
                                        SpringSizer& sizer, const SizingGoal& goal,
                                        const SizedCase& sized) {
  if (!sized.outcome.computable) return std::nullopt;
  const ExplainedCase of{.point = sized.point, .parameters = {}, .outcome = &sized.outcome};
  return Explainer(study, of, roles, sizer).of_sized(goal, sized);
}

namespace {

constexpr double nothing =
    1e-9;  // relative to the objective: a shadow price below this is rounding
constexpr double same_limit = 1e-9;  // relative, of limits that say the same

bool near(double a, double b, double size) {
  return std::abs(a - b) <= same_limit * size;
}

/// Whether two limits are one: the same sum and the same bound.
bool alike(const WrittenProblem& written, std::size_t i, std::size_t j) {
  const ConvexLimit &a = written.problem.limits[i], &b = written.problem.limits[j];
  const LimitWords &of_a = written.limits[i], &of_b = written.limits[j];
  const auto terms_alike = [](const auto& some, const auto& others) {
    return some.size() == others.size() &&
           std::equal(some.begin(), some.end(), others.begin(),
                      [](const ConvexSum::Term& one, const ConvexSum::Term& other) {
                        return one.index == other.index &&
                               near(one.weight, other.weight, std::abs(one.weight));
                      });
  };
  return of_a.times == of_b.times && of_a.unit == of_b.unit &&
         near(a.bound, b.bound, std::abs(a.bound)) &&
         near(a.sum.constant, b.sum.constant, std::abs(a.sum.constant)) &&
         terms_alike(a.sum.linear, b.sum.linear) && terms_alike(a.sum.norms, b.sum.norms);
}

/// Limits that are loosened together, because they have one name or are alike.
struct LimitGroup {
  std::vector<std::string> names;
  std::vector<std::size_t> limits;
};

/// Shadow prices of limits that are not bounds of variables.
std::vector<LimitGroup> groups_of(const WrittenProblem& written) {
  std::vector<LimitGroup> groups;
  for (std::size_t l = 0; l < written.limits.size(); ++l) {
    const std::string& name = written.limits[l].name;
    if (written.limits[l].product >= 0) continue;
    const auto belongs = [&](const LimitGroup& group) {
      return std::find(group.names.begin(), group.names.end(), name) != group.names.end() ||
             std::any_of(group.limits.begin(), group.limits.end(),
                         [&](std::size_t other) { return alike(written, l, other); });
    };
    const auto at = std::find_if(groups.begin(), groups.end(), belongs);
    LimitGroup& group = at != groups.end() ? *at : groups.emplace_back();
    group.limits.push_back(l);
    if (std::find(group.names.begin(), group.names.end(), name) == group.names.end())
      group.names.push_back(name);
  }
  return groups;
}

/// Shadow prices of bounds of variables, from bounds and limits of the unknowns that stand for
/// them.
class BoundWorths {
 public:
  BoundWorths(const Study& study, const SpringRoles& roles, const WrittenProblem& written,
              const Certificate& certificate, const std::vector<double>& x)
      : study_(study),
        roles_(roles),
        problem_(written.problem),
        certificate_(certificate),
        x_(x),
        rates_(written.rates),
        prices_(roles.sized.size()) {
    for (std::size_t i = 0; i < rates_.size(); ++i) add_slope(i);
    for (std::size_t l = 0; l < written.limits.size(); ++l)
      if (written.limits[l].product >= 0) take(written.limits[l], certificate.limits[l]);
  }

  /// The bounds that have a shadow price, in the order of the variables.
  [[nodiscard]] std::vector<ShadowPrice> all() const {
    std::vector<ShadowPrice> found;
    for (std::size_t i = 0; i < prices_.size(); ++i)
      for (const bool upper : {false, true}) {
        const double per_unit = upper ? prices_[i].upper : prices_[i].lower;
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
  struct Price {
    double lower = 0.0, upper = 0.0;
  };

  [[nodiscard]] const Variable& variable(std::size_t sized) const {
    return study_.variables[roles_.sized[sized]];
  }
  double& price(std::size_t sized, bool upper) {
    return upper ? prices_[sized].upper : prices_[sized].lower;
  }
  /// A limit that stands for the bound of a free length.
  void take(const LimitWords& limit, double multiplier) {
    price(static_cast<std::size_t>(limit.product), !limit.at_least) += multiplier * x_[limit.times];
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
      price(i, upper) += std::abs(slope);
      return;
    }
    // bound = length * rate at one end of each
    const auto r = static_cast<std::size_t>(rates_[i]);
    const Variable& rate = variable(r);
    const double length = upper ? own.high : own.low;
    const bool upper_rate = (length > 0.0) == upper;
    const double factor = upper_rate ? rate.high : rate.low;
    price(i, upper) += std::abs(slope) * factor;
    price(r, upper_rate) += std::abs(slope * length);
  }

  const Study& study_;
  const SpringRoles& roles_;
  const ConvexProblem& problem_;
  const Certificate& certificate_;
  const std::vector<double>& x_;
  const std::vector<int>& rates_;  // per sized variable
  std::vector<Price> prices_;      // per sized variable
};

}  // namespace

std::vector<ShadowPrice> shadow_prices(const Study& study, const SpringRoles& roles,
                                       const WrittenProblem& written,
                                       const Certificate& certificate,
                                       const std::vector<double>& x) {
  const ConvexProblem& problem = written.problem;
  const BoundWorths bounds(study, roles, written, certificate, x);
  std::vector<ShadowPrice> prices;
  for (const LimitGroup& group : groups_of(written)) {
    const LimitWords& words = written.limits[group.limits.front()];
    const double bound = problem.limits[group.limits.front()].bound;
    ShadowPrice price;
    price.name = fmt::format("{}", fmt::join(group.names, " and "));
    price.less = words.at_least;
    price.unit = words.unit;
    if (words.bound == LimitWords::Bound::own) price.bound = price.less ? -bound : bound;
    price.step = small_step(price.unit, words.bound == LimitWords::Bound::other ? 0.0 : bound);
    for (const std::size_t l : group.limits) {
      const int times = written.limits[l].times;
      price.per_unit += certificate.limits[l] * (times < 0 ? 1.0 : x[times]);
    }
    prices.push_back(std::move(price));
  }
  for (ShadowPrice& price : bounds.all()) prices.push_back(std::move(price));
  const double size = std::abs(objective_of(problem, x)) +
                      std::abs(objective_of(problem, std::vector<double>(x.size(), 0.0)));
  std::erase_if(prices, [&](const ShadowPrice& price) {
    return price.per_unit * price.step <= nothing * size;
  });
  std::stable_sort(prices.begin(), prices.end(), [](const ShadowPrice& a, const ShadowPrice& b) {
    return a.per_unit * a.step > b.per_unit * b.step;
  });
  return prices;
}

}  // namespace counterpoise
