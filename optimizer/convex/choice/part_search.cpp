#include "optimizer/convex/choice/part_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <queue>

#include "optimizer/convex/choice/part_values.hpp"
#include "optimizer/convex/choice/relaxed_choice.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t few = 256;  // combinations, which cost no more than a relaxed problem
constexpr std::int64_t most_looked_at = 200'000;  // combinations near the best that are looked at
constexpr std::size_t most_tried = 500;           // options of a group in a local search
constexpr int most_sweeps = 10;

bool before(const PartOne& a, const PartOne& b) {
  return a.value != b.value ? a.value < b.value : a.options < b.options;
}

/// The best combinations so far.
class BestOnes {
 public:
  BestOnes(const PartWish& wish, double rounding) : wish_(wish), rounding_(rounding) {}

  /// Whether no combination with this bound is wanted.
  [[nodiscard]] bool excludes(double bound) const {
    return to_least() ? bound >= least_ - agreement()
                      : bound > std::min(wanted(), worst_) + rounding_;
  }
  /// Whether no better ones are left where the open branches have this bound, and enough are known.
  [[nodiscard]] bool suffice(double bound) const {
    return std::ssize(ones_) + std::ssize(dropped_) > most_looked_at &&
           bound >= std::max(wish_.floor, least_ - agreement());
  }

  /// A combination that has been evaluated, and will be again where it is near the best.
  void know(double value, const std::vector<int>& options) {
    least_ = std::min(least_, value);
    known_ = {value, options};
  }

  void add(double value, const std::vector<int>& options) {
    if (to_least() && value < least_) ones_.clear();
    least_ = std::min(least_, value);
    if (value > wanted()) return;
    ones_.push_back({std::max(value, wish_.floor), options});
    if (ones_.size() > 2 * wish_.keep + few) shorten();
  }

  /// `all`: whether no branch is left.
  [[nodiscard]] PartFound take(bool all) {
    const double most = wanted();
    PartFound found;
    if (ones_.empty() && known_.value < infinity && known_.value <= most) ones_.push_back(known_);
    std::erase_if(ones_, [&](const PartOne& one) { return one.value > most; });
    const auto dropped = std::count_if(dropped_.begin(), dropped_.end(),
                                       [&](double value) { return value <= most; });
    found.near = std::ssize(ones_) + dropped;
    shorten();
    found.truncated = !all || found.near > std::ssize(ones_);
    found.ones = std::move(ones_);
    return found;
  }

 private:
  [[nodiscard]] bool to_least() const { return wish_.up == PartWish::Up::to_least; }
  [[nodiscard]] double agreement() const {
    return least_ < infinity ? ConvexTolerances::agreement * std::abs(least_) : 0.0;
  }
  /// The value up to which combinations are wanted, if there are not too many.
  [[nodiscard]] double wanted() const {
    if (wish_.up == PartWish::Up::to_most) return wish_.most;
    if (to_least() || !(least_ < infinity)) return least_;
    return least_ + wish_.within * std::abs(least_) + agreement();
  }
  void shorten() {
    std::sort(ones_.begin(), ones_.end(), before);
    for (; ones_.size() > wish_.keep; ones_.pop_back()) {
      dropped_.push_back(ones_.back().value);
      worst_ = ones_[wish_.keep - 1].value;
    }
  }

  const PartWish& wish_;
  double rounding_;  // of bounds
  std::vector<PartOne> ones_;
  PartOne known_{infinity, {}};
  std::vector<double> dropped_;  // values of those beyond what is kept
  double least_ = infinity;
  double worst_ = infinity;  // of those kept, where more were found
};

/// Combinations of some options of each group that are looked at together.
struct Branch {
  double bound = -infinity;
  std::int64_t number = 0;             // in the order of their making
  std::vector<std::vector<int>> left;  // options of each group
};

bool later(const Branch& a, const Branch& b) {
  return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
}

class PartSearch {
 public:
  PartSearch(const ChoiceProblem& problem, const PartWish& wish, const ConvexOptions& convex)
      : problem_(problem),
        convex_(convex),
        values_(problem),
        at_zero_(problem.convex),
        sizes_(sizes_of(problem.convex)),
        best_(wish, ConvexTolerances::rounding * size_without_springs(problem.convex)) {
    at_zero_.lower.assign(at_zero_.lower.size(), 0.0);
    at_zero_.upper = at_zero_.lower;
  }

