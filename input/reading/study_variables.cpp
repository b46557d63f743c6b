#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/reading/study_reading.hpp"
#include "input/text/csv.hpp"

namespace counterpoise {

/// An expression of the columns of a catalogue. A text where it reads a number is refused at its
/// cell.
Expression parse_of_columns(const std::string& text, const Scope& scope, const CsvTable& table,
                            const Location& where, ExpressionKind kind);

/// Reads what a variable sets: its targets, each an expression of the variable or of the columns of
/// its catalogue.
class TargetReader {
 public:
  /// Targets of the variable's own number, which is given in `variable.unit` if `unit` is not null.
  TargetReader(const Model& model, const Scope& scope, Variable& variable, const JsonValue* unit,
               std::vector<std::string>& warnings);
  /// Targets of the rows of a catalogue; `row_values` are the cells of each row that is a level.
  TargetReader(const Model& model, const Scope& scope, Variable& variable, const CsvTable& table,
               std::vector<std::vector<double>> row_values, std::vector<std::string>& warnings);

  /// "p", ["p", "q"], or {"p": "expression", ...}; null: the parameter of the variable's name.
  void read(const JsonValue* sets);

 private:
  void add(const std::string& parameter_name, const Location& parameter_where,
           const std::string& expression, const Location& where);
  void examine_unit(const Parameter& parameter, const Expression& parsed, const Location& where);
  void warn_of_column(const Parameter& parameter, const CsvColumn& column);
  [[noreturn]] void refuse_cells(std::span<const int> columns, std::size_t level,
                                 const InputError& error) const;

