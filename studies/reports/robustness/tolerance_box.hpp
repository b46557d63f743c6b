#pragma once

#include <span>
#include <vector>

#include "studies/definition/study.hpp"

namespace counterpoise {

/// Where a parameter may lie, in SI.
struct Interval {
  double nominal = 0.0;
  double low = 0.0;
  double high = 0.0;

  /// low at 0, high at 1.
  [[nodiscard]] double at(double share) const { return low + share * (high - low); }
};

/// Which numbers tolerances make deviate. A parameter that enters nothing but numbers of springs,
/// each of which is the parameter itself (however that is written: "k" or "(2*k)/2"), is a matter
/// of the springs: each of them is a part of its own and deviates on its own, also where several
/// share the parameter. All others are sampled, and what depends on them follows.
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
  /// Indices into Tolerances::of.
  [[nodiscard]] std::span<const std::size_t> sampled() const { return sampled_; }
  /// Of a random design: the sampled ones, then the spring parts.
  [[nodiscard]] std::size_t dimensions() const { return sampled_.size() + parts_.size(); }

  /// The interval of each tolerance around a design: `parameters` are the values of all of the
  /// model's parameters. Cut off at a parameter's min and max where these are numbers, and at 0
  /// where it is a spring's rate or free length.
  [[nodiscard]] std::vector<Interval> intervals(std::span<const double> point,
                                                std::span<const double> parameters) const;

  /// Settings of the sampled ones; `shares` (see Interval::at) has one number each.
  void settings(std::span<const Interval> intervals, std::span<const double> shares,
                std::vector<ParameterSetting>& out) const;
  /// Moves one part of a spring of the design to this share of its interval.
  static void deviate(const SpringPart& part, const Interval& interval, double share,
                      Spring& spring);

 private:
  const Study* study_;
  const Tolerances* tolerances_;
  std::vector<SpringPart> parts_;  // by ascending spring
  std::vector<std::size_t> sampled_;
  std::vector<bool> not_negative_;  // per tolerance
};

}  // namespace counterpoise
