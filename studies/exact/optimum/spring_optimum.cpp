#include "studies/exact/optimum/spring_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "input/text/stored_json.hpp"
#include "studies/exact/optimum/possible_ends.hpp"
#include "studies/exact/problem/spring_sizer.hpp"
#include "studies/exact/proof/certificate_text.hpp"

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

/// The optimum of one case: its certificate read again, or made again.
class Explainer {
 public:
  Explainer(const Study& study, const ExplainedCase& of,
            const std::shared_ptr<const Baselines>& baselines)
      : study_(study), of_(of), roles_(find_spring_roles(study)), sizer_(study, roles_) {
    sizer_.set_baselines(baselines);
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
    if (!sized.solved) return std::nullopt;
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
      const auto& values = options.options[static_cast<std::size_t>(found - levels.begin())];
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
  const SpringRoles roles_;
  SpringSizer sizer_;
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
  Explainer explainer(study, of, baselines);
  if (stored) return explainer.read(*stored);
  // only the certificate of a case of a trade-off says for what goal it was sized
  return search->trade_off ? std::nullopt : explainer.solve_again();
}

}  // namespace counterpoise
