#include "studies/proof/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/cases/case_rows.hpp"
#include "studies/cases/metric_values.hpp"
#include "studies/proof/certificate_text.hpp"
#include "studies/proof/choice_check.hpp"
#include "studies/running/exact_goals.hpp"

namespace counterpoise {
namespace {

// Relative, of numbers that were stored with those added up again.
constexpr double agreement = 1e-9;
// Relative: a larger gap proves something, but not that there is nothing better worth having.
constexpr double proved_gap = 1e-6;

bool agree(double a, double b, double size) {
  return std::abs(a - b) <= agreement * std::max({std::abs(a), std::abs(b), size});
}

}  // namespace

struct Verifier::Impl {
  const ResultsFile& results;
  const Study& study;
  const SpringRoles roles;
  const ExactGoals goals;
  SpringSizer sizer;
  const std::shared_ptr<const Baselines> baselines;
  std::optional<std::vector<std::vector<double>>> reached;  // at the corners of a trade-off
  CaseOutcome outcome;                                      // of the case last evaluated

  Impl(const ResultsFile& r, const Study& s)
      : results(r),
        study(s),
        roles(find_spring_roles(s)),
        goals(s),
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

  /// What a number that may be nearly zero is small beside: the same without springs.
  [[nodiscard]] double size_of_metric(const MetricName& metric) const {
    const CaseOutcome& bare = baselines->pairs.front().without_springs;
    return bare.computable && !metric.spring ? std::abs(value_of(bare.metrics, metric)) : 0.0;
  }
  [[nodiscard]] double size_of_objective(std::size_t objective) const {
    const CaseOutcome& bare = baselines->pairs.front().without_springs;
    return bare.computable ? std::abs(bare.objectives[objective]) : 0.0;
  }

  /// Evaluates a stored case again; what differs, in words, or nothing.
  std::string difference(const CaseRow& row) {
    if (row.status != Status::feasible) return "the case is stored as one that is not feasible";
    const std::vector<double> point = point_of(study, row);
    if (std::string fault = fault_of(point); !fault.empty()) return fault;
    sizer.evaluator().evaluate(point, outcome);
    if (outcome.status != CaseStatus::feasible)
      return "the case is not feasible: " + outcome.reason;
    const auto differs = [](const char* kind, const std::string& name, double stored, double now) {
      return fmt::format("{} {} is stored as {:.12g} and evaluates to {:.12g}", kind, name, stored,
                         now);
    };
    for (std::size_t i = 0; i < outcome.objectives.size(); ++i)
      if (!agree(outcome.objectives[i], row.objectives[i], size_of_objective(i)))
        return differs("objective", study.objectives[i].name, row.objectives[i],
                       outcome.objectives[i]);
    for (std::size_t i = 0; i < study.stored.size(); ++i) {
      const MetricName& metric = study.metrics[static_cast<std::size_t>(study.stored[i])];
      const double now = value_of(outcome.metrics, metric);
      if (!agree(now, row.metrics[i], size_of_metric(metric)))
        return differs("metric", metric.name, row.metrics[i], now);
    }
    return {};
  }

  /// The goal that the study has for a case.
  SizingGoal goal_of(std::int64_t id) {
    const Search& search = *study.search();
    if (goals.count() == 1) return goals.corner_goal(0);
    const std::int64_t each = std::int64_t{search.starts} * search.max_evaluations;
    const int task = static_cast<int>((id - 1) / each);
    if (goals.is_corner(task)) return goals.corner_goal(task);
    if (!reached) reached = goals.reached_at_corners(results);
    return goals.goal(task, *reached);
  }

