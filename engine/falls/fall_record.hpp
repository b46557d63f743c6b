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
  /// The square of the distance of a place from where it starts.
  struct Away {
    Vec3d start = Vec3d::Zero();
    double square = 0.0, rate = 0.0;  // [m^2, m^2/s]
  };
  /// How far a coordinate is from where it starts.
  struct Travel {
    double start = 0.0, way = 0.0, rate = 0.0;  // [rad or m, rad/s or m/s]
  };

  void observe_place(double step, const BodyState& body, const Vec3d& point, Away& away);
  void observe_travel(double step, const ProfileValue& at, Travel& travel, double& most) const;

  const Scenario* scenario_;
  bool columns_;
  Fall fall_;
  std::vector<Watched> points_;                  // per point of the mechanism
  std::vector<Away> points_away_, bodies_away_;  // of points, and of centres of mass
  std::vector<Travel> joints_travel_, actuators_travel_;
  std::vector<std::pair<double, double>> joints_;  // velocity and acceleration of each joint
  double last_ = 0.0, moved_ = 0.0;
  bool observed_ = false, moving_ = false;
};

}  // namespace counterpoise
