#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "input/definition/parametric_motion.hpp"
#include "input/text/csv.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// What readers of motions and scenarios share: profiles, sample times and coordinates. All
/// functions throw InputError at the place of the mistake.

/// What a profile's numbers measure: positions or loads, and their SI unit, or factors, which have
/// none. The unit is empty if the coordinate is not known; then any unit of positions, or of loads,
/// is accepted.
struct Measured {
  enum class Of { positions, loads, factors };
  Of of = Of::positions;
  std::string_view si;
};

/// What the positions of the coordinate that a value's key names measure. Throws InputError for a
/// key that names no coordinate.
using MeasuredBy = std::function<Measured(const JsonValue&)>;

/// Refuses a unit that does not measure the values that `name` names.
void require_measure(const Unit& unit, const Measured& measured, std::string_view name,
                     const Location& where);

/// The column of a table that a value names. Throws InputError with the nearest name.
const CsvColumn& column_of(const CsvTable& table, const JsonValue& name);

/// Throws a refusal at its place, if there is one.
void throw_if(const std::optional<Refusal>& refusal);

/// Reads one profile of values measured so. Tables are read from `folder` through `files`;
/// `duration` is the motion's.
ProfileNumbers read_profile(const JsonValue& value, const Measured& measured, double duration,
                            const NumberReader& numbers, const std::filesystem::path& folder,
                            const FileProvider& files);

/// Reads a list of moves. The texts of positions may have the unit `values`; `si` is their SI unit,
/// empty if it is not known.
void read_moves(const JsonValue& value, const NumberReader& numbers, const TextUnit& values,
                std::string_view si, ProfileNumbers& out);

/// Reads a point's path of lines and arcs, as its x; y and z are the same with another axis.
ProfileNumbers read_path(const JsonValue& value, const NumberReader& numbers);

/// A coordinate of the tool with its course.
struct ToolCourse {
  Coordinate coordinate;  // without a model only its axis is set
  ProfileNumbers profile;
};

/// Reads the "points" and "orientations" of a motion; none if it has neither. Without a model
/// (null) names are not checked.
std::vector<ToolCourse> read_tools(const ObjectReader& motion, const Mechanism* mechanism,
                                   double duration, const NumberReader& numbers,
                                   const std::filesystem::path& folder, const FileProvider& files);

/// Reads the "guess" of a motion. Without a model (null) names are not checked.
std::vector<JointGuess> read_guess(const ObjectReader& motion, const Mechanism* mechanism);

/// Whether a motion ends with its last move: it names no duration, and has moves. Refuses other
/// profiles beside them than "hold".
bool ends_with_moves(const ObjectReader& motion);

/// When the last move of these profiles ends [s]. Refuses times that depend on parameters.
double end_of_moves(std::span<const ProfileNumbers> profiles, bool synchronised);

/// Smooths the values of a table as `smoothing` says, and notes by how much. The values stand
/// behind the times, both fixed; `si` is their unit, empty if it is not known.
void read_smoothing(const JsonValue& smoothing, std::string_view coordinate, std::string_view si,
                    ProfileNumbers& table);

/// One coordinate of poses.
struct PoseAxis {
  const JsonValue* coordinate = nullptr;
  ProfileNumbers profile;
};

/// Poses at rest, in the order in which they are gone through.
struct PoseSet {
  int count = 0;
  std::vector<PoseAxis> axes;
  std::string words;  // which they are: "all combinations of 37 x 25 positions of shoulder, elbow"
};

/// Reads the "poses" of a motion: all combinations of positions, samples of a workspace, or the
/// rows of a CSV file, which is read from `folder` through `files`.
PoseSet read_poses(const JsonValue& poses, const MeasuredBy& measured_by,
                   const NumberReader& numbers, const std::filesystem::path& folder,
                   const FileProvider& files);

/// Reads the "parameters" of a motion with `samples` samples: parameters with the values that the
/// motion is gone through with. Without a model (null) names and units are not checked.
std::vector<ParameterAxis> read_axes(const JsonValue& parameters, const Model* model, int samples);

/// "duration" and "step", which depend on no parameter: a whole number of steps, and at most ten
/// million samples.
struct SampleTimes {
  double duration = 0.0;  // [s]
  double step = 0.0;      // [s]
};
SampleTimes read_clock(const ObjectReader& object);

/// The actuator or moving joint a coordinate names by its key.
Drive find_coordinate(const JsonValue& coordinate, const Mechanism& mechanism);
/// Refuses a coordinate that moves the same joint as an earlier one.
void refuse_same_coordinate(const JsonValue& coordinate, const Drive& drive,
                            const Mechanism& mechanism, const std::vector<Drive>& earlier);

}  // namespace counterpoise
