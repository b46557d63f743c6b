#include "springs/proof/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case_outcome.hpp"
#include "cases/case_rows.hpp"
#include "optimizer/convex/choice/choice_check.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/tolerances.hpp"
#include "results/rows/rows.hpp"
#include "springs/problem/drive_problem.hpp"
#include "springs/problem/spring_roles.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/proof/certificate_text.hpp"
#include "springs/proof/stored_goals.hpp"

namespace counterpoise {

/// Compares stored numbers with those evaluated again, to 1e-9 of their size, or of the size
/// without springs for a number that is nearly zero.
class StoredNumbers {
 public:
  /// `baselines` are those evaluated again. Both arguments must outlive this object.
  StoredNumbers(const Study& study, const Baselines& baselines);

  /// Says in words what differs between two rows' numbers; empty if nothing does.
  [[nodiscard]] std::string difference(std::span<const double> stored_objectives,
                                       std::span<const double> objectives,
                                       std::span<const double> stored_metrics,
                                       std::span<const double> metrics) const;

 private:
  const Study& study_;
  std::vector<double> objective_sizes_, metric_sizes_;
};

/// Says in words why results as a whole are not a proof; empty if they are. The baselines must be
/// the study's, and every case that was the best of its start so far must have a certificate; at a
/// point of a trade-off without geometry this is its only case.
std::string fault_of_results(const ResultsFile& results, const Study& study,
                             const SpringRoles& roles, const Baselines& baselines,
                             StoredGoals& goals);

struct Verifier::Impl {
  const ResultsFile& results;
  const Study& study;
  const SpringRoles roles;
  StoredGoals goals;
  SpringSizer sizer;
  const Interruption interrupted;
  const std::shared_ptr<const Baselines> baselines;
  const StoredNumbers numbers;
  std::optional<std::string> fault_of_all;  // of the results as a whole
  CaseOutcome outcome;                      // of the case last evaluated
  std::vector<double> metrics;              // stored metrics of that case

  Impl(const ResultsFile& r, const Study& s, const Interruption& asked)
      : results(r),
        study(s),
        roles(find_spring_roles(s)),
        goals(r, s),
        sizer(s, roles, Reuse::remember, asked),
        interrupted(asked),
        baselines(std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines())),
        numbers(s, *baselines) {
    sizer.set_baselines(baselines);
  }

  /// Says which value of a stored case the study does not allow; empty if it allows all.
  [[nodiscard]] std::string fault_of(const std::vector<double>& point) const {
    for (std::size_t v = 0; v < point.size(); ++v) {
      const Variable& variable = study.variables[v];
      if (!variable.discrete() && !(point[v] >= variable.low && point[v] <= variable.high))
        return fmt::format("variable {} is stored as {:.12g}, outside {:.12g} to {:.12g}",
                           variable.name, point[v], variable.low, variable.high);
    }
    return {};
  }

  /// Evaluates a stored case again and says in words what differs; empty if nothing does.
  std::string difference(const CaseRow& row) {
    if (row.status != Status::feasible) return "the case is stored as one that is not feasible";
    const std::vector<double> point = point_of(study, row);
    if (std::string fault = fault_of(point); !fault.empty()) return fault;
    sizer.evaluator().evaluate(point, outcome);
    if (outcome.status != CaseStatus::feasible)
      return "the case is not feasible: " + outcome.reason;
    metrics.clear();
    for (const int metric : study.stored)
      metrics.push_back(value_of(outcome.metrics, study.metrics[metric]));
    return numbers.difference(row.objectives, outcome.objectives, row.metrics, metrics);
  }

  [[nodiscard]] const std::string& fault_of_whole() {
    if (!fault_of_all) fault_of_all = fault_of_results(results, study, roles, *baselines, goals);
    return *fault_of_all;
  }

  Verdict verify(const CaseRow& row, const CertificateRow& stored);
  void check_bound(const CertificateRow& stored, const CertificateCheck& check, double size,
                   Verdict& verdict) const;
  void check_choice(const CertificateRow& stored, const StoredCertificate& certificate,
                    Verdict& verdict);
  [[nodiscard]] std::vector<int> options_of(const CaseRow& row) const;
  void check_kept(bool every_chosen, std::int64_t near, Verdict& verdict);
};

