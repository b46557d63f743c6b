#pragma once

#include <span>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise {

/// The interval in which a parameter may lie, in SI.
struct ToleranceInterval {
  double nominal = 0.0;
  double low = 0.0;
  double high = 0.0;

  /// The value at a share of the interval: low at 0, high at 1.
  [[nodiscard]] double at(double share) const { return low + share * (high - low); }
};

/// The numbers that deviate under tolerances. A parameter that enters nothing but numbers of
/// springs, each of which is the parameter itself (however that is written: "k" or "(2*k)/2"),
/// belongs to the springs: each of them is a part of its own and deviates on its own, even if
/// several share the parameter. All other parameters are sampled, and the numbers that depend on
/// them follow.
class ToleranceBox {
 public:
  /// `study` and `tolerances` must outlive it.
  ToleranceBox(const Study& study, const Tolerances& tolerances);

  /// One parameter of one spring, and the numbers of the spring that follow it.
  struct SpringPart {
    struct Follower {
      double Spring::*number;
      double scale;  // number = scale * parameter
    };
    std::size_t tolerance;  // index into Tolerances::of
    std::size_t spring;     // index in the mechanism
    std::vector<Follower> followers;
  };
  [[nodiscard]] std::span<const SpringPart> spring_parts() const { return parts_; }
  /// The tolerances whose parameters are sampled, as indices into Tolerances::of.
  [[nodiscard]] std::span<const std::size_t> sampled() const { return sampled_; }
  /// The number of dimensions of a random design: first the sampled parameters, then the spring
  /// parts.
  [[nodiscard]] std::size_t dimensions() const { return sampled_.size() + parts_.size(); }

  /// The interval of each tolerance around a design: `parameters` are the values of all of the
  /// model's parameters. Cut off at a parameter's min and max where these are numbers, and at 0
  /// where it is a spring's rate or free length.
  [[nodiscard]] std::vector<ToleranceInterval> intervals(std::span<const double> point,
                                                         std::span<const double> parameters) const;

  /// The settings of the sampled parameters; `shares` (see ToleranceInterval::at) has one number
  /// for each.
  void settings(std::span<const ToleranceInterval> intervals, std::span<const double> shares,
                std::vector<ParameterSetting>& out) const;
  /// Moves one part of a spring of the design to this share of its interval.
  static void deviate(const SpringPart& part, const ToleranceInterval& interval, double share,
                      Spring& spring);

 private:
  const Study* study_;
  const Tolerances* tolerances_;
  std::vector<SpringPart> parts_;  // by ascending spring
  std::vector<std::size_t> sampled_;
  std::vector<bool> not_negative_;  // per tolerance
};

}  // namespace counterpoise
