#pragma once

#include <urdf_model/model.h>

#include <map>
#include <string>
#include <string_view>

#include "studies/exchange/model/model_draft.hpp"
#include "studies/exchange/urdf/urdf_places.hpp"

namespace counterpoise {

/// Turns the links and joints of a URDF robot into the bodies, couplings and actuators of a model.
class UrdfBodies {
 public:
  UrdfBodies(const urdf::ModelInterface& robot, const UrdfPlaces& places,
             const ImportOptions& options);

  void add_all();
  void note(const Location& where, std::string text) { draft_.note(where, std::move(text)); }

  /// The model of everything that was added. `description` says where it is from.
  ImportedModel finish(const std::string& description) {
    ImportedModel model = draft_.finish(robot_.getName(), description, options_);
    model.body_names = body_of_link_;
    model.files = files_;
    return model;
  }

 private:
  using Json = ModelDraft::Json;

  void add_tree(const urdf::Link& root);
  void add_on_joint(const urdf::Link& link, const urdf::Joint& joint, const std::string& parent);
  void add_on_chain(const urdf::Link& link, const urdf::Joint* joint, const std::string& parent);
  void add_body(Json body, const urdf::Link& link);
  void add_actuator(const urdf::Joint& joint, const std::string& body);
  void add_coupling(const urdf::Joint& joint, const std::string& body);
  void note_dynamics(const urdf::Joint& joint);
  [[nodiscard]] Json joint_of(std::string_view type, const urdf::Joint& joint) const;
  Json visual_of(const urdf::Link& link);
  [[nodiscard]] std::filesystem::path mesh_file(const std::string& name,
                                                const Location& where) const;

  const urdf::ModelInterface& robot_;
  const UrdfPlaces& places_;
  const ImportOptions& options_;
  bool root_floats_ = false;
  ValidNames body_names_{{"world"}}, actuator_names_, coupling_names_;
  std::map<std::string, std::string> body_of_link_;
  std::vector<std::filesystem::path> files_;  // of meshes
  ModelDraft draft_;
};

}  // namespace counterpoise
