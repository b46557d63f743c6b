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

enum class ProfileType { hold, bang_bang, sine, point_to_point, spline, table, moves, path, poses };

enum class SplineEnds { clamped, natural, periodic };

/// One of a list of moves. Its numbers are, in this order, where it goes, how long it lasts, the
/// share of a ramp, and the limits of speed, acceleration and jerk; others than it has
/// are not looked at.
struct MoveNumbers {
  static constexpr std::size_t count = 6;
  enum class Given { rest, duration, limits };

  Given given = Given::rest;
  MoveShape shape = MoveShape::quintic;
  Location where;
};

/// A straight line or an arc of a point's path.
struct PathSegment {
  std::size_t move = 0;  // that it belongs to, of ProfileNumbers::moves
  bool arc = false;
  Location where;
};

/// How far the recorded positions of a coordinate were moved by smoothing.
struct Smoothing {
  std::string coordinate;
  std::string si;        // unit of the positions; empty where it is not known
  double cutoff = 0.0;   // [Hz]
  double rms = 0.0;      // root of the mean square of the differences
  double largest = 0.0;  // difference, in size, and when it is
  double time = 0.0;     // [s]
};

/// The numbers of one profile, in the order of its struct in engine/mechanism/motion.hpp; for
/// splines and tables first the times, then the values; for lists of moves where they start, then
/// the numbers of each move; for paths of a point where it starts (three numbers), where each
/// segment goes and what an arc goes through (six), and the numbers of each move, the first of
/// which is not looked at; for poses the positions, or the two ends of their range. Positions, and
/// with them velocities and accelerations, are in the profile's unit, also when they are
/// expressions.
struct ProfileNumbers {
  ProfileType type = ProfileType::hold;
  MoveShape shape = MoveShape::quintic;
  SplineEnds ends = SplineEnds::clamped;
  Unit unit;
  std::vector<Number> numbers;
  std::vector<MoveNumbers> moves;
  std::vector<PathSegment> segments;   // of a path
  int axis = 0;                        // of a path: which coordinate of the point this one is
  std::optional<Smoothing> smoothing;  // of a table, whose values are smooth then
  std::vector<double> shares;  // of the way through a range of poses, for each position; empty: the
                               // positions are the numbers themselves
  int repeat = 1;              // see PoseLevels
  std::vector<double> weights;  // see PoseLevels
  Location where;               // of the profile in its file
};

/// The values of one of the model's parameters with which a motion is gone through.
struct ParameterAxis {
  std::string name;
  int parameter = -1;           // index into Model::parameters; -1 if the model is not known
  std::vector<double> values;   // in SI, all different
  std::vector<double> weights;  // of each value in means, above 0; empty: all alike
};

/// A motion whose numbers may depend on a model's parameters. Immutable once read.
struct ParametricMotion {
  Motion nominal;                        // with the model's own parameters
  std::vector<ProfileNumbers> profiles;  // one per drive, then one per force of the motion
  std::vector<Expression> expressions;   // of the model's parameters; none: all designs move alike
  Location where;                        // of its coordinates
  bool synchronised = false;             // moves of the same number start together
  std::string poses;                     // which its poses are, in words; empty: it has a duration
  std::vector<ParameterAxis> axes;  // the motion is gone through with all combinations of these

  /// How many combinations of the axes' values there are: 1 without axes.
  [[nodiscard]] std::size_t combinations() const;
};

/// Evaluates a profile's numbers with these values of the parameters, in SI. `out` is replaced.
void evaluate(const ProfileNumbers& profile, std::span<const Expression> expressions,
              const double* parameters, std::vector<double>& out);

/// Why something of a file is impossible, and the place that causes it.
struct Refusal {
  Location where;
  std::string words;
};

/// Makes the profile from its numbers in SI, or says why that is impossible. Of a list of moves
/// each starts `lasting` [s] after the one before, if that is longer than that one takes by itself.
std::optional<Refusal> make_profile(const ProfileNumbers& profile, std::span<const double> numbers,
                                    double duration, Profile& out,
                                    std::span<const double> lasting = {});

/// Makes the profiles with the numbers `which` of a motion, or says why one of them is impossible;
/// those of synchronised moves only all together. `numbers` is memory to work in.
std::optional<Refusal> make_profiles(const ParametricMotion& motion,
                                     std::span<const std::size_t> which, const double* parameters,
                                     std::vector<double>& numbers, Motion& out);

/// Turns parameter values into a motion, which it keeps. One per thread; the ParametricMotion must
/// outlive it.
class MotionBinder {
 public:
  explicit MotionBinder(const ParametricMotion& motion);

  /// Makes motion() the motion with these parameter values (ModelBinder::values()). If there is no
  /// such motion, returns the reason in words; then motion() must not be used. Does nothing when
  /// the values that the motion reads have not changed since the last bind; otherwise allocates
  /// only for splines and moves that depend on parameters. Cost: nanoseconds, or tens of
  /// nanoseconds per expression.
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
