#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "studies/reading/study_reading.hpp"
#include "studies/text/csv.hpp"

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

}  // namespace counterpoise
