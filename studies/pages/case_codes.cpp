#include "studies/pages/case_codes.hpp"

#include <algorithm>
#include <array>
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
#include "studies/pages/thinned_cases.hpp"

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

Json case_codes(const CaseTable& table, const CodeLimits& limits) {
  const std::unordered_set<std::int64_t> wanted(table.exact.begin(), table.exact.end());
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
  const std::size_t first = table.first;
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
  return {{"rows", rows.size()},  {"feasible", feasible},    {"of", table.of},
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
  Reasons(const ResultsFile& results, const Study& study)
      : stated_(study), kinds_(results, study), failures_(results.failure_cursor()) {
    more_ = failures_.next(failure_);
  }

  /// Counts the next case, by ascending id, and returns which reason it has.
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
    while (more_ && failure_.id < row.id) more_ = failures_.next(failure_);
    const std::optional<FailureKind> kind =
        more_ && failure_.id == row.id ? kinds_.kind(failure_.kind, failure_.of) : std::nullopt;
    if (kind && *kind != FailureKind::other) {
      const int first = stated_.first_of(*kind, static_cast<int>(failure_.of));
      auto& words = words_[{*kind, first}];
      if (words.empty()) words = stated_.name_of(*kind, first).words();
      return words;
    }
    return kind_of_reason(row.reason);  // told in words only
  }

  StatedLimits stated_;
  StoredKinds kinds_;
  ResultsFile::FailureCursor failures_;
  FailureRow failure_;
  bool more_ = false;
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

/// Fills the columns of a table row by row.
class TableFiller {
 public:
  TableFiller(const StoreLayout& layout, CaseTable& table)
      : table_(table), variables_(layout.variables.size()), metrics_(layout.metrics.size()) {
    for (std::size_t v = 0; v < variables_; ++v) labels_.emplace_back(table.columns[v]);
  }

  /// Feasible cases come before all others.
  void add(const CaseRow& row) {
    table_.ids.push_back(row.id);
    for (std::size_t v = 0; v < variables_; ++v)
      table_.columns[v].values.push_back(number_of(row.variables[v], labels_[v]));
    if (row.status != Status::feasible) return;
    for (std::size_t m = 0; m < metrics_; ++m)
      table_.columns[variables_ + m].values.push_back(row.metrics[m]);
    for (std::size_t o = 0; o < row.objectives.size(); ++o)
      table_.columns[variables_ + metrics_ + o].values.push_back(row.objectives[o]);
  }

 private:
  CaseTable& table_;
  std::size_t variables_, metrics_;
  std::vector<Labels> labels_;
};

std::uint16_t code_of_reason(const ResultsFile& results, std::size_t reason) {
  if (reason > std::numeric_limits<std::uint16_t>::max())
    throw damaged(results.path(), "its cases have more than 65536 reasons");
  return static_cast<std::uint16_t>(reason);
}

/// A case that is not feasible, and its reason.
struct OtherCase {
  std::int64_t id = 0;
  std::uint16_t reason = 0;
};

/// The cases that have the least and the largest number of each column.
class ExtremeCases {
 public:
  explicit ExtremeCases(std::size_t columns) : columns_(columns) {}

  /// `reason`: of a case that is not feasible.
  void take(const CaseRow& row, std::uint16_t reason) {
    std::size_t column = 0;
    for (const Value& value : row.variables) {
      if (const auto* number = std::get_if<double>(&value)) take(column, *number, row, reason);
      ++column;
    }
    for (const std::vector<double>* numbers : {&row.metrics, &row.objectives})
      for (const double number : *numbers) take(column++, number, row, reason);
  }

  struct Extreme {
    double number;
    OtherCase of;
    bool feasible;
  };
  /// Of all columns.
  [[nodiscard]] std::vector<Extreme> all() const {
    std::vector<Extreme> found;
    for (const auto& ends : columns_)
      for (const std::optional<Extreme>& end : ends)
        if (end) found.push_back(*end);
    return found;
  }

 private:
  void take(std::size_t column, double number, const CaseRow& row, std::uint16_t reason) {
    if (std::isnan(number)) return;
    auto& [least, most] = columns_[column];
    const auto replace = [&](std::optional<Extreme>& end) {
      end = {number, {row.id, reason}, row.status == Status::feasible};
    };
    if (!least || number < least->number) replace(least);
    if (!most || number > most->number) replace(most);
  }

  std::vector<std::array<std::optional<Extreme>, 2>> columns_;
};

/// Reads a table of some of the cases.
void read_thinned(const ResultsFile& results, const Study& study,
                  const std::vector<std::int64_t>& also, const CodeLimits& limits,
                  CaseTable& table) {
  const ResultsFile::Moment moment(results);
  const auto feasible = static_cast<std::size_t>(results.count(Status::feasible));
  const std::size_t first = std::min(limits.exact, feasible);
  const std::size_t room = std::max(limits.rows, first + 1) - first;
  const std::size_t every = (table.of - first + room - 1) / room;
  CaseThinning thinning(results, first, every, feasible);
  Reasons reasons(results, study);
  ExtremeCases extremes(table.columns.size());
  const std::unordered_set<std::int64_t> wanted(also.begin(), also.end());
  std::vector<OtherCase> others;
  std::size_t count = feasible - first;  // of cases that are sampled
  auto cases = results.cases();
  for (CaseRow row; cases.next(row);) {
    const bool asked = wanted.contains(row.id);
    if (row.status == Status::feasible) {
      thinning.take(row, asked);
      extremes.take(row, 0);
      continue;
    }
    const std::uint16_t reason = code_of_reason(results, reasons.of(row));
    extremes.take(row, reason);
    if (count++ % every == 0 || asked) others.push_back({row.id, reason});
  }
  table.exact = also;
  for (const ExtremeCases::Extreme& extreme : extremes.all()) {
    table.exact.push_back(extreme.of.id);
    if (!extreme.feasible)
      others.push_back(extreme.of);
    else if (const std::optional<CaseRow> row = results.find(extreme.of.id))
      thinning.want(*row);
  }
  const ThinnedCases kept = thinning.finish();
  table.first = kept.first;
  table.feasible = kept.kept.size();
  const auto found = [&](std::int64_t id) {
    std::optional<CaseRow> row = results.find(id);
    if (!row) throw damaged(results.path(), "case " + std::to_string(id) + " is gone");
    return std::move(*row);
  };
  // by ascending id neighbours in the file are read together
  std::vector<std::size_t> by_id(kept.kept.size()), places(kept.kept.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::sort(by_id.begin(), by_id.end(),
            [&](std::size_t a, std::size_t b) { return kept.kept[a].id < kept.kept[b].id; });
  TableFiller filler(results.layout(), table);
  for (std::size_t i = 0; i < by_id.size(); ++i) {
    filler.add(found(kept.kept[by_id[i]].id));
    places[by_id[i]] = i;
  }
  for (const ThinnedCases::Ranked& one : kept.kept) table.ranks.push_back(one.rank);
  arrange(table.ids, places);
  for (CaseColumn& column : table.columns) arrange(column.values, places);
  find_sizes(results, results.layout().variables.size(), table.columns);
  std::sort(others.begin(), others.end(),
            [](const OtherCase& a, const OtherCase& b) { return a.id < b.id; });
  others.erase(std::unique(others.begin(), others.end(),
                           [](const OtherCase& a, const OtherCase& b) { return a.id == b.id; }),
               others.end());
  for (const OtherCase& other : others) {
    filler.add(found(other.id));
    table.reasons.push_back(other.reason);
  }
  sort_reasons(table, std::move(reasons.reasons));
}

/// Reads a table of all cases.
void read_whole(const ResultsFile& results, const Study& study, CaseTable& table) {
  Reasons reasons(results, study);
  TableFiller filler(results.layout(), table);
  // two passes, so that the feasible cases come first without a copy of the others
  auto feasible = results.feasible_cases();
  for (CaseRow row; feasible.next(row);) filler.add(row);
  table.feasible = table.ids.size();
  find_sizes(results, results.layout().variables.size(), table.columns);
  auto all = results.cases();
  for (CaseRow row; all.next(row);) {
    if (row.status == Status::feasible) continue;
    table.reasons.push_back(code_of_reason(results, reasons.of(row)));
    filler.add(row);
  }
  sort_reasons(table, std::move(reasons.reasons));

  const StoreLayout& layout = results.layout();
  table.ranks = ranks_of(results, study, table, layout.variables.size() + layout.metrics.size());
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
}

}  // namespace

CaseTable case_table(const ResultsFile& results, const Study& study,
                     const std::vector<std::int64_t>& also, const CodeLimits& limits) {
  CaseTable table;
  table.columns = columns_of(results.layout(), study);
  table.of = static_cast<std::size_t>(results.kept_count());
  if (table.of > limits.rows) {
    read_thinned(results, study, also, limits, table);
  } else {
    read_whole(results, study, table);
    table.of = table.ids.size();
    table.first = std::min(limits.exact, table.feasible);
    table.exact = also;
  }
  return table;
}

}  // namespace counterpoise
