#pragma once

#include <mujoco/mujoco.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "exchange/mjcf/plain.hpp"
#include "exchange/model_draft.hpp"

namespace counterpoise {

/// Where elements stand in their files, and what MuJoCo does not hold of them.
struct MjcfPlaces {
  Location whole;
  MjcfBesides besides;
  std::map<std::string, Location> named{};  // "body/hand", "joint/elbow", "spatial/cable"

  [[nodiscard]] const Location& of(const std::string& kind, const std::string& name) const {
    const auto found = named.find(kind + "/" + name);
    return found == named.end() ? whole : found->second;
  }
};

/// Turns what MuJoCo compiled into bodies, loops, couplings, springs and actuators of a model.
///
/// A body with several joints becomes a chain of massless bodies before the one that has its mass.
/// The frame of that one lies at its last joint's anchor, `shift` from the frame that MuJoCo gives
/// it, along the same axes. Joint positions mean the same as in MuJoCo.
///
/// A motor on a tendon that goes straight between two sites becomes a linear actuator if `lines` is
/// set; else it is left out, and the joints have actuators instead.
class MjcfBodies {
 public:
  MjcfBodies(const mjModel& model, const MjcfPlaces& places, const ImportOptions& options,
             bool lines);

  void add_all();
  ImportedModel finish(const std::string& name, const std::string& description);

 private:
  using Json = ModelDraft::Json;

  [[nodiscard]] std::string name_of(int kind, int id, const char* otherwise) const;
  [[nodiscard]] Location place_of(int kind, int id, const char* element) const;
  [[nodiscard]] std::string part_name(int joint, const char* part) const;
  [[nodiscard]] bool disabled(int flags) const { return (m_.opt.disableflags & flags) != 0; }
  [[nodiscard]] bool keeps(int equality) const {
    return m_.eq_active[equality] != 0 && !disabled(mjDSBL_EQUALITY | mjDSBL_CONSTRAINT);
  }
  void check_numbers() const;
  void find_constant_forces();
  void find_lines();
  void find_loop_bodies();
  void name_bodies();
  void add_points();
  void add_point(const std::string& name, int body, const double* position);
  void add_body(int b);
  void add_fixed(int b, Json& body);
  void add_joint(int b, int j, Json& body);
  void add_free(int b, int j, Json& body);
  void link(Json& body, const std::string& name, Json joint, int mujoco_joint);
  void close(int b, Json body);
  void add_loops();
  void add_coupling(int e);
  void add_sum(int e);
  void add_springs();
  void add_torsion_springs();
  void add_torsion_spring(int j, double rate, double preload);
  [[nodiscard]] bool goes_straight(int tendon) const;
  [[nodiscard]] Json ends_of(int tendon) const;
  [[nodiscard]] bool is_constant(int actuator) const;
  [[nodiscard]] bool is_of_spring(int actuator) const;
  void add_actuators();
  void add_actuator(const std::string& joint, int motor);
  void add_line(int tendon, int motor);
  void add_motor(Json actuator, int motor, const std::string& name, const Location& where);
  [[nodiscard]] Location place_of_motor(int motor) const;
  void give_largest_load(Json& actuator, int motor, const std::map<std::string, double>& limits,
                         const std::string& on) const;
  void note_motor(int motor, const std::string& why_not);
  void note(const Location& where, std::string one, const std::string& many);
  void note_left_out();
  void note_joints();

  const mjModel& m_;
  const MjcfPlaces& places_;
  const ImportOptions& options_;
  bool takes_lines_;
  ModelDraft draft_;
  ValidNames body_names_{{"world"}}, actuator_names_, point_names_, spring_names_, loop_names_;
  std::vector<std::string> names_;                      // of the bodies
  std::vector<Vec3d> shifts_;                           // of their frames, in their own axes
  std::vector<Json> points_;                            // of the bodies
  std::map<std::string, std::string> point_at_;         // "body.point" by its name in points_
  std::map<std::string, std::vector<std::string>> at_;  // bodies of each joint, by the joint's name
  std::vector<std::string> moving_;  // names of joints that move, in the order of the file
  std::set<std::string> followers_;  // joints that couplings determine
  std::set<int> loop_bodies_;        // bodies that loops and driven lines move
  std::set<int> coupled_tendons_;    // fixed tendons that constraints hold
  std::map<int, int> lines_;         // motors by the tendons that are linear actuators here
  std::map<int, double> tendon_forces_, joint_forces_;  // that do not depend on anything
  std::map<std::string, std::vector<Remark>> notes_;    // of one kind, by the words for several
};

}  // namespace counterpoise
