#pragma once

#include <string>
#include <vector>

#include "studies/exchange/model/model_draft.hpp"
#include "studies/exchange/model/written_robot.hpp"
#include "studies/exchange/xml/xml_writing.hpp"

namespace counterpoise {

/// Writes one design as MJCF: bodies as they stand in the zero configuration, then what is attached
/// to them.
class MjcfWriter {
 public:
  /// `q`: the position of every joint in the zero configuration, 0 where fixed.
  MjcfWriter(const Model& model, const Mechanism& design, std::vector<double> q);

  WrittenRobot write();

 private:
  [[nodiscard]] Location place(const char* list, std::size_t index) const;
  [[nodiscard]] std::string body_name(BodyIndex body) const;
  void check_depth() const;
  void reserve_names();
  void add_bodies(pugi::xml_node world);
  void add_body(pugi::xml_node node, std::size_t b);
  void add_inertial(pugi::xml_node node, const Body& body, bool moves);
  pugi::xml_node add_line(const std::string& name, const std::array<PointIndex, 2>& points);
  void add_constant(const std::string& name, const char* kind, const std::string& on, double force);
  void add_springs();
  void add_loops();
  void add_couplings();
  void add_actuators();
  void add_limits(const Actuator& actuator, pugi::xml_node motor, pugi::xml_node bounded);
  void note_left_out();

  const Model& model_;
  const Mechanism& design_;
  std::vector<double> q_;
  std::vector<pugi::xml_node> nodes_;  // of the bodies
  pugi::xml_node tendons_, equalities_, actuators_;
  ValidNames tendon_names_, equality_names_, actuator_names_;  // each section has its own
  WrittenRobot written_;
};

}  // namespace counterpoise
