#pragma once

#include <cstddef>
#include <vector>

#include "drives/choice.hpp"

namespace counterpoise {

/// What motions ask of one actuator whose loads are still open: they depend on springs that are to
/// be found. All of one length, as in ShaftSamples.
struct OpenSamples {
  std::vector<double> velocity, acceleration, weight;
  std::vector<double> play;  // by how much dry friction at rest may change the load, to either side
  bool favourable = false;   // whether it makes the load small, else large

  [[nodiscard]] std::size_t size() const { return velocity.size(); }
  /// The load that a drive carries where the mechanism asks for u: larger or smaller by the play.
  [[nodiscard]] double carried(std::size_t k, double u) const {
    return with_range(u, play[k], favourable);
  }
  /// The samples with these loads of the mechanism. Where a load is nothing but rounding, so that
  /// its sign is, too, dry friction takes the side on which the motor has more to do at rest: what
  /// suffices then does so for either sign.
  void with_loads(const std::vector<double>& loads, ShaftSamples& out) const;
};

/// A range of loads.
struct LoadInterval {
  double least, most;

  [[nodiscard]] bool empty() const { return !(least <= most); }
};

/// A function of a load that is affine: slope * u + offset.
struct LoadLine {
  double slope = 0.0, offset = 0.0;
};

/// Which loads u a pair of a motor and a gearbox suffices for, at each sample by itself and in the
/// mean. At one sample they are a range, because the motor's torque never falls as the load rises.
/// `samples` must outlive it.
class AllowedLoads {
 public:
  AllowedLoads(const DriveChoice& choice, const DrivePair& pair, const OpenSamples& samples);

  /// Whether the pair turns fast enough.
  [[nodiscard]] bool fast_enough() const { return fast_enough_; }
  /// The loads with which it keeps all demands of sample k but those of means.
  [[nodiscard]] LoadInterval range(std::size_t k) const;
  /// A load that it carries at most, as a scale for what others exceed it by.
  [[nodiscard]] double scale() const { return scale_; }

  /// The demands of means: rms(f(u)) <= bound, f the torque of the motor or the load itself.
  enum class Mean { torque, load };
  [[nodiscard]] double bound(Mean mean) const {
    return mean == Mean::torque ? rated_torque_ : rated_load_;
  }
  /// f at sample k.
  [[nodiscard]] double value(Mean mean, std::size_t k, double u) const;
  /// A line that y * f is never below, for loads of a range, and as high as any such line at u.
  [[nodiscard]] LoadLine line_below(Mean mean, std::size_t k, double y, const LoadInterval& range,
                                    double u) const;
  /// The largest value of slope * u - of_torque * torque(u) - of_load * load(u) over a range.
  [[nodiscard]] double largest(std::size_t k, double slope, double of_torque, double of_load,
                               const LoadInterval& range) const;

 private:
  /// f of one sample where the load that is carried is c: c * (c < 0 ? below : above) + constant.
  struct Law {
    double below, above, constant;
    [[nodiscard]] double at(double carried) const {
      return carried * (carried < 0.0 ? below : above) + constant;
    }
  };
  /// A load where a line may bend or jump, and what is carried there, from either side.
  struct Corner {
    double load, left, right;
  };
  struct Corners {
    std::size_t count = 0;
    Corner of[5];
  };
  [[nodiscard]] Law law(Mean mean, std::size_t k) const;
  [[nodiscard]] Corners corners(std::size_t k, const LoadInterval& range) const;
  [[nodiscard]] double most_load(std::size_t k, double carried) const;

  const OpenSamples* samples_;
  Shaft shaft_;
  double peak_torque_, rated_torque_, peak_load_, rated_load_;  // with the margin
  double no_load_speed_, droop_;                                // the droop with the margin
  double scale_;
  bool fast_enough_ = true;
};

}  // namespace counterpoise
