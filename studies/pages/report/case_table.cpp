#include "studies/pages/report/case_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "cases/case_outcome.hpp"
#include "results/ranking/ranking.hpp"
#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t most_reasons = 60;  // further ones are told as one

const Variable* variable_of(const Study& study, const std::string& name) {
  for (const Variable& variable : study.variables)
    if (variable.name == name) return &variable;
  return nullptr;
}

std::vector<CaseColumn> columns_of(const StoreLayout& layout, const Study& study) {
  std::vector<CaseColumn> columns;
  for (const Column& column : layout.variables) {
    CaseColumn& added = columns.emplace_back();
    added.name = column.name;
    added.type = column.type;
    if (const Variable* variable = variable_of(study, column.name);
        variable != nullptr && column.type == ColumnType::text)
      added.labels = variable->labels;
  }
  for (const std::string& name : layout.metrics)
    columns.push_back({name, CaseColumn::Role::metric, ColumnType::real, {}, {}});
  for (const std::string& name : layout.objectives)
    columns.push_back({name, CaseColumn::Role::objective, ColumnType::real, {}, {}});
  return columns;
}

/// Gives texts of one column their numbers.
class Labels {
 public:
  explicit Labels(CaseColumn& column) : column_(&column) {
    for (std::size_t i = 0; i < column.labels.size(); ++i) numbers_.emplace(column.labels[i], i);
  }
  double number_of(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, column_->labels.size());
    if (fresh) column_->labels.push_back(text);
    return static_cast<double>(at->second);
  }

 private:
  CaseColumn* column_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

double number_of(const Value& value, Labels& labels) {
  if (const auto* text = std::get_if<std::string>(&value)) return labels.number_of(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::numeric_limits<double>::quiet_NaN();
}

/// Names what is against failed cases.
class Reasons {
 public:
  Reasons(const ResultsFile& results, const Study& study) : stated_(study) {
    for (const FailureName& name : failure_names(study))
      possible_.insert({static_cast<std::int64_t>(name.kind), name.of});
    for (const FailureRow& row : results.failures()) failures_.emplace(row.id, row);
  }

  std::size_t of(const CaseRow& row) {
    const auto [at, fresh] =
        numbers_.try_emplace({words_of(row), row.status == Status::failed}, reasons.size());
    if (fresh) reasons.push_back({at->first.first, at->first.second, 0});
    ++reasons[at->second].cases;
    return at->second;
  }

  std::vector<CaseTable::Reason> reasons;

 private:
  std::string words_of(const CaseRow& row) {
    const auto found = failures_.find(row.id);
    if (found != failures_.end() && possible_.contains({found->second.kind, found->second.of}) &&
        found->second.kind != static_cast<std::int64_t>(FailureKind::other)) {
      const auto kind = static_cast<FailureKind>(found->second.kind);
      const int first = stated_.first_of(kind, static_cast<int>(found->second.of));
      auto& words = words_[{kind, first}];
      if (words.empty()) words = stated_.name_of(kind, first).words();
      return words;
    }
    // told in words only: what they say up to their numbers
    const std::string& reason = row.reason;
    return reason.substr(0, std::min({reason.find(" at t="), reason.find(" ("),
                                      reason.find_first_of("0123456789")}));
  }

  StatedLimits stated_;
  std::set<std::pair<std::int64_t, std::int64_t>> possible_;
  std::unordered_map<std::int64_t, FailureRow> failures_;
  std::map<std::pair<FailureKind, int>, std::string> words_;
  std::map<std::pair<std::string, bool>, std::size_t> numbers_;
};

/// The ranks of the feasible cases, in the order in which they were read.
std::vector<std::int64_t> ranks_of(const ResultsFile& results, const Study& study,
                                   const CaseTable& table, std::size_t first_objective) {
  const std::size_t objectives = table.columns.size() - first_objective;
  std::vector<std::size_t> by_importance(objectives);
  std::iota(by_importance.begin(), by_importance.end(), std::size_t{0});
  const CaseColumn* motions = nullptr;
  if (study.motion_variable >= 0)
    for (const CaseColumn& column : table.columns)
      if (column.name == study.variables[static_cast<std::size_t>(study.motion_variable)].name)
        motions = &column;
  const std::size_t groups = motions == nullptr ? 1 : motions->labels.size();
  std::vector<std::int64_t> ranks(table.feasible, 0);
  for (std::size_t group = 0; group < groups; ++group) {
    const std::string motion = motions == nullptr ? "" : motions->labels[group];
    TieOrder order(tie_tolerances(results, by_importance, motion), std::nullopt);
    std::unordered_map<std::int64_t, std::size_t> rows;
    std::vector<double> values(objectives);
    for (std::size_t row = 0; row < table.feasible; ++row) {
      if (motions != nullptr && motions->values[row] != static_cast<double>(group)) continue;
      for (std::size_t k = 0; k < objectives; ++k)
        values[k] = table.columns[first_objective + k].values[row];
      if (std::isnan(values.front())) continue;
      rows.emplace(table.ids[row], row);
      order.offer(table.ids[row], values);
    }
    std::int64_t rank = 0;
    for (const std::int64_t id : order.best_first()) ranks[rows.at(id)] = ++rank;
  }
  return ranks;
}

template <class Number>
void arrange(std::vector<Number>& numbers, const std::vector<std::size_t>& order) {
  std::vector<Number> arranged(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) arranged[i] = numbers[order[i]];
  numbers = std::move(arranged);
}

/// Renames reasons by how many cases they have, and joins those beyond the first ones.
void sort_reasons(CaseTable& table, std::vector<CaseTable::Reason> reasons) {
  std::vector<std::size_t> order(reasons.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return reasons[a].cases > reasons[b].cases;
  });
  std::vector<std::uint16_t> place(reasons.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<std::uint16_t>(std::min(i, most_reasons));
    if (i < most_reasons)
      table.reason_names.push_back(reasons[order[i]]);
    else if (i == most_reasons)
      table.reason_names.push_back({"other reasons", false, reasons[order[i]].cases});
    else
      table.reason_names.back().cases += reasons[order[i]].cases;
  }
  for (std::uint16_t& reason : table.reasons) reason = place[reason];
}

}  // namespace

