#include "studies/exact/proof/results_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case_rows.hpp"
#include "optimizer/convex/problem/allowed_gap.hpp"

namespace counterpoise {
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
                                  StoredGoals& goals) {
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
    const MetricName& metric = study.metrics[static_cast<std::size_t>(index)];
    metric_sizes_.push_back(bare.computable && metric.of != MetricOf::spring
                                ? std::abs(value_of(bare.metrics, metric))
                                : 0.0);
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
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (!agree(metrics[i], stored_metrics[i], metric_sizes_[i])) {
      const auto metric = static_cast<std::size_t>(study_.stored[i]);
      return differs("metric", study_.metrics[metric].name, stored_metrics[i], metrics[i]);
    }
  return {};
}

std::string fault_of_results(const ResultsFile& results, const Study& study,
                             const SpringRoles& roles, const Baselines& baselines,
                             StoredGoals& goals) {
  std::string fault = fault_of_baselines(results, study, baselines);
  return fault.empty() ? fault_of_certificates(results, roles, goals) : fault;
}

}  // namespace counterpoise
