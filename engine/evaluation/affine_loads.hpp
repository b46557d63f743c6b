#pragma once

#include <vector>

#include "engine/mechanism/elements.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// The loads of one design over one motion as affine functions of the springs' tensions: every
/// sample of an actuator's load is
///   bare + sum over influences of per_tension * tension(spring),  tension = rate * length + offset
/// This is exact whatever the springs' rates and offsets (see SpringLaw), as long as mounts, masses
/// and motion stay (paper 001, eq. 5). A spring that may go slack has a tension that is not affine:
/// that of the design which was taken apart stands in its shape, and holds for its law alone. All
/// series have one number per sample.
struct AffineLoads {
  struct SpringShape {
    std::vector<double> length;  // [m]; torsion: the joint's angle [rad]
    double shortest = 0.0;       // least length over the samples
    double longest = 0.0;
    double meeting = -no_limit;   // up to this length ends meet (see meeting_share)
    double radius = 0.0;          // of the spring [m]
    std::vector<double> tension;  // of a spring that may go slack, in the design taken apart; of
                                  // others none
    // from the spring's axis to the obstacles that it keeps clear of; without any: none and
    // infinite
    std::vector<double> distance;      // to the surface of the nearest [m]
    std::vector<double> nearest;       // its index
    double least_distance = no_limit;  // over the samples
  };
  struct Influence {
    SpringIndex spring;
    std::vector<double> per_tension;  // load per tension [1]; torsion: per torque on the joint
  };
  struct ActuatorLoad {
    std::vector<double> bare;      // load without springs [N or N m]
    std::vector<double> velocity;  // [m/s or rad/s]
    std::vector<Influence> influences;
    // what a motor needs to know beside the load, as in MotorSamples; empty where none is watched
    std::vector<double> motor_velocity, motor_acceleration, play;
  };

  int samples = 0;
  double step = 0.0;                    // [s]
  bool poses = false;                   // see Motion::poses
  std::vector<double> weights;          // of each sample; empty: those of Stretch. A pose that is
                                        // left out weighs 0, and its loads are 0
  double sum_of_weights = 0.0;          // of these
  std::vector<SpringShape> springs;     // one per Mechanism::springs
  std::vector<ActuatorLoad> actuators;  // one per Mechanism::actuators

  /// Adds the parts of springs that may go slack to bare loads, as they were in the design taken
  /// apart, and forgets their influences.
  void add_slack_springs();

  /// All samples; they are held at once.
  [[nodiscard]] Stretch stretch() const { return {0, samples, samples, poses}; }
  /// The weight of sample k in a mean over the samples, and the sum of all weights.
  [[nodiscard]] double weight(std::size_t k) const {
    return weights.empty() ? stretch().weight(static_cast<int>(k)) : weights[k];
  }
  [[nodiscard]] double all_weights() const {
    return weights.empty() ? stretch().weights() : sum_of_weights;
  }
};

}  // namespace counterpoise
