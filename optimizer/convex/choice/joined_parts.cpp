#include "optimizer/convex/choice/joined_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimizer/convex/choice/part_search.hpp"
#include "optimizer/convex/independent_parts.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

/// A part and what is known of it.
struct Part {
  ChoicePart choice;
  double least = -infinity;  // its best value
  PartFound found;
};

/// Replaces a sum with one max norm of several series by one sum for each of them: the largest of
/// these has the same bits.
std::vector<ConvexSum> split_by_series(const ConvexSum& sum, ConvexProblem& problem) {
  if (sum.norms.size() != 1) return {sum};
  const SeriesNorm norm = problem.norms[sum.norms.front().index];
  if (norm.kind != NormKind::max || norm.parts.size() < 2) return {sum};
  std::vector<ConvexSum> sums;
  for (const SeriesNorm::Part& part : norm.parts) {
    sums.push_back(sum);
    sums.back().norms.front().index = static_cast<int>(problem.norms.size());
    problem.norms.push_back({NormKind::max, {part}});
  }
  return sums;
}

/// The same problem in as many sums and columns as it can be told apart by.
ConvexProblem split_problem(ConvexProblem problem) {
  for (AffineSeries& series : problem.series)
    std::erase_if(series.columns, [](const AffineSeries::Column& column) {
      return std::all_of(column.coefficients.begin(), column.coefficients.end(),
                         [](double coefficient) { return coefficient == 0.0; });
    });
  const auto drop_zeros = [](ConvexSum& sum) {
    std::erase_if(sum.linear, [](const ConvexSum::Term& term) { return term.weight == 0.0; });
  };
  for (const ConvexSum& sum : std::exchange(problem.objective, {}))
    for (ConvexSum& one : split_by_series(sum, problem)) {
      drop_zeros(one);
      problem.objective.push_back(std::move(one));
    }
  for (const ConvexLimit& limit : std::exchange(problem.limits, {}))
    for (ConvexSum& one : split_by_series(limit.sum, problem)) {
      drop_zeros(one);
      problem.limits.push_back({std::move(one), limit.bound});
    }
  return problem;
}

}  // namespace

std::vector<ChoicePart> choice_parts(const ChoiceProblem& problem,
                                     const std::vector<EqualOptions>& equal) {
  const ConvexProblem whole = split_problem(problem.convex);
  ConvexProblem tied = whole;  // with limits that hold the unknowns of a group together
  std::vector<std::size_t> group_of_unknown(whole.lower.size(), 0);
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    ConvexLimit& tie = tied.limits.emplace_back();
    for (const int unknown : problem.groups[g].unknowns) {
      tie.sum.linear.push_back({unknown, 0.0});
      group_of_unknown[unknown] = g;
    }
  }
  std::vector<ChoicePart> parts;
  for (IndependentPart& independent : independent_parts(tied)) {
    std::erase_if(independent.limits,
                  [&](int l) { return static_cast<std::size_t>(l) >= whole.limits.size(); });
    ChoicePart& part = parts.emplace_back();
    part.problem.convex = independent.problem_of(whole);
    part.counts = !independent.pieces.empty();
    std::vector<int> place(whole.lower.size(), -1);
    for (std::size_t i = 0; i < independent.unknowns.size(); ++i) {
      const int unknown = independent.unknowns[i];
      place[unknown] = static_cast<int>(i);
      part.groups.push_back(group_of_unknown[unknown]);
    }
    for (std::size_t g = 0; g < problem.groups.size(); ++g)
      if (parts.size() == 1 && problem.groups[g].unknowns.empty()) part.groups.push_back(g);
    std::sort(part.groups.begin(), part.groups.end());
    part.groups.erase(std::unique(part.groups.begin(), part.groups.end()), part.groups.end());
    for (const std::size_t g : part.groups) {
      ChoiceGroup& group = part.problem.groups.emplace_back();
      for (const int unknown : problem.groups[g].unknowns) group.unknowns.push_back(place[unknown]);
      for (const int option : equal[g].distinct)
        group.options.push_back(problem.groups[g].options[option]);
    }
  }
  return parts;
}

namespace {

/// Puts the options of the whole problem in place of those of a part.
void name_options(const std::vector<EqualOptions>& equal, Part& part) {
  for (PartOne& one : part.found.ones)
    for (std::size_t i = 0; i < part.choice.groups.size(); ++i)
      one.options[i] = equal[part.choice.groups[i]].distinct[one.options[i]];
}

class Joining {
 public:
  Joining(const ChoiceProblem& problem, std::vector<Part> parts, std::size_t keep)
      : problem_(problem), parts_(std::move(parts)), keep_(keep) {}

