#pragma once

#include "input/definition/scenario.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// Whether each cam of a model has its profile, or the profile may still have to be made: then the
/// point of a cam whose file is missing has no `cam`, and no spring on it can be evaluated.
enum class Cams { made, to_be_made };

/// Reads and checks a model. Throws InputError at the first mistake. Degrees of freedom and loops
/// are not checked here; the engine does.
Model read_model(const std::filesystem::path& path, const FileProvider& files,
                 Cams cams = Cams::made);

/// The same of a model that is parsed already; `path` is where it stands, and gives the name of one
/// without a name.
Model read_model(JsonValue document, const std::filesystem::path& path, const FileProvider& files,
                 Cams cams = Cams::made);

/// The JSON pointer, in a model file, to the part that an error of the engine is about.
std::string pointer_to(const MechanismError& error);

/// Counts bodies, joints and degrees of freedom of the model's own design. Throws InputError at the
/// model's actuators or loops when the zero configuration does not close, or degrees of freedom and
/// actuators do not match.
Structure examine_model(const Model& model);

/// Reads and checks a motion for a model: coordinates name actuators or else moving joints, numbers
/// are expressions of the model's parameters; duration and step are not. Files of table profiles
/// are found beside the motion. Throws InputError at the first mistake.
ParametricMotion read_motion(const std::filesystem::path& path, const Model& model,
                             const FileProvider& files);

/// Reads and checks a motion inside another file; `folder` is that file's, and `name` is the
/// motion's name if it has none itself.
ParametricMotion read_motion(const JsonValue& motion, const std::filesystem::path& folder,
                             const std::string& name, const Model& model,
                             const FileProvider& files);

/// Throws InputError unless the settings choose a value of each parameter that the motion is gone
/// through with, where only one combination of them can be run.
void require_values(const ParametricMotion& motion, std::span<const ParameterSetting> settings);

/// Checks a motion file as far as it can be without a model: names of coordinates and parameters
/// are not checked, and numbers that depend on parameters are not evaluated. The motion returned
/// has the duration and the step, or says which poses there are, but no drives.
ParametricMotion check_motion(const std::filesystem::path& path, const FileProvider& files);

/// Reads and checks a scenario for a model: what its actuators do when the mechanism moves by
/// itself, where it starts, and what it may hit. Files of motions and tables are found beside it.
/// Throws InputError with all mistakes that do not depend on each other.
ParametricScenario read_scenario(const std::filesystem::path& path, const Model& model,
                                 const FileProvider& files);

/// Checks a scenario file as far as it can be without a model, as check_motion does. The scenario
/// returned has the clock, the start's times and the numbers of parts, but no elements.
ParametricScenario check_scenario(const std::filesystem::path& path, const FileProvider& files);

/// A value as a person writes it, in SI: a number or an expression of numbers, in SI or with a unit
/// that goes with `own`, the unit of `owner` ("60mm", "2 * 30 mm"). Throws InputError at `where`.
double read_quantity(const std::string& text, const Unit& own, const std::string& owner,
                     const Location& where);

/// Reads "parameter=value" of a command line, where the value is as in read_quantity(). Throws
/// InputError at `where`.
ParameterSetting read_setting(const std::string& text, const Location& where, const Model& model);

/// Adds the unit of a length or an angle in which a user wants to see numbers. Throws InputError at
/// `where` for any other, and for a second unit of lengths or angles.
void add_display_unit(const std::string& name, const Location& where, std::vector<Unit>& units);

/// How a study is named: by its file, and one variant of it as "ways.json#cable".
struct StudyPath {
  explicit StudyPath(const std::filesystem::path& named);

  std::filesystem::path file;
  std::string variant;  // empty: none is named
};

/// Reads and checks a study and all files it names; of a study with variants the one that the path
/// names (see StudyPath). Throws InputError at the first mistake, and where variants are not named.
Study read_study(const std::filesystem::path& path, const FileProvider& files);

/// Reads all variants of a study, in the order of the file; a study without variants, or the
/// variant that is named, is alone. Throws InputError with the first mistake of each variant.
std::vector<Study> read_studies(const std::filesystem::path& path, const FileProvider& files);
/// Whether the studies that were read from a path are all variants of one, of which the path names
/// none.
bool names_variants(const std::vector<Study>& studies, const std::filesystem::path& path);
/// The name of the study of which one was read as a variant.
std::string name_of_all(const Study& variant);

}  // namespace counterpoise