  PartFound run() {
    Branch all;
    for (const ChoiceGroup& group : problem_.groups) {
      all.left.emplace_back(group.options.size());
      std::iota(all.left.back().begin(), all.left.back().end(), 0);
    }
    push(std::move(all));
    bool finished = true;
    while (!open_.empty()) {
      if (best_.excludes(open_.front().bound)) break;
      if (best_.suffice(open_.front().bound)) {
        finished = false;
        break;
      }
      std::pop_heap(open_.begin(), open_.end(), later);
      Branch branch = std::move(open_.back());
      open_.pop_back();
      convex_.interruption.poll();
      if (problem_.groups.size() == 1)
        try_each(branch.left[0]);
      else
        explore(std::move(branch));
    }
    PartFound found = best_.take(finished);
    found.evaluated = evaluated_;
    found.infeasible = infeasible_;
    return found;
  }

 private:
  /// A lower bound of each combination of a branch: a sum over groups.
  struct Bounds {
    double constant = 0.0;
    std::vector<std::vector<double>> parts;  // of each group's options that are left
    std::vector<double> least;               // of each group's parts
    std::vector<double> rest;                // least parts of this group and all behind it
  };
  struct Listed {
    double bound;
    std::vector<int> options;
  };

  /// How much an objective or a limit may change with each unknown.
  static std::vector<double> sizes_of(const ConvexProblem& problem) {
    std::vector<double> sizes(problem.lower.size(), 0.0);
    const auto add = [&](const ConvexSum& sum) {
      for (const ConvexSum::Term& term : sum.linear)
        sizes[term.index] = std::max(sizes[term.index], std::abs(term.weight));
      for (const ConvexSum::Term& term : sum.norms)
        for (const SeriesNorm::Part& part : problem.norms[term.index].parts)
          for (const AffineSeries::Column& column : problem.series[part.series].columns) {
            double& size = sizes[column.variable];
            for (std::size_t k = 0; k < column.coefficients.size(); ++k)
              size = std::max(size, std::abs(term.weight * column.coefficients[k]) *
                                        (part.weights.empty() ? 1.0 : part.weights[k]));
          }
    };
    for (const ConvexSum& sum : problem.objective) add(sum);
    for (const ConvexLimit& limit : problem.limits) add(limit.sum);
    return sizes;
  }

  void push(Branch branch) {
    branch.number = made_++;
    open_.push_back(std::move(branch));
    std::push_heap(open_.begin(), open_.end(), later);
  }

  void try_one(const std::vector<int>& options) {
    ++evaluated_;
    const std::optional<double> value = values_.value_of(options);
    if (value)
      best_.add(*value, options);
    else
      ++infeasible_;
  }

  void try_each(const std::vector<int>& options) {
    for (const int option : options) try_one({option});
  }

  void explore(Branch branch) {
    std::vector<OptionHull> hulls;
    for (std::size_t g = 0; g < branch.left.size(); ++g)
      hulls.emplace_back(problem_.groups[g], branch.left[g]);
    const ConvexSolution solved = solve(relaxed_choice(problem_, hulls), convex_);
    if (solved.status == ConvexSolution::Status::infeasible ||
        best_.excludes(solved.certificate.bound))
      return;
    branch.bound = std::max(branch.bound, solved.certificate.bound);
    if (branch.number == 0) search_near(solved.x, branch);
    Bounds bounds = bounds_of(solved.certificate, branch);
    std::size_t before = 0, after = 0;
    for (const std::vector<int>& left : branch.left) before += left.size();
    if (!leave_out(branch, bounds)) return;
    for (const std::vector<int>& left : branch.left) after += left.size();
    if (count_listed(0, bounds.constant, bounds, few) <= few) {
      evaluate_listed(branch, bounds);
    } else if (2 * after <= before) {
      push(std::move(branch));
    } else {
      split(branch, solved.x);
    }
  }

