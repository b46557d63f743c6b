#include "optimizer/convex/choice/part_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "optimizer/convex/choice/best_ones.hpp"
#include "optimizer/convex/choice/box_bounds.hpp"
#include "optimizer/convex/choice/box_most.hpp"
#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/choice/part_values.hpp"
#include "optimizer/convex/choice/relaxed_choice.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t few = 256;  // combinations, which cost no more than a relaxed problem
constexpr std::int64_t most_listed = 20'000;  // of those that tie; of more only the first is found
constexpr std::size_t most_boxed = 5'000;     // options of a branch that may be a box
constexpr std::size_t most_tried = 500;       // options of a group in a local search
constexpr int most_sweeps = 10;
constexpr std::int64_t beside = 16;   // branches looked at before one is looked at beside the next
constexpr std::int64_t at_once = 32;  // branches at most, on however many threads

/// Combinations of some options of each group that are looked at together.
struct Branch {
  double bound = -infinity;
  std::int64_t number = 0;  // in the order of their making
  OptionBox left;
};

/// Whether a branch comes after another one: the least bound is first, or the one made last.
struct Later {
  bool last_first = false;

  bool operator()(const Branch& a, const Branch& b) const {
    if (last_first) return a.number < b.number;
    return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
  }
};

class PartSearch {
 public:
  PartSearch(const ChoiceProblem& problem, const PartWish& wish, const ConvexOptions& convex,
             const EachIndex& each)
      : problem_(problem),
        convex_(convex),
        each_(each),
        values_(problem),
        most_(problem, values_),
        at_zero_(problem.convex),
        sizes_(unknown_sizes(problem.convex)),
        best_(wish, ConvexTolerances::rounding * size_without_springs(problem.convex)) {
    at_zero_.lower.assign(at_zero_.lower.size(), 0.0);
    at_zero_.upper = at_zero_.lower;
  }

  PartFound run() {
    Branch all{-infinity, 0, whole_box(problem_)};
    if (problem_.groups.size() == 1) {
      try_each(all.left[0]);
      return found(true);
    }
    push(std::move(all));
    bool finished = true;
    while (finished && !open_.empty()) {
      if (std::vector<Branch> next = pop_some(); !next.empty()) look_at(std::move(next));
      finished = open_.empty() || !best_.suffice(least_bound());
    }
    list_ties(finished);
    return found(finished);
  }

 private:
  /// What has been found in a branch.
  struct Seen {
    std::vector<Branch> parts;  // what is left of it
    std::vector<PartOne> ones;  // that meet the limits
    std::optional<BestOnes::Box> box;
    std::int64_t evaluated = 0, infeasible = 0;
  };

  PartFound found(bool finished) {
    PartFound result = best_.take(finished);
    result.evaluated = plus(evaluated_, boxed_);
    result.infeasible = infeasible_;
    if (finished) return result;
    for (const Branch& branch : open_) {
      std::int64_t count = 1;
      for (const std::vector<int>& left : branch.left) count = times(count, std::ssize(left));
      result.left = plus(result.left, count);
    }
    return result;
  }

  void push(Branch branch) {
    branch.number = made_++;
    open_.push_back(std::move(branch));
    std::push_heap(open_.begin(), open_.end(), Later{last_first_});
  }

  /// A number that no bound of an open branch is below.
  [[nodiscard]] double least_bound() const {
    return last_first_ ? settled_at_ : open_.front().bound;
  }

  /// The branches to look at next, as many as those looked at before suggest. The threads have no
  /// say in it, so that they change no result.
  std::vector<Branch> pop_some() {
    std::vector<Branch> some;
    const auto most =
        static_cast<std::size_t>(std::clamp(looked_at_ / beside, std::int64_t{1}, at_once));
    while (!open_.empty() && some.size() < most) {
      if (!last_first_ && best_.only_ties_are_left(open_.front().bound)) {
        settled_at_ = open_.front().bound;
        last_first_ = true;
        std::make_heap(open_.begin(), open_.end(), Later{last_first_});
      }
      std::pop_heap(open_.begin(), open_.end(), Later{last_first_});
      if (!best_.excludes(open_.back().bound)) some.push_back(std::move(open_.back()));
      open_.pop_back();
    }
    looked_at_ += std::ssize(some);
    return some;
  }

  void try_each(const std::vector<int>& options) {
    PartValues::Scratch scratch;
    for (const int option : options) {
      convex_.interruption.poll();
      ++evaluated_;
      const std::optional<double> value = values_.value_of({option}, scratch);
      if (value)
        best_.add(*value, {option});
      else
        ++infeasible_;
    }
  }

