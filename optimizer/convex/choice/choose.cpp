#include "optimizer/convex/choice/choose.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/choice/joined_parts.hpp"
#include "optimizer/convex/choice/relaxed_choice.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t worth_relaxing = 256;  // listed ones, which cost more than a relaxed problem

void check(const ChoiceProblem& problem) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  std::vector<bool> taken(problem.convex.lower.size(), false);
  require(!problem.groups.empty(), "a choice needs groups");
  for (const ChoiceGroup& group : problem.groups) {
    require(!group.options.empty(), "a choice needs options");
    for (const int unknown : group.unknowns) {
      const auto at = static_cast<std::size_t>(unknown);
      require(unknown >= 0 && at < taken.size() && !taken[at], "an unknown is chosen by one group");
      taken[at] = true;
    }
    for (const auto& option : group.options)
      require(option.size() == group.unknowns.size(), "an option has a value for each unknown");
  }
}

class Chooser {
 public:
  Chooser(const ChoiceProblem& problem, const ChoiceOptions& options)
      : problem_(problem),
        options_(options),
        hulls_(hulls_of(problem.groups)),
        equal_(equal_options(problem.convex, problem.groups)),
        own_limits_(problem.convex.limits.size()) {
    std::size_t chosen = 0;
    for (const ChoiceGroup& group : problem.groups) chosen += group.unknowns.size();
    all_chosen_ = chosen == problem.convex.lower.size();
    check(relaxed_choice(problem, hulls_));
  }

  ChoiceSolution run() {
    solution_.combinations = count_all(equal_);
    const std::int64_t distinct = count_distinct(equal_);
    solution_.equal = solution_.combinations - distinct;
    std::vector<int> prefix;
    explore(prefix, distinct);
    const double most = threshold();
    std::erase_if(solution_.best, [&](const auto& one) { return one.value > most; });
    sort_best();
    keep_equal_ones(most);
    solution_.truncated = solution_.truncated || least_dropped_ <= most;
    return std::move(solution_);
  }

 private:
  /// A lower bound of every combination below a prefix, as a sum over groups.
  struct Bounds {
    double constant = 0.0;  // with the groups of the prefix
    // of the groups behind the prefix
    std::vector<std::vector<double>> parts;  // per group and option
    std::vector<std::vector<int>> order;     // distinct options of each group, least part first
    std::vector<double> rest;                // least parts of this group and all behind it
  };
  struct Listed {
    double bound;
    std::vector<int> options;
  };

  [[nodiscard]] double threshold() const {
    if (!(best_value_ < infinity)) return infinity;
    return best_value_ + options_.within * std::abs(best_value_) +
           ConvexTolerances::agreement * std::abs(best_value_);
  }

  void sort_best() {
    std::sort(solution_.best.begin(), solution_.best.end(), [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value < b.value : a.options < b.options;
    });
    if (solution_.best.size() <= options_.keep) return;
    for (; solution_.best.size() > options_.keep; solution_.best.pop_back()) {
      const Combination& last = solution_.best.back();
      least_dropped_ = std::min(least_dropped_, last.value);
      dropped_.emplace_back(last.value, count_equal(equal_, last.options));
    }
  }

  /// Replaces each of the best combinations by all that equal it, and counts those up to `most`.
  void keep_equal_ones(double most) {
    std::int64_t all = 0, dropped = 0;
    for (const Combination& one : solution_.best) all = plus(all, count_equal(equal_, one.options));
    for (const auto& [value, count] : dropped_)
      if (value <= most) dropped = plus(dropped, count);
    solution_.near = std::max(solution_.near, plus(all, dropped));
    solution_.best =
        with_equal_ones(std::move(solution_.best), problem_.groups, equal_, options_.keep);
    if (all > static_cast<std::int64_t>(solution_.best.size()))
      least_dropped_ = std::min(least_dropped_, solution_.best.back().value);
  }