  /// The bound that multipliers prove, split by groups, without those of the hulls. In place of the
  /// multipliers of a norm that reads one group it has the norm itself.
  [[nodiscard]] Bounds bounds_of(Certificate certificate, const Branch& branch) const {
    certificate.limits.resize(problem_.convex.limits.size());
    const std::vector<double> weights = norm_weights(problem_.convex, certificate);
    std::erase_if(certificate.witnesses, [&](const Certificate::Witness& witness) {
      return values_.group_of(static_cast<std::size_t>(witness.norm)) >= 0;
    });
    add_up(at_zero_, certificate);
    Bounds bounds;
    bounds.constant = certificate.bound;
    for (std::size_t g = 0; g < branch.left.size(); ++g) {
      const ChoiceGroup& group = problem_.groups[g];
      std::vector<double>& parts = bounds.parts.emplace_back();
      for (const int option : branch.left[g]) {
        double part = 0.0;
        for (std::size_t i = 0; i < group.unknowns.size(); ++i)
          part += certificate.slopes[group.unknowns[i]] * group.options[option][i];
        parts.push_back(part);
      }
    }
    for (std::size_t n = 0; n < weights.size(); ++n) {
      const int g = values_.group_of(n);
      if (g < 0 || weights[n] == 0.0) continue;
      for (std::size_t i = 0; i < branch.left[g].size(); ++i)
        bounds.parts[g][i] += weights[n] * values_.of_options(n)[branch.left[g][i]];
    }
    return bounds;
  }

  /// Leaves out the options that no combination with them can reach what is wanted, and sorts the
  /// others by their parts of the bound. Returns false if none is left.
  [[nodiscard]] bool leave_out(Branch& branch, Bounds& bounds) const {
    double least = bounds.constant;
    for (const std::vector<double>& parts : bounds.parts) {
      bounds.least.push_back(*std::min_element(parts.begin(), parts.end()));
      least += bounds.least.back();
    }
    if (best_.excludes(least)) return false;
    branch.bound = std::max(branch.bound, least);
    for (std::size_t g = 0; g < branch.left.size(); ++g) {
      std::vector<std::pair<double, int>> kept;
      for (std::size_t i = 0; i < branch.left[g].size(); ++i)
        if (!best_.excludes(least - bounds.least[g] + bounds.parts[g][i]))
          kept.emplace_back(bounds.parts[g][i], branch.left[g][i]);
      if (kept.empty()) return false;
      std::sort(kept.begin(), kept.end());
      bounds.parts[g].clear();
      branch.left[g].clear();
      for (const auto& [part, option] : kept) {
        bounds.parts[g].push_back(part);
        branch.left[g].push_back(option);
      }
    }
    bounds.rest.assign(branch.left.size() + 1, 0.0);
    for (std::size_t g = branch.left.size(); g-- > 0;)
      bounds.rest[g] = bounds.rest[g + 1] + bounds.parts[g].front();
    return true;
  }

  /// Counts the combinations of this group and those after it whose bound does not exclude them;
  /// stops beyond `enough`.
  [[nodiscard]] std::size_t count_listed(std::size_t group, double bound, const Bounds& bounds,
                                         std::size_t enough) const {
    if (group == bounds.parts.size()) return 1;
    std::size_t count = 0;
    for (const double part : bounds.parts[group]) {
      if (count > enough || best_.excludes(bound + part + bounds.rest[group + 1])) break;
      count += count_listed(group + 1, bound + part, bounds, enough - count);
    }
    return count;
  }

  void list(const Branch& branch, double bound, const Bounds& bounds, std::vector<int>& options,
            std::vector<Listed>& listed) const {
    const std::size_t group = options.size();
    if (group == branch.left.size()) {
      listed.push_back({bound, options});
      return;
    }
    for (std::size_t i = 0; i < branch.left[group].size(); ++i) {
      const double next = bound + bounds.parts[group][i];
      if (best_.excludes(next + bounds.rest[group + 1])) return;
      options.push_back(branch.left[group][i]);
      list(branch, next, bounds, options, listed);
      options.pop_back();
    }
  }

  /// Evaluates the combinations that no bound excludes, least bound first.
  void evaluate_listed(const Branch& branch, const Bounds& bounds) {
    std::vector<Listed> listed;
    std::vector<int> options;
    list(branch, bounds.constant, bounds, options, listed);
    std::sort(listed.begin(), listed.end(), [](const Listed& a, const Listed& b) {
      return a.bound != b.bound ? a.bound < b.bound : a.options < b.options;
    });
    for (const Listed& one : listed)
      if (!best_.excludes(one.bound)) try_one(one.options);
  }

  /// Where the options of a group can be split.
  struct Cut {
    std::size_t group = 0, place = 0;  // of the unknown in the group
    double value = 0.0;                // options with this number or a smaller one are a branch
    bool between = false;              // whether the relaxed value is between two options
    double reach = -1.0;  // how far from the nearer of them, or of all, in terms of the objective
  };