  /// The first combinations, least value first, then by options.
  std::vector<Combination> run() {
    double last = -infinity;  // the value of the last one that is made
    std::vector<double> values;
    for (const Part& part : parts_)
      for (const PartOne& one : part.found.ones) values.push_back(one.value);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto enough = std::partition_point(values.begin(), values.end(), [&](double value) {
      return count_up_to(value) < static_cast<std::int64_t>(keep_);
    });
    last = enough == values.end() ? values.back() : *enough;
    make([&](std::size_t, double value) { return value < last; });
    for (std::size_t first = 0; first < parts_.size(); ++first)
      make([&](std::size_t part, double value) {
        return part < first ? value < last : part == first ? value == last : value <= last;
      });
    std::sort(best_.begin(), best_.end(), [](const Combination& a, const Combination& b) {
      return a.value != b.value ? a.value < b.value : a.options < b.options;
    });
    if (best_.size() > keep_) best_.resize(keep_);
    for (Combination& one : best_) one.x = x_of(one.options);
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::int64_t count_up_to(double most) const {
    std::int64_t count = 1;
    for (const Part& part : parts_) {
      const auto& ones = part.found.ones;
      const auto end = std::partition_point(ones.begin(), ones.end(),
                                            [&](const PartOne& one) { return one.value <= most; });
      count = times(count, end - ones.begin());
    }
    return count;
  }

  /// Makes the first combinations by options, at most `keep_`, of those ones of each part that are
  /// `allowed`.
  template <class Allowed>
  void make(const Allowed& allowed) {
    std::vector<std::vector<const PartOne*>> ones;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::vector<const PartOne*>& own = ones.emplace_back();
      for (const PartOne& one : parts_[p].found.ones)
        if (allowed(p, one.value)) own.push_back(&one);
      if (own.empty()) return;
      std::sort(own.begin(), own.end(),
                [](const PartOne* a, const PartOne* b) { return a->options < b->options; });
    }
    made_ = 0;
    std::vector<Range> ranges;
    for (const auto& own : ones) ranges.push_back({0, own.size()});
    std::vector<int> options;
    make_next(ones, ranges, options);
  }

  /// Those ones of a part that begin with the options chosen so far.
  struct Range {
    std::size_t begin, end;
  };

  void make_next(const std::vector<std::vector<const PartOne*>>& ones,
                 const std::vector<Range>& ranges, std::vector<int>& options) {
    const std::size_t group = options.size();
    if (group == problem_.groups.size()) {
      double value = -infinity;
      for (std::size_t p = 0; p < parts_.size(); ++p)
        value = std::max(value, ones[p][ranges[p].begin]->value);
      best_.push_back({options, {}, value});
      ++made_;
      return;
    }
    const auto [p, place] = place_of(group);
    const auto option_at = [&, p = p, place = place](std::size_t i) {
      return ones[p][i]->options[place];
    };
    std::vector<Range> next = ranges;
    for (std::size_t i = ranges[p].begin; i < ranges[p].end && made_ < keep_; i = next[p].end) {
      next[p] = {i, i + 1};
      while (next[p].end < ranges[p].end && option_at(next[p].end) == option_at(i)) ++next[p].end;
      options.push_back(option_at(i));
      make_next(ones, next, options);
      options.pop_back();
    }
  }

  struct Place {
    std::size_t part, group;
  };
  [[nodiscard]] Place place_of(std::size_t group) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto& groups = parts_[p].choice.groups;
      const auto found = std::find(groups.begin(), groups.end(), group);
      if (found != groups.end()) return {p, static_cast<std::size_t>(found - groups.begin())};
    }
    return {0, 0};
  }

  [[nodiscard]] std::vector<double> x_of(const std::vector<int>& options) const {
    std::vector<double> x(problem_.convex.lower.size(), 0.0);
    for (std::size_t g = 0; g < options.size(); ++g) {
      const ChoiceGroup& group = problem_.groups[g];
      const std::vector<double>& option = group.options[options[g]];
      for (std::size_t i = 0; i < option.size(); ++i) x[group.unknowns[i]] = option[i];
    }
    return x;
  }

  const ChoiceProblem& problem_;
  const std::vector<Part> parts_;
  const std::size_t keep_;
  std::vector<Combination> best_;
  std::size_t made_ = 0;  // by one call of make()
};

