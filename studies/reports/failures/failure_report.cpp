#include "studies/reports/failures/failure_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/study_units.hpp"
#include "optimizer/search/hitting_set.hpp"
#include "studies/reports/failures/stored_tallies.hpp"

namespace counterpoise {
namespace {

using Key = std::pair<FailureKind, int>;
using Tally = FailureReport::Tally;

/// How the cases of one variable are told apart: by level, or by part of the range.
class Parts {
 public:
  explicit Parts(const Variable& variable) : variable_(&variable) {
    constexpr std::size_t parts_of_range = 5, most_levels = 12;
    const std::size_t levels = variable.discrete() ? level_count() : 0;
    parts_ = levels == 0 ? parts_of_range : std::min(levels, most_levels);
  }

  [[nodiscard]] FailureReport::OfVariable empty(const std::string& unit) const {
    FailureReport::OfVariable of{variable_->name, unit, {}};
    for (std::size_t part = 0; part < parts_; ++part) of.shares.push_back({label(part), 0, 0});
    return of;
  }

  [[nodiscard]] std::size_t part_of(double value) const {
    const double share = variable_->discrete()
                             ? value / static_cast<double>(level_count())
                             : (value - variable_->low) / (variable_->high - variable_->low);
    const double part = std::floor(share * static_cast<double>(parts_));
    return static_cast<std::size_t>(std::clamp(part, 0.0, static_cast<double>(parts_ - 1)));
  }

 private:
  [[nodiscard]] std::size_t level_count() const {
    return static_cast<std::size_t>(variable_->level_count());
  }
  [[nodiscard]] std::string level(std::size_t i) const {
    return variable_->numeric() ? fmt::format("{:.4g}", variable_->values[i])
                                : variable_->labels[i];
  }
  [[nodiscard]] std::string label(std::size_t part) const {
    if (!variable_->discrete()) {
      const double width = (variable_->high - variable_->low) / static_cast<double>(parts_);
      const double low = variable_->low + width * static_cast<double>(part);
      return fmt::format("{:.4g} to {:.4g}", low, low + width);
    }
    // the first level whose part is at least this one
    const auto first = [&](std::size_t p) { return (p * level_count() + parts_ - 1) / parts_; };
    const std::size_t begin = first(part), last = first(part + 1) - 1;
    return begin == last ? level(begin) : level(begin) + " to " + level(last);
  }