  [[nodiscard]] Cut cut_of(std::size_t g, std::size_t place, const std::vector<int>& left,
                           double x) const {
    const ChoiceGroup& group = problem_.groups[g];
    double below = -infinity, above = infinity, low = infinity, high = -infinity;
    for (const int option : left) {
      const double own = group.options[option][place];
      low = std::min(low, own);
      high = std::max(high, own);
      if (own <= x) below = std::max(below, own);
      if (own >= x) above = std::min(above, own);
    }
    const double size = sizes_[group.unknowns[place]];
    if (!(low < high)) return {};
    const bool inside = below >= low && above <= high;  // else x is beyond the options left
    const double nearer = std::min(x - below, above - x);
    if (inside && nearer > ConvexTolerances::agreement * (high - low))
      return {g, place, below, true, size * nearer};
    return {g, place, std::min(low + 0.5 * (high - low), std::nextafter(high, low)), false,
            size * (high - low)};
  }

  /// Two branches with the options of one group on both sides of a value of one unknown: where the
  /// relaxed problem's value is farthest from any option's, in terms of the objective. Where no
  /// unknown is between options, the middle of the unknown whose options lie farthest apart.
  void split(const Branch& branch, const std::vector<double>& x) {
    Cut cut;
    for (std::size_t g = 0; g < branch.left.size(); ++g)
      for (std::size_t i = 0; i < problem_.groups[g].unknowns.size(); ++i) {
        const Cut own = cut_of(g, i, branch.left[g], x[problem_.groups[g].unknowns[i]]);
        if (own.between != cut.between ? own.between : own.reach > cut.reach) cut = own;
      }
    Branch first{branch.bound, 0, branch.left}, second = first;
    const auto is_low = [&](int option) {
      return problem_.groups[cut.group].options[option][cut.place] <= cut.value;
    };
    std::erase_if(first.left[cut.group], [&](int option) { return !is_low(option); });
    std::erase_if(second.left[cut.group], is_low);
    push(std::move(first));
    push(std::move(second));
  }

  /// Tries the options nearest to the relaxed problem's answer, and then others of one group at a
  /// time as long as that helps, so that bounds exclude more.
  void search_near(const std::vector<double>& x, const Branch& branch) {
    std::vector<std::vector<int>> nearest = branch.left;
    std::vector<int> options;
    for (std::size_t g = 0; g < nearest.size(); ++g) {
      const ChoiceGroup& group = problem_.groups[g];
      std::vector<std::pair<double, int>> away;
      for (const int option : nearest[g]) {
        double distance = 0.0;
        for (std::size_t i = 0; i < group.unknowns.size(); ++i)
          distance +=
              sizes_[group.unknowns[i]] * std::abs(group.options[option][i] - x[group.unknowns[i]]);
        away.emplace_back(distance, option);
      }
      const std::size_t count = std::min(most_tried, away.size());
      std::partial_sort(away.begin(), away.begin() + static_cast<std::ptrdiff_t>(count),
                        away.end());
      nearest[g].clear();
      for (std::size_t i = 0; i < count; ++i) nearest[g].push_back(away[i].second);
      options.push_back(nearest[g].front());
    }
    double least = values_.value_of(options).value_or(infinity);
    bool better = true;
    for (int sweep = 0; better && sweep < most_sweeps; ++sweep) {
      better = false;
      for (std::size_t g = 0; g < nearest.size(); ++g) {
        int chosen = options[g];
        for (const int option : nearest[g]) {
          options[g] = option;
          const double value = values_.value_of(options).value_or(infinity);
          if (!(value < least)) continue;
          least = value;
          chosen = option;
          better = true;
        }
        options[g] = chosen;
      }
    }
    if (least < infinity) best_.know(least, options);
  }

  const ChoiceProblem& problem_;
  const ConvexOptions& convex_;
  const PartValues values_;
  ConvexProblem at_zero_;            // each unknown at 0: the groups' parts are added separately
  const std::vector<double> sizes_;  // of the unknowns
  BestOnes best_;
  std::vector<Branch> open_;  // a heap, least bound first
  std::int64_t made_ = 0, evaluated_ = 0, infeasible_ = 0;
};

}  // namespace

PartFound search_part(const ChoiceProblem& problem, const PartWish& wish,
                      const ConvexOptions& convex) {
  return PartSearch(problem, wish, convex).run();
}

}  // namespace counterpoise
