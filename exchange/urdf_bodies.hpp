#pragma once

#include <urdf_model/model.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/model_draft.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// Where the links and joints of a checked URDF text stand.
class UrdfPlaces {
 public:
  explicit UrdfPlaces(const XmlElement& robot);

  /// In the order of the file.
  [[nodiscard]] const std::vector<const XmlElement*>& links() const { return links_; }
  [[nodiscard]] const std::vector<const XmlElement*>& joints() const { return joints_; }
  /// The joints that hang on a link, in the order of the file.
  [[nodiscard]] const std::vector<const XmlElement*>& joints_on(const std::string& link) const {
    return joints_on_.at(link);
  }
  [[nodiscard]] const XmlElement& link(const std::string& name) const {
    return *link_by_name_.at(name);
  }
  [[nodiscard]] const XmlElement& joint(const std::string& name) const {
    return *joint_by_name_.at(name);
  }

 private:
  std::vector<const XmlElement*> links_, joints_;
  std::map<std::string, const XmlElement*> link_by_name_, joint_by_name_;
  std::map<std::string, std::vector<const XmlElement*>> joints_on_;
};

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
