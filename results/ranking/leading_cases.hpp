#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "results/order/batched_front.hpp"
#include "results/ranking/ranking.hpp"

namespace counterpoise {

/// The best cases of one motion while all pass by.
class Leaders {
 public:
  /// `ranked`: all objectives in the order of their importance; `among`: those that a front is
  /// judged by.
  Leaders(bool pareto, std::optional<std::size_t> top, std::vector<std::size_t> ranked,
          std::vector<std::size_t> among, const std::vector<TieTolerance>& tolerances)
      : pareto_(pareto),
        ranked_(std::move(ranked)),
        among_(std::move(among)),
        tolerance_(tolerances.front()),
        order_(tolerances, pareto ? std::nullopt : top) {}

  void offer(const CaseRow& row) {
    ++matches_;
    if (keeps_firsts_) firsts_.push_back(row.objectives[ranked_.front()]);
    const std::vector<double>& values = values_of(row, pareto_ ? among_ : ranked_);
    if (std::isnan(values.front()) || (pareto_ && !row.settled())) {
      ++unsettled_;
      return;
    }
    if (pareto_)
      front_.add(row.id, values);
    else
      order_.offer(row.id, values);
  }

  /// Of the cases that a digest names, those that the first `considered` places depend on. Nothing
  /// where it does not cover so many, or names cases that are not as it says.
  std::optional<std::vector<CaseRow>> first_of(const Digest::Leading& leading,
                                               const ResultsFile& results,
                                               std::size_t considered) const;
  /// Offers these instead of all cases.
  void offer_first(const Digest::Leading& leading, const std::vector<CaseRow>& rows) {
    for (const CaseRow& row : rows) order_.offer(row.id, values_of(row, ranked_));
    matches_ = leading.feasible;
  }

  std::int64_t matches() const { return matches_; }
  std::int64_t unsettled() const { return unsettled_; }
  std::optional<std::int64_t> knee() { return knee_of(front_.points()); }

  /// All cases of a front, else the wanted ones.
  std::vector<std::int64_t> best_first(const ResultsFile& results);
  const TieOrder::Decision& decision() const { return order_.decision(); }
  /// After best_first(), where of all cases the `best` first ones and some others were offered: how
  /// many places are those that all cases would give. The first always is.
  std::int64_t certain(std::int64_t best) {
    if (std::cmp_less_equal(firsts_.size(), best)) return matches_;
    if (best == 0) return 1;
    const auto last = firsts_.begin() + (best - 1);
    std::nth_element(firsts_.begin(), last, firsts_.end());
    return std::max<std::int64_t>(static_cast<std::int64_t>(order_.settled_below(*last)), 1);
  }
  /// Keeps what certain() needs.
  void keep_firsts() { keeps_firsts_ = true; }

 private:
  const std::vector<double>& values_of(const CaseRow& row,
                                       const std::vector<std::size_t>& objectives) {
    values_.clear();
    for (const std::size_t i : objectives) values_.push_back(row.objectives[i]);
    return values_;
  }

  bool pareto_;
  std::vector<std::size_t> ranked_, among_;
  TieTolerance tolerance_;  // in what cases are ranked by first
  std::vector<double> values_;
  bool keeps_firsts_ = false;
  std::vector<double> firsts_;  // what cases are ranked by first
  std::int64_t matches_ = 0, unsettled_ = 0;
  BatchedFront front_;
  TieOrder order_;
};

/// The designs that a ranking lists, to tell whether another case is one of them.
class KeptDesigns {
 public:
  /// `same` must outlive this object.
  explicit KeptDesigns(const std::optional<SameDesign>& same) : same_(same) {}

  /// Whether the case is another design than all before it.
  bool add(const CaseRow& row);

 private:
  [[nodiscard]] bool near(const CaseRow& a, const CaseRow& b) const;

  const std::optional<SameDesign>& same_;
  std::set<std::string> printed_;
  std::vector<CaseRow> kept_;
};

}  // namespace counterpoise
