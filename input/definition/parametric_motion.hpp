#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/mechanism/motion.hpp"
#include "input/definition/model.hpp"
#include "input/definition/number.hpp"
#include "input/expressions/expression.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

enum class ProfileType { hold, bang_bang, sine, point_to_point, spline, table, poses };

/// The numbers of one profile, in the order of its struct in engine/mechanism/motion.hpp; for
/// splines and tables first the times, then the values; for poses the positions, or the two ends of
/// their range. Positions, and with them velocities and accelerations, are in the profile's unit,
/// also when they are expressions.
struct ProfileNumbers {
  ProfileType type = ProfileType::hold;
  MoveShape shape = MoveShape::quintic;
  Unit unit;
  std::vector<Number> numbers;
  std::vector<double> shares;  // of the way through a range of poses, for each position; empty: the
                               // positions are the numbers themselves
  int repeat = 1;              // see PoseLevels
  Location where;              // of the profile in its file
};

/// A motion whose numbers may depend on a model's parameters. Immutable once read.
struct ParametricMotion {
  Motion nominal;                        // with the model's own parameters
  std::vector<ProfileNumbers> profiles;  // one per drive
  std::vector<Expression> expressions;   // of the model's parameters; none: all designs move alike
  Location where;                        // of its coordinates
  std::string poses;                     // which its poses are, in words; empty: it has a duration
};

/// Evaluates a profile's numbers with these values of the parameters, in SI. `out` is replaced.
void evaluate(const ProfileNumbers& profile, std::span<const Expression> expressions,
              const double* parameters, std::vector<double>& out);

/// Makes the profile from its numbers in SI, or says in words why that is impossible.
std::optional<std::string> make_profile(const ProfileNumbers& profile,
                                        std::span<const double> numbers, double duration,
                                        Profile& out);

/// Turns parameter values into a motion, which it keeps. One per thread; the ParametricMotion must
/// outlive it.
class MotionBinder {
 public:
  explicit MotionBinder(const ParametricMotion& motion);

  /// Makes motion() the motion with these parameter values (ModelBinder::values()). If there is no
  /// such motion, returns the reason in words; then motion() must not be used. Does nothing when
  /// the values that the motion reads have not changed since the last bind; otherwise allocates
  /// only for splines that depend on parameters. Cost: nanoseconds, or tens of nanoseconds per
  /// expression.
  std::optional<std::string> bind(std::span<const double> parameters);
  [[nodiscard]] const Motion& motion() const { return bound_; }
  /// A number that is different after every bind that changed the motion; 0 for the motion of the
  /// file.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

 private:
  const ParametricMotion* motion_;
  std::vector<std::size_t> varying_;  // drives whose profile depends on parameters
  std::vector<std::size_t> used_;     // parameters that they read
  std::vector<double> values_;        // of these in the last bind
  std::vector<double> numbers_;       // of one profile
  Motion bound_;
  std::optional<std::string> reason_;
  std::uint64_t revision_ = 0;
};

}  // namespace counterpoise
