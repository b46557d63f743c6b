#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/reading/variable_targets.hpp"

namespace counterpoise {
namespace {

void read_levels(const JsonValue& value, Variable& variable) {
  variable.kind = VariableKind::values;
  for (const JsonValue& item : array_of(value, "an array of numbers"))
    variable.values.push_back(fixed_quantity(item, "a number", variable.unit));
  if (variable.values.empty()) refuse(value, "at least one value");
}

void read_range(const JsonValue& value, const JsonValue* count, Variable& variable) {
  const auto ends = array_of(value, 2, "[lowest, highest]");
  variable.kind = VariableKind::continuous;
  variable.low = fixed_quantity(ends[0], "a number", variable.unit);
  variable.high = fixed_quantity(ends[1], "a number", variable.unit);
  const auto refuse_range = [&](std::string_view wrong) {
    const std::string_view unit = variable.unit.name;
    throw InputError(value.location(),
                     fmt::format("found [{}, {}]{}{}, {}", fixed_number(ends[0], "a number"),
                                 fixed_number(ends[1], "a number"), unit == "1" ? "" : " ",
                                 unit == "1" ? "" : unit, wrong));
  };
  if (!(variable.low < variable.high)) refuse_range("expected the lower end first");
  if (!std::isfinite(variable.high - variable.low))
    refuse_range("which is wider than the largest number, expected a narrower range");
  if (count == nullptr) return;
  const std::int64_t levels = integer_of(*count, "a number of levels", 1, 10'000'000);
  variable.kind = VariableKind::levels;
  for (std::int64_t i = 0; i < levels; ++i) {
    const double share =
        levels == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(levels - 1);
    variable.values.push_back(i + 1 == levels && levels > 1
                                  ? variable.high
                                  : variable.low + share * (variable.high - variable.low));
  }
}

void read_catalogue(const ObjectReader& object, const Model& model, const StudyFiles& files,
                    std::vector<std::string>& warnings, Variable& variable) {
  variable.kind = VariableKind::catalogue;
  const JsonValue& name = object.required("catalogue");
  variable.catalogue = string_of(name, "the file of a catalogue");
  const std::filesystem::path path = files.path_of(name);
  const CsvTable table = reading_file(
      name, path, [&] { return parse_csv(files.keep_as("catalogue")(path), path.string()); });

  Scope scope("a column of " + path.filename().string());
  for (const CsvColumn& column : table.columns) scope.add(column.name, column.text);
  std::optional<Expression> where;
  const JsonValue* condition = object.find("where");
  if (condition != nullptr)
    where = parse_of_columns(string_of(*condition, "a condition"), scope, table,
                             condition->location(), ExpressionKind::condition);

  const auto label = std::find_if(table.columns.begin(), table.columns.end(),
                                  [](const CsvColumn& column) { return column.text; });
  std::vector<std::vector<double>> levels;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    std::vector<double> values;
    for (const CsvColumn& column : table.columns)
      values.push_back(column.text ? scope.number_of(column.texts[row]) : column.numbers[row]);
    if (where && where->evaluate(values.data()) == 0.0) continue;
    variable.rows.push_back(static_cast<int>(row) + 1);
    variable.labels.push_back(label == table.columns.end() ? std::to_string(row + 1)
                                                           : label->texts[row]);
    levels.push_back(std::move(values));
  }
  if (variable.rows.empty())
    throw InputError((condition != nullptr ? *condition : name).location(),
                     table.row_count() == 0
                         ? "the catalogue has no rows"
                         : fmt::format("none of the catalogue's {} rows meets the condition",
                                       table.row_count()));
  TargetReader(model, scope, variable, table, std::move(levels), warnings)
      .read(&object.required("sets"));
}

void read_motion_choice(const JsonValue& value, const std::vector<LoadCase>& motions,
                        Variable& variable) {
  variable.kind = VariableKind::motion;
  std::vector<std::string> names;
  for (const LoadCase& motion : motions) names.push_back(motion.name);
  for (const JsonValue& item : array_of(value, "an array of motions' names")) {
    const std::string& name = string_of(item, "a motion's name");
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) refuse_name(item, name, "a motion of the study", names);
    const int index = static_cast<int>(at - names.begin());
    if (std::find(variable.motions.begin(), variable.motions.end(), index) !=
        variable.motions.end())
      throw InputError(item.location(), fmt::format("motion {} is listed twice", name));
    variable.motions.push_back(index);
    variable.labels.push_back(name);
  }
  if (variable.motions.empty()) refuse(value, "at least one motion");
}

