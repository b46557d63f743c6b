#include "studies/pages/case_codes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cases/case_outcome.hpp"
#include "cases/study_units.hpp"
#include "input/text/compressed.hpp"
#include "results/ranking.hpp"
#include "results/rows/rows.hpp"
#include "results/rows/totals.hpp"
#include "studies/failure_report.hpp"

namespace counterpoise {
namespace {

constexpr std::uint16_t no_code = 65535;
constexpr double last_code = 65534.0;
constexpr std::size_t most_levels = 4096;
constexpr double wide_range = 1000.0;  // largest over least, from which on steps are logarithmic

/// How the numbers of a column become codes.
struct Coding {
  enum class Scale { levels, linear, logarithmic };
  Scale scale = Scale::linear;
  double least = 0.0, most = 0.0;
  double base = 0.0, step = 1.0;  // linear: step is a power of two, so base + code * step is exact
  std::vector<double> levels;     // ascending

  explicit Coding(const std::vector<double>& values) {
    std::vector<double> found;
    std::unordered_set<double> seen;
    bool few = true;
    least = std::numeric_limits<double>::infinity();
    most = -least;
    for (const double value : values) {
      if (std::isnan(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
      if (few && seen.insert(value).second) found.push_back(value);
      few = few && found.size() <= most_levels;
    }
    if (few) {
      scale = Scale::levels;
      levels = std::move(found);
      std::sort(levels.begin(), levels.end());
    } else if (least > 0.0 && most / least > wide_range) {
      scale = Scale::logarithmic;
    } else {
      step = std::exp2(std::ceil(std::log2((most / 2 - least / 2) / (last_code / 2 - 1))));
      base = std::floor(least / step) * step;
    }
  }

  [[nodiscard]] std::uint16_t code_of(double value) const {
    if (std::isnan(value)) return no_code;
    if (scale == Scale::levels)
      return static_cast<std::uint16_t>(std::lower_bound(levels.begin(), levels.end(), value) -
                                        levels.begin());
    const double code = scale == Scale::linear
                            ? (value - base) / step
                            : last_code * (std::log(value / least) / std::log(most / least));
    return static_cast<std::uint16_t>(std::lround(std::clamp(code, 0.0, last_code)));
  }

  /// What an exact number has beyond its code: of a linear column the distance of the bits of both,
  /// which takes fewer bytes, with its sign in the last bit; else all bits.
  [[nodiscard]] std::uint64_t rest_of(double value) const {
    const auto bits = [](double number) {
      std::uint64_t found = 0;
      std::memcpy(&found, &number, sizeof(found));
      return found;
    };
    if (scale != Scale::linear || std::isnan(value)) return bits(value);
    const std::uint64_t apart = bits(value) - bits(base + code_of(value) * step);
    return (apart << 1) ^ (apart >> 63 == 1 ? ~std::uint64_t{0} : 0);
  }
};

/// The rows that the page has: all, or the first ones, those in `also`, and of the others each
/// n-th.
std::vector<std::size_t> kept_rows(const CaseTable& table,
                                   const std::unordered_set<std::int64_t>& also, std::size_t first,
                                   std::size_t most) {
  const std::size_t rows = table.ids.size();
  std::vector<std::size_t> kept;
  const std::size_t others = rows - std::min(first, rows);
  const std::size_t room = most > first ? most - first : 1;
  const std::size_t every = rows <= most ? 1 : (others + room - 1) / room;
  for (std::size_t row = 0; row < rows; ++row)
    if (row < first || (row - first) % every == 0 || also.contains(table.ids[row]))
      kept.push_back(row);
  return kept;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& rows,
                           std::size_t count) {
  std::vector<double> found(count);
  for (std::size_t i = 0; i < count; ++i) found[i] = values[rows[i]];
  return found;
}

const char* role_of(const CaseColumn& column) {
  constexpr const char* roles[] = {"variable", "metric", "objective"};
  return roles[static_cast<std::size_t>(column.role)];
}

Json column_json(const CaseColumn& column, const Coding& coding) {
  constexpr const char* scales[] = {"levels", "linear", "log"};
  Json json = {{"name", column.name},
               {"role", role_of(column)},
               {"size", column.size},
               {"scale", scales[static_cast<std::size_t>(coding.scale)]}};
  if (coding.scale == Coding::Scale::levels)
    json["levels"] = coding.levels;
  else
    json["range"] = {coding.least, coding.most};
  if (coding.scale == Coding::Scale::linear) json["steps"] = {coding.base, coding.step};
  if (column.type == ColumnType::text) json["labels"] = column.labels;
  return json;
}

/// An earlier column with the same numbers, or none.
const CaseColumn* same_before(const std::vector<const CaseColumn*>& columns, std::size_t c) {
  for (std::size_t earlier = 0; earlier < c; ++earlier)
    if (columns[earlier]->values.size() == columns[c]->values.size() &&
        columns[c]->labels.empty() && columns[earlier]->values == columns[c]->values)
      return columns[earlier];
  return nullptr;
}

}  // namespace

Json case_codes(const CaseTable& table, const std::vector<std::int64_t>& also,
                const CodeLimits& limits) {
  const std::unordered_set<std::int64_t> wanted(also.begin(), also.end());
  std::vector<const CaseColumn*> columns;
  Json left_out = Json::array();
  std::size_t cells = 0;
  for (const CaseColumn::Role role :
       {CaseColumn::Role::variable, CaseColumn::Role::objective, CaseColumn::Role::metric})
    for (const CaseColumn& column : table.columns) {
      if (column.role != role) continue;
      if (role == CaseColumn::Role::metric && cells + column.values.size() > limits.cells) {
        left_out.push_back(column.name);
        continue;
      }
      cells += column.values.size();
      columns.push_back(&column);
    }
  const std::size_t first = std::min(limits.exact, table.feasible);
  const std::size_t most = cells <= limits.cells ? table.ids.size() : limits.cells / columns.size();
  const std::vector<std::size_t> rows = kept_rows(table, wanted, first, most);
  const auto feasible = static_cast<std::size_t>(
      std::lower_bound(rows.begin(), rows.end(), table.feasible) - rows.begin());
  std::vector<std::size_t> exact;  // places in `rows` beyond the first ones
  for (std::size_t i = first; i < rows.size(); ++i)
    if (wanted.contains(table.ids[rows[i]])) exact.push_back(i);

  ColumnBlock block;
  Json described = Json::array();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const CaseColumn& column = *columns[c];
    if (const CaseColumn* same = same_before(columns, c)) {
      described.push_back({{"name", column.name},
                           {"role", role_of(column)},
                           {"size", column.size},
                           {"same", same->name}});
      continue;
    }
    const bool variable = column.role == CaseColumn::Role::variable;
    const std::vector<double> values =
        picked(column.values, rows, variable ? rows.size() : feasible);
    const Coding coding(column.values);
    described.push_back(column_json(column, coding));
    std::vector<std::uint16_t> codes;
    codes.reserve(values.size());
    for (const double value : values) codes.push_back(coding.code_of(value));
    block.add<std::uint16_t>(codes);
    if (coding.scale == Coding::Scale::levels) continue;
    std::vector<std::uint64_t> rests;
    for (std::size_t i = 0; i < first; ++i) rests.push_back(coding.rest_of(values[i]));
    for (const std::size_t i : exact)
      if (i < values.size()) rests.push_back(coding.rest_of(values[i]));
    block.add<std::uint64_t>(rests);
  }
  std::vector<double> ids, ranks;
  std::vector<std::uint16_t> reasons;
  for (const std::size_t row : rows) {
    ids.push_back(static_cast<double>(table.ids[row]));
    if (row < table.feasible)
      ranks.push_back(static_cast<double>(table.ranks[row]));
    else
      reasons.push_back(table.reasons[row - table.feasible]);
  }
  block.add<double>(ids);
  block.add<double>(ranks);
  block.add<std::uint16_t>(reasons);

