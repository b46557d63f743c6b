#include "optimizer/convex/choice/equal_options.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace counterpoise {
namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();

/// Which unknowns the problem reads: those with a coefficient.
std::vector<bool> read_by(const ConvexProblem& problem) {
  std::vector<bool> read(problem.lower.size(), false);
  const auto note = [&](int unknown, bool used) {
    if (used) read[unknown] = true;
  };
  for (const AffineSeries& series : problem.series)
    for (const AffineSeries::Column& column : series.columns)
      note(column.variable, std::any_of(column.coefficients.begin(), column.coefficients.end(),
                                        [](double coefficient) { return coefficient != 0.0; }));
  for (const ConvexSum& sum : problem.objective)
    for (const ConvexSum::Term& term : sum.linear) note(term.index, term.weight != 0.0);
  for (const ConvexLimit& limit : problem.limits)
    for (const ConvexSum::Term& term : limit.sum.linear) note(term.index, term.weight != 0.0);
  return read;
}

EqualOptions equal_of(const ChoiceGroup& group, const std::vector<bool>& read) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < group.unknowns.size(); ++i)
    if (read[group.unknowns[i]]) places.push_back(i);
  const auto is_before = [&](int a, int b) {
    for (const std::size_t i : places)
      if (group.options[a][i] != group.options[b][i])
        return group.options[a][i] < group.options[b][i];
    return false;
  };
  std::vector<int> sorted(group.options.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), is_before);
  EqualOptions equal;
  equal.first.resize(sorted.size());
  equal.members.resize(sorted.size());
  int first = -1;
  for (const int o : sorted) {
    if (first < 0 || is_before(first, o)) first = o;
    equal.first[o] = first;
  }
  for (int o = 0; o < static_cast<int>(sorted.size()); ++o) {
    if (equal.first[o] == o) equal.distinct.push_back(o);
    equal.members[equal.first[o]].push_back(o);
  }
  return equal;
}

/// Goes through all that equal one combination, in the order of their options.
class EqualOnes {
 public:
  EqualOnes(const Combination& of, const std::vector<EqualOptions>& equal)
      : of_(&of), equal_(&equal), options_(of.options), at_(of.options.size(), 0) {}

  [[nodiscard]] const std::vector<int>& options() const { return options_; }
  [[nodiscard]] const Combination& of() const { return *of_; }

  /// The next one; false behind the last.
  bool advance() {
    for (std::size_t g = at_.size(); g-- > 0;) {
      const std::vector<int>& members = (*equal_)[g].members[of_->options[g]];
      at_[g] = at_[g] + 1 < members.size() ? at_[g] + 1 : 0;
      options_[g] = members[at_[g]];
      if (at_[g] > 0) return true;
    }
    return false;
  }

 private:
  const Combination* of_;
  const std::vector<EqualOptions>* equal_;
  std::vector<int> options_;
  std::vector<std::size_t> at_;  // among the members of each group's option
};

Combination with_options(const Combination& equal, const std::vector<int>& options,
                         const std::vector<ChoiceGroup>& groups) {
  Combination result{options, equal.x, equal.value};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<double>& option = groups[g].options[options[g]];
    for (std::size_t i = 0; i < option.size(); ++i) result.x[groups[g].unknowns[i]] = option[i];
  }
  return result;
}

}  // namespace

std::vector<EqualOptions> equal_options(const ConvexProblem& problem,
                                        const std::vector<ChoiceGroup>& groups) {
  const std::vector<bool> read = read_by(problem);
  std::vector<EqualOptions> equal;
  for (const ChoiceGroup& group : groups) equal.push_back(equal_of(group, read));
  return equal;
}

std::vector<Combination> with_equal_ones(std::vector<Combination> distinct,
                                         const std::vector<ChoiceGroup>& groups,
                                         const std::vector<EqualOptions>& equal, std::size_t most) {
  if (count_distinct(equal) == count_all(equal)) return distinct;
  const auto later = [](const EqualOnes& a, const EqualOnes& b) {
    return a.options() > b.options();
  };
  std::vector<Combination> all;
  for (std::size_t i = 0; i < distinct.size() && all.size() < most;) {
    std::priority_queue<EqualOnes, std::vector<EqualOnes>, decltype(later)> tied(later);
    for (const double value = distinct[i].value; i < distinct.size(); ++i) {
      if (distinct[i].value != value) break;
      tied.push({distinct[i], equal});
    }
    while (!tied.empty() && all.size() < most) {
      EqualOnes next = tied.top();
      tied.pop();
      all.push_back(with_options(next.of(), next.options(), groups));
      if (next.advance()) tied.push(std::move(next));
    }
  }
  return all;
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  return a > 0 && b > largest_count / a ? largest_count : a * b;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return a > largest_count - b ? largest_count : a + b;
}

std::int64_t count_distinct(const std::vector<EqualOptions>& equal, std::size_t first_group) {
  std::int64_t count = 1;
  for (std::size_t g = first_group; g < equal.size(); ++g)
    count = times(count, static_cast<std::int64_t>(equal[g].distinct.size()));
  return count;
}

std::int64_t count_all(const std::vector<EqualOptions>& equal, std::size_t first_group) {
  std::int64_t count = 1;
  for (std::size_t g = first_group; g < equal.size(); ++g)
    count = times(count, static_cast<std::int64_t>(equal[g].first.size()));
  return count;
}

std::int64_t count_equal(const std::vector<EqualOptions>& equal, const std::vector<int>& options) {
  std::int64_t count = 1;
  for (std::size_t g = 0; g < options.size(); ++g) {
    const auto& members = equal[g].members[options[g]];
    count = times(count, static_cast<std::int64_t>(members.size()));
  }
  return count;
}

}  // namespace counterpoise
