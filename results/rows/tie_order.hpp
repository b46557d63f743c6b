#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "results/rows/layout.hpp"

namespace counterpoise {

/// How near two designs must be in one objective to tie there: their difference is at most
/// `relative` times the larger of the better one's size and 1e-6 of the objective without springs.
struct TieTolerance {
  double relative = 1e-6;
  double without_springs = 0.0;  // the objective; 0 where it is not known

  [[nodiscard]] double at(double value) const;
};

/// How near two cases of a motion must be in each of these objectives (indices of the layout) to
/// tie there: what the study says, or the default. Throws std::invalid_argument where an entry of
/// the study is not such a number.
std::vector<TieTolerance> tie_tolerances(const StoreLayout& layout,
                                         const std::vector<StudyEntry>& study,
                                         const std::vector<BaselineRow>& baselines,
                                         const std::vector<std::size_t>& objectives,
                                         const std::string& motion);

/// Puts designs in order, best first, by several objectives that are all minimised, the most
/// important one first. Sorted by the first objective, a group begins at the best design that is in
/// no group yet and takes all designs that tie with that one. Inside a group the same is done by
/// the next objective. Designs that tie in all objectives are ordered by exact comparison of all,
/// the first one that differs, then by id. So no design comes before one that dominates it.
///
/// Only the first objective of an unsettled design is known. It ties with no other design, and
/// stands behind the group of settled designs in which its value would put it.
class TieOrder {
 public:
  /// One tolerance per objective. Only the first `top` designs are wanted; all if absent.
  TieOrder(std::vector<TieTolerance> tolerances, std::optional<std::size_t> top);

  /// A design and its objectives; the first is a number, and so are the others unless the design is
  /// unsettled (some are NaN). Cost: constant on average; memory for the designs that can still be
  /// among the first `top`.
  void offer(std::int64_t id, std::span<const double> objectives);

  /// The ids of the first designs. Cost: n log n of the designs kept.
  [[nodiscard]] std::vector<std::int64_t> best_first();

  /// After best_first(): how many of the first designs are in groups of the first objective that
  /// end below `value`, so that no further design with that value or more could come among them.
  [[nodiscard]] std::size_t settled_below(double value) const;

  /// What made the best design the best, where others tie with it in the first objective.
  struct Decision {
    std::int64_t tied = 1;             // designs that tie in the first objective, the best included
    std::optional<std::size_t> later;  // the last objective in which some of them did not tie
    bool compared = false;             // some that tie everywhere differ in some objective
  };
  /// Of the last call of best_first(), if there was a design.
  [[nodiscard]] const Decision& decision() const { return decision_; }

 private:
  using Places = std::span<std::size_t>;

  [[nodiscard]] double value(std::size_t design, std::size_t objective) const {
    return values_[design * tolerances_.size() + objective];
  }
  [[nodiscard]] bool settled(std::size_t design) const;
  [[nodiscard]] bool exactly_before(std::size_t a, std::size_t b) const;
  void arrange(Places designs, std::size_t objective, bool best);
  void forget_the_rest();

  std::vector<TieTolerance> tolerances_;
  std::optional<std::size_t> top_;
  std::size_t enough_ = 4096;  // number of designs at which some are left out
  std::vector<std::int64_t> ids_;
  std::vector<double> values_;                          // design by design
  std::vector<std::pair<std::size_t, double>> groups_;  // of the first objective: end and limit
  Decision decision_;
};

}  // namespace counterpoise
