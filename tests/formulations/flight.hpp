#pragma once

#include <vector>

#include "formulations/gibbs_appell/impact.hpp"

namespace counterpoise::test {

/// One touch of a point at the wall.
struct Touch {
  int point = 0;
  double alpha = 0.0;          // angle between its velocity before and the normal           [deg]
  double jump = 0.0;           // of its velocity along the normal                           [m/s]
  double velocity_jump = 0.0;  // size of the jump of its velocity                           [m/s]
  double impulse = 0.0;        // [N s]
};

/// Touches at one time, in the order of points.
struct Event {
  double t = 0.0;
  std::vector<Touch> touches;
};

/// A tree of rods that flies inside a round wall and bounces off it: Runge-Kutta's method of fourth
/// order at a fixed step, the Gibbs-Appell accelerations, events by bisection, eq. 47.
class Flight {
 public:
  Flight(rod_tree::RodTree tree, double radius, double restitution, Eigen::VectorXd theta,
         Eigen::VectorXd rates);

  void fly_to(double t);

  [[nodiscard]] const Eigen::VectorXd& theta() const { return theta_; }
  [[nodiscard]] const Eigen::VectorXd& rates() const { return rates_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }

 private:
  struct Motion {
    Eigen::VectorXd theta, rates;
  };

  [[nodiscard]] Eigen::VectorXd accelerations(const Eigen::VectorXd& theta,
                                              const Eigen::VectorXd& rates) const;
  [[nodiscard]] Motion after(double step) const;
  [[nodiscard]] Eigen::VectorXd gaps(const Motion& motion) const;
  void bounce();

  rod_tree::RodTree tree_;
  double radius_, restitution_;
  double t_ = 0.0;
  Eigen::VectorXd theta_, rates_;
  std::vector<Event> events_;
};

}  // namespace counterpoise::test