  Verdict verify(const CaseRow& row, const CertificateRow& stored);
  void check_bound(const CertificateRow& stored, const CertificateCheck& check, double size,
                   Verdict& verdict) const;
  void check_choice(const CertificateRow& stored, const Certificate& certificate, Verdict& verdict);
  void check_list(const ChoiceCheck::Count& count, Verdict& verdict);
};

namespace {

bool same_goal(const SizingGoal& a, const SizingGoal& b) {
  return a.largest.size() == b.largest.size() && a.bounds.size() == b.bounds.size() &&
         std::equal(a.largest.begin(), a.largest.end(), b.largest.begin(),
                    [](const SizingGoal::Part& x, const SizingGoal::Part& y) {
                      return x.objective == y.objective && agree(x.weight, y.weight, 0.0) &&
                             agree(x.reference, y.reference, 0.0);
                    });
}

double value_of_goal(const SizingGoal& goal, const CaseOutcome& outcome) {
  double value = -no_limit;
  for (const SizingGoal::Part& part : goal.largest)
    value = std::max(
        value, part.weight *
                   (outcome.objectives[static_cast<std::size_t>(part.objective)] - part.reference));
  return value;
}

}  // namespace

Verifier::Verifier(const ResultsFile& results, const Study& study)
    : impl_(new Impl(results, study)) {}
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
  verdict.fault = difference(row);
  if (!verdict.fault.empty()) return verdict;
  const JsonValue text = parse_json(stored.text, fmt::format("certificate of case {}", stored.id));
  const SizingGoal goal = goal_in(text, study);
  if (!same_goal(goal, goal_of(stored.id))) {
    verdict.fault = "the certificate is of another goal than the study's";
    return verdict;
  }
  verdict.value = value_of_goal(goal, outcome);
  for (const SizingGoal::Part& part : goal.largest)
    verdict.weighted = verdict.weighted || part.weight != 1.0 || part.reference != 0.0;

  const std::vector<double> point = point_of(study, row);
  std::vector<double> outer;
  for (const int v : roles.outer) outer.push_back(point[static_cast<std::size_t>(v)]);
  CaseOutcome refused;
  if (!sizer.write(outer, goal, refused)) {
    verdict.fault = refused.reason;
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
  if (!check.valid)
    verdict.fault = check.fault;
  else if (written.stock.groups.empty())
    check_bound(stored, check, size, verdict);
  else
    check_choice(stored, certificate.certificate, verdict);
  verdict.gap = verdict.value - verdict.bound;
  if (verdict.fault.empty() &&
      verdict.gap > proved_gap * std::abs(verdict.value) + agreement * size)
    verdict.fault = fmt::format(
        "the multipliers prove no more than {:.9g}, and the case has {:.9g} "
        "(narrower ranges of the variables may prove more)",
        verdict.bound, verdict.value);
  if (verdict.fault.empty() && !agree(stored.gap, verdict.gap, size))
    verdict.fault =
        fmt::format("the gap is stored as {:.12g}, but it is {:.12g}", stored.gap, verdict.gap);
  verdict.valid = verdict.fault.empty();
  return verdict;
}

void Verifier::Impl::check_bound(const CertificateRow& stored, const CertificateCheck& check,
                                 double size, Verdict& verdict) const {
  if (!agree(check.bound, stored.bound, size))
    verdict.fault = fmt::format("the bound is stored as {:.12g}, but its multipliers prove {:.12g}",
                                stored.bound, check.bound);
  else if (!agree(check.value, verdict.value, size))
    verdict.fault = fmt::format("the certificate's springs give {:.12g}, but the case is {:.12g}",
                                check.value, verdict.value);
}

void Verifier::Impl::check_choice(const CertificateRow& stored, const Certificate& certificate,
                                  Verdict& verdict) {
  verdict.bound = stored.bound;
  if (!agree(stored.bound, verdict.value, 0.0)) {
    verdict.fault =
        fmt::format("the best combination is stored as {:.12g}, but the case is {:.12g}",
                    stored.bound, verdict.value);
    return;
  }
  const ChoiceCheck::Count count =
      ChoiceCheck(sizer.written(), certificate, verdict.value, study.search()->within).run();
  verdict.combinations = count.combinations;
  verdict.unsettled = count.unsettled;
  if (count.beaten)
    verdict.fault = "another combination is better than the case";
  else if (study.search()->within > 0.0 && count.unsettled == 0)
    check_list(count, verdict);
}

/// Whether all combinations near the best are among the cases, each as it was stored.
void Verifier::Impl::check_list(const ChoiceCheck::Count& count, Verdict& verdict) {
  const std::int64_t expected = std::min<std::int64_t>(count.near, study.search()->max_cases);
  if (results.count() != expected) {
    verdict.fault =
        fmt::format("{} combinations are near enough to the best to be kept, but {} are", expected,
                    results.count());
    return;
  }
  auto rows = results.cases();
  double last = -no_limit;
  for (CaseRow row; rows.next(row) && verdict.fault.empty();) {
    const std::string fault = difference(row);
    if (!fault.empty())
      verdict.fault = fmt::format("case {}: {}", row.id, fault);
    else if (row.objectives.front() < last - agreement * std::abs(last))
      verdict.fault = fmt::format("case {} is better than the one before", row.id);
    last = std::max(last, row.status == Status::feasible ? row.objectives.front() : last);
  }
}

}  // namespace counterpoise
