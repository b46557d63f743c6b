#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/motion/motion.hpp"
#include "studies/io/expression.hpp"
#include "studies/io/file_provider.hpp"
#include "studies/io/json_document.hpp"
#include "studies/io/model.hpp"
#include "studies/io/reading/number.hpp"

namespace counterpoise {

enum class ProfileType { hold, bang_bang, sine, point_to_point, spline, table };

/// The numbers of one profile, in the order FORMATS lists them; of splines and tables the times,
/// then the values.
struct ProfileNumbers {
  ProfileType type = ProfileType::hold;
  MoveShape shape = MoveShape::quintic;
  std::vector<Number> numbers;
  Location where;  // of the profile in its file
};

/// A motion whose numbers may depend on a model's parameters. Immutable once read.
struct ParametricMotion {
  Motion nominal;                        // with the model's own parameters
  std::vector<ProfileNumbers> profiles;  // one per drive
  std::vector<Expression> expressions;   // of the model's parameters
  Location where;                        // of the motion

  /// False: `nominal` is the motion of every design, and binding is not needed.
  [[nodiscard]] bool depends_on_parameters() const { return !expressions.empty(); }
};

/// Reads and checks a motion for a model: coordinates name actuators or else moving joints, numbers
/// are expressions of the model's parameters; duration and step are not. Files of table profiles
/// are found beside the motion. Throws InputError at the first mistake.
ParametricMotion read_motion(const std::filesystem::path& path, const Model& model,
                             const FileProvider& files);

/// The same of a motion that stands inside another file; `folder` is that file's, `name` the
/// motion's if it has none itself.
ParametricMotion read_motion(const JsonValue& motion, const std::filesystem::path& folder,
                             const std::string& name, const Model& model,
                             const FileProvider& files);

/// Checks a motion file as far as it can be without a model: names of coordinates and parameters
/// are taken as they come, and what depends on parameters is not evaluated. The motion returned
/// tells duration and step.
Motion check_motion(const std::filesystem::path& path, const FileProvider& files);

/// Turns parameter values into a motion. One per thread; the ParametricMotion must outlive it.
class MotionBinder {
 public:
  explicit MotionBinder(const ParametricMotion& motion);

  /// Makes `out` the motion with these parameter values (ModelBinder::values()). Returns in words
  /// why there is none; then `out` is unspecified. Allocates only for splines that depend on
  /// parameters. Cost: a copy of the motion and tens of ns an expression.
  std::optional<std::string> bind(std::span<const double> parameters, Motion& out);

 private:
  const ParametricMotion* motion_;
  std::vector<Expression> expressions_;
  std::vector<std::size_t> varying_;  // drives whose profile depends on parameters
  std::vector<double> numbers_;
};

}  // namespace counterpoise