CaseTable case_table(const ResultsFile& results, const Study& study) {
  const StoreLayout& layout = results.layout();
  CaseTable table;
  table.columns = columns_of(layout, study);
  const std::size_t variables = layout.variables.size(), metrics = layout.metrics.size();
  std::vector<Labels> labels;
  for (std::size_t v = 0; v < variables; ++v) labels.emplace_back(table.columns[v]);
  Reasons reasons(results, study);

  // two passes, so that the feasible cases come first without a copy of the others
  auto feasible = results.feasible_cases();
  for (CaseRow row; feasible.next(row);) {
    table.ids.push_back(row.id);
    for (std::size_t v = 0; v < variables; ++v)
      table.columns[v].values.push_back(number_of(row.variables[v], labels[v]));
    for (std::size_t m = 0; m < metrics; ++m)
      table.columns[variables + m].values.push_back(row.metrics[m]);
    for (std::size_t o = 0; o < row.objectives.size(); ++o)
      table.columns[variables + metrics + o].values.push_back(row.objectives[o]);
  }
  table.feasible = table.ids.size();
  auto all = results.cases();
  for (CaseRow row; all.next(row);) {
    if (row.status == Status::feasible) continue;
    table.ids.push_back(row.id);
    const std::size_t reason = reasons.of(row);
    if (reason > std::numeric_limits<std::uint16_t>::max())
      throw damaged(results.path(), "its cases have more than 65536 reasons");
    table.reasons.push_back(static_cast<std::uint16_t>(reason));
    for (std::size_t v = 0; v < variables; ++v)
      table.columns[v].values.push_back(number_of(row.variables[v], labels[v]));
  }
  sort_reasons(table, std::move(reasons.reasons));

  table.ranks = ranks_of(results, study, table, variables + metrics);
  std::vector<std::size_t> order(table.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t row) {  // unsettled cases have no rank and come last
    return table.ranks[row] == 0 ? std::numeric_limits<std::int64_t>::max() : table.ranks[row];
  };
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(table.feasible),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  arrange(table.ids, order);
  arrange(table.ranks, order);
  for (CaseColumn& column : table.columns) arrange(column.values, order);
  return table;
}

}  // namespace counterpoise
