#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/model_draft.hpp"
#include "exchange/robot/robot_description.hpp"
#include "exchange/shapes/mass_properties.hpp"

namespace counterpoise {

/// "a, b, c and 4 more".
std::string first_of(const std::vector<std::string>& names);

/// Turns the links and joints of a robot into the bodies, loops, couplings, springs and actuators
/// of a model.
class RobotBodies {
 public:
  RobotBodies(RobotDescription robot, const ImportOptions& options, const FileProvider& files);

  void add_all();
  /// The model of everything that was added. `description` says where it is from.
  ImportedModel finish(const std::string& description);

 private:
  using Json = ModelDraft::Json;
  struct Axis {
    std::string_view name, type;
    Vec3d axis;
  };

  [[nodiscard]] const std::string& body_of(LinkIndex link) const;
  [[nodiscard]] bool stands_still(const RobotJoint* joint) const;
  void find_parts();
  [[nodiscard]] std::vector<PlacedShape> placed(const std::vector<RobotShape>& shapes,
                                                bool note_missing);
  [[nodiscard]] std::optional<MassProperties> shape_mass(const RobotLink& link, double density);
  void give_masses();
  void give_masses_of_table();
  void check_masses();
  void judge_inertias();
  void add_loop_points();
  void add_link(LinkIndex link);
  void add_body(Json body, LinkIndex link);
  [[nodiscard]] std::vector<Axis> axes_of(const RobotJoint* joint) const;
  void add_on_chain(LinkIndex link, const RobotJoint* joint, const std::string& parent);
  void add_actuator(const RobotJoint& joint);
  void add_coupling(const RobotJoint& joint);
  void add_spring(const RobotJoint& joint);
  void add_loops();
  void drive_loops();
  void note_friction();
  Json visual_of(LinkIndex link);

  RobotDescription robot_;
  const ImportOptions& options_;
  std::vector<const RobotJoint*> above_;  // the joint above each link
  std::vector<LinkIndex> order_;          // of links, each behind the one above it
  std::vector<LinkIndex> part_;           // the topmost link that each is fixed to; world_link
  std::vector<bool> any_inertia_;         // of links that keep an inertia no real body has
  bool root_floats_ = false;
  ValidNames body_names_{{"world"}}, actuator_names_, coupling_names_, spring_names_, loop_names_;
  std::vector<std::string> names_;  // of the bodies, by link
  std::vector<Json> points_;        // of the bodies, by link
  Json world_points_;
  std::vector<std::array<std::string, 2>> loop_points_;
  std::vector<std::pair<Json, Location>> actuators_;
  const FileProvider& read_file_;
  std::vector<std::filesystem::path> files_;                           // of meshes that are read
  std::vector<std::pair<std::filesystem::path, std::string>> meshes_;  // to be written
  ModelDraft draft_;
};

}  // namespace counterpoise
