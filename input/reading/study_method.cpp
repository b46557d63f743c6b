#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "input/reading/study_reading.hpp"
#include "input/text/csv.hpp"

namespace counterpoise {
namespace {

constexpr std::int64_t most_cases = 1'000'000'000'000;
constexpr std::int64_t default_max_cases = 100'000'000;
constexpr int most_improvements = 100'000;  // cases that a proof over geometry may store

/// Number of grid points, or nothing beyond `most_cases`; and the product in words.
std::pair<std::optional<std::int64_t>, std::string> grid_size(
    const std::vector<Variable>& variables, const JsonValue& method) {
  std::int64_t count = 1;
  bool too_many = false;
  std::string product;
  for (const Variable& variable : variables) {
    if (!variable.discrete())
      throw InputError(method.location(),
                       fmt::format("a grid needs levels, but variable {} is a continuous range; "
                                   "give it a \"count\"",
                                   variable.name));
    const std::int64_t levels = variable.level_count();
    product += fmt::format("{}{} {}", product.empty() ? "" : " x ", variable.name, levels);
    too_many = too_many || count > most_cases / levels;
    if (!too_many) count *= levels;
  }
  if (too_many) return {std::nullopt, product};
  return {count, product};
}

/// Whether two numbers are one that was converted from different units.
bool same_but_for_rounding(double a, double b) {
  constexpr double closeness = 4.0 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= closeness * std::max(std::abs(a), std::abs(b));
}

/// The hint appended to "not a level of this variable" if the column has no unit.
std::string unit_hint(const Variable& variable, const CsvColumn& column) {
  if (column.has_unit || variable.unit.si()) return "";
  return fmt::format(
      "; the column has no unit, so its numbers are in {}: write \"{} [{}]\" if "
      "they are in {}",
      si_unit(variable.unit), variable.name, variable.unit.name, variable.unit.name);
}

/// Throws InputError unless the unit of a column of a list, if it has one, goes with its variable.
void require_unit_of(const Variable& variable, const CsvColumn& column, const Location& where) {
  if (!column.has_unit) return;
  if (!variable.numeric())
    throw InputError(where, fmt::format("found the unit {}, expected none: variable {} chooses by "
                                        "name",
                                        in_quotes(column.unit.name), variable.name));
  require_fit(column.unit, variable.unit, "variable " + variable.name, where);
}

/// The level of a discrete variable that a cell of a list of designs names.
double level_in_list(const Variable& variable, const CsvColumn& column, std::size_t row,
                     const Location& where) {
  if (!variable.numeric()) {
    const auto at = std::find(variable.labels.begin(), variable.labels.end(), column.texts[row]);
    if (at == variable.labels.end())
      throw InputError(where, fmt::format("found {}, expected a choice of variable {}{}",
                                          in_quotes(column.texts[row]), variable.name,
                                          did_you_mean(column.texts[row], variable.labels)));
    return static_cast<double>(at - variable.labels.begin());
  }
  const double value = numbers_of(column)[row];
  if (!variable.discrete()) {
    if (value >= variable.low && value <= variable.high) return value;
    for (const double end : {variable.low, variable.high})
      if (same_but_for_rounding(value, end)) return end;
    throw InputError(where,
                     fmt::format("found {} for {}, expected {} to {}{}", value, variable.name,
                                 variable.low, variable.high, unit_hint(variable, column)));
  }
  auto at = std::find(variable.values.begin(), variable.values.end(), value);
  if (at == variable.values.end())
    at = std::find_if(variable.values.begin(), variable.values.end(),
                      [value](double level) { return same_but_for_rounding(value, level); });
  if (at == variable.values.end())
    throw InputError(where, fmt::format("found {}, which is no value of variable {}{}", value,
                                        variable.name, unit_hint(variable, column)));
  return static_cast<double>(at - variable.values.begin());
}

Sampling read_list(const ObjectReader& object, const std::vector<Variable>& variables,
                   const StudyFiles& files) {
  Sampling sampling;
  sampling.method = SamplingMethod::list;
  const JsonValue& name = object.required("file");
  static_cast<void>(string_of(name, "the file of a list of designs"));
  const std::filesystem::path path = files.path_of(name);
  const CsvTable table = reading_file(
      name, path, [&] { return parse_csv(files.keep_as("designs")(path), path.string()); });
  const std::vector<std::string> names = table.names();
  std::vector<std::string> known;
  for (const Variable& variable : variables) known.push_back(variable.name);
  for (const std::string& column : names)
    if (std::find(known.begin(), known.end(), column) == known.end())
      throw InputError({path.string(), 1},
                       fmt::format("found column {}, expected a variable{}", in_quotes(column),
                                   did_you_mean(column, known)));
  std::vector<const CsvColumn*> columns;
  for (const Variable& variable : variables) {
    columns.push_back(table.find(variable.name));
    if (columns.back() == nullptr)
      throw InputError({path.string(), 1}, fmt::format("no column for variable {}", variable.name));
    require_unit_of(variable, *columns.back(), table.header(*columns.back()));
  }
  sampling.points.resize(table.row_count());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    for (std::size_t row = 0; row < table.row_count(); ++row)
      sampling.points[row].push_back(
          level_in_list(variables[v], *columns[v], row, {path.string(), table.lines[row]}));
  }
  sampling.count = static_cast<std::int64_t>(table.row_count());
  if (sampling.count == 0) throw InputError(name.location(), "the list has no designs");
  return sampling;
}

Sampling read_sampling(const JsonValue& value, const std::vector<Variable>& variables,
                       const StudyFiles& files) {
  const ObjectReader object(value, "a sampling", {"method", "count", "seed", "file", "max_cases"});
  constexpr std::array<std::string_view, 5> methods = {"grid", "sobol", "latin-hypercube", "random",
                                                       "list"};
  const JsonValue& method = object.required("method");
  const auto chosen = static_cast<SamplingMethod>(choice_of(method, methods));
  const auto refuse_key = [&](std::string_view key) {
    if (const JsonValue* extra = object.find(key))
      throw InputError(extra->key_location(), fmt::format("\"{}\" does not go with method {}", key,
                                                          in_quotes(method.text)));
  };
  const JsonValue* limit = object.find("max_cases");
  const std::int64_t max_cases =
      limit == nullptr ? default_max_cases : integer_of(*limit, "a number of cases", 1, most_cases);

  Sampling sampling;
  std::string product;
  if (chosen == SamplingMethod::list) {
    refuse_key("count");
    refuse_key("seed");
    sampling = read_list(object, variables, files);
  } else if (chosen == SamplingMethod::grid) {
    for (const std::string_view key : {"count", "seed", "file"}) refuse_key(key);
    const auto [count, text] = grid_size(variables, method);
    product = text;
    sampling.count = count.value_or(most_cases + 1);
  } else {
    refuse_key("file");
    sampling.method = chosen;
    sampling.count = integer_of(object.required("count"), "a number of cases", 1, most_cases);
    if (const JsonValue* seed = object.find("seed"))
      sampling.seed = static_cast<std::uint64_t>(integer_of(*seed, "a seed", 0, largest_seed));
  }
  if (sampling.count > max_cases)
    throw InputError(
        value.location(),
        fmt::format(
            "{} cases exceed max_cases {}{}; coarsen it, or raise \"max_cases\"",
            sampling.count > most_cases ? "more than 10^12" : std::to_string(sampling.count),
            max_cases, product.empty() ? "" : " (grid: " + product + ")"));
  return sampling;
}

double positive_of(const JsonValue& value, const std::string& what) {
  const double number = fixed_number(value, what);
  if (!(number > 0.0)) refuse(value, what + " above 0");
  return number;
}

SearchSettings read_settings_of_search(const JsonValue& value) {
  const ObjectReader object(value, "settings of a search",
                            {"tolerance", "initial_step", "restarts", "population"});
  SearchSettings settings;
  if (const JsonValue* tolerance = object.find("tolerance"))
    settings.tolerance = positive_of(*tolerance, "a part of the ranges");
  if (const JsonValue* step = object.find("initial_step")) {
    settings.initial_step = positive_of(*step, "a part of the ranges");
    if (settings.initial_step > 1.0) refuse(*step, "a part of the ranges, at most 1");
  }
  if (const JsonValue* restarts = object.find("restarts"))
    settings.restarts = static_cast<int>(integer_of(*restarts, "a number of restarts", 1, 100'000));
  if (const JsonValue* population = object.find("population"))
    settings.population =
        static_cast<int>(integer_of(*population, "a number of points", 1, 1'000'000));
  return settings;
}

/// Reads the keys of a proof over geometry.
void read_mount_proof(const ObjectReader& object, Search& search) {
  const JsonValue* geometry = object.find("geometry");
  if (geometry == nullptr) {
    for (const char* key : {"gap", "max_simplices", "max_memory"})
      if (const JsonValue* extra = object.find(key))
        throw InputError(extra->key_location(),
                         fmt::format("\"{}\" goes with \"geometry\": \"prove\" alone", key));
    return;
  }
  constexpr std::array<std::string_view, 1> ways = {"prove"};
  static_cast<void>(choice_of(*geometry, ways));
  if (search.geometry)
    throw InputError(geometry->key_location(),
                     "found \"geometry\": \"prove\" and \"max_evaluations\", expected one of them: "
                     "a proof looks everywhere, and says by \"gap\" when to end");
  MountProof& proof = search.proof.emplace();
  if (const JsonValue* gap = object.find("gap")) {
    proof.gap = fixed_number(*gap, "a gap as a part of the best value");
    if (!(proof.gap >= 1e-9 && proof.gap <= 1.0))
      refuse(*gap, "a gap from 1e-9 to 1, as a part of the best value");
  }
  if (const JsonValue* most = object.find("max_simplices"))
    proof.max_simplices = integer_of(*most, "a number of simplices", 1, 100'000'000);
  if (const JsonValue* most = object.find("max_memory")) {
    proof.max_memory = fixed_number(*most, "a number of gigabytes");
    if (!(proof.max_memory >= 1e-6 && proof.max_memory <= 1e6))
      refuse(*most, "from 1e-6 to 1e6 gigabytes");
  }
  search.max_evaluations = most_improvements;
}

/// Reads the keys that only an exact search has.
void read_exact(const ObjectReader& object, Search& search) {
  if (const JsonValue* within = object.find("within_percent")) {
    const double percent = fixed_number(*within, "a percentage");
    if (!(percent >= 0.0 && percent <= 1000.0)) refuse(*within, "a percentage from 0 to 1000");
    search.within = percent / 100.0;
  }
  if (const JsonValue* most = object.find("max_cases")) {
    search.max_cases = static_cast<int>(integer_of(*most, "a number of cases", 1, 10'000'000));
    if (!(search.within > 0.0))
      throw InputError(most->key_location(),
                       "\"max_cases\" is for cases near the best; it needs \"within_percent\" too");
  }
  search.geometry = object.find("max_evaluations") != nullptr;
  read_mount_proof(object, search);
  if (search.geometry) return;
  for (const char* key : {"algorithm", "starts", "settings", "seed"})
    if (const JsonValue* extra = object.find(key))
      throw InputError(extra->key_location(),
                       fmt::format("\"{}\" is for a search over geometry, which needs "
                                   "\"max_evaluations\" too",
                                   key));
}

Search read_search(const JsonValue& value, const std::vector<Variable>& variables) {
  const ObjectReader object(
      value, "a search",
      {"method", "algorithm", "starts", "max_evaluations", "seed", "settings", "within_percent",
       "max_cases", "trade_off", "geometry", "gap", "max_simplices", "max_memory"});
  constexpr std::array<std::string_view, 2> methods = {"nlopt", "exact-springs"};
  Search search;
  search.where = value.location();
  search.algorithms = {"GN_CRS2_LM", "LN_SBPLX"};
  search.method = static_cast<SearchMethod>(choice_of(object.required("method"), methods));
  const bool exact = search.method == SearchMethod::exact_springs;
  if (exact) {
    search.max_evaluations = 1;
    read_exact(object, search);
  } else {
    for (const char* key : {"within_percent", "max_cases", "trade_off", "geometry", "gap",
                            "max_simplices", "max_memory"})
      if (const JsonValue* extra = object.find(key))
        throw InputError(extra->key_location(),
                         fmt::format("\"{}\" goes with method \"exact-springs\" alone", key));
  }
  const JsonValue* algorithm = object.find("algorithm");
  if (algorithm != nullptr) {
    search.algorithms.clear();
    if (algorithm->kind == JsonValue::Kind::array)
      for (const JsonValue& item : algorithm->items)
        search.algorithms.push_back(string_of(item, "the name of an NLopt algorithm"));
    else
      search.algorithms.push_back(
          string_of(*algorithm, "the name of an NLopt algorithm, or an array of them"));
    if (search.algorithms.empty()) refuse(*algorithm, "at least one algorithm");
    search.where = algorithm->location();
  }
  if (const JsonValue* starts = object.find("starts"))
    search.starts = static_cast<int>(integer_of(*starts, "a number of starts", 1, 100'000));
  if (const JsonValue* evaluations = object.find("max_evaluations"))
    search.max_evaluations =
        static_cast<int>(integer_of(*evaluations, "a number of evaluations", 1, 100'000'000));
  if (const JsonValue* seed = object.find("seed"))
    search.seed = static_cast<std::uint64_t>(integer_of(*seed, "a seed", 0, largest_seed));
  if (const JsonValue* settings = object.find("settings"))
    search.settings = read_settings_of_search(*settings);
  if (variables.empty()) throw InputError(value.location(), "a search needs variables");
  return search;
}

}  // namespace

std::variant<Sampling, Search> read_method(const ObjectReader& study, const JsonValue& root,
                                           const std::vector<Variable>& variables,
                                           const StudyFiles& files) {
  const JsonValue* sampling = study.find("sampling");
  const JsonValue* search = study.find("search");
  if ((sampling == nullptr) == (search == nullptr))
    throw InputError((search != nullptr ? *search : root).location(),
                     search != nullptr ? "a study has \"sampling\" or \"search\", not both"
                                       : "expected \"sampling\" or \"search\"");
  if (sampling != nullptr) return read_sampling(*sampling, variables, files);
  return read_search(*search, variables);
}

std::int64_t Search::task_count() const {
  if (!trade_off) return 1;
  const std::int64_t points = trade_off->points;
  return trade_off->objectives.size() == 2 ? points : points * (points + 1) / 2;
}

namespace {

constexpr std::int64_t most_best = 1'000'000, most_sampled = 10'000'000;

/// A discrete variable that is named to keep the best of each of its levels.
int discrete_variable(const JsonValue& item, const Study& study) {
  const std::string& name = string_of(item, "a variable");
  std::vector<std::string> names;
  for (const Variable& variable : study.variables) names.push_back(variable.name);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) refuse_name(item, name, "a variable of the study", names);
  const auto index = static_cast<std::size_t>(at - names.begin());
  if (!study.variables[index].discrete())
    throw InputError(item.location(),
                     fmt::format("variable {} is a continuous range, which has no levels to keep "
                                 "the best of; give it a \"count\"",
                                 name));
  return static_cast<int>(index);
}

}  // namespace

void read_keep(const JsonValue* value, Study& study) {
  if (value == nullptr) return;
  constexpr std::string_view expected = "\"all\", or an object that says which cases to keep";
  if (value->kind == JsonValue::Kind::string) {
    if (string_of(*value, expected) != "all") refuse(*value, std::string(expected));
    return;
  }
  const ObjectReader object(*value, std::string(expected),
                            {"best", "front", "sample", "seed", "per"});
  if (study.search() != nullptr)
    throw InputError(value->location(),
                     "goes with a sampling; a search keeps all its cases, which it needs to go on");
  Keep& keep = study.keep.emplace();
  if (const JsonValue* best = object.find("best"))
    keep.best = integer_of(*best, "how many of the best cases", 0, most_best);
  if (const JsonValue* front = object.find("front"))
    keep.front = boolean_of(*front, "whether to keep the front");
  if (const JsonValue* sample = object.find("sample"))
    keep.sample = integer_of(*sample, "how many cases of all", 0, most_sampled);
  if (const JsonValue* seed = object.find("seed"))
    keep.seed = static_cast<std::uint64_t>(integer_of(*seed, "a seed", 0, largest_seed));
  if (const JsonValue* per = object.find("per"))
    for (const JsonValue& item : array_of(*per, "an array of variables")) {
      const int variable = discrete_variable(item, study);
      if (std::find(keep.per.begin(), keep.per.end(), variable) != keep.per.end())
        throw InputError(item.location(), "is listed twice");
      keep.per.push_back(variable);
    }
}

}  // namespace counterpoise