  Json reason_names = Json::array();
  for (const CaseTable::Reason& reason : table.reason_names)
    reason_names.push_back(
        {{"words", reason.words}, {"failed", reason.failed}, {"cases", reason.cases}});
  return {{"rows", rows.size()},  {"feasible", feasible},    {"of", table.ids.size()},
          {"first_exact", first}, {"also_exact", exact},     {"columns", described},
          {"left_out", left_out}, {"reasons", reason_names}, {"block", deflated(block.bytes())}};
}

namespace {

constexpr std::size_t most_reasons = 60;  // further ones are combined

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
    else if (variable != nullptr)
      added.size = largest_number(*variable);
  }
  for (const std::string& name : layout.metrics)
    columns.push_back({name, CaseColumn::Role::metric, ColumnType::real, {}, {}});
  for (const std::string& name : layout.objectives)
    columns.push_back({name, CaseColumn::Role::objective, ColumnType::real, {}, {}});
  return columns;
}

/// Takes the numbers of the columns and of the baselines into the sizes of the columns.
void find_sizes(const ResultsFile& results, std::size_t variables,
                std::vector<CaseColumn>& columns) {
  const auto take = [](CaseColumn& column, double number) {
    if (std::isfinite(number)) column.size = std::max(column.size, std::abs(number));
  };
  for (CaseColumn& column : columns)
    if (column.type != ColumnType::text)
      for (const double value : column.values) take(column, value);
  for (const BaselineRow& row : results.baselines()) {
    if (row.status != Status::feasible) continue;
    std::size_t at = variables;
    for (const std::vector<double>* numbers : {&row.metrics, &row.objectives})
      for (const double number : *numbers) take(columns[at++], number);
  }
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
  Reasons(const ResultsFile& results, const Study& study) : stated_(study), kinds_(results, study) {
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
    const std::optional<FailureKind> kind =
        found == failures_.end() ? std::nullopt : kinds_.kind(found->second.kind, found->second.of);
    if (kind && *kind != FailureKind::other) {
      const int first = stated_.first_of(*kind, static_cast<int>(found->second.of));
      auto& words = words_[{*kind, first}];
      if (words.empty()) words = stated_.name_of(*kind, first).words();
      return words;
    }
    return kind_of_reason(row.reason);  // told in words only
  }

  StatedLimits stated_;
  StoredKinds kinds_;
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
      if (column.name == study.variables[study.motion_variable].name) motions = &column;
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
  find_sizes(results, variables, table.columns);
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