namespace {

bool same_goal(const SizingGoal& a, const SizingGoal& b) {
  return a.largest.size() == b.largest.size() &&
         std::equal(a.largest.begin(), a.largest.end(), b.largest.begin(),
                    [](const SizingGoal::Part& x, const SizingGoal::Part& y) {
                      return x.objective == y.objective && agree(x.weight, y.weight, 0.0) &&
                             agree(x.reference, y.reference, 0.0);
                    });
}

/// Says which of a certificate's own numbers are wrong: value, gap and the allowed gap, and for a
/// choice the best value and the number of combinations.
std::string fault_of_text(const JsonValue& text, const CertificateCheck& check, double allowed,
                          const Verdict& verdict, double size) {
  const auto fault_of = [](const JsonValue& in, const char* key, double expected,
                           double beside) -> std::string {
    const JsonValue* stated = in.find(key);
    if (stated != nullptr && stated->kind == JsonValue::Kind::number &&
        agree(stated->number, expected, beside))
      return {};
    return fmt::format("\"{}\" of the certificate is {}, expected {:.12g}", key,
                       stated == nullptr ? "missing" : describe(*stated), expected);
  };
  std::string fault = fault_of(text, "value", check.value, size);
  if (fault.empty()) fault = fault_of(text, "gap", check.gap, size);
  if (fault.empty()) fault = fault_of(text, "allowed_gap", allowed, 0.0);
  const JsonValue* choice = text.find("choice");
  if (!fault.empty() || verdict.combinations == 0) return fault;
  if (choice == nullptr) return "the certificate has no \"choice\"";
  fault = fault_of(*choice, "best", verdict.value, size);
  if (!fault.empty()) return fault;
  return fault_of(*choice, "combinations", static_cast<double>(verdict.combinations), size);
}

}  // namespace

Verifier::Verifier(const ResultsFile& results, const Study& study,
                   const Interruption& interrupted) {
  const Search* search = study.search();
  if (search == nullptr || search->method != SearchMethod::exact_springs)
    throw damaged(results.path(), "it has certificates, and its study asks for no exact springs");
  impl_.reset(new Impl(results, study, interrupted));
}
Verifier::~Verifier() = default;

Verdict Verifier::verify(const CaseRow& row, const CertificateRow& stored) {
  try {
    return impl_->verify(row, stored);
  } catch (const InputError& error) {
    return {.fault = error.what()};
  } catch (const StoreError& error) {
    return {.fault = error.what()};
  }
}

