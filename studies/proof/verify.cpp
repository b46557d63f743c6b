#include "studies/proof/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/cases/case_rows.hpp"
#include "studies/proof/certificate_text.hpp"

namespace counterpoise {
namespace {

constexpr double agreement =
    1e-9;  // relative, of numbers that were stored with those added up again

bool agree(double a, double b, double size) {
  return std::abs(a - b) <= agreement * std::max({std::abs(a), std::abs(b), size});
}

/// Whether slopes are those that multipliers leave; `size` is of what the objective adds up.
bool slopes_agree(const ConvexProblem& problem, const Certificate& stored, double size) {
  Certificate again = stored;
  add_up(problem, again);
  for (std::size_t i = 0; i < again.slopes.size(); ++i) {
    const double width = problem.upper[i] - problem.lower[i];
    if (std::abs(again.slopes[i] - stored.slopes[i]) * width > agreement * size) return false;
  }
  return true;
}

/// Every combination whose bound is below the best: none of them may be better.
class ChoiceCheck {
 public:
  ChoiceCheck(const WrittenProblem& written, Certificate certificate, double best)
      : written_(written), best_(best), x_(written.problem.lower.size(), 0.0) {
    ConvexProblem apart = written.problem;
    std::size_t chosen = 0;
    for (const ChoiceGroup& group : written.stock.options)
      for (const int unknown : group.unknowns) {
        ++chosen;
        const auto at = static_cast<std::size_t>(unknown);
        apart.lower[at] = apart.upper[at] = 0.0;
      }
    all_chosen_ = chosen == x_.size();
    add_up(apart, certificate);
    constant_ = certificate.bound;
    slopes_ = std::move(certificate.slopes);
    note_what_follows();
  }

  /// Whether none is better, as far as that can be told; counts all.
  bool run(Verdict& verdict) {
    visit(0, constant_, verdict);
    return !beaten_;
  }

 private:
  /// Of the groups from each on: the least that they add to a bound, and their combinations.
  void note_what_follows() {
    const auto& groups = written_.stock.options;
    least_rest_.assign(groups.size() + 1, 0.0);
    combinations_.assign(groups.size() + 1, 1);
    for (std::size_t g = groups.size(); g-- > 0;) {
      double least = no_limit;
      for (const std::vector<double>& option : groups[g].options)
        least = std::min(least, part_of(groups[g], option));
      least_rest_[g] = least_rest_[g + 1] + least;
      combinations_[g] = combinations_[g + 1] * static_cast<std::int64_t>(groups[g].options.size());
    }
  }

  [[nodiscard]] double part_of(const ChoiceGroup& group, const std::vector<double>& option) const {
    double part = 0.0;
    for (std::size_t i = 0; i < option.size(); ++i)
      part += slopes_[static_cast<std::size_t>(group.unknowns[i])] * option[i];
    return part;
  }

  void visit(std::size_t group, double bound, Verdict& verdict) {
    const double margin = agreement * std::abs(best_);
    if (bound + least_rest_[group] > best_ + margin) {
      verdict.combinations += combinations_[group];
      return;
    }
    if (group == written_.stock.options.size()) {
      ++verdict.combinations;
      if (!all_chosen_)
        ++verdict.unsettled;
      else if (meets_limits() && objective_of(written_.problem, x_) < best_ - margin)
        beaten_ = true;
      return;
    }
    const ChoiceGroup& choice = written_.stock.options[group];
    for (const std::vector<double>& option : choice.options) {
      for (std::size_t i = 0; i < option.size(); ++i)
        x_[static_cast<std::size_t>(choice.unknowns[i])] = option[i];
      visit(group + 1, bound + part_of(choice, option), verdict);
    }
  }

  [[nodiscard]] bool meets_limits() const {
    return std::all_of(written_.problem.limits.begin(), written_.problem.limits.end(),
                       [&](const ConvexLimit& limit) {
                         return value_of(written_.problem, limit.sum, x_) <=
                                limit.bound + agreement * std::abs(limit.bound);
                       });
  }

  const WrittenProblem& written_;
  double best_;
  double constant_ = 0.0;
  std::vector<double> slopes_, x_, least_rest_;
  std::vector<std::int64_t> combinations_;
  bool all_chosen_ = true;
  bool beaten_ = false;
};

}  // namespace

struct Verifier::Impl {
  const Study& study;
  const SpringRoles roles;
  SpringSizer sizer;
  const std::shared_ptr<const Baselines> baselines;

  explicit Impl(const Study& s)
      : study(s),
        roles(find_spring_roles(s)),
        sizer(s, roles),
        baselines(std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines())) {
    sizer.set_baselines(baselines);
  }

  /// Which value of a stored case is none that the study allows, in words; empty if all are.
  [[nodiscard]] std::string fault_of(const std::vector<double>& point) const {
    for (std::size_t v = 0; v < point.size(); ++v) {
      const Variable& variable = study.variables[v];
      if (variable.discrete() && !(point[v] < static_cast<double>(variable.level_count())))
        return fmt::format("the stored choice of variable {} is none of the study's",
                           variable.name);
      if (!variable.discrete() && !(point[v] >= variable.low && point[v] <= variable.high))
        return fmt::format("variable {} is stored as {:.12g}, outside {:.12g} to {:.12g}",
                           variable.name, point[v], variable.low, variable.high);
    }
    return {};
  }

