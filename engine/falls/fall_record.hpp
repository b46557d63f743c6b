#pragma once

#include <utility>
#include <vector>

#include "engine/falls/equations_of_motion.hpp"
#include "engine/falls/fall.hpp"
#include "engine/math/cubic.hpp"

namespace counterpoise {

/// Records a fall: rows of its columns, events, and largest values.
class FallRecord {
 public:
  FallRecord(const EquationsOfMotion& equations, const Scenario& scenario, bool columns);

  /// Adds a row at the present state; loads must have been found.
  void add_row(double t, EquationsOfMotion& equations, double lost, double work);
  /// Notes the present state as the next point of the fall, `see_bodies` having been called.
  void observe(double t, EquationsOfMotion& equations);
  void add_event(const FallEvent& event);
  Fall finish(double t, double lost);

 private:
  struct Watched {
    double start = 0.0, down = 0.0, rate = 0.0;  // along gravity              [m, m, m/s]
    double square = 0.0, square_rate = 0.0;      // of the speed             [m^2/s^2, m^2/s^3]
  };

  const Scenario* scenario_;
  bool columns_;
  Fall fall_;
  std::vector<Watched> points_;                    // per point of the mechanism
  std::vector<std::pair<double, double>> joints_;  // velocity and acceleration of each joint
  double last_ = 0.0, moved_ = 0.0;
  bool observed_ = false, moving_ = false;
};

}  // namespace counterpoise
