#include "engine/evaluation/mount_motion.hpp"

#include <algorithm>

#include "engine/evaluation/pipeline.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// A map in lanes, at one block of samples.
struct MapLanes {
  Vec3<Pack> origin = Vec3<Pack>::Constant(Pack(0.0));
  Mat3<Pack> rotation = Mat3<Pack>::Constant(Pack(0.0));
};

void resize(MountMotion::Map& map, std::size_t samples) {
  for (auto& series : map.origin) series.assign(samples, 0.0);
  for (auto& series : map.rotation) series.assign(samples, 0.0);
}

/// Writes the samples of one block of a stretch; spare lanes are left out.
void store(const MapLanes& from, int block, const Stretch& stretch, MountMotion::Map& to) {
  const int of_stretch = block * lanes<Pack>;
  const auto first = at(stretch.first + of_stretch);
  const auto count = static_cast<std::size_t>(std::min(lanes<Pack>, stretch.samples - of_stretch));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t l = 0; l < count; ++l) {
      to.origin[i][first + l] = lane(from.origin(static_cast<int>(i)), static_cast<int>(l));
      for (std::size_t j = 0; j < 3; ++j)
        to.rotation[3 * i + j][first + l] =
            lane(from.rotation(static_cast<int>(i), static_cast<int>(j)), static_cast<int>(l));
    }
}

/// The traces of both chains of a path, to the origins of their last bodies.
struct Ends {
  std::array<Trace<Pack>, 2> traces;
  const Path& path;

  explicit Ends(const Path& p) : path(p) {
    for (std::size_t end : {0u, 1u}) traces[end].resize(p.chains[end].size());
  }
  void trace(const DesignGeometry& geometry, const JointView<Pack>& state) {
    for (std::size_t end : {0u, 1u})
      trace_positions(geometry.frames, path.chains[end], Vec3d::Zero(), state, traces[end]);
  }
  /// From the second body to the first.
  [[nodiscard]] MapLanes map() const {
    const Mat3<Pack> back = traces[0].rotation.transpose();
    return {back * (traces[1].p - traces[0].p), back * traces[1].rotation};
  }
  /// The slope of map() by the joint at this place of the path. The axes of the first body move
  /// with the joints of its own chain, so these turn everything the other way.
  [[nodiscard]] MapLanes slope(const DesignGeometry& geometry, const PathJoint& joint) const {
    const Trace<Pack>& moving = traces[joint.end];
    const Vec3<Pack>& axis = moving.axis[joint.position];
    const Pack sign(joint.end == 1 ? 1.0 : -1.0);
    const Mat3<Pack> back = traces[0].rotation.transpose() * sign;
    MapLanes slope;
    if (geometry.type_of(joint.body) == JointType::prismatic) {
      slope.origin = back * axis;
      return slope;
    }
    const Vec3<Pack> arm = traces[1].p - moving.origin[joint.position];
    slope.origin = back * axis.cross(arm);
    for (int j = 0; j < 3; ++j)
      slope.rotation.col(j) = back * axis.cross(traces[1].rotation.col(j));
    return slope;
  }
};

}  // namespace

void find_mount_motion(const Pipeline<Pack>& pipeline, const Mechanism& mechanism,
                       SpringIndex spring, MountMotion& out) {
  const Stretch& stretch = pipeline.stretch();
  out.samples = stretch.total;
  if (mechanism.springs[spring].type == SpringType::torsion) return;
  const EvaluationPlan& plan = pipeline.plan();
  if (out.slopes.empty()) {
    const auto samples = static_cast<std::size_t>(out.samples);
    resize(out.map, samples);
    for (const ActuatorIndex actuator : plan.influenced[at(spring)]) {
      out.slopes.push_back({actuator, {}});
      resize(out.slopes.back().map, samples);
    }
  }

  const Path& path = pipeline.spring_path(at(spring));
  const DesignGeometry geometry = pipeline.geometry(mechanism);
  Ends ends(path);
  std::vector<MapLanes> slopes(out.slopes.size());
  const int blocks = (stretch.samples + lanes<Pack> - 1) / lanes<Pack>;
  for (int block = 0; block < blocks; ++block) {
    ends.trace(geometry, pipeline.joints(block));
    store(ends.map(), block, stretch, out.map);
    std::fill(slopes.begin(), slopes.end(), MapLanes{});
    for (const BodyIndex joint : plan.spring_joints[at(spring)]) {
      const MapLanes by_joint =
          ends.slope(geometry, find_on_path(path, joint).value_or(PathJoint{}));
      for (const ForceShare& share : plan.force_shares[joint]) {
        const Pack factor =
            share.series < 0 ? Pack(1.0) : pipeline.transmission().series(share)[at(block)];
        const auto place = std::find_if(out.slopes.begin(), out.slopes.end(), [&](const auto& own) {
          return own.actuator == share.actuator;
        });
        MapLanes& sum = slopes[place - out.slopes.begin()];
        sum.origin += by_joint.origin * factor;
        sum.rotation += by_joint.rotation * factor;
      }
    }
    for (std::size_t i = 0; i < slopes.size(); ++i)
      store(slopes[i], block, stretch, out.slopes[i].map);
  }
}

}  // namespace counterpoise