double largest_least(const std::vector<Part>& parts) {
  double largest = -infinity;
  for (const Part& part : parts)
    if (part.choice.counts) largest = std::max(largest, part.least);
  return largest;
}

double most_near(double best, double within) {
  return best + within * std::abs(best) + ConvexTolerances::agreement * std::abs(best);
}

/// How many options of the whole equal each option of a part.
std::vector<std::vector<std::int64_t>> copies_in(const ChoicePart& part,
                                                 const std::vector<EqualOptions>& equal) {
  std::vector<std::vector<std::int64_t>> copies;
  for (const std::size_t g : part.groups) {
    std::vector<std::int64_t>& own = copies.emplace_back();
    for (const int option : equal[g].distinct) own.push_back(std::ssize(equal[g].members[option]));
  }
  return copies;
}

/// Finds in each part what is near the best of the whole. Returns false if a part has nothing that
/// meets its limits.
bool search(const ChoiceOptions& options, const std::vector<EqualOptions>& equal,
            std::vector<Part>& parts) {
  PartWish wish;
  wish.within = options.within;
  wish.keep = options.keep;
  wish.count = options.count;
  const auto find = [&](Part& part) {
    wish.copies = copies_in(part.choice, equal);
    part.found = search_part(part.choice.problem, wish, options.convex, options.each);
    return !part.found.ones.empty();
  };
  if (parts.size() == 1) return find(parts.front());
  wish.up = PartWish::Up::to_least;
  wish.keep = 1;
  for (Part& part : parts) {
    if (!find(part)) return false;
    part.least = part.found.ones.front().value;
  }
  const double about = largest_least(parts);
  const double rounding = 2.0 * ConvexTolerances::agreement * std::abs(about);
  wish.up = PartWish::Up::to_most;
  wish.most = most_near(about, options.within);
  wish.keep = options.keep;
  std::vector<Part*> others;
  for (Part& part : parts) {  // those that decide which value is best
    if (!part.choice.counts || part.least < about - rounding) {
      others.push_back(&part);
      continue;
    }
    if (!find(part)) return false;
    part.least = part.found.ones.front().value;
  }
  const double best = largest_least(parts);
  wish.floor = best;
  wish.most = most_near(best, options.within);
  for (Part& part : parts) {
    if (std::find(others.begin(), others.end(), &part) != others.end()) continue;
    wish.copies = copies_in(part.choice, equal);
    std::erase_if(part.found.ones, [&](const PartOne& one) {
      if (one.value <= wish.most) return false;
      --part.found.near;
      part.found.near_all -= copies_of(wish, one.options);
      return true;
    });
    if (part.found.truncated) others.push_back(&part);  // as all up to the best tie
  }
  for (Part* part : others) {
    if (!part->choice.counts) part->choice.problem.convex.objective = {{best, {}, {}}};
    if (!find(*part)) return false;
  }
  return true;
}

}  // namespace

JoinedParts join_parts(const ChoiceProblem& problem, const std::vector<EqualOptions>& equal,
                       const ChoiceOptions& options) {
  std::vector<Part> parts;
  for (ChoicePart& choice : choice_parts(problem, equal))
    parts.emplace_back().choice = std::move(choice);
  JoinedParts joined;
  const bool feasible = search(options, equal, parts);
  joined.near = joined.evaluated = feasible ? 1 : 0;
  std::int64_t known_or_left = 1;
  for (Part& part : parts) {
    name_options(equal, part);
    joined.truncated = joined.truncated || part.found.truncated;
    joined.near = times(joined.near, part.found.near_all);
    joined.evaluated = times(joined.evaluated, part.found.near);
    known_or_left = times(known_or_left, plus(part.found.near, part.found.left));
  }
  if (feasible) joined.left = known_or_left - joined.evaluated;
  if (parts.size() == 1) {
    joined.evaluated = parts.front().found.evaluated;
    joined.infeasible = parts.front().found.infeasible;
    joined.left = parts.front().found.left;
  }
  if (!feasible) return joined;
  joined.truncated = joined.truncated || joined.near > static_cast<std::int64_t>(options.keep);
  joined.best = Joining(problem, std::move(parts), options.keep).run();
  return joined;
}

}  // namespace counterpoise
