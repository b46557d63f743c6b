#pragma once

#include <array>

#include "input/definition/study.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// The names of Statistic, in its order.
inline constexpr std::array<std::string_view, 6> actuator_statistics = {
    "max", "mean", "rms", "energy", "peak_power", "holds"};

inline constexpr std::int64_t largest_seed = std::int64_t{1}
                                             << 53;  // JSON numbers are exact so far

/// Reads the files a study names, keeps their texts, and tells where a missing one is named.
class StudyFiles {
 public:
  StudyFiles(std::filesystem::path folder, const FileProvider& files, std::vector<SourceText>& kept)
      : folder_(std::move(folder)), files_(files), kept_(kept) {}

  /// The path of a file named in the study, relative to it.
  [[nodiscard]] std::filesystem::path path_of(const JsonValue& name) const;
  /// A provider that keeps the texts it reads under this role.
  [[nodiscard]] FileProvider keep_as(std::string role) const;
  /// Reads a file, and keeps in place of its text the one that `changed` makes of it.
  template <class Changed>
  JsonValue read_changed(std::string role, const std::filesystem::path& path,
                         const Changed& changed) const {
    JsonValue value = changed(parse_json(files_(path), path.string()));
    kept_.push_back({std::move(role), path.string(), compact_text(value)});
    return value;
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  const FileProvider& files_;
  std::vector<SourceText>& kept_;
};

/// Runs `read`; when the file at `path` cannot be opened, the error is located where `name` names
/// it.
template <class Read>
auto reading_file(const JsonValue& name, const std::filesystem::path& path, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    if (error.where().line > 0 || error.where().file != path.string()) throw;
    throw InputError(name.location(), "file " + path.string() + " " + error.message());
  }
}

/// A number that depends on no parameter; `what` says what was expected. Its text may have the unit
/// that is `allowed`, and is then read as SI; `written` becomes that unit.
double fixed_number(const JsonValue& value, const std::string& what,
                    const TextUnit& allowed = TextUnit::none(),
                    std::optional<Unit>* written = nullptr);

/// Such a number in this unit, unless its text has another, as SI. A number too large for SI is
/// refused.
double fixed_quantity(const JsonValue& value, const std::string& what, const Unit& unit,
                      const TextUnit& allowed = TextUnit::none(),
                      std::optional<Unit>* written = nullptr);

/// What `value`, which is read as SI, means if it is meant in the parameter's own unit instead; for
/// warnings about numbers without a unit. Nothing where both are the same.
std::optional<std::string> other_reading(double value, const Parameter& parameter);

/// A parameter of the model by name; otherwise refuses the value (or key) that names it.
int parameter_of(const Model& model, const std::string& name, const Location& where);

/// Throws InputError at `where` when a fixed value leaves a parameter's min or max.
void require_in_bounds(const Model& model, int parameter, double value, const Location& where);

/// Reads an object of parameter values: {"crank_length": 0.2, "mount": {"value": 20, "unit":
/// "mm"}}.
std::vector<ParameterSetting> read_settings(const JsonValue& object, const Model& model,
                                            std::vector<std::string>& warnings);

/// The names of a study's variants, in the order of the file; none where it has none. Throws
/// InputError with all mistakes in what they consist of.
std::vector<std::string> variants_in(const JsonValue& study);

/// The study as one of its variants changes it, a study by itself: `study_name` with the variant's
/// name. What the variant says of the model, where that is no file, is left out: see merged().
JsonValue with_variant(const JsonValue& study, const std::string& name,
                       const std::string& study_name);

/// A model as a variant changes it: members of objects are changed or added, and so are elements of
/// lists by their names; any other value takes the place of the one before. Every value keeps the
/// place where it was written.
JsonValue merged(JsonValue document, const JsonValue& change);

std::vector<Variable> read_variables(const JsonValue& object, const Model& model,
                                     const std::vector<LoadCase>& motions, const StudyFiles& files,
                                     std::vector<std::string>& warnings);

/// Reads "sampling" or "search" of a study whose variables are already read.
std::variant<Sampling, Search> read_method(const ObjectReader& study, const JsonValue& root,
                                           const std::vector<Variable>& variables,
                                           const StudyFiles& files);

/// Reads "trade_off" of the study's search, once its objectives are read.
void read_trade_off(const JsonValue& study_root, Study& study);

/// Reads "tolerances" of a study whose model, motions and variables are already read.
Tolerances read_tolerances(const JsonValue& value, const Study& study, const StudyFiles& files);

/// Reads the drives of a study whose model is read; `value` is null where it names none.
void read_drives(const JsonValue* value, const StudyFiles& files, Study& study);
/// Sets the names of all metrics and the scope of objectives and constraints.
void name_metrics(Study& study);
/// Throws InputError where an expression of an exact search's objective or constraint reads a
/// metric of a scenario, of a motor or a share of poses that are held, or one of a study with
/// tolerances a metric of a motor or such a share.
void require_fit_for_method(const Study& study, const Expression& expression,
                            const Location& where);
void read_objectives(const JsonValue& array, Study& study);
/// How near designs tie, one number or one per objective by name; the default where it is null.
void read_ties(const JsonValue* value, Study& study);
void read_constraints(const JsonValue& array, Study& study);

/// Refuses objectives and constraints that say nothing of poses: energy and power, as poses are at
/// rest, and means over poses and motions in time together.
void check_goals_of_poses(const Study& study);
/// The units in which lengths and angles are shown.
void read_display(const JsonValue* value, Study& study);
/// Sets which cases the results keep: all if `value` is null.
void read_keep(const JsonValue* value, Study& study);
/// Sets which metrics are stored: those in `store`, or else those that variables can change and
/// those that are named.
void read_store(const JsonValue* store, Study& study);

}  // namespace counterpoise
