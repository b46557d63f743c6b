#pragma once

#include <optional>

#include "engine/kinematics/chains/path.hpp"
#include "engine/kinematics/closure/sample_state.hpp"

namespace counterpoise {

/// A joint on a path: its body, which of the two chains it is in, and where in the chain.
struct PathJoint {
  BodyIndex body = -1;
  std::size_t end = 0;
  std::size_t position = 0;
};

std::optional<PathJoint> find_on_path(const Path& path, BodyIndex body);

/// A planar dyad: a loop pin held by two joints whose positions it determines, revolute or
/// prismatic in any combination (RRR, RRP, PRP with the pin as a revolute joint). CHARMIE's crank
/// and slider is one (paper 000, eqs. 22-27; eq. 25 should read B_4slc.x = B_4sla.x).
struct Dyad {
  std::array<PathJoint, 2> joints;  // on the same chain: the upper one first

  [[nodiscard]] bool same_chain() const { return joints[0].end == joints[1].end; }
};

/// The two unknown joints of the loop's path as a dyad; nothing unless there are exactly two, and
/// the loop keeps its points together or its axes parallel, no more.
std::optional<Dyad> make_dyad(const Loop& loop, const Path& path,
                              std::span<const BodyIndex> unknowns);

/// The plane of a planar path, in its ancestor's axes.
struct DyadPlane {
  Vec3d normal, e1, e2;
};

/// The plane in which every moving joint of the loop's path keeps it, with any axes the loop keeps
/// parallel across it; nothing if there is none. `state` is any state (the normal is the same in
/// all), `ends` scratch, sized for the path.
std::optional<DyadPlane> find_plane(const DesignGeometry& geometry, const Loop& loop,
                                    const Path& path, const Dyad& dyad,
                                    const JointView<double>& state,
                                    std::array<Trace<double>, 2>& ends);

/// One branch of a dyad's solution.
template <class S>
struct DyadSolution {
  std::array<S, 2> q;  // of the dyad's joints; angles within (-pi, pi]
  S gap;               // [m] positive: by how much the pin cannot be reached; else the loop closes
  S sine;              // of the angle at the pin, 0 where the pose is singular, at most 1
};

/// Solves for both joints with everything else on the path as in `state`, whose entries for the two
/// joints are overwritten. `branch` is +1 or -1; two prismatic joints have one solution, and both
/// branches give it. `ends` is scratch, sized for the path. A loop that is open gets the nearest
/// pose.
template <class S>
DyadSolution<S> solve_dyad(const DesignGeometry& geometry, const Path& path, const Dyad& dyad,
                           const DyadPlane& plane, double branch, const JointState<S>& state,
                           std::array<Trace<S>, 2>& ends);

}  // namespace counterpoise
