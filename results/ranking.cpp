#include "results/ranking.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "results/rows/batched_front.hpp"
#include "results/rows/near_points.hpp"
#include "results/rows/rows.hpp"
#include "results/text/table_format.hpp"

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
  const std::optional<SameDesign>& same_;
  std::set<std::string> printed_;
  std::map<std::vector<Value>, NearPoints> kept_;  // by all but numbers, which are 0 here
};

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + '"';
  return text;
}

std::size_t chosen(const std::string& what, const std::string& name,
                   const std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  throw StoreError(StoreError::Kind::unusable,
                   "there is no " + what + " \"" + name + "\"; the study has " + listed(names));
}

// Column of each variable by its own name (not that of a catalogue's row number).
std::vector<std::size_t> variable_columns(const ResultsFile& results) {
  std::vector<std::size_t> positions;
  const std::vector<Column>& columns = results.layout().variables;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const VariableRow& variable : results.variables()) {
      if (variable.name == columns[i].name) positions.push_back(i);
    }
  }
  return positions;
}

std::vector<std::string> motions_of(const ResultsFile& results) {
  std::vector<std::string> motions;
  for (const BaselineRow& row : results.baselines()) {
    if (std::find(motions.begin(), motions.end(), row.motion) == motions.end()) {
      motions.push_back(row.motion);
    }
  }
  return motions;
}

std::string in_words(const TieOrder::Decision& decision, const std::vector<std::size_t>& ranked,
                     const StoreLayout& layout) {
  if (decision.tied < 2) return {};
  if (decision.later) return layout.objectives[ranked[*decision.later]];
  return decision.compared ? "exact comparison" : "the number of the case";
}

Value reduction_cell(double value, const BaselineRow* baseline, std::size_t objective) {
  if (baseline == nullptr || baseline->objectives.empty()) return {};
  const std::optional<double> saved = reduction(value, baseline->objectives[objective]);
  return saved ? Value{*saved} : Value{};
}

std::vector<Value> ranked_row(const ResultsFile& results, const CaseRow& row,
                              const std::string& motion, std::int64_t place) {
  std::vector<Value> cells{place, row.id};
  for (const std::size_t i : variable_columns(results)) cells.push_back(row.variables[i]);
  for (const double value : row.objectives) cells.push_back(number_cell(value));
  for (const char* name : {baseline_name, without_springs_name}) {
    const BaselineRow* baseline = results.baseline(name, motion);
    for (std::size_t k = 0; k < row.objectives.size(); ++k) {
      cells.push_back(reduction_cell(row.objectives[k], baseline, k));
    }
  }
  return cells;
}

}  // namespace

std::vector<TieTolerance> tie_tolerances(const ResultsFile& results,
                                         const std::vector<std::size_t>& objectives,
                                         const std::string& motion) try {
  return tie_tolerances(results.layout(), results.study(), results.baselines(), objectives, motion);
} catch (const std::invalid_argument& error) {
  throw damaged(results.path(), error.what());
}

std::vector<TieTolerance> tie_tolerances(const ResultsFile& results, const std::string& motion) {
  std::vector<std::size_t> objectives(results.layout().objectives.size());
  std::iota(objectives.begin(), objectives.end(), std::size_t{0});
  return tie_tolerances(results, objectives, motion);
}

std::optional<double> reduction(double value, double baseline) {
  const double less = 1.0 - value / baseline;
  if (!std::isfinite(less)) return std::nullopt;
  return baseline > 0.0 ? less : -less;
}

std::vector<std::string> ranking_columns(const ResultsFile& results) {
  std::vector<std::string> columns{"rank", "case"};
  const StoreLayout& layout = results.layout();
  for (const std::size_t i : variable_columns(results)) {
    columns.push_back(layout.variables[i].name);
  }
  columns.insert(columns.end(), layout.objectives.begin(), layout.objectives.end());
  for (const char* suffix : {".reduction", ".reduction_without_springs"}) {
    for (const std::string& name : layout.objectives) columns.push_back(name + suffix);
  }
  return columns;
}

namespace {

/// Puts the first cases of a ranking, and the knee, into its table.
void list_cases(const ResultsFile& results, const std::vector<std::int64_t>& ids,
                std::size_t wanted, const std::optional<SameDesign>& same, Ranking& ranking) {
  KeptDesigns kept(same);
  bool knee_open = ranking.knee.has_value();
  const bool front = ranking.table.columns.back() == "knee";
  constexpr std::size_t at_once = 1024;  // beginning to read a file costs as much as some rows
  std::optional<ResultsFile::Moment> moment;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % at_once == 0) {
      moment.reset();  // a process that writes may do so in between
      moment.emplace(results);
    }
    const bool full = ranking.table.rows.size() >= wanted;
    const bool knee = ranking.knee == ids[i];
    if (full && !knee_open) return;
    if (full && !knee) continue;
    const std::optional<CaseRow> row = results.find(ids[i]);
    if (!row) continue;
    const bool listed = !full && kept.add(*row);
    if (!full && !listed) ++ranking.same;
    if (!listed && !knee) continue;
    if (listed) ranking.last_place = static_cast<std::int64_t>(i) + 1;
    std::vector<Value> cells =
        ranked_row(results, *row, ranking.motion, static_cast<std::int64_t>(i) + 1);
    if (front) cells.push_back(knee ? Value{"knee"} : Value{});
    knee_open = knee_open && !knee;
    if (listed)
      ranking.table.rows.push_back(std::move(cells));
    else
      ranking.knee_row = std::move(cells);
  }
}

