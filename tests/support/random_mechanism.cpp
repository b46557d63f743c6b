#include "tests/support/random_mechanism.hpp"

#include <optional>
#include <utility>

#include "tests/oracles/closure.hpp"

namespace counterpoise::test {
namespace {

void add_tree(WorldBuilder& builder, Random& random, const SampleOptions& options) {
  const int bodies = random.below(options.tree_bodies + 1) + (options.linkage ? 0 : 1);
  for (int i = 0; i < bodies; ++i) {
    const int parent = random.below(i + 1) - 1;
    const Vec3d near = parent == world_body ? Vec3d(0.0, 0.0, 0.0) : builder.origin(parent);
    const int kind = random.below(5);
    const JointType type = kind == 0   ? JointType::fixed
                           : kind <= 3 ? JointType::revolute
                                       : JointType::prismatic;
    const int body = builder.add_body(parent, type, random.direction(), near + random.vector(0.4),
                                      random.chance(0.9));
    if (type == JointType::fixed) continue;
    const auto& bodies_so_far = builder.mechanism.bodies;
    if (options.motors_only || random.chance(0.5)) {
      builder.add_joint_actuator(body);
    } else if (const int of = random.below(body + 1);
               of != body && random.chance(0.3) && builder.mechanism.moves(of)) {
      builder.add_coupling(body, of, random.signed_uniform(0.3, 1.5));
    } else {
      const int grandparent = parent == world_body ? world_body : bodies_so_far[parent].parent;
      add_line_actuator_across(builder, random, body, random.chance(0.7) ? parent : grandparent);
    }
  }
}

void add_springs(WorldBuilder& builder, Random& random) {
  const int bodies = builder.mechanism.body_count();
  for (int i = random.below(4); i > 0; --i) {
    const int first = random.below(bodies);
    const int second = random.below(bodies + 1) - 1;
    const int type = random.below(4);
    if (type == 3) {
      if (builder.mechanism.moves(first)) builder.add_torsion_spring(first);
      continue;
    }
    if (first == second) continue;
    const int a = builder.add_point(first, builder.origin(first) + random.vector(0.3));
    const int b = builder.add_point(second, builder.origin(first) + random.vector(0.8));
    if (builder.distance(a, b) < 0.2) continue;
    constexpr SpringType types[] = {SpringType::extension, SpringType::compression,
                                    SpringType::gas};
    builder.add_spring(types[type], a, b);
  }
}

Motion small_sines(const WorldBuilder& builder, Random& random, const SampleOptions& options) {
  Motion motion;
  motion.duration = options.duration;
  motion.step = options.step;
  motion.inertia = options.inertia;
  for (int a = 0; a < static_cast<int>(builder.mechanism.actuators.size()); ++a) {
    if (random.chance(0.1)) continue;  // held at the zero configuration
    const bool linear = builder.mechanism.actuators[a].linear();
    const Sine sine{builder.reference(a), random.signed_uniform(0.3, 1.0) * (linear ? 0.02 : 0.15),
                    random.uniform(0.8, 2.0), random.uniform(0.0, 6.28)};
    motion.drives.push_back({{a, -1}, sine});
  }
  return motion;
}

bool well_conditioned(const Sample& sample, const WorldBuilder& builder) {
  constexpr double good = 0.1;
  constexpr int poses = 12;
  std::vector<double> q;
  for (const Body& body : sample.mechanism.bodies) q.push_back(body.joint.guess);
  std::vector<double> positions;
  for (std::size_t a = 0; a < sample.mechanism.actuators.size(); ++a)
    positions.push_back(builder.reference(static_cast<int>(a)));
  const std::vector<double> zero = positions;
  // from the zero configuration to the start, then along the motion
  for (int k = 0; k <= poses; ++k) {
    const double t = sample.motion.duration * std::max(0, k - 1) / (poses - 1);
    for (const Drive& drive : sample.motion.drives) {
      const auto a = static_cast<std::size_t>(drive.actuator);
      positions[a] = k == 0 ? zero[a] : evaluate(drive.profile, t, sample.motion.duration).position;
    }
    const auto closed = oracle::close_mechanism(sample.mechanism, positions, q);
    if (!closed || closed->conditioning < good) return false;
    for (std::size_t b = 0; b < q.size(); ++b)
      if (std::abs(closed->q[b] - sample.mechanism.bodies[b].joint.guess) > 0.8) return false;
    q = closed->q;
  }
  return true;
}

/// With sines that the mechanism can follow, or nothing.
std::optional<Sample> moved(const WorldBuilder& builder, Random& random,
                            const SampleOptions& options) {
  if (builder.mechanism.actuators.empty()) return {};
  Sample sample{builder.mechanism, small_sines(builder, random, options)};
  if (sample.motion.drives.empty() || !well_conditioned(sample, builder)) return {};
  return sample;
}

/// Adds a linkage to any body or to the world.
void add_somewhere(WorldBuilder& builder, Random& random, Linkage kind) {
  const int base = random.below(builder.mechanism.body_count() + 1) - 1;
  const Vec3d place =
      (base == world_body ? Vec3d(0.0, 0.0, 0.0) : builder.origin(base)) + random.vector(0.3);
  add_linkage(builder, random, kind, base, place);
}

}  // namespace

Sample random_sample(Random& random, const SampleOptions& options) {
  for (;;) {
    WorldBuilder builder(random);
    builder.mechanism.gravity = random.chance(0.5) ? Vec3d(0.0, 0.0, -9.81) : random.vector(10.0);
    add_tree(builder, random, options);
    if (options.linkage) add_somewhere(builder, random, *options.linkage);
    // each linkage is tried on its own, since several are seldom good at once
    if (options.more_linkages > 0 && !builder.mechanism.actuators.empty() &&
        !moved(builder, random, options))
      continue;
    for (int i = 0; i < options.more_linkages;) {
      WorldBuilder with_one_more = builder;
      add_somewhere(with_one_more, random, static_cast<Linkage>(random.below(linkage_count)));
      if (!moved(with_one_more, random, options)) continue;
      builder = std::move(with_one_more);
      ++i;
    }
    if (options.springs) add_springs(builder, random);
    if (auto sample = moved(builder, random, options)) return *std::move(sample);
  }
}

void add_forces(Random& random, Sample& sample) {
  Mechanism& mechanism = sample.mechanism;
  for (int i = random.below(3); i >= 0; --i) {
    const auto index = static_cast<int>(mechanism.forces.size());
    const std::string name = "force" + std::to_string(index);
    const int body = random.below(mechanism.body_count());
    mechanism.points.push_back({name + ".point", body, random.vector(0.3)});
    mechanism.forces.push_back({name, static_cast<int>(mechanism.points.size()) - 1,
                                random.chance(0.5), random.vector(30.0), random.vector(5.0)});
    if (random.chance(0.5))
      sample.motion.forces.push_back({index, Sine{.mean = random.uniform(-0.5, 1.5),
                                                  .amplitude = random.uniform(0.1, 1.0),
                                                  .period = random.uniform(0.2, 1.0)}});
  }
}

void add_friction(Random& random, Mechanism& mechanism) {
  for (int b = 0; b < mechanism.body_count(); ++b) {
    if (!mechanism.moves(b)) continue;
    const int kind = random.below(3);
    if (kind < 2) mechanism.bodies[b].friction.coulomb = random.uniform(0.1, 8.0);
    if (kind > 0 && random.chance(0.7))
      mechanism.bodies[b].friction.viscous = random.uniform(0.1, 4.0);
  }
}

void add_load_friction(Random& random, Mechanism& mechanism) {
  for (Body& body : mechanism.bodies)
    if (random.below(3) > 0 && body.joint.type != JointType::fixed)
      body.friction.load_coefficient =
          random.uniform(0.0, body.joint.type == JointType::revolute ? 0.006 : 0.15);
}

AppliedForce force_at(const Sample& sample, std::size_t force, double t) {
  AppliedForce acting = sample.mechanism.forces[force];
  for (const ForceCourse& course : sample.motion.forces)
    if (course.force == static_cast<int>(force)) {
      const double factor = evaluate(course.profile, t, sample.motion.duration).position;
      acting.force *= factor;
      acting.moment *= factor;
    }
  return acting;
}

}  // namespace counterpoise::test