  const Model& model_;
  const Scope& scope_;  // what the expressions read
  Variable& variable_;
  const JsonValue* unit_ = nullptr;
  const CsvTable* table_ = nullptr;
  std::vector<std::vector<double>> row_values_;  // per level of a catalogue, indexed as the scope
  std::vector<std::string>& warnings_;
};

namespace {

/// A number of a variable. Without the key "unit" its text may have one, with which the others and
/// the parameters that get it have to go.
double number_of_variable(const JsonValue& value, bool unit_beside, Variable& variable) {
  std::optional<Unit> written;
  const double number = fixed_quantity(
      value, "a number", variable.unit,
      unit_beside ? TextUnit::none() : TextUnit{variable.unit, "the variable"}, &written);
  if (written) {
    variable.unit = *find_unit(si_unit(*written));
    variable.unit_in_text = true;
  }
  return number;
}

void read_levels(const JsonValue& value, bool unit_beside, Variable& variable) {
  variable.kind = VariableKind::values;
  for (const JsonValue& item : array_of(value, "an array of numbers"))
    variable.values.push_back(number_of_variable(item, unit_beside, variable));
  if (variable.values.empty()) refuse(value, "at least one value");
}

void read_range(const JsonValue& value, const JsonValue* count, bool unit_beside,
                Variable& variable) {
  const auto ends = array_of(value, 2, "[lowest, highest]");
  variable.kind = VariableKind::continuous;
  variable.low = number_of_variable(ends[0], unit_beside, variable);
  variable.high = number_of_variable(ends[1], unit_beside, variable);
  const auto refuse_range = [&](std::string_view wrong) {
    const std::string_view unit = variable.unit.name;
    throw InputError(
        value.location(),
        fmt::format("found [{}, {}]{}{}, {}", fixed_number(ends[0], "a number", TextUnit::any()),
                    fixed_number(ends[1], "a number", TextUnit::any()), unit == "1" ? "" : " ",
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
  for (const CsvColumn& column : table.columns)
    scope.add(column.name, column.text, si_unit(column.unit));
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
    const auto goes_through_values = [&](const LoadCase& motion) {
      return motion.motion_name == name && !motion.motion.axes.empty();
    };
    if (at == names.end() && std::any_of(motions.begin(), motions.end(), goes_through_values))
      throw InputError(
          item.location(),
          fmt::format(
              "motion {} is gone through with several values of parameters, "
              "and a variable selects single motions: list it once for each "
              "value, {} and so on",
              name,
              in_quotes(std::find_if(motions.begin(), motions.end(), goes_through_values)->name)));
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
      const Variable*& first = setter[target.parameter];
      if (first != nullptr)
        throw InputError(variable.where,
                         fmt::format("sets parameter {}, which variable {} sets already",
                                     model.parameters[target.parameter].name, first->name));
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
    read_levels(*values, unit != nullptr, variable);
  else
    read_range(*object.find("range"), object.find("count"), unit != nullptr, variable);
  Scope scope("the variable " + variable.name);
  scope.add(variable.name, false, si_unit(variable.unit));
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
    const CsvColumn& column = table.columns[index];
    if (!column.text) continue;
    const auto here =
        std::find_if(column.places.begin(), column.places.end(), [&](const CsvPlace& place) {
          return place.line == column.first_text.line && place.column == column.first_text.column;
        });
    const std::string& found = column.texts[here - column.places.begin()];
    throw InputError(
        column.first_text,
        fmt::format("found {}, expected a number of the column {} for {} ({})", in_quotes(found),
                    in_quotes(column.name), in_quotes(text), place_of(where)));
  }
}

/// The value that an expression is, unchanged; -1 if it is anything else.
int value_alone(const Expression& expression) {
  const ExpressionNode& last = expression.nodes().back();
  const bool alone =
      last.kind == ExpressionNode::Kind::linear && last.factor == 1.0 && last.offset == 0.0;
  return alone ? last.value : -1;
}

/// The first number that is not zero, which in every unit is the same.
double first_number(std::span<const double> numbers) {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [](double x) { return x != 0.0; });
  return found == numbers.end() ? 0.0 : *found;
}

std::string text_of(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::number) return fmt::format("{}", value.number);
  return string_of(value, "an expression");
}

}  // namespace

Expression parse_of_columns(const std::string& text, const Scope& scope, const CsvTable& table,
                            const Location& where, ExpressionKind kind) {
  try {
    return Expression::parse(text, scope, where, kind);
  } catch (const InputError&) {
    refuse_text_cell(text, table, where, kind);
    throw;
  }
}

TargetReader::TargetReader(const Model& model, const Scope& scope, Variable& variable,
                           const JsonValue* unit, std::vector<std::string>& warnings)
    : model_(model), scope_(scope), variable_(variable), unit_(unit), warnings_(warnings) {}

TargetReader::TargetReader(const Model& model, const Scope& scope, Variable& variable,
                           const CsvTable& table, std::vector<std::vector<double>> row_values,
                           std::vector<std::string>& warnings)
    : model_(model),
      scope_(scope),
      variable_(variable),
      table_(&table),
      row_values_(std::move(row_values)),
      warnings_(warnings) {}

void TargetReader::read(const JsonValue* sets) {
  const std::string& name = variable_.name;
  if (sets == nullptr) {
    add(name, variable_.where, name, variable_.where);
  } else if (sets->kind == JsonValue::Kind::string) {
    add(sets->text, sets->location(), name, sets->location());
  } else if (sets->kind == JsonValue::Kind::array) {
    for (const JsonValue& item : sets->items)
      add(string_of(item, "a parameter's name"), item.location(), name, item.location());
  } else {
    for (const JsonValue& member :
         object_of(*sets, "a parameter, a list of parameters, or {parameter: expression}"))
      add(member.key, member.key_location(), text_of(member), member.location());
  }
  if (variable_.targets.empty()) refuse(*sets, "at least one parameter");
}

void TargetReader::add(const std::string& parameter_name, const Location& parameter_where,
                       const std::string& expression, const Location& where) {
  VariableTarget target;
  target.parameter = parameter_of(model_, parameter_name, parameter_where);
  const Expression parsed = table_ == nullptr ? Expression::parse(expression, scope_, where)
                                              : parse_of_columns(expression, scope_, *table_, where,
                                                                 ExpressionKind::number);
  const Parameter& parameter = model_.parameters[target.parameter];
  examine_unit(parameter, parsed, where);
  require_unit(parsed, {parameter.unit, parameter.name}, where);
  const auto check = [&](double value) {
    if (!std::isfinite(value))
      throw InputError(
          where, fmt::format("gives {} for {}, expected a finite number", value, parameter_name));
    require_in_bounds(model_, target.parameter, value, where);
  };
  if (variable_.discrete()) {
    const std::size_t levels = table_ == nullptr ? variable_.values.size() : row_values_.size();
    target.by_level.reserve(levels);
    for (std::size_t level = 0; level < levels; ++level) {
      const double* values =
          table_ == nullptr ? &variable_.values[level] : row_values_[level].data();
      target.by_level.push_back(parsed.evaluate(values));
      try {
        check(target.by_level.back());
      } catch (const InputError& error) {
        if (table_ == nullptr || parsed.is_constant()) throw;
        refuse_cells(parsed.used(), level, error);
      }
    }
  } else {
    for (const double end : {variable_.low, variable_.high}) check(parsed.evaluate(&end));
    if (expression != variable_.name) target.expression = parsed;
  }
  variable_.targets.push_back(std::move(target));
}

/// A parameter that gets a number unchanged has to fit the number's unit; without a unit, the
/// number is SI, which may not be what is meant.
void TargetReader::examine_unit(const Parameter& parameter, const Expression& parsed,
                                const Location& where) {
  const int value = value_alone(parsed);
  if (value < 0) return;
  if (table_ != nullptr) {
    const CsvColumn& column = table_->columns[value];
    if (column.has_unit) require_fit(column.unit, parameter.unit, parameter.name, where);
    warn_of_column(parameter, column);
    return;
  }
  if (unit_ != nullptr || variable_.unit_in_text) {
    require_fit(variable_.unit, parameter.unit, parameter.name,
                unit_ != nullptr ? unit_->location() : variable_.where);
    return;
  }
  if (variable_.unit.name == "1") variable_.unit = parameter.unit;
  const std::array<double, 2> ends = {variable_.low, variable_.high};
  std::span<const double> numbers = ends;
  if (variable_.discrete()) numbers = variable_.values;
  if (const auto other = other_reading(first_number(numbers), parameter))
    warnings_.push_back(located(variable_.where, fmt::format("warning: variable {}: {}: write "
                                                             "\"unit\"",
                                                             variable_.name, *other)));
}

void TargetReader::warn_of_column(const Parameter& parameter, const CsvColumn& column) {
  if (column.has_unit || column.text) return;
  if (const auto other = other_reading(first_number(column.numbers), parameter))
    warnings_.push_back(
        located(table_->header(column),
                fmt::format("warning: column {}: {}: write \"{} [{}]\"", column.name, *other,
                            column.name, parameter.unit.name)));
}

/// Locates what is wrong with a parameter's value at the cells of the catalogue it is made of.
void TargetReader::refuse_cells(std::span<const int> columns, std::size_t level,
                                const InputError& error) const {
  const auto row = static_cast<std::size_t>(variable_.rows[level]) - 1;
  std::string cells;
  for (const int index : columns) {
    const CsvColumn& column = table_->columns[index];
    cells += fmt::format("{}column {} holds {}", cells.empty() ? "" : " and ",
                         in_quotes(column.name), in_quotes(column.texts[row]));
  }
  throw InputError(table_->cell(static_cast<std::size_t>(columns.front()), row),
                   fmt::format("{}: {} ({})", cells, error.message(), place_of(error.where())));
}

}  // namespace counterpoise