/// Offers the cases that a file's digest names, to as many leaders as there are motions. Returns
/// false where that does not suffice, and all cases have to be read.
bool offer_digest(const ResultsFile& results, const std::string& objective,
                  const std::vector<std::string>& motions, std::size_t considered,
                  std::vector<Leaders>& leaders) {
  const ResultsFile::Moment moment(results);
  const std::optional<Digest> digest = results.digest();
  if (!digest) return false;
  std::vector<std::vector<CaseRow>> first;
  for (std::size_t group = 0; group < motions.size(); ++group) {
    const Digest::Leading* leading = digest->find(objective, motions[group]);
    if (leading == nullptr) return false;
    auto rows = leaders[group].first_of(*leading, results, considered);
    if (!rows) return false;
    first.push_back(std::move(*rows));
  }
  for (std::size_t group = 0; group < motions.size(); ++group)
    leaders[group].offer_first(*digest->find(objective, motions[group]), first[group]);
  return true;
}

void offer_all(const ResultsFile& results, const RankOptions& options,
               std::optional<std::size_t> motion, const std::vector<std::string>& motions,
               std::vector<Leaders>& leaders) {
  auto cases = options.where ? results.feasible_cases() : results.feasible_objectives(motion);
  for (CaseRow row; cases.next(row);) {
    std::size_t group = 0;
    if (motion) {
      const auto& name = std::get<std::string>(row.variables[*motion]);
      const auto at = std::find(motions.begin(), motions.end(), name);
      if (at == motions.end() && options.motion.empty())
        throw damaged(results.path(), "there are no baselines of motion \"" + name + '"');
      if (at == motions.end()) continue;
      group = static_cast<std::size_t>(at - motions.begin());
    }
    if (options.where && !options.where(row)) continue;
    leaders[group].offer(row);
  }
}

/// The rankings of the first `considered` cases each. `enough` says whether more would add no row.
std::vector<Ranking> ranked(const ResultsFile& results, const RankOptions& options,
                            std::optional<std::size_t> considered, bool& enough) {
  const StoreLayout& layout = results.layout();
  const std::size_t objective =
      options.by.empty() ? 0 : chosen("objective", options.by, layout.objectives);
  const std::optional<std::size_t> motion = motion_column(layout, results.variables());
  std::vector<std::string> motions = motion ? motions_of(results) : std::vector<std::string>{""};
  if (!options.motion.empty()) {
    if (!motion) {
      throw StoreError(StoreError::Kind::unusable,
                       "every case of this study runs all motions: there is no ranking of motion "
                       "\"" +
                           options.motion + "\" alone");
    }
    motions = {motions[chosen("motion", options.motion, motions)]};
  }

  std::vector<std::size_t> among;
  for (const std::string& name : options.among)
    among.push_back(chosen("objective", name, layout.objectives));
  for (std::size_t i = 0; i < layout.objectives.size() && options.among.empty(); ++i)
    among.push_back(i);
  std::vector<std::size_t> by_importance = {objective};
  for (std::size_t i = 0; i < layout.objectives.size(); ++i)
    if (i != objective) by_importance.push_back(i);
  const bool selected = results.keep_rule() && objective == 0 && !options.pareto && !options.where;
  std::vector<Leaders> leaders;
  std::vector<double> ties;
  for (const std::string& name : motions) {
    const std::vector<TieTolerance> tolerances = tie_tolerances(results, by_importance, name);
    ties.push_back(tolerances.front().relative);
    leaders.emplace_back(options.pareto, considered, by_importance, among, tolerances);
    if (selected) leaders.back().keep_firsts();
  }
  if (options.pareto || options.where || !considered ||
      !offer_digest(results, layout.objectives[objective], motions, *considered, leaders))
    offer_all(results, options, motion, motions, leaders);

  std::vector<Ranking> rankings;
  for (std::size_t group = 0; group < motions.size(); ++group) {
    Ranking ranking;
    ranking.motion = motions[group];
    ranking.by = layout.objectives[objective];
    ranking.ties = ties[group];
    ranking.matches = leaders[group].matches();
    ranking.selected = results.keep_rule().has_value();
    ranking.unsettled = leaders[group].unsettled();
    ranking.table.columns = ranking_columns(results);
    if (options.pareto) {
      ranking.knee = leaders[group].knee();
      ranking.table.columns.emplace_back("knee");
    }
    const std::vector<std::int64_t> ids = leaders[group].best_first(results);
    if (!ids.empty()) ranking.tied = leaders[group].decision().tied;
    if (selected) ranking.certain = leaders[group].certain(results.keep_rule()->best);
    ranking.decided_by = in_words(leaders[group].decision(), by_importance, layout);
    const std::size_t wanted = options.top.value_or(ids.size());
    list_cases(results, ids, wanted, options.same, ranking);
    const bool all = !considered || ids.size() < *considered;
    enough = enough && (all || ranking.table.rows.size() >= wanted);
    rankings.push_back(std::move(ranking));
  }
  return rankings;
}

}  // namespace

