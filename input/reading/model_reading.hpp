#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "input/definition/model.hpp"
#include "input/definition/number.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// The state that the readers of a model's sections share: the model so far, and how names and
/// numbers in it are looked up. All functions throw InputError at the place of the mistake.
class ModelReading {
 public:
  /// Files that the model names are beside it, in `beside`.
  ModelReading(Model& target, std::filesystem::path beside, const FileProvider& provider)
      : model(target),
        numbers(target.scope, target.expressions),
        folder(std::move(beside)),
        files(provider) {}

  /// Gives a field of the mechanism its numbers: now when they are fixed, else at every binding.
  void give(Field field, int element, const JsonValue& value, std::string_view what = "a number");
  /// The same by its key in an object, if it is there.
  void give(Field field, int element, const ObjectReader& object,
            std::string_view what = "a number");

  /// Gives a field an axis: "x", "y", "z" or a vector.
  void give_axis(Field field, int element, const JsonValue& value);
  /// A rotation in one of three conventions, one field each.
  struct RotationFields {
    Field zxz, rpy, quaternion;
  };
  void give_rotation(const RotationFields& fields, int element, const JsonValue& value);
  /// Gives a field numbers that are already read.
  void give(const FieldNumbers& given);

  /// Index of the body `value` names.
  [[nodiscard]] int body(const JsonValue& value) const;
  /// Index of the body `value` names, whose joint must not be fixed.
  [[nodiscard]] int moving_joint(const JsonValue& value) const;
  /// Indices of the two different points `value` names: ["body.point", "world.point"].
  [[nodiscard]] std::array<PointIndex, 2> points(const JsonValue& value) const;
  /// Gives a spring its two points, and what its cable runs over between them.
  void connect(const JsonValue& value, Spring& spring) const;
  /// Index of the point `value` names.
  [[nodiscard]] int point(const JsonValue& value) const;

  Model& model;
  NumberReader numbers;
  std::filesystem::path folder;
  const FileProvider& files;
  bool cams_to_be_made = false;  // whether the file of a cam's profile may be missing
};

/// The name of an element of a list, refused if an earlier element `taken` has it.
const std::string& unique_name(const JsonValue& value, std::vector<std::string>& taken,
                               std::string_view what);

/// Checks the texts that every element of a model may have: `source`, where its numbers are from,
/// and `note`. The program does not read them.
void check_remarks(const ObjectReader& element);

void read_parameters(const JsonValue& section, Model& model);
void read_bodies(const JsonValue& section, ModelReading& reading);
/// Points of a body or of the world; `owner` is a body index or world_body.
void read_points(const JsonValue& section, int owner, ModelReading& reading);
/// Pulleys of a body or of the world, each a point with an axis and a radius; cams have a profile
/// in place of the radius.
void read_pulleys(const JsonValue& section, int owner, ModelReading& reading);
/// The profile of a cam, and where its angles count from.
void read_cam(const ObjectReader& cam, int index, ModelReading& reading);
/// The name of a point, pulley or obstacle in the whole model: "body.name" or "world.name". `what`
/// says what it is of, with its article.
std::string place_name(const JsonValue& member, int owner, const Mechanism& mechanism,
                       std::string_view what);
/// Obstacles of a body or of the world, which springs keep clear of: spheres and capsules.
void read_obstacles(const JsonValue& section, int owner, ModelReading& reading);
/// Has a spring keep clear of all obstacles of the model but those that it ignores.
void read_clearance(const ObjectReader& object, Spring& spring, const Mechanism& mechanism);
void read_loops(const JsonValue& section, ModelReading& reading);
void read_couplings(const JsonValue& section, ModelReading& reading);
void read_springs(const JsonValue& section, ModelReading& reading);
/// The springs in series or in parallel of one that stands for several, if it does.
void read_group(const ObjectReader& spring, int index, ModelReading& reading);
/// The JSON pointer from a spring to one of the springs of its group, by its number from 0.
std::string pointer_to_part(const JsonValue& spring, std::size_t part);
void read_actuators(const JsonValue& section, ModelReading& reading);
void read_forces(const JsonValue& section, ModelReading& reading);
/// Friction of a joint or of an actuator: an object with coulomb, viscous, or both, and of a joint
/// with load_coefficient.
void read_friction_of_joint(const JsonValue& value, int body, ModelReading& reading);
void read_friction_of_motor(const JsonValue& value, int actuator, ModelReading& reading);
void read_sharing_rules(const JsonValue& section, ModelReading& reading);

}  // namespace counterpoise