  /// What the case's own springs come to, by the engine.
  bool evaluate(const CaseRow& row, const std::vector<double>& point, const SizingGoal& goal,
                Verdict& verdict) {
    CaseOutcome outcome;
    sizer.evaluator().evaluate(point, outcome);
    if (outcome.status != CaseStatus::feasible) {
      verdict.fault = "the case is not feasible: " + outcome.reason;
      return false;
    }
    for (std::size_t i = 0; i < outcome.objectives.size(); ++i) {
      if (agree(outcome.objectives[i], row.objectives[i], size_of_objective(i))) continue;
      verdict.fault =
          fmt::format("objective {} is stored as {:.12g} and evaluates to {:.12g}",
                      study.objectives[i].name, row.objectives[i], outcome.objectives[i]);
      return false;
    }
    verdict.value = -no_limit;
    for (const SizingGoal::Part& part : goal.largest) {
      const double objective = outcome.objectives[static_cast<std::size_t>(part.objective)];
      verdict.value = std::max(verdict.value, part.weight * (objective - part.reference));
      verdict.weighted = verdict.weighted || part.weight != 1.0 || part.reference != 0.0;
    }
    return true;
  }

  /// What a perfect balance of an objective is small beside: its value without springs.
  [[nodiscard]] double size_of_objective(std::size_t objective) const {
    const CaseOutcome& bare = baselines->pairs.front().without_springs;
    return bare.computable ? std::abs(bare.objectives[objective]) : 0.0;
  }

  Verdict verify(const CaseRow& row, const CertificateRow& stored);
};

Verifier::Verifier(const Study& study) : impl_(new Impl(study)) {}
Verifier::~Verifier() = default;

Verdict Verifier::verify(const CaseRow& row, const CertificateRow& stored) {
  try {
    return impl_->verify(row, stored);
  } catch (const InputError& error) {
    Verdict verdict;
    verdict.fault = error.what();
    return verdict;
  }
}

Verdict Verifier::Impl::verify(const CaseRow& row, const CertificateRow& stored) {
  Verdict verdict;
  if (row.status != Status::feasible) {
    verdict.fault = "the case is stored as one that is not feasible";
    return verdict;
  }
  const std::vector<double> point = point_of(study, row);
  verdict.fault = fault_of(point);
  if (!verdict.fault.empty()) return verdict;
  const JsonValue text = parse_json(stored.text, fmt::format("certificate of case {}", stored.id));
  const SizingGoal goal = goal_in(text, study);
  if (!evaluate(row, point, goal, verdict)) return verdict;
  std::vector<double> outer;
  for (const int v : roles.outer) outer.push_back(point[static_cast<std::size_t>(v)]);
  CaseOutcome outcome;
  if (!sizer.write(outer, goal, outcome)) {
    verdict.fault = outcome.reason;
    return verdict;
  }
  const WrittenProblem& written = sizer.written();
  const StoredCertificate certificate = certificate_in(text, written);
  const CertificateCheck check =
      check_certificate(written.problem, certificate.certificate, certificate.x);
  verdict.bound = check.bound;
  double size = 0.0;  // of what the objective adds up, so that a perfect balance may be zero
  for (const ConvexSum& piece : written.problem.objective)
    size = std::max(
        size, value_of(written.problem, piece, std::vector<double>(certificate.x.size(), 0.0)));
  if (!check.valid) {
    verdict.fault = check.fault;
  } else if (!slopes_agree(written.problem, certificate.certificate, size)) {
    verdict.fault = "the slopes are not those that its multipliers leave";
  } else if (!written.stock.groups.empty()) {
    verdict.bound = stored.bound;
    if (!agree(stored.bound, verdict.value, size))
      verdict.fault =
          fmt::format("the best combination is stored as {:.12g}, but the case is {:.12g}",
                      stored.bound, verdict.value);
    else if (!ChoiceCheck(written, certificate.certificate, verdict.value).run(verdict))
      verdict.fault = "another combination is better than the case";
  } else if (!agree(check.bound, stored.bound, size)) {
    verdict.fault = fmt::format("the bound is stored as {:.12g}, but its multipliers prove {:.12g}",
                                stored.bound, check.bound);
  } else if (!agree(check.value, verdict.value, size)) {
    verdict.fault = fmt::format("the certificate's springs give {:.12g}, but the case is {:.12g}",
                                check.value, verdict.value);
  }
  verdict.gap = verdict.value - verdict.bound;
  if (verdict.fault.empty() && !agree(stored.gap, verdict.gap, size))
    verdict.fault =
        fmt::format("the gap is stored as {:.12g}, but it is {:.12g}", stored.gap, verdict.gap);
  verdict.valid = verdict.fault.empty();
  return verdict;
}

}  // namespace counterpoise
