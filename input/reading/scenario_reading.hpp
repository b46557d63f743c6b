#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "input/definition/scenario.hpp"
#include "input/reading/motion_reading.hpp"

namespace counterpoise {

/// The state that the readers of a scenario's sections share. Without a model names are not looked
/// up, and parts with numbers that depend on parameters are not made. All functions throw
/// InputError at the place of the mistake.
class ScenarioReading {
 public:
  /// `model` may be null; it, `files` and `target` must outlive this.
  ScenarioReading(const Model* model, std::filesystem::path folder, const FileProvider& files,
                  ParametricScenario& target);
  ScenarioReading(const ScenarioReading&) = delete;
  ScenarioReading& operator=(const ScenarioReading&) = delete;

  /// Reads the parameters that the scenario sets; from then on numbers are evaluated with them.
  void read_settings(const JsonValue& object);

  /// A number in SI, or with a unit in its text that is `allowed`; a key that is missing has the
  /// value `otherwise`.
  [[nodiscard]] NumberInUnit number(const JsonValue& value,
                                    const TextUnit& allowed = TextUnit::none()) const;
  [[nodiscard]] NumberInUnit number(const ObjectReader& object, std::string_view key,
                                    double otherwise) const;
  /// A position: a number in SI, {"value": 20, "unit": "mm"} or "20 mm".
  [[nodiscard]] NumberInUnit position(const JsonValue& value, std::string_view si) const;

  /// Makes a part whose numbers have just been read, `before` being expression_count() before that;
  /// a refusal is thrown at its place.
  template <class Make>
  void make(std::size_t before, const Make& function) const {
    if (model == nullptr && out.expressions.size() > before) return;
    if (const auto refusal = function(ScenarioValues{out.expressions, values_.data()}))
      throw InputError(refusal->where, refusal->words);
  }
  [[nodiscard]] std::size_t expression_count() const { return out.expressions.size(); }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  const Model* model;
  std::filesystem::path folder;
  const FileProvider& files;
  ParametricScenario& out;
  bool of_motion = false;  // the start names a motion, even one that could not be read

 private:
  Scope any_;

 public:
  NumberReader numbers;

 private:
  std::vector<double> values_;  // of the parameters
};

void read_start(const JsonValue& value, ScenarioReading& reading);
/// "actuators" and "others" of the scenario; the start has been read.
void read_rules(const JsonValue& root, ScenarioReading& reading);
/// "forces" of the scenario; the start has been read.
void read_falling_forces(const JsonValue& object, ScenarioReading& reading);
/// Names of contacts and stops are collected in `names`: one column of the events has both.
void read_contacts(const JsonValue& array, std::vector<std::string>& names,
                   ScenarioReading& reading);
void read_stops(const JsonValue& array, std::vector<std::string>& names, ScenarioReading& reading);

}  // namespace counterpoise