Verdict Verifier::Impl::verify(const CaseRow& row, const CertificateRow& stored) {
  Verdict verdict;
  verdict.fault = difference(row);
  if (!verdict.fault.empty()) return verdict;
  const JsonValue text = parse_json(stored.text, fmt::format("certificate of case {}", stored.id));
  const SizingGoal goal = goal_in(text, study);
  if (!same_goal(goal, goals.of_case(stored.id))) {
    verdict.fault = "the certificate belongs to another goal than the study's";
    return verdict;
  }
  verdict.value = goal.value(outcome.objectives);
  for (const SizingGoal::Part& part : goal.largest)
    verdict.weighted = verdict.weighted || part.weight != 1.0 || part.reference != 0.0;

  const std::vector<double> point = point_of(study, row);
  std::vector<double> outer;
  for (const int v : roles.outer) outer.push_back(point[v]);
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
  const double size = size_without_springs(written.problem);
  if (!check.valid)
    verdict.fault = check.limit < 0
                        ? check.fault
                        : fmt::format("{} ({})", check.fault, written.limits[check.limit].name);
  else if (written.stock.groups.empty())
    check_bound(stored, check, size, verdict);
  else
    check_choice(stored, certificate, verdict);
  verdict.gap = verdict.value - verdict.bound;
  if (verdict.fault.empty() && verdict.gap > allowed_gap(written.problem, verdict.value))
    verdict.fault = fmt::format(
        "the multipliers prove no more than {:.9g}, and the case has {:.9g} "
        "(narrower ranges of the variables may prove more)",
        verdict.bound, verdict.value);
  const double whole = std::max(size, std::abs(verdict.value));  // what a gap is a part of
  if (verdict.fault.empty() && !agree(stored.gap, verdict.gap, whole))
    verdict.fault =
        fmt::format("the gap is stored as {:.12g}, but it is {:.12g}", stored.gap, verdict.gap);
  if (verdict.fault.empty())
    verdict.fault =
        fault_of_text(text, check, allowed_gap(written.problem, check.value), verdict, whole);
  if (verdict.fault.empty()) verdict.fault = fault_of_words(text, study, written);
  if (verdict.fault.empty()) verdict.fault = fault_of_whole();
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

void Verifier::Impl::check_choice(const CertificateRow& stored,
                                  const StoredCertificate& certificate, Verdict& verdict) {
  const WrittenProblem& written = sizer.written();
  const double within = study.search()->within;
  if (roles.sized.empty() && !agree(stored.bound, verdict.value, 0.0)) {
    verdict.bound = stored.bound;
    verdict.fault =
        fmt::format("the best combination is stored as {:.12g}, but the case is {:.12g}",
                    stored.bound, verdict.value);
    return;
  }
  const bool all_that_may = within > 0.0 && results.count() >= study.search()->max_cases;
  double last = verdict.value;
  if (within > 0.0) {
    auto rows = results.feasible_cases();
    for (CaseRow row; rows.next(row);) last = std::max(last, row.objectives.front());
  }
  ChoiceCheck check(written.problem, written.stock.options, certificate.certificate, verdict.value,
                    most_kept(verdict.value, within, last, all_that_may));
  for (const Certificate& witness : certificate.witnesses) {
    verdict.fault = fault_of_multipliers(written.problem, witness);
    if (!verdict.fault.empty()) return;
    check.add(witness);
  }
  if (within > 0.0 && !check.all_chosen()) {
    auto rows = results.feasible_cases();
    for (CaseRow row; rows.next(row);) check.keep(options_of(row), row.objectives.front());
  }
  const ChoiceCheck::Count count =
      check.run({}, interrupted, within > 0.0 ? study.search()->max_cases : 0);
  verdict.combinations = count.combinations;
  verdict.unsettled = count.unsettled;
  verdict.bound = check.all_chosen() ? verdict.value : count.bound;
  if (count.beaten)
    verdict.fault = "another combination is better than the case";
  else if (count.unsettled > 0)
    verdict.fault = fmt::format(
        "{} of {} combinations not settled: no multipliers kept for them prove that the springs "
        "sized beside them do no better (of all combinations {:.9g} is proved, and the case has "
        "{:.9g})",
        count.unsettled, count.combinations, count.bound, verdict.value);
  else if (!agree(stored.bound, verdict.bound, 0.0))
    verdict.fault = fmt::format("the bound is stored as {:.12g}, but the multipliers prove {:.12g}",
                                stored.bound, verdict.bound);
  else if (within > 0.0)
    check_kept(check.all_chosen(), count.near, verdict);
}

/// The combination of springs that a case has, by the options of the problem.
std::vector<int> Verifier::Impl::options_of(const CaseRow& row) const {
  const std::vector<double> point = point_of(study, row);
  std::vector<int> options;
  for (const StockGroup& group : sizer.written().stock.groups) {
    const auto level = static_cast<int>(point[group.variable]);
    const auto found = std::find(group.levels.begin(), group.levels.end(), level);
    options.push_back(static_cast<int>(found - group.levels.begin()));
  }
  return options;
}

/// Whether all combinations near the best are among the cases, each as it was stored and once.
/// Where springs are sized beside the chosen ones the count is not known, but a missing combination
/// would not be settled.
void Verifier::Impl::check_kept(bool every_chosen, std::int64_t near, Verdict& verdict) {
  const std::int64_t most = study.search()->max_cases;
  const std::int64_t expected = every_chosen ? std::min(near, most) : results.count();
  if (results.count() != expected || expected > most) {
    verdict.fault =
        fmt::format("{} combinations are near enough to the best to be kept, but {} are",
                    std::min(expected, most), results.count());
    return;
  }
  auto rows = results.cases();
  double last = -no_limit;
  std::set<std::vector<int>> met;
  for (CaseRow row; rows.next(row) && verdict.fault.empty();) {
    const std::string fault = difference(row);
    if (!fault.empty())
      verdict.fault = fmt::format("case {}: {}", row.id, fault);
    else if (!met.insert(options_of(row)).second)
      verdict.fault = fmt::format("case {} has the chosen springs of one before", row.id);
    else if (row.objectives.front() < last - ConvexTolerances::agreement * std::abs(last))
      verdict.fault = fmt::format("case {} is better than the one before", row.id);
    last = std::max(last, row.status == Status::feasible ? row.objectives.front() : last);
  }
}

namespace {

constexpr std::size_t most_named = 5;

std::string differs(const char* kind, const std::string& name, double stored, double now) {
  return fmt::format("{} {} is stored as {:.12g} and evaluates to {:.12g}", kind, name, stored,
                     now);
}

std::string name_of(const BaselineRow& row) {
  return row.motion.empty() ? row.name : fmt::format("{} in motion {}", row.name, row.motion);
}

std::string fault_of_baselines(const ResultsFile& results, const Study& study,
                               const Baselines& baselines) {
  const std::vector<BaselineRow> now = birth_of(study, baselines, {}).baselines;
  const StoredNumbers numbers(study, baselines);
  if (results.baselines().size() != now.size())
    return fmt::format("{} baselines are stored, expected {}", results.baselines().size(),
                       now.size());
  for (const BaselineRow& row : now) {
    const BaselineRow* stored = results.baseline(row.name, row.motion);
    if (stored == nullptr) return fmt::format("{} is not stored", name_of(row));
    if (stored->status != row.status)
      return fmt::format("{} is stored with another status", name_of(row));
    const std::string fault =
        numbers.difference(stored->objectives, row.objectives, stored->metrics, row.metrics);
    if (!fault.empty()) return fmt::format("{}: {}", name_of(row), fault);
  }
  return {};
}

/// Cases that were the best of their start so far, without a certificate.
std::vector<std::int64_t> uncertified(const ResultsFile& results, const SpringRoles& roles,
                                      StoredGoals& goals) {
  std::set<std::int64_t> certified;
  for (const CertificateRow& row : results.certificates()) certified.insert(row.id);
  std::vector<std::int64_t> found;
  std::int64_t start = -1;
  double best = no_limit;
  auto rows = results.feasible_cases();
  for (CaseRow row; rows.next(row);) {
    if (!row.settled()) continue;
    const bool begins = goals.start_of(row.id) != start;
    if (begins) best = no_limit;
    start = goals.start_of(row.id);
    const double value = goals.of_case(row.id).value(row.objectives);
    // without geometry the first row of a start is its best; those behind it are kept beside it
    const bool improves = roles.outer.empty() ? begins : value < best;
    if (!improves) continue;
    best = value;
    if (!certified.contains(row.id)) found.push_back(row.id);
  }
  return found;
}

std::string fault_of_certificates(const ResultsFile& results, const SpringRoles& roles,
                                  const Study& study, StoredGoals& goals) {
  if (finds_with_drives(study)) return {};  // what drives decide has no certificate
  const std::vector<std::int64_t> missing = uncertified(results, roles, goals);
  if (missing.empty()) return {};
  const std::vector<std::int64_t> named(
      missing.begin(),
      missing.begin() + static_cast<std::ptrdiff_t>(std::min(missing.size(), most_named)));
  return fmt::format("the results lack the certificate{} of case{} {}{}",
                     missing.size() > 1 ? "s" : "", missing.size() > 1 ? "s" : "",
                     fmt::join(named, ", "), missing.size() > most_named ? ", ..." : "");
}

}  // namespace

StoredNumbers::StoredNumbers(const Study& study, const Baselines& baselines) : study_(study) {
  const CaseOutcome& bare = baselines.pairs.front().without_springs;
  for (std::size_t i = 0; i < study.objectives.size(); ++i)
    objective_sizes_.push_back(bare.computable ? std::abs(bare.objectives[i]) : 0.0);
  for (const int index : study.stored) {
    const MetricName& metric = study.metrics[index];
    const double size = bare.computable && metric.of != MetricOf::spring
                            ? std::abs(value_of(bare.metrics, metric))
                            : 0.0;
    metric_sizes_.push_back(std::isfinite(size) ? size : 0.0);  // no drive may suffice
  }
}

std::string StoredNumbers::difference(std::span<const double> stored_objectives,
                                      std::span<const double> objectives,
                                      std::span<const double> stored_metrics,
                                      std::span<const double> metrics) const {
  if (stored_objectives.size() != objectives.size() || stored_metrics.size() != metrics.size())
    return "numbers are missing";
  for (std::size_t i = 0; i < objectives.size(); ++i)
    if (!std::isnan(stored_objectives[i]) &&
        !agree(objectives[i], stored_objectives[i], objective_sizes_[i]))
      return differs("objective", study_.objectives[i].name, stored_objectives[i], objectives[i]);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (std::isnan(metrics[i]) && std::isnan(stored_metrics[i])) continue;  // no drive suffices
    if (!agree(metrics[i], stored_metrics[i], metric_sizes_[i])) {
      const auto metric = static_cast<std::size_t>(study_.stored[i]);
      return differs("metric", study_.metrics[metric].name, stored_metrics[i], metrics[i]);
    }
  }
  return {};
}

std::string fault_of_results(const ResultsFile& results, const Study& study,
                             const SpringRoles& roles, const Baselines& baselines,
                             StoredGoals& goals) {
  std::string fault = fault_of_baselines(results, study, baselines);
  return fault.empty() ? fault_of_certificates(results, roles, study, goals) : fault;
}

}  // namespace counterpoise