  const Variable* variable_;
  std::size_t parts_ = 1;
};

/// Whether the results have just the cases that a run says it evaluated.
bool written_by_run(const ResultsFile& results, const FailedCases* failed) {
  if (failed == nullptr || !failed->all) return false;
  const std::optional<Digest> digest = results.digest();
  return digest && digest->statuses == failed->counts.statuses;
}

void sort_tallies(std::vector<Tally>& tallies) {
  std::stable_sort(tallies.begin(), tallies.end(),
                   [](const Tally& a, const Tally& b) { return a.count > b.count; });
}

/// First reasons of cases that were evaluated again.
std::vector<Tally> evaluated_tallies(const StatedLimits& stated,
                                     const std::vector<BrokenLimits>& broken) {
  std::map<Key, Tally> known;
  for (const BrokenLimits& one : broken) {
    if (one.failures.empty()) continue;
    const Failure& first = one.failures.front();
    Tally& tally = known[{first.kind, first.of}];
    tally.name = stated.name_of(first.kind, first.of);
    ++tally.count;
  }
  std::vector<Tally> tallies;
  for (auto& [key, tally] : known) tallies.push_back(std::move(tally));
  return tallies;
}

/// Makes one of limits that are stated together: the one that is broken worst, under the name of
/// the first.
void join_stated(const StatedLimits& stated, BrokenLimits& broken) {
  std::map<Key, Failure> joined;
  for (Failure failure : broken.failures) {
    failure.of = stated.first_of(failure.kind, failure.of);
    const auto [at, fresh] = joined.try_emplace({failure.kind, failure.of}, failure);
    if (!fresh && excess_of(failure) > excess_of(at->second)) at->second = failure;
  }
  broken.failures.clear();
  for (const auto& [key, failure] : joined) broken.failures.push_back(failure);
}

std::vector<FailureReport::Opening> openings_of(const StatedLimits& stated,
                                                const std::vector<BrokenLimits>& broken,
                                                const std::vector<std::int64_t>& ids) {
  struct Alone {
    std::vector<std::pair<double, std::size_t>> excess;  // with the index of the case
  };
  std::map<Key, Alone> alone;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    if (!broken[i].whole || broken[i].failures.size() != 1) continue;
    const Failure& only = broken[i].failures.front();
    if (stated.name_of(only.kind, only.of).limit)
      alone[{only.kind, only.of}].excess.emplace_back(excess_of(only), i);
  }
  std::vector<FailureReport::Opening> openings;
  for (auto& [key, cases] : alone) {
    std::sort(cases.excess.begin(), cases.excess.end());
    const auto& [least, nearest] = cases.excess.front();
    FailureReport::Opening& opening = openings.emplace_back();
    opening.name = stated.name_of(key.first, key.second);
    opening.count = static_cast<std::int64_t>(cases.excess.size());
    opening.half = cases.excess[(cases.excess.size() - 1) / 2].first;
    opening.all = cases.excess.back().first;
    opening.nearest = ids[nearest];
    opening.nearest_excess = least;
    opening.nearest_relative = broken[nearest].failures.front().violation;
  }
  std::stable_sort(openings.begin(), openings.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return openings;
}

FailureReport::Excluding excluding_of(const StatedLimits& stated,
                                      const std::vector<BrokenLimits>& broken) {
  std::map<Key, int> numbers;
  std::vector<Key> keys;
  std::vector<std::vector<int>> sets;
  for (const BrokenLimits& one : broken) {
    if (one.failures.empty()) continue;
    std::vector<int>& set = sets.emplace_back();
    for (const Failure& failure : one.failures) {
      const auto [at, fresh] =
          numbers.try_emplace({failure.kind, failure.of}, static_cast<int>(keys.size()));
      if (fresh) keys.push_back(at->first);
      set.push_back(at->second);
    }
  }
  const HittingSet found = hitting_set(std::move(sets));
  FailureReport::Excluding excluding;
  excluding.smallest = found.smallest;
  for (const int element : found.elements) {
    const auto& [kind, of] = keys[static_cast<std::size_t>(element)];
    excluding.names.push_back(stated.name_of(kind, of));
  }
  return excluding;
}

}  // namespace

FailureReport failures_of(const ResultsFile& results, const Study& study,
                          const FailureOptions& options) {
  const WorkMeter reading;
  FailureReport report;
  report.typed = !results.failure_names().empty();
  report.exact_springs =
      study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
  const StatedLimits stated(study);
  std::vector<Parts> parts;
  // points of a sampling follow from its ids, so that they are read only to be counted
  const bool light = !options.by_variable && study.search() == nullptr;
  for (const Variable& variable : study.variables) {
    if (!options.by_variable) break;
    parts.emplace_back(variable);
    report.variables.push_back(parts.back().empty(unit_of(study, variable)));
  }
  FailedSample sample(study, options.on);
  StoredTallies tallies(results, study, stated);
  const std::optional<KeepRule>& rule = results.keep_rule();
  report.sampled = rule.has_value();
  const IdSample kept = rule ? IdSample(rule->cases, rule->sample, rule->seed) : IdSample(0, 0, 0);
  const Totals* known = nullptr;  // of all cases, which then are not read
  bool begun = false;             // whether the run has chosen the sample and evaluates it
  std::optional<Totals> stored_totals;
  if (report.sampled) {
    known = &stored_totals.emplace(results.totals());
  } else if (light && report.typed && written_by_run(results, options.failed)) {
    known = &options.failed->counts;
    begun = options.begun.valid();
    for (const std::int64_t id : options.failed->ids)
      if (!begun) sample.offer(id, {});
  }
  const bool read = known == nullptr || report.sampled;  // of some, the sample is
  auto cases = light ? results.outcomes() : results.cases();
  std::vector<double> point;
  for (CaseRow row; read && cases.next(row);) {
    if (report.sampled && !kept.contains(row.id)) continue;
    const bool failed = row.status != Status::feasible;
    if (!light) point = point_of(study, row);
    for (std::size_t v = 0; v < parts.size(); ++v) {
      FailureReport::Share& share = report.variables[v].shares[parts[v].part_of(point[v])];
      ++share.cases;
      share.failed += failed ? 1 : 0;
    }
    if (!report.sampled) {
      ++report.cases;
      ++(failed ? report.failed : report.feasible);
      tallies.see(row);
    }
    if (failed && !report.exact_springs) sample.offer(row.id, point);
  }
  if (known != nullptr) {
    tallies.see(*known);
    report.cases = known->cases();
    report.feasible = known->count(Status::feasible);
    report.failed = report.cases - report.feasible;
  }
  std::vector<Tally> stored = tallies.finish();
  report.seconds = reading.passed().cpu;
  if (report.typed) report.tallies = std::move(stored);
  if (!report.exact_springs && report.failed > 0) {
    if (!begun && options.failed != nullptr) sample.take_known(*options.failed);
    EvaluatedOn on =
        begun ? options.begun.get() : evaluate_on(study, std::move(sample), options.on);
    report.seconds += on.seconds;
    std::vector<BrokenLimits>& broken = on.broken;
    for (BrokenLimits& one : broken) join_stated(stated, one);
    report.evaluated = static_cast<std::int64_t>(broken.size());
    if (!report.typed) report.tallies = evaluated_tallies(stated, broken);
    report.openings = openings_of(stated, broken, on.ids);
    if (report.feasible == 0 && report.evaluated > 0)
      report.excluding = excluding_of(stated, broken);
  }
  sort_tallies(report.tallies);
  return report;
}

std::vector<Failure> failures_of_case(const Study& study, const CaseRow& row) {
  const std::vector<std::vector<double>> points = {point_of(study, row)};
  return broken_limits(study, points).front().failures;
}

}  // namespace counterpoise
