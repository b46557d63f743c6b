#pragma once

#include <span>
#include <vector>

#include "input/definition/study.hpp"
#include "springs/problem/smooth_number.hpp"
#include "springs/problem/spring_roles.hpp"

namespace counterpoise {

/// A coordinate of a spring's mount that variables change.
struct MovingCoordinate {
  std::size_t end = 0;   // of the spring
  std::size_t axis = 0;  // of the end's body
  int expression = -1;   // index into Model::expressions
  bool operator==(const MovingCoordinate&) const = default;
};

/// A bound of a parameter of the model that mounts change, in one motion.
struct MountBound {
  std::size_t motion = 0;
  int parameter = -1;
  bool upper = false;
};

/// Throws InputError where the clearance of a spring is limited or read, which no proof over mounts
/// bounds; and at a variable (its index) that such a proof cannot vary: one that moves
/// the mechanism, enters a spring's law or limit, or is read by a constraint that loads, tensions
/// and numbers of springs do not enter. Only positions of points that carry springs, and numbers of
/// objectives and constraints, may follow it.
void require_mount(const Study& study, const SpringRoles& roles, std::size_t variable);

/// The mounts of a study's springs as functions of some variables, each scaled from 0 to 1 over its
/// range. Every other variable keeps a value. Immutable; evaluations are independent.
class MountFunctions {
 public:
  /// `variables` are indices of Study::variables that pass require_mount(); `point` has the values
  /// of all others. Throws InputError where a position is not twice differentiable.
  MountFunctions(const Study& study, std::vector<int> variables, std::span<const double> point);

  [[nodiscard]] int count() const { return static_cast<int>(variables_.size()); }
  /// The coordinates that the variables change, of one spring in one motion.
  [[nodiscard]] const std::vector<MovingCoordinate>& moving(std::size_t motion,
                                                            std::size_t spring) const {
    return moving_[motion][spring];
  }
  /// Whether these coordinates are the same functions of the variables in two motions.
  [[nodiscard]] bool same_mounts(std::size_t first, std::size_t second, std::size_t spring) const;
  /// The value of a variable where its own coordinate of the unit box is `t`.
  [[nodiscard]] double value_at(int index, double t) const;

  /// The parameters of the model in one motion, over a part of the unit box.
  [[nodiscard]] std::vector<SmoothNumber> parameters(std::size_t motion,
                                                     std::span<const Interval> box) const;
  /// Replaces the values of the parameters that the variables change by enclosures over a part of
  /// the unit box, ignoring what motions set for themselves.
  void vary(std::span<const Interval> box, std::vector<SmoothNumber>& parameters) const {
    vary(moving_.size(), box, parameters);
  }
  /// The bounds of parameters that some geometry in the box may break.
  [[nodiscard]] const std::vector<MountBound>& bounds() const { return bounds_; }
  /// How far a parameter lies beyond its bound, where the parameters of the motion are these.
  [[nodiscard]] SmoothNumber distance(const MountBound& bound,
                                      std::span<const SmoothNumber> parameters) const;
  /// How far a parameter lies beyond its bound, and beyond the rounding that bounds allow (see
  /// slack_of()), where the parameters of the motion are these: above 0 where it breaks it.
  [[nodiscard]] Interval beyond(const MountBound& bound,
                                std::span<const SmoothNumber> parameters) const;
  /// A moving coordinate, from the parameters of its motion.
  [[nodiscard]] SmoothNumber position(const MovingCoordinate& coordinate,
                                      std::span<const SmoothNumber> parameters) const;

 private:
  void find_changed(std::size_t motion, std::span<const double> point);
  void find_bounds();
  void vary(std::size_t motion, std::span<const Interval> box,
            std::vector<SmoothNumber>& parameters) const;
  [[nodiscard]] bool same_values(std::size_t first, std::size_t second,
                                 const Expression& expression) const;
  [[nodiscard]] std::span<const ParameterSetting> settings_of(std::size_t motion) const;

  const Study& study_;
  std::vector<int> variables_;
  std::vector<std::vector<SmoothNumber>> fixed_;  // per motion: parameters where nothing varies
  // per motion, and without what motions set: parameters that vary by expressions
  std::vector<std::vector<int>> computed_;
  std::vector<std::vector<std::vector<MovingCoordinate>>> moving_;  // per motion and spring
  std::vector<MountBound> bounds_;
};

/// A constraint that only the length of one spring decides, as a condition of every instant of all
/// motions: number + slope * length <= 0, where the slope is not 0.
struct LengthConstraint {
  std::size_t spring = 0;
  double number = 0.0;
  double slope = 0.0;
};

/// The spring whose least or greatest length an expression reads, and nothing else of springs or
/// loads; -1 if it reads no length.
/// Throws InputError at `where` if it reads lengths beside others, loads or springs' numbers.
int spring_of_length(const Study& study, const std::vector<int>& sized,
                     const Expression& expression, const Location& where);

/// The constraints of a study that read lengths, up to the rounding that constraints have. `values`
/// as Study::metric_scope orders them; values of metrics are not read. Throws InputError where a
/// constraint is not affine in the length, or bounds a least length from above or a greatest one
/// from below: such a constraint is not a condition at every instant.
std::vector<LengthConstraint> length_constraints(const Study& study,
                                                 std::span<const double> values);

}  // namespace counterpoise
