#include "studies/pages/report/case_codes.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "input/text/compressed.hpp"

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
      described.push_back({{"name", column.name}, {"role", role_of(column)}, {"same", same->name}});
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
  return {{"rows", rows.size()},     {"feasible", feasible},
          {"of", table.ids.size()},  {"feasible_of", table.feasible},
          {"first_exact", first},    {"also_exact", exact},
          {"columns", described},    {"left_out", left_out},
          {"reasons", reason_names}, {"block", deflated(block.bytes())}};
}

}  // namespace counterpoise
