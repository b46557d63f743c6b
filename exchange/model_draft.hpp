#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/math/vector.hpp"
#include "exchange/imported_model.hpp"
#include "input/definition/model.hpp"

namespace counterpoise {

/// Names that models allow, each given once.
class ValidNames {
 public:
  explicit ValidNames(std::set<std::string> taken = {}) : taken_(std::move(taken)) {}

  /// The name itself if it is valid and free; otherwise with _ for letters that are not allowed,
  /// and a number behind it if the name is taken.
  std::string valid(const std::string& name);

 private:
  std::set<std::string> taken_;
};

/// A model that grows element by element, each with its place in the file that it is made from.
class ModelDraft {
 public:
  using Json = nlohmann::ordered_json;

  /// `whole` is the place of elements without one of their own.
  explicit ModelDraft(Location whole) : whole_(std::move(whole)) {}

  /// Adds an element to one of the lists of a model: bodies, loops, couplings, springs, actuators.
  void add(const std::string& list, Json element, const Location& where);
  void note(const Location& where, std::string text) { note({where, std::move(text)}); }
  void note(Remark remark) { remarks_.push_back(std::move(remark)); }
  /// Gravity [m/s^2], where it is not the default.
  void set_gravity(const Vec3d& gravity) { gravity_ = gravity; }

  /// Reads the model of what was added so far. Throws InputError as finish(), except for findings
  /// of examine_model().
  [[nodiscard]] Model read(const std::string& name, const ImportOptions& options) const;

  /// The model of all that was added. Throws InputError, at the place in the imported file, if the
  /// model could not be read or does not pass examine_model(). `description` says where it is from.
  ImportedModel finish(const std::string& name, const std::string& description,
                       const ImportOptions& options);

 private:
  [[nodiscard]] Json json(const std::string& name, const std::string& description) const;
  [[nodiscard]] Model read_text(const std::string& text, const ImportOptions& options) const;
  [[nodiscard]] Location origin_of(std::string_view pointer) const;

  Location whole_;
  std::map<std::string, Json, std::less<>> lists_;
  std::map<std::string, std::vector<Location>, std::less<>> origins_;  // of the lists' elements
  Vec3d gravity_ = Vec3d(0.0, 0.0, -9.81);
  std::vector<Remark> remarks_;
};

/// [x, y, z].
ModelDraft::Json vector_json(const Vec3d& v);
/// [Ixx, Iyy, Izz, Ixy, Ixz, Iyz].
ModelDraft::Json inertia_json(const Mat3d& inertia);
/// Adds a note about a name that could not stay.
void note_name(ModelDraft::Json& element, std::string_view kind, const std::string& old,
               const std::string& name);

}  // namespace counterpoise
