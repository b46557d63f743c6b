#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "optimizer/convex/choice/part_search.hpp"
#include "optimizer/convex/problem.hpp"

namespace counterpoise {

/// The best combinations of a part that a search has found so far.
class BestOnes {
 public:
  /// Combinations of some options of each group that are all wanted.
  struct Box {
    std::vector<std::vector<int>> left;  // options of each group
    double most = infinity;              // none of their values is above
    std::int64_t count = 0;
  };

  /// `rounding` is that of bounds. Keeps a reference to the wish.
  BestOnes(const PartWish& wish, double rounding) : wish_(wish), rounding_(rounding) {}

  [[nodiscard]] bool to_least() const { return wish_.up == PartWish::Up::to_least; }
  /// Whether combinations that are as good as the best need not be told apart.
  [[nodiscard]] bool counts_ties() const { return !to_least() && wish_.within == 0.0; }
  /// Whether no combination with this bound is wanted; `seen` is a further value that is known.
  [[nodiscard]] bool excludes(double bound, double seen = infinity) const;
  /// Whether all that are wanted and not known tie with the best, where the open branches have this
  /// bound.
  [[nodiscard]] bool only_ties_are_left(double bound) const;
  /// Whether enough are known where the open branches have this bound.
  [[nodiscard]] bool suffice(double bound) const;
  /// The value up to which combinations are wanted.
  [[nodiscard]] double wanted() const { return wanted_from(least_); }
  /// The value up to which they are as good as the best.
  [[nodiscard]] double tied() const;
  /// Whether no combination with this bound is as good as the best.
  [[nodiscard]] bool excludes_tie(double bound) const { return bound > tied() + rounding_; }
  /// One that ties with the best, if any is known.
  [[nodiscard]] std::optional<std::vector<int>> one_tied() const;
  /// What a value counts as.
  [[nodiscard]] double value_kept(double value) const { return std::max(value, wish_.floor); }
  /// How many are in boxes.
  [[nodiscard]] std::int64_t in_boxes() const { return boxed_; }
  /// How many are known.
  [[nodiscard]] std::int64_t near() const;

  /// A combination that has been evaluated, and will be again where it is near the best.
  void know(double value, const std::vector<int>& options);
  void add(double value, const std::vector<int>& options);
  /// Combinations none of whose values is above wanted().
  void add(Box box);
  /// Those boxes of which this no longer holds, as better ones were found since.
  std::vector<Box> take_unsure();
  /// All boxes.
  std::vector<Box> take_boxes();

  /// The first by options of all that tie with the best, which may not be known yet. Where ties are
  /// counted, it is all that is asked for beside their number.
  void keep_first(PartOne first) { first_ = std::move(first); }

  /// `all`: whether no branch is left.
  [[nodiscard]] PartFound take(bool all);

 private:
  [[nodiscard]] double wanted_from(double least) const;
  [[nodiscard]] bool is_settled(double bound) const;
  void count_boxes();
  [[nodiscard]] std::int64_t near_all() const;
  void shorten();

  const PartWish& wish_;
  double rounding_;
  std::vector<PartOne> ones_;
  std::vector<Box> boxes_;
  std::int64_t boxed_ = 0;  // combinations of the boxes
  PartOne known_{infinity, {}};
  std::optional<PartOne> first_;                          // by options, of more than are listed
  std::vector<std::pair<double, std::int64_t>> dropped_;  // of those beyond what is kept: their
                                                          // values, and how many equal each
  double least_ = infinity;
  double worst_ = infinity;  // of those kept, where more were found than are counted
};

}  // namespace counterpoise