void require_one_setter_each(const std::vector<Variable>& variables, const Model& model) {
  std::vector<const Variable*> setter(model.parameters.size(), nullptr);
  for (const Variable& variable : variables)
    for (const VariableTarget& target : variable.targets) {
      const Variable*& first = setter[static_cast<std::size_t>(target.parameter)];
      if (first != nullptr)
        throw InputError(
            variable.where,
            fmt::format("sets parameter {}, which variable {} sets already",
                        model.parameters[static_cast<std::size_t>(target.parameter)].name,
                        first->name));
      first = &variable;
    }
}

Variable read_variable(const JsonValue& value, const Model& model,
                       const std::vector<LoadCase>& motions, const StudyFiles& files,
                       std::vector<std::string>& warnings) {
  Variable variable;
  variable.name = value.key;
  variable.definition = compact_text(value);
  variable.where = value.key_location();
  if (!is_name(value.key) || is_reserved_in_expressions(value.key))
    throw InputError(variable.where,
                     fmt::format("found {}, expected a name [A-Za-z_][A-Za-z0-9_]* that is not a "
                                 "function's",
                                 in_quotes(value.key)));
  const ObjectReader object(
      value, "a variable",
      {"values", "range", "count", "unit", "catalogue", "where", "motion", "sets"});
  constexpr std::array<std::string_view, 4> kinds = {"values", "range", "catalogue", "motion"};
  const auto given = std::count_if(kinds.begin(), kinds.end(), [&](std::string_view kind) {
    return object.find(kind) != nullptr;
  });
  if (given != 1) refuse(value, "one of \"values\", \"range\", \"catalogue\", \"motion\"");
  const auto only_with = [&](std::string_view key, std::string_view owner) {
    if (object.find(key) != nullptr && object.find(owner) == nullptr)
      throw InputError(object.find(key)->key_location(),
                       fmt::format("\"{}\" goes with \"{}\"", key, owner));
  };
  only_with("count", "range");
  only_with("where", "catalogue");
  const JsonValue* unit = object.find("unit");
  if (unit != nullptr && object.find("values") == nullptr && object.find("range") == nullptr)
    throw InputError(unit->key_location(),
                     "\"unit\" goes with \"values\" or \"range\"; columns of a catalogue have "
                     "theirs in the header: rate [N/mm]");

  if (object.find("motion") != nullptr) {
    if (object.find("sets") != nullptr)
      throw InputError(object.find("sets")->key_location(),
                       "a variable that selects the motion sets no parameter");
    read_motion_choice(*object.find("motion"), motions, variable);
    return variable;
  }
  if (object.find("catalogue") != nullptr) {
    read_catalogue(object, model, files, warnings, variable);
    return variable;
  }
  if (unit != nullptr) variable.unit = unit_in(*unit);
  if (const JsonValue* values = object.find("values"))
    read_levels(*values, variable);
  else
    read_range(*object.find("range"), object.find("count"), variable);
  Scope scope("the variable " + variable.name);
  scope.add(variable.name);
  TargetReader(model, scope, variable, unit, warnings).read(object.find("sets"));
  return variable;
}

}  // namespace

std::vector<Variable> read_variables(const JsonValue& object, const Model& model,
                                     const std::vector<LoadCase>& motions, const StudyFiles& files,
                                     std::vector<std::string>& warnings) {
  std::vector<Variable> variables;
  read_each(object_of(object, "an object of variables"), [&](const JsonValue& value) {
    variables.push_back(read_variable(value, model, motions, files, warnings));
  });
  require_one_setter_each(variables, model);
  return variables;
}

}  // namespace counterpoise
