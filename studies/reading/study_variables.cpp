#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/definition/number.hpp"
#include "studies/reading/study_reading.hpp"
#include "studies/text/csv.hpp"

namespace counterpoise {
namespace {

/// "study.json:9:12: /variables/spring/sets".
std::string place_of(const Location& where) {
  return fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, where.pointer);
}

/// Throws at the first cell that is no number of a column that an expression takes for one, if that
/// is what is wrong with the expression.
void refuse_text_cell(const std::string& text, const CsvTable& table, const Location& where,
                      ExpressionKind kind) {
  Scope numbers("a column");
  for (const CsvColumn& column : table.columns) numbers.add(column.name);
  std::vector<int> used;
  try {
    const Expression parsed = Expression::parse(text, numbers, where, kind);
    used.assign(parsed.used().begin(), parsed.used().end());
  } catch (const InputError&) {
    return;
  }
  for (const int index : used) {
    const CsvColumn& column = table.columns[static_cast<std::size_t>(index)];
    if (!column.text) continue;
    const auto here =
        std::find_if(column.places.begin(), column.places.end(), [&](const CsvPlace& place) {
          return place.line == column.first_text.line && place.column == column.first_text.column;
        });
    const std::string& found = column.texts[static_cast<std::size_t>(here - column.places.begin())];
    throw InputError(
        column.first_text,
        fmt::format("found {}, expected a number of the column {} for {} ({})", in_quotes(found),
                    in_quotes(column.name), in_quotes(text), place_of(where)));
  }
}

/// An expression of the columns of a catalogue.
Expression parse_of_columns(const std::string& text, const Scope& scope, const CsvTable& table,
                            const Location& where, ExpressionKind kind) {
  try {
    return Expression::parse(text, scope, where, kind);
  } catch (const InputError&) {
    refuse_text_cell(text, table, where, kind);
    throw;
  }
}

/// What a target's expression may read, and what it is worth at each level.
struct TargetReader {
  const Model& model;
  const Scope& scope;
  Variable& variable;
  std::vector<std::vector<double>> level_values;  // per level, indexed as the scope
  const CsvTable* table = nullptr;                // of a catalogue, whose columns are the scope

  void add(const std::string& parameter_name, const Location& parameter_where,
           const std::string& expression, const Location& where) {
    VariableTarget target;
    target.parameter = parameter_of(model, parameter_name, parameter_where);
    const Expression parsed = table == nullptr ? Expression::parse(expression, scope, where)
                                               : parse_of_columns(expression, scope, *table, where,
                                                                  ExpressionKind::number);
    const auto check = [&](double value) {
      if (!std::isfinite(value))
        throw InputError(
            where, fmt::format("gives {} for {}, expected a finite number", value, parameter_name));
      require_in_bounds(model, target.parameter, value, where);
    };
    if (variable.discrete()) {
      for (const std::vector<double>& values : level_values) {
        target.by_level.push_back(parsed.evaluate(values.data()));
        try {
          check(target.by_level.back());
        } catch (const InputError& error) {
          if (table == nullptr || parsed.is_constant()) throw;
          refuse_cells(parsed.used(), target.by_level.size() - 1, error);
        }
      }
    } else {
      for (const double end : {variable.low, variable.high}) check(parsed.evaluate(&end));
      if (expression != variable.name) target.expression = parsed;
    }
    variable.targets.push_back(std::move(target));
  }

  /// Locates what is wrong with a parameter's value at the cells of the catalogue it is made of.
  [[noreturn]] void refuse_cells(std::span<const int> columns, std::size_t level,
                                 const InputError& error) const {
    const auto row = static_cast<std::size_t>(variable.rows[level]) - 1;
    std::string cells;
    for (const int index : columns) {
      const CsvColumn& column = table->columns[static_cast<std::size_t>(index)];
      cells += fmt::format("{}column {} holds {}", cells.empty() ? "" : " and ",
                           in_quotes(column.name), in_quotes(column.texts[row]));
    }
    throw InputError(table->cell(static_cast<std::size_t>(columns.front()), row),
                     fmt::format("{}: {} ({})", cells, error.message(), place_of(error.where())));
  }

