#pragma once

#include <array>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

struct Pack;
template <class S>
class Pipeline;

/// How the body at a spring's second end moves in the axes of the body at its first end, over one
/// motion. It holds for any mounts: between the points a of the first body and b of the second
/// (each in the axes of its own body) the spring spans the vector
///   d(b) - a,   d(b) = origin + rotation * b,
/// and its slope by the position of an actuator is the same expression of the actuator's slopes, a
/// left out. All series have one number per sample.
struct MountMotion {
  /// An affine map from points of the second body to vectors of the first body's axes.
  struct Map {
    std::array<std::vector<double>, 3> origin;    // [m]
    std::array<std::vector<double>, 9> rotation;  // [1], row by row
  };
  struct Slope {
    ActuatorIndex actuator;
    Map map;  // d(vector)/d(position of the actuator), [m/m or m/rad] and [1/m or 1/rad]
  };

  int samples = 0;
  Map map;
  std::vector<Slope> slopes;  // of each actuator that the spring can load, ascending
};

/// Computes the motion of a spring's mounts in the stretch of samples that the pipeline followed
/// last, and writes it to its place in `out`. A torsion spring has no mounts and no motion of them.
/// Costs one trace of the spring's path for each block of samples.
void find_mount_motion(const Pipeline<Pack>& pipeline, const Mechanism& mechanism,
                       SpringIndex spring, MountMotion& out);

}  // namespace counterpoise
