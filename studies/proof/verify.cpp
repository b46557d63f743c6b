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
  }

  /// Whether none is better, as far as that can be told; counts all.
  bool run(Verdict& verdict) {
    visit(0, constant_, verdict);
    return !beaten_;
  }

 private:
  void visit(std::size_t group, double bound, Verdict& verdict) {
    if (group == written_.stock.options.size()) {
      ++verdict.combinations;
      const double margin = agreement * std::abs(best_);
      if (bound > best_ + margin) return;
      if (!all_chosen_)
        ++verdict.unsettled;
      else if (meets_limits() && objective_of(written_.problem, x_) < best_ - margin)
        beaten_ = true;
      return;
    }
    const ChoiceGroup& choice = written_.stock.options[group];
    for (const std::vector<double>& option : choice.options) {
      double next = bound;
      for (std::size_t i = 0; i < option.size(); ++i) {
        const auto at = static_cast<std::size_t>(choice.unknowns[i]);
        x_[at] = option[i];
        next += slopes_[at] * option[i];
      }
      visit(group + 1, next, verdict);
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
  std::vector<double> slopes_, x_;
  bool all_chosen_ = true;
  bool beaten_ = false;
};

}  // namespace

struct Verifier::Impl {
  const Study& study;
  const SpringRoles roles;
  SpringSizer sizer;

  explicit Impl(const Study& s) : study(s), roles(find_spring_roles(s)), sizer(s, roles) {
    sizer.set_baselines(std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines()));
  }

  /// What the case's own springs come to, by the engine.
  bool evaluate(const CaseRow& row, const SizingGoal& goal, Verdict& verdict) {
    CaseOutcome outcome;
    sizer.evaluator().evaluate(point_of(study, row), outcome);
    if (outcome.status != CaseStatus::feasible) {
      verdict.fault = "the case is not feasible: " + outcome.reason;
      return false;
    }
    verdict.value = -no_limit;
    for (const SizingGoal::Part& part : goal.largest) {
      const auto at = static_cast<std::size_t>(part.objective);
      verdict.value =
          std::max(verdict.value, part.weight * (outcome.objectives[at] - part.reference));
      if (agree(outcome.objectives[at], row.objectives[at], 0.0)) continue;
      verdict.fault =
          fmt::format("objective {} is stored as {:.12g} and evaluates to {:.12g}",
                      study.objectives[at].name, row.objectives[at], outcome.objectives[at]);
      return false;
    }
    return true;
  }
};

Verifier::Verifier(const Study& study) : impl_(new Impl(study)) {}
Verifier::~Verifier() = default;

Verdict Verifier::verify(const CaseRow& row, const CertificateRow& stored) {
  Impl& own = *impl_;
  Verdict verdict;
  const JsonValue text = parse_json(stored.text, fmt::format("certificate of case {}", stored.id));
  const SizingGoal goal = goal_in(text, own.study);
  if (!own.evaluate(row, goal, verdict)) return verdict;
  const std::vector<double> point = point_of(own.study, row);
  std::vector<double> outer;
  for (const int v : own.roles.outer) outer.push_back(point[static_cast<std::size_t>(v)]);
  CaseOutcome outcome;
  if (!own.sizer.write(outer, goal, outcome)) {
    verdict.fault = outcome.reason;
    return verdict;
  }
  const WrittenProblem& written = own.sizer.written();
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
  verdict.valid = verdict.fault.empty();
  return verdict;
}

}  // namespace counterpoise