std::vector<Ranking> rank(const ResultsFile& results, const RankOptions& options) {
  constexpr std::size_t more = 16;  // times as many, where cases of one design are left out
  std::optional<std::size_t> considered = options.top;
  if (options.same && considered) *considered *= more;
  while (true) {
    bool enough = true;
    std::vector<Ranking> rankings = ranked(results, options, considered, enough);
    if (enough || !options.same) return rankings;
    *considered *= more;
  }
}

std::optional<LeadingCases> leading_cases(const ResultsFile& results, const std::string& motion,
                                          std::size_t considered) {
  std::vector<std::size_t> objectives(results.layout().objectives.size());
  std::iota(objectives.begin(), objectives.end(), std::size_t{0});
  std::vector<Leaders> leaders;
  leaders.emplace_back(false, considered, objectives, objectives,
                       tie_tolerances(results, objectives, motion));
  if (!offer_digest(results, results.layout().objectives.front(), {motion}, considered, leaders))
    return std::nullopt;
  return LeadingCases{leaders.front().matches(), leaders.front().best_first(results)};
}

std::int64_t best_case(const Ranking& ranking) {
  constexpr std::size_t case_column = 1;
  if (ranking.table.rows.empty()) return 0;
  return std::get<std::int64_t>(ranking.table.rows.front()[case_column]);
}

Table joined(const std::vector<Ranking>& rankings) {
  Table all;
  for (const Ranking& ranking : rankings) {
    all.columns = ranking.table.columns;
    all.rows.insert(all.rows.end(), ranking.table.rows.begin(), ranking.table.rows.end());
  }
  return all;
}

namespace {

/// The variables and objectives of a case as tables print them: rows of catalogues are not.
std::string printed(const CaseRow& row) {
  std::string key;
  for (const Value& value : row.variables)
    if (!std::holds_alternative<std::int64_t>(value)) key += as_printed(value) + '\n';
  for (const double objective : row.objectives) key += as_printed(number_cell(objective)) + '\n';
  return key;
}

}  // namespace

std::optional<std::vector<CaseRow>> Leaders::first_of(const Digest::Leading& leading,
                                                      const ResultsFile& results,
                                                      std::size_t considered) const {
  const bool all = std::cmp_equal(leading.ids.size(), leading.feasible);
  if (!all && std::cmp_less(leading.first, considered)) return std::nullopt;
  std::vector<CaseRow> rows;
  double last = 0.0, limit = std::numeric_limits<double>::infinity();
  for (const std::int64_t id : leading.ids) {
    std::optional<CaseRow> row = results.find(id);
    if (!row || row->status != Status::feasible || !row->settled()) return std::nullopt;
    const double value = row->objectives[ranked_.front()];
    if (!rows.empty() && value < last) return std::nullopt;
    last = value;
    if (value > limit) break;
    rows.push_back(std::move(*row));
    if (rows.size() == considered) limit = value + tolerance_.at(value);
  }
  return rows;
}

std::vector<std::int64_t> Leaders::best_first(const ResultsFile& results) {
  // where in a point of the front each objective stands that ranks it
  std::vector<std::size_t> places;
  for (const std::size_t objective : ranked_)
    if (const auto at = std::find(among_.begin(), among_.end(), objective); at != among_.end())
      places.push_back(static_cast<std::size_t>(at - among_.begin()));
  const bool known = places.size() == ranked_.size();
  for (const FrontPoint& point : front_.points()) {
    if (known) {
      values_.clear();
      for (const std::size_t place : places) values_.push_back(point.objectives[place]);
      order_.offer(point.id, values_);
    } else if (const std::optional<CaseRow> row = results.find(point.id)) {
      order_.offer(row->id, values_of(*row, ranked_));
    }
  }
  return order_.best_first();
}

bool KeptDesigns::add(const CaseRow& row) {
  if (!same_) return true;
  if (same_->closeness.empty()) return printed_.insert(printed(row)).second;
  std::vector<Value> others = row.variables;
  std::vector<double> numbers, widths;
  for (std::size_t i = 0; i < others.size(); ++i) {
    auto* number = std::get_if<double>(&others[i]);
    if (number == nullptr) continue;
    numbers.push_back(std::exchange(*number, 0.0));
    widths.push_back(same_->closeness[i]);
  }
  NearPoints& near = kept_.try_emplace(std::move(others), std::move(widths)).first->second;
  if (near.near(numbers)) return false;
  near.add(numbers);
  return true;
}

}  // namespace counterpoise