  /// The bound that a relaxed problem's multipliers prove, without the hulls' multipliers, split by
  /// group.
  Bounds bounds_of(const ConvexSolution& solved, const std::vector<int>& prefix) {
    Certificate certificate = solved.certificate;
    certificate.limits.resize(own_limits_);
    ConvexProblem convex = problem_.convex;
    std::vector<bool> chosen(convex.lower.size(), false);
    for (const ChoiceGroup& group : problem_.groups)
      for (const int unknown : group.unknowns) {
        const auto at = static_cast<std::size_t>(unknown);
        chosen[at] = true;
        convex.lower[at] = convex.upper[at] = 0.0;  // counted below
      }
    add_up(convex, certificate);
    if (prefix.empty()) {
      solution_.bound_constant = certificate.bound;
      solution_.bound_slopes = certificate.slopes;
      for (std::size_t i = 0; i < chosen.size(); ++i)
        if (!chosen[i]) solution_.bound_slopes[i] = 0.0;
    }
    Bounds bounds;
    bounds.constant = certificate.bound;
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      const ChoiceGroup& group = problem_.groups[g];
      std::vector<double>& parts = bounds.parts.emplace_back();
      std::vector<int>& order = bounds.order.emplace_back();
      const auto part_of = [&](const std::vector<double>& option) {
        double part = 0.0;
        for (std::size_t i = 0; i < option.size(); ++i)
          part += certificate.slopes[group.unknowns[i]] * option[i];
        return part;
      };
      if (g < prefix.size()) {
        bounds.constant += part_of(group.options[prefix[g]]);
        continue;
      }
      for (const auto& option : group.options) parts.push_back(part_of(option));
      order = equal_[g].distinct;
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return parts[a] < parts[b]; });
    }
    bounds.rest.assign(problem_.groups.size() + 1, 0.0);
    for (std::size_t g = problem_.groups.size(); g-- > prefix.size();)
      bounds.rest[g] = bounds.rest[g + 1] + bounds.parts[g][bounds.order[g].front()];
    return bounds;
  }

  /// Treats all `combinations` that begin with this prefix.
  void explore(std::vector<int>& prefix, std::int64_t combinations) {
    const ConvexSolution solved = solve(relaxed_choice(problem_, hulls_, prefix), options_.convex);
    if (prefix.empty()) solution_.relaxed = solved;
    if (solved.status == ConvexSolution::Status::infeasible ||
        solved.certificate.bound > threshold()) {
      exclude(combinations);
      return;
    }
    const Bounds bounds = bounds_of(solved, prefix);
    if (!(best_value_ < infinity)) evaluate_first(prefix, bounds);
    const std::size_t group = prefix.size();
    if (group + 1 >= problem_.groups.size() ||
        count_listed(group, bounds, bounds.constant, worth_relaxing) <= worth_relaxing) {
      evaluate_all(prefix, bounds, bounds.constant);
      return;
    }
    if (all_chosen_) {
      search_parts(combinations);
      return;
    }
    const std::int64_t each = count_distinct(equal_, group + 1);
    const std::vector<int>& order = bounds.order[group];
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double bound = bounds.constant + bounds.parts[group][order[i]];
      if (bound + bounds.rest[group + 1] > threshold()) {
        exclude(times(each, static_cast<std::int64_t>(order.size() - i)));
        return;
      }
      prefix.push_back(order[i]);
      if (each > static_cast<std::int64_t>(worth_relaxing))
        explore(prefix, each);
      else
        evaluate_all(prefix, bounds, bound);
      prefix.pop_back();
    }
  }

  /// The same for all combinations of a choice in which every unknown is chosen.
  void search_parts(std::int64_t combinations) {
    JoinedParts joined = join_parts(problem_, equal_, options_);
    solution_.near = joined.near;
    solution_.truncated = joined.truncated;
    solution_.evaluated = joined.evaluated;
    solution_.infeasible = joined.infeasible;
    solution_.left = std::min(joined.left, combinations - joined.evaluated);
    exclude(combinations - joined.evaluated - solution_.left);
    solution_.best = std::move(joined.best);
    if (!solution_.best.empty()) best_value_ = solution_.best.front().value;
  }

  /// Counts the combinations of this group and those after it whose bound does not exclude them;
  /// stops beyond `enough`.
  [[nodiscard]] std::size_t count_listed(std::size_t group, const Bounds& bounds, double bound,
                                         std::size_t enough) const {
    if (group == problem_.groups.size()) return 1;
    std::size_t count = 0;
    for (const int option : bounds.order[group]) {
      const double next = bound + bounds.parts[group][option];
      if (next + bounds.rest[group + 1] > threshold() || count > enough) break;
      count += count_listed(group + 1, bounds, next, enough - std::min(count, enough));
    }
    return count;
  }

  /// The combinations that begin with a prefix, of which `bound` is the part of the bound, and that
  /// their bound does not exclude: least bound first.
  void evaluate_all(std::vector<int>& prefix, const Bounds& bounds, double bound) {
    std::vector<Listed> listed;
    list(prefix, bounds, bound, listed);
    std::sort(listed.begin(), listed.end(), [](const Listed& a, const Listed& b) {
      return a.bound != b.bound ? a.bound < b.bound : a.options < b.options;
    });
    for (const Listed& one : listed) {
      if (one.bound > threshold())
        exclude(1);
      else
        evaluate(one.options);
    }
  }

  /// Evaluates the combination with the least bound first, so that fewer are listed.
  void evaluate_first(const std::vector<int>& prefix, const Bounds& bounds) {
    std::vector<int> options = prefix;
    for (std::size_t g = prefix.size(); g < problem_.groups.size(); ++g)
      options.push_back(bounds.order[g].front());
    const Combination first = combination(options);
    if (!first.x.empty()) best_value_ = first.value;
  }

  void list(std::vector<int>& options, const Bounds& bounds, double bound,
            std::vector<Listed>& listed) {
    const std::size_t group = options.size();
    if (group == problem_.groups.size()) {
      listed.push_back({bound, options});
      return;
    }
    const std::int64_t each = count_distinct(equal_, group + 1);
    const auto& order = bounds.order[group];
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double next = bound + bounds.parts[group][order[i]];
      if (next + bounds.rest[group + 1] > threshold()) {
        exclude(times(each, static_cast<std::int64_t>(order.size() - i)));
        return;
      }
      options.push_back(order[i]);
      list(options, bounds, next, listed);
      options.pop_back();
    }
  }

  /// The best value of a combination; x is empty where a limit is broken.
  Combination combination(const std::vector<int>& options) {
    Combination result{options, {}, infinity};
    if (!all_chosen_) {
      ConvexSolution solved = solve(relaxed_choice(problem_, hulls_, options), options_.convex);
      if (solved.status == ConvexSolution::Status::infeasible) return result;
      result.x = std::move(solved.x);
      result.value = solved.value;
      return result;
    }
    x_.resize(problem_.convex.lower.size());
    for (std::size_t g = 0; g < options.size(); ++g) {
      const ChoiceGroup& group = problem_.groups[g];
      const auto& option = group.options[options[g]];
      for (std::size_t i = 0; i < option.size(); ++i) x_[group.unknowns[i]] = option[i];
    }
    for (const ConvexLimit& limit : problem_.convex.limits)
      if (value_of(problem_.convex, limit.sum, x_) >
          limit.bound +
              ConvexTolerances::agreement * std::max(std::abs(limit.bound), size_of(limit.sum)))
        return result;
    result.x = x_;
    result.value = objective_of(problem_.convex, x_);
    return result;
  }

  [[nodiscard]] double size_of(const ConvexSum& sum) const {
    double size = 0.0;
    for (const ConvexSum::Term& term : sum.linear)
      size = std::max(size, std::abs(term.weight * x_[term.index]));
    return size;
  }

  void exclude(std::int64_t combinations) {
    solution_.excluded = plus(solution_.excluded, combinations);
  }

  void evaluate(const std::vector<int>& options) {
    options_.convex.interruption.poll();
    ++solution_.evaluated;
    Combination found = combination(options);
    if (found.x.empty()) {
      ++solution_.infeasible;
      return;
    }
    best_value_ = std::min(best_value_, found.value);
    if (found.value > threshold()) return;
    solution_.best.push_back(std::move(found));
    if (solution_.best.size() > 2 * options_.keep) sort_best();
  }

  const ChoiceProblem& problem_;
  const ChoiceOptions& options_;
  const std::vector<OptionHull> hulls_;
  const std::vector<EqualOptions> equal_;
  std::size_t own_limits_;
  bool all_chosen_ = true;
  ChoiceSolution solution_;
  double best_value_ = infinity;
  double least_dropped_ = infinity;  // of those near the best so far, beyond what is kept
  std::vector<std::pair<double, std::int64_t>> dropped_;  // their values and how many equal each
  std::vector<double> x_;
};

}  // namespace

ChoiceSolution choose(const ChoiceProblem& problem, const ChoiceOptions& options) {
  check(problem);
  return Chooser(problem, options).run();
}

}  // namespace counterpoise
