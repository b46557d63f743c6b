#include "results/ranking.hpp"

#include <algorithm>
#include <cmath>

#include "results/pareto.hpp"
#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

// Orders cases: the objective, then the id.
using Key = std::pair<double, std::int64_t>;

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

// Column of the variable that selects the motion.
std::optional<std::size_t> motion_column(const ResultsFile& results) {
  for (const std::size_t i : variable_columns(results)) {
    for (const VariableRow& variable : results.variables()) {
      const bool here = variable.name == results.layout().variables[i].name;
      if (here && variable.kind == motion_kind) return i;
    }
  }
  return std::nullopt;
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

// The best of one motion while the cases pass by.
class Leaders {
 public:
  /// `among`: the objectives that a front is judged by.
  Leaders(std::size_t objective, const RankOptions& options, std::vector<std::size_t> among)
      : objective_(objective),
        top_(options.top),
        pareto_(options.pareto),
        among_(std::move(among)) {}

  void offer(const CaseRow& row) {
    ++matches_;
    if (pareto_) {
      judged_.clear();
      for (const std::size_t i : among_) judged_.push_back(row.objectives[i]);
      front_.add(row.id, judged_);
    } else {
      keep({row.objectives[objective_], row.id});
    }
  }

  std::int64_t matches() const { return matches_; }
  std::optional<std::int64_t> knee() const { return knee_of(front_.points()); }

  std::vector<std::int64_t> best_first(const ResultsFile& results) {
    for (const ParetoFront::Point& point : front_.points()) {
      const std::optional<CaseRow> row = results.find(point.id);
      if (!row) continue;
      front_keys_.emplace_back(row->objectives[objective_], point.id);
      keep(front_keys_.back());
    }
    std::sort(heap_.begin(), heap_.end());
    std::vector<std::int64_t> ids;
    for (const Key& key : heap_) ids.push_back(key.second);
    return ids;
  }

  /// The place of a case in the whole front, from 1. Call it after best_first.
  std::int64_t place_in_front(const Key& key) const {
    return 1 + std::count_if(front_keys_.begin(), front_keys_.end(),
                             [&](const Key& other) { return other < key; });
  }

 private:
  // A heap with the worst on top, which leaves when there are too many.
  void keep(const Key& key) {
    if (top_ && heap_.size() >= *top_) {
      if (heap_.empty() || !(key < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(key);
    std::push_heap(heap_.begin(), heap_.end());
  }

  std::size_t objective_;
  std::optional<std::size_t> top_;
  bool pareto_;
  std::vector<std::size_t> among_;
  std::vector<double> judged_;
  std::int64_t matches_ = 0;
  std::vector<Key> heap_;
  ParetoFront front_;
  std::vector<Key> front_keys_;
};

Value reduction_cell(double value, const BaselineRow* baseline, std::size_t objective) {
  if (baseline == nullptr || baseline->objectives.empty()) return {};
  const std::optional<double> saved = reduction(value, baseline->objectives[objective]);
  return saved ? Value{*saved} : Value{};
}

std::vector<Value> ranked_row(const ResultsFile& results, const CaseRow& row,
                              const std::string& motion, std::int64_t place) {
  std::vector<Value> cells{place, row.id};
  for (const std::size_t i : variable_columns(results)) cells.push_back(row.variables[i]);
  for (const double value : row.objectives) cells.emplace_back(value);
  for (const char* name : {baseline_name, without_springs_name}) {
    const BaselineRow* baseline = results.baseline(name, motion);
    for (std::size_t k = 0; k < row.objectives.size(); ++k) {
      cells.push_back(reduction_cell(row.objectives[k], baseline, k));
    }
  }
  return cells;
}

}  // namespace

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

std::vector<Ranking> rank(const ResultsFile& results, const RankOptions& options) {
  const StoreLayout& layout = results.layout();
  const std::size_t objective =
      options.by.empty() ? 0 : chosen("objective", options.by, layout.objectives);
  const std::optional<std::size_t> motion = motion_column(results);
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
  std::vector<Leaders> leaders(motions.size(), Leaders(objective, options, among));
  auto cases = results.feasible_cases();
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

  std::vector<Ranking> rankings;
  for (std::size_t group = 0; group < motions.size(); ++group) {
    Ranking ranking;
    ranking.motion = motions[group];
    ranking.matches = leaders[group].matches();
    ranking.table.columns = ranking_columns(results);
    if (options.pareto) {
      ranking.knee = leaders[group].knee();
      ranking.table.columns.emplace_back("knee");
    }
    const std::vector<std::int64_t> ids = leaders[group].best_first(results);
    for (const std::int64_t id : ids) {
      const auto place = static_cast<std::int64_t>(ranking.table.rows.size()) + 1;
      const std::optional<CaseRow> row = results.find(id);
      if (!row) continue;
      ranking.table.rows.push_back(ranked_row(results, *row, motions[group], place));
      if (options.pareto)
        ranking.table.rows.back().push_back(ranking.knee == id ? Value{"knee"} : Value{});
    }
    const bool cut = ranking.knee && std::find(ids.begin(), ids.end(), *ranking.knee) == ids.end();
    if (const std::optional<CaseRow> row = cut ? results.find(*ranking.knee) : std::nullopt) {
      const std::int64_t place =
          leaders[group].place_in_front({row->objectives[objective], row->id});
      ranking.knee_row = ranked_row(results, *row, motions[group], place);
      ranking.knee_row.emplace_back("knee");
    }
    rankings.push_back(std::move(ranking));
  }
  return rankings;
}

Table joined(const std::vector<Ranking>& rankings) {
  Table all;
  for (const Ranking& ranking : rankings) {
    all.columns = ranking.table.columns;
    all.rows.insert(all.rows.end(), ranking.table.rows.begin(), ranking.table.rows.end());
  }
  return all;
}

}  // namespace counterpoise
