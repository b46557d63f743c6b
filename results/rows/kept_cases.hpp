#pragma once

#include <map>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "results/rows/batched_front.hpp"
#include "results/rows/keep_rule.hpp"
#include "results/rows/layout.hpp"
#include "results/rows/row_batch.hpp"
#include "results/rows/rows.hpp"
#include "results/rows/tie_order.hpp"
#include "results/rows/totals.hpp"

namespace counterpoise {

/// Chooses the cases that a KeepRule keeps, while all cases pass by in any order. A case that has
/// been let go is never needed again: what is kept of kept cases is what is kept of all, so that
/// parts of a study can be chosen from apart and be joined.
///
/// Beside what the rule says, the non-dominated designs that tie with the best one in the first
/// objective are kept: one of them ranks first. Where a variable selects the motion, the rule holds
/// for each motion alone.
class KeptCases {
 public:
  /// `birth` belongs to the results file; throws std::invalid_argument where the rule names a
  /// variable that it does not have.
  KeptCases(const KeepRule& rule, const Birth& birth);

  /// Offers a case that has not been offered before. Throws std::invalid_argument if its motion has
  /// no baselines.
  void offer(const RowBatch& batch, std::size_t row);
  /// At the end of a window of cases: chooses among the cases offered; the functions below return
  /// the choice.
  void settle();
  [[nodiscard]] bool contains(std::int64_t id) const { return reasons_.contains(id); }
  /// Whether a case is one of the sample.
  [[nodiscard]] bool sampled(std::int64_t id) const { return sample_.contains(id); }
  /// The ids that were let go since the last call.
  std::vector<std::int64_t> take_dropped();

  /// At the end of the study: thins a front of more than `most` cases out to a random sample of it
  /// that keeps its ends in each objective. Then no more cases are offered.
  void thin_fronts(std::size_t most = most_of_front);
  /// The cases of the largest front of a motion that is kept whole.
  [[nodiscard]] std::size_t largest_front();

 private:
  struct Ranked {
    std::vector<double> objectives;
    std::int64_t id;

    bool operator<(const Ranked& other) const {
      return objectives != other.objectives ? objectives < other.objectives : id < other.id;
    }
  };
  /// What is kept of one motion.
  struct Group {
    TieTolerance tolerance;
    bool any = false;
    double best_first = 0.0;  // the least first objective
    std::priority_queue<Ranked> best;
    BatchedFront front{most_equal_kept};  // the whole one, or where it ties with the best
    std::vector<std::map<std::string, Ranked, std::less<>>> per;  // variable by level

    [[nodiscard]] double tie_limit() const { return best_first + tolerance.at(best_first); }
  };
  /// Where a column of a variable stands in a row's texts or numbers.
  struct Place {
    bool text = false;
    std::size_t index = 0;
  };

  void keep_best(Group& group, std::span<const double> objectives, std::int64_t id);
  void offer_to_front(Group& group, std::span<const double> objectives, std::int64_t id);
  void keep_per(Group& group, std::size_t variable, const std::string& level,
                std::span<const double> objectives, std::int64_t id);
  std::string level_of(const Place& place, const RowBatch& batch, std::size_t row) const;
  void thin(Group& group, std::size_t most);
  void hold(std::int64_t id) { ++reasons_[id]; }
  void release(std::int64_t id);

  KeepRule rule_;
  IdSample sample_;
  std::size_t objective_count_;
  std::optional<Place> motion_;
  std::vector<Place> per_;
  std::map<std::string, Group, std::less<>> groups_;  // by motion
  std::unordered_map<std::int64_t, int> reasons_;     // how many parts of the rule keep a case
  std::vector<std::int64_t> dropped_;
};

/// The state of a results file that keeps some of the cases only: which were evaluated, which are
/// kept, and what all come to.
class Selection {
 public:
  /// Of a file without rows; those it holds are then taken. Throws std::invalid_argument as
  /// KeptCases.
  Selection(const KeepRule& rule, const Birth& birth, Totals totals, IdSet evaluated)
      : kept_(rule, birth), totals_(std::move(totals)), evaluated_(std::move(evaluated)) {}

  /// Takes a case that has just been evaluated. Throws std::logic_error if it was before.
  void take(const RowBatch& batch, std::size_t row);
  /// Takes what another file says about cases that this one has not, and one of its rows.
  void take_totals(const Totals& totals, const IdSet& evaluated);
  void take_kept(const RowBatch& batch, std::size_t row) { kept_.offer(batch, row); }
  /// Whether the rule keeps this case, provided that all rows of the file were taken.
  [[nodiscard]] bool holds(std::int64_t id) const {
    return kept_.contains(id) && evaluated_.contains(id);
  }

  [[nodiscard]] KeptCases& kept() { return kept_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  [[nodiscard]] const IdSet& evaluated() const { return evaluated_; }

 private:
  KeptCases kept_;
  Totals totals_;
  IdSet evaluated_;
};

}  // namespace counterpoise