  /// "p", ["p", "q"], or {"p": "expression", ...}; absent: the parameter of the variable's name.
  void read(const JsonValue* sets) {
    if (sets == nullptr) {
      add(variable.name, variable.where, variable.name, variable.where);
    } else if (sets->kind == JsonValue::Kind::string) {
      add(sets->text, sets->location(), variable.name, sets->location());
    } else if (sets->kind == JsonValue::Kind::array) {
      for (const JsonValue& item : sets->items)
        add(string_of(item, "a parameter's name"), item.location(), variable.name, item.location());
    } else {
      for (const JsonValue& member :
           object_of(*sets, "a parameter, a list of parameters, or {parameter: expression}"))
        add(member.key, member.key_location(), text_of(member), member.location());
    }
    if (variable.targets.empty()) refuse(*sets, "at least one parameter");
  }

  static std::string text_of(const JsonValue& value) {
    if (value.kind == JsonValue::Kind::number) return fmt::format("{}", value.number);
    return string_of(value, "an expression");
  }
};

void read_levels(const JsonValue& value, Variable& variable) {
  variable.kind = VariableKind::values;
  for (const JsonValue& item : array_of(value, "an array of numbers"))
    variable.values.push_back(fixed_number(item, "a number"));
  if (variable.values.empty()) refuse(value, "at least one value");
}

void read_range(const JsonValue& value, const JsonValue* count, Variable& variable) {
  const auto ends = array_of(value, 2, "[lowest, highest]");
  variable.kind = VariableKind::continuous;
  variable.low = fixed_number(ends[0], "a number");
  variable.high = fixed_number(ends[1], "a number");
  if (!(variable.low < variable.high))
    throw InputError(value.location(), fmt::format("found [{}, {}], expected the lower end first",
                                                   variable.low, variable.high));
  if (!std::isfinite(variable.high - variable.low))
    throw InputError(value.location(),
                     fmt::format("found [{}, {}], which is wider than the largest "
                                 "number, expected a narrower range",
                                 variable.low, variable.high));
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
                    Variable& variable) {
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
  TargetReader targets{model, scope, variable, {}, &table};
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    std::vector<double> values;
    for (const CsvColumn& column : table.columns)
      values.push_back(column.text ? scope.number_of(column.texts[row]) : column.numbers[row]);
    if (where && where->evaluate(values.data()) == 0.0) continue;
    variable.rows.push_back(static_cast<int>(row) + 1);
    variable.labels.push_back(label == table.columns.end() ? std::to_string(row + 1)
                                                           : label->texts[row]);
    targets.level_values.push_back(std::move(values));
  }
  if (variable.rows.empty())
    throw InputError((condition != nullptr ? *condition : name).location(),
                     table.row_count() == 0
                         ? "the catalogue has no rows"
                         : fmt::format("none of the catalogue's {} rows meets the condition",
                                       table.row_count()));
  targets.read(&object.required("sets"));
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
                       const std::vector<LoadCase>& motions, const StudyFiles& files) {
  Variable variable;
  variable.name = value.key;
  variable.definition = compact_text(value);
  variable.where = value.key_location();
  if (!is_name(value.key) || is_reserved_in_expressions(value.key))
    throw InputError(variable.where,
                     fmt::format("found {}, expected a name [A-Za-z_][A-Za-z0-9_]* that is not a "
                                 "function's",
                                 in_quotes(value.key)));
  const ObjectReader object(value, "a variable",
                            {"values", "range", "count", "catalogue", "where", "motion", "sets"});
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

  if (object.find("motion") != nullptr) {
    if (object.find("sets") != nullptr)
      throw InputError(object.find("sets")->key_location(),
                       "a variable that selects the motion sets no parameter");
    read_motion_choice(*object.find("motion"), motions, variable);
    return variable;
  }
  if (object.find("catalogue") != nullptr) {
    read_catalogue(object, model, files, variable);
    return variable;
  }
  if (const JsonValue* values = object.find("values"))
    read_levels(*values, variable);
  else
    read_range(*object.find("range"), object.find("count"), variable);
  Scope scope("the variable " + variable.name);
  scope.add(variable.name);
  TargetReader targets{model, scope, variable, {}, nullptr};
  for (double level : variable.values) targets.level_values.push_back({level});
  targets.read(object.find("sets"));
  return variable;
}

}  // namespace

std::vector<Variable> read_variables(const JsonValue& object, const Model& model,
                                     const std::vector<LoadCase>& motions,
                                     const StudyFiles& files) {
  std::vector<Variable> variables;
  for (const JsonValue& value : object_of(object, "an object of variables"))
    variables.push_back(read_variable(value, model, motions, files));
  require_one_setter_each(variables, model);
  return variables;
}

}  // namespace counterpoise
