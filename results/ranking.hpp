#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "results/rows/tie_order.hpp"

namespace counterpoise {

/// Says whether a feasible case is kept in the ranking; the row follows the file's layout.
using RowFilter = std::function<bool(const CaseRow&)>;

/// When two cases count as the same design; a ranking lists only the first of them.
struct SameDesign {
  /// The part of its range in which each numeric variable may differ, with the widths of these
  /// ranges in the order of the layout's variables (0 for texts, which have to be equal). Empty:
  /// variables and objectives have to be the same to the six digits that tables print.
  std::vector<double> closeness;
};

struct RankOptions {
  std::string by;                  // objective; the study's first if empty
  std::optional<std::size_t> top;  // rows per motion; all if absent
  std::string motion;              // only this motion; all if empty
  bool pareto = false;             // only the cases that no other dominates in some objectives
  std::vector<std::string> among;  // these objectives; all if empty
  RowFilter where;                 // all cases if empty
  std::optional<SameDesign> same;  // every case is listed if absent
};

/// The feasible cases of one motion (or of the study, if no variable selects the motion), best
/// first as TieOrder says: by the chosen objective, then by the others in the study's order.
struct Ranking {
  std::string motion;                   // empty unless a variable selects it
  std::int64_t matches = 0;             // feasible cases of the file that passed the filter
  bool selected = false;                // the file keeps some of the cases only
  std::optional<std::int64_t> certain;  // then: places as in a ranking of all cases; absent where
                                        // the cases were not kept for this ranking
  std::int64_t unsettled =
      0;                  // of these, cases left out because a number they are ranked by is unknown
  std::int64_t same = 0;  // left out before the last case listed, as RankOptions::same says
  std::string by;         // the chosen objective
  double ties = 0.0;      // how near designs tie in it, relative
  std::int64_t tied = 0;  // of the matches, those that tie with the best in it, itself included
  std::string decided_by;  // what made the best of these the best, in words, if there are several
  std::int64_t last_place = 0;  // of the cases listed
  Table
      table;  // columns as in ranking_columns(); for a front also `knee`, a text in the knee's row
  std::optional<std::int64_t> knee;  // case id, for a front with three designs or more; see knee_of
  std::vector<Value> knee_row;  // the knee's row, with its place in the whole front, if `top` left
                                // it out of the table; else empty
};

/// (baseline - value) / |baseline|: positive where the value is better (less), whatever the signs.
/// Nothing where the baseline is 0, or so small that the ratio is not finite.
std::optional<double> reduction(double value, double baseline);

/// The columns of a ranking: rank, case, variables, objectives, `<objective>.reduction` of each
/// objective, then `<objective>.reduction_without_springs` of each; see reduction(). Reductions are
/// null also where the baseline is infeasible or absent.
std::vector<std::string> ranking_columns(const ResultsFile& results);

/// One ranking per motion, in the order of the baselines; a single ranking without a motion
/// variable. Throws StoreError (unusable) for an objective or motion that the study does not have.
/// Cost: one pass over the feasible cases, and memory for the rows kept.
std::vector<Ranking> rank(const ResultsFile& results, const RankOptions& options);

/// How near two cases of a motion must be in each of these objectives (indices of the layout) to
/// tie there: what the study says, or the default. Throws StoreError (unusable) if the file holds
/// something else than such a number.
std::vector<TieTolerance> tie_tolerances(const ResultsFile& results,
                                         const std::vector<std::size_t>& objectives,
                                         const std::string& motion);
/// The same for all objectives, in the study's order.
std::vector<TieTolerance> tie_tolerances(const ResultsFile& results, const std::string& motion);

/// The first cases of a ranking of one motion (empty: of all) by the study's first objective.
struct LeadingCases {
  std::int64_t feasible = 0;      // cases of the motion
  std::vector<std::int64_t> ids;  // of the first ones, best first
};

/// The first `considered` cases, or all if they are fewer, from what the file's digest says.
/// Nothing where it does not cover so many. Cost: a look-up for each. Throws as rank() does.
std::optional<LeadingCases> leading_cases(const ResultsFile& results, const std::string& motion,
                                          std::size_t considered);

/// The id of the first case of a ranking, or 0 if it has none.
std::int64_t best_case(const Ranking& ranking);

/// All rows of several rankings of one study.
Table joined(const std::vector<Ranking>& rankings);

}  // namespace counterpoise