  /// Calls `body` for each index below `count`, on all threads.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body) const {
    if (each_ && count > 1) return each_(count, body);
    for (std::size_t i = 0; i < count; ++i) body(i);
  }

  void look_at(std::vector<Branch> branches) {
    const bool first = branches.front().number == 0;
    std::vector<ConvexSolution> solved(branches.size());
    for_each(branches.size(), [&](std::size_t i) { solved[i] = relaxed(branches[i].left); });
    if (first && !solved.front().x.empty()) search_near(solved.front().x, branches.front());
    std::vector<Seen> seen(branches.size());
    for_each(branches.size(),
             [&](std::size_t i) { look_into(std::move(branches[i]), solved[i], seen[i]); });
    for (Seen& one : seen) take(std::move(one));
  }

  void take(Seen seen) {
    evaluated_ += seen.evaluated;
    infeasible_ += seen.infeasible;
    for (const PartOne& one : seen.ones) best_.add(one.value, one.options);
    if (seen.box) best_.add(std::move(*seen.box));
    for (BestOnes::Box& box : best_.take_unsure()) push({settled_at_, 0, std::move(box.left)});
    for (Branch& part : seen.parts) push(std::move(part));
  }

  [[nodiscard]] ConvexSolution relaxed(const OptionBox& left) const {
    convex_.interruption.poll();
    std::vector<OptionHull> hulls;
    for (std::size_t g = 0; g < left.size(); ++g) hulls.emplace_back(problem_.groups[g], left[g]);
    return solve(relaxed_choice(problem_, hulls), convex_);
  }

  /// Changes nothing that another branch reads.
  void look_into(Branch branch, const ConvexSolution& solved, Seen& seen) const {
    if (solved.status == ConvexSolution::Status::infeasible ||
        best_.excludes(solved.certificate.bound))
      return;
    branch.bound = std::max(branch.bound, solved.certificate.bound);
    BoxBounds bounds(problem_, at_zero_, values_, solved.certificate, branch.left);
    branch.bound = std::max(branch.bound, bounds.least());
    const std::size_t before = size_of(branch.left);
    if (!bounds.leave_out(excluding(), branch.left)) return;
    if (bounds.count(excluding(), few) <= few) {
      evaluate(bounds.list(excluding(), branch.left), seen);
    } else if (std::optional<BestOnes::Box> box = box_of(branch)) {
      seen.box = std::move(box);
    } else if (2 * size_of(branch.left) <= before) {
      seen.parts.push_back(std::move(branch));
    } else {
      seen.parts = split(branch, solved.x);
    }
  }

  /// The combinations of a branch, where all of them are wanted.
  [[nodiscard]] std::optional<BestOnes::Box> box_of(const Branch& branch) const {
    if (!last_first_ || size_of(branch.left) > most_boxed) return std::nullopt;
    const std::optional<double> most = most_.of(branch.left);
    if (!most || *most > best_.wanted()) return std::nullopt;
    BestOnes::Box box{branch.left, *most, 1};
    for (const std::vector<int>& left : branch.left) box.count = times(box.count, std::ssize(left));
    return box;
  }

  [[nodiscard]] BoxBounds::Excludes excluding() const {
    return [this](double bound) { return best_.excludes(bound); };
  }

  /// Evaluates the combinations that no bound excludes, least bound first.
  void evaluate(std::vector<BoxBounds::Listed> listed, Seen& seen) const {
    PartValues::Scratch scratch;
    double least = infinity;
    for (BoxBounds::Listed& one : listed) {
      if (best_.excludes(one.bound, least)) continue;
      ++seen.evaluated;
      const std::optional<double> value = values_.value_of(one.options, scratch);
      seen.infeasible += value ? 0 : 1;
      if (!value) continue;
      least = std::min(least, *value);
      seen.ones.push_back({*value, std::move(one.options)});
    }
  }

  [[nodiscard]] std::vector<Branch> split(const Branch& branch,
                                          const std::vector<double>& x) const {
    auto [first, second] = split_box(problem_, sizes_, branch.left, x);
    return {{branch.bound, 0, std::move(first)}, {branch.bound, 0, std::move(second)}};
  }

  /// The options of a group that are nearest to x, in terms of the objective, nearest first.
  [[nodiscard]] std::vector<int> nearest_to(const std::vector<double>& x, std::size_t g,
                                            const std::vector<int>& left) const {
    const ChoiceGroup& group = problem_.groups[g];
    std::vector<std::pair<double, int>> away;
    for (const int option : left) {
      double distance = 0.0;
      for (std::size_t i = 0; i < group.unknowns.size(); ++i)
        distance +=
            sizes_[group.unknowns[i]] * std::abs(group.options[option][i] - x[group.unknowns[i]]);
      away.emplace_back(distance, option);
    }
    const std::size_t count = std::min(most_tried, away.size());
    std::partial_sort(away.begin(), away.begin() + static_cast<std::ptrdiff_t>(count), away.end());
    std::vector<int> nearest;
    for (std::size_t i = 0; i < count; ++i) nearest.push_back(away[i].second);
    return nearest;
  }

  /// Tries the options nearest to the relaxed problem's answer, and then others of one group at a
  /// time as long as that helps, so that bounds exclude more.
  void search_near(const std::vector<double>& x, const Branch& branch) {
    std::vector<std::vector<int>> nearest;
    std::vector<int> options;
    for (std::size_t g = 0; g < branch.left.size(); ++g) {
      nearest.push_back(nearest_to(x, g, branch.left[g]));
      options.push_back(nearest.back().front());
    }
    PartValues::Scratch scratch;
    double least = values_.value_of(options, scratch).value_or(infinity);
    bool better = true;
    for (int sweep = 0; better && sweep < most_sweeps; ++sweep) {
      better = false;
      for (std::size_t g = 0; g < nearest.size(); ++g) {
        int chosen = options[g];
        for (const int option : nearest[g]) {
          options[g] = option;
          const double value = values_.value_of(options, scratch).value_or(infinity);
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

  /// Lists the combinations of boxes where there are few. Finds the first of all that tie where not
  /// all are listed.
  void list_ties(bool finished) {
    if (best_.to_least() || (finished && !best_.counts_ties())) return;
    if (finished && best_.near() <= most_listed) {
      PartValues::Scratch scratch;
      for (const BestOnes::Box& box : best_.take_boxes()) {
        std::vector<int> options;
        list_box(box.left, options, scratch);
      }
      return;
    }
    boxed_ = best_.in_boxes();
    if (std::optional<std::vector<int>> one = best_.one_tied())
      best_.keep_first(first_tied(std::move(*one)));
  }

  void list_box(const OptionBox& left, std::vector<int>& options, PartValues::Scratch& scratch) {
    const std::size_t group = options.size();
    if (group == left.size()) {
      ++evaluated_;
      best_.add(values_.value_of(options, scratch).value_or(infinity), options);
      return;
    }
    for (const int option : left[group]) {
      options.push_back(option);
      list_box(left, options, scratch);
      options.pop_back();
    }
  }

  /// The first combination by options of those that tie with the best, from one of them.
  PartOne first_tied(std::vector<int> first) {
    OptionBox left = whole_box(problem_);
    for (std::size_t g = 0; g < left.size(); ++g) {
      int low = 0;  // no tie with the options so far has a smaller one
      while (low < first[g]) {
        const int middle = low + (first[g] - 1 - low) / 2;
        left[g].resize(static_cast<std::size_t>(middle - low) + 1);
        std::iota(left[g].begin(), left[g].end(), low);
        if (std::optional<std::vector<int>> one = any_tied(left, first, g))
          first = std::move(*one);
        else
          low = middle + 1;
      }
      left[g] = {first[g]};
    }
    PartValues::Scratch scratch;
    return {best_.value_kept(values_.value_of(first, scratch).value_or(infinity)), first};
  }

  /// A combination of these options that ties with the best. Tries first the ones of `like` with
  /// another option of group g.
  [[nodiscard]] std::optional<std::vector<int>> any_tied(const OptionBox& of, std::vector<int> like,
                                                         std::size_t g) const {
    const double most = best_.tied();
    PartValues::Scratch scratch;
    const auto tie = [&](const std::vector<int>& options) {
      return values_.value_of(options, scratch).value_or(infinity) <= most;
    };
    like[g] = of[g].front();
    if (tie(like)) return like;
    std::vector<Branch> open = {{-infinity, 0, of}};
    while (!open.empty()) {
      Branch branch = std::move(open.back());
      open.pop_back();
      const ConvexSolution solved = relaxed(branch.left);
      if (solved.status == ConvexSolution::Status::infeasible ||
          best_.excludes_tie(solved.certificate.bound))
        continue;
      for (std::size_t h = 0; h < like.size(); ++h)
        like[h] = nearest_to(solved.x, h, branch.left[h]).front();
      if (tie(like)) return like;
      BoxBounds bounds(problem_, at_zero_, values_, solved.certificate, branch.left);
      if (!bounds.leave_out(excluding(), branch.left)) continue;
      if (bounds.count(excluding(), few) > few) {
        for (Branch& part : split(branch, solved.x)) open.push_back(std::move(part));
        continue;
      }
      for (const BoxBounds::Listed& combination : bounds.list(excluding(), branch.left))
        if (tie(combination.options)) return combination.options;
    }
    return std::nullopt;
  }

  const ChoiceProblem& problem_;
  const ConvexOptions& convex_;
  const EachIndex& each_;
  const PartValues values_;
  const BoxMost most_;
  ConvexProblem at_zero_;            // each unknown at 0: the groups' parts are added separately
  const std::vector<double> sizes_;  // of the unknowns
  BestOnes best_;
  std::vector<Branch> open_;       // a heap
  bool last_first_ = false;        // as the best is known, and only ties are left to be found
  double settled_at_ = -infinity;  // the least bound at that time
  std::int64_t made_ = 0, looked_at_ = 0, evaluated_ = 0, boxed_ = 0, infeasible_ = 0;
};

}  // namespace

PartFound search_part(const ChoiceProblem& problem, const PartWish& wish,
                      const ConvexOptions& convex, const EachIndex& each) {
  return PartSearch(problem, wish, convex, each).run();
}

}  // namespace counterpoise
