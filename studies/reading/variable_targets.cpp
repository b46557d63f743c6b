#include "studies/reading/variable_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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
  examine_unit(model_.parameters[static_cast<std::size_t>(target.parameter)], parsed, where);
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
    const CsvColumn& column = table_->columns[static_cast<std::size_t>(value)];
    if (column.has_unit) require_fit(column.unit, parameter.unit, parameter.name, where);
    warn_of_column(parameter, column);
    return;
  }
  if (unit_ != nullptr) {
    require_fit(variable_.unit, parameter.unit, parameter.name, unit_->location());
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
    const CsvColumn& column = table_->columns[static_cast<std::size_t>(index)];
    cells += fmt::format("{}column {} holds {}", cells.empty() ? "" : " and ",
                         in_quotes(column.name), in_quotes(column.texts[row]));
  }
  throw InputError(table_->cell(static_cast<std::size_t>(columns.front()), row),
                   fmt::format("{}: {} ({})", cells, error.message(), place_of(error.where())));
}

}  // namespace counterpoise
