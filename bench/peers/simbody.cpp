// Simbody: calcResidualForceIgnoringConstraints after realising velocities. Simbody fixes geometry
// when it realises the topology, so a new design is a new system.
#include <Simbody.h>

#include "bench/peers/contestant.hpp"

namespace counterpoise::bench {
namespace {

/// A system cannot be moved in memory: its subsystems point at it.
struct System {
  explicit System(const Tree& tree) : matter(multibody) {
    multibody.setUseUniformBackground(true);
    for (const Link& link : tree.links) add(link);
    state = multibody.realizeTopology();
    multibody.realizeModel(state);
    body_forces.resize(tree.size() + 1);
    body_forces = SimTK::SpatialVec(SimTK::Vec3(0.0), SimTK::Vec3(0.0));
  }

  void add(const Link& link) {
    const auto& i = link.inertia;
    const auto& r = link.rotation;
    const SimTK::Vec3 com(link.com[0], link.com[1], link.com[2]);
    const SimTK::Inertia central(i[0], i[1], i[2], i[3], i[4], i[5]);
    const SimTK::Inertia about_origin =
        link.mass > 0.0 ? central.shiftFromMassCenter(com, link.mass) : SimTK::Inertia(0.0);
    const SimTK::Body::Rigid body(SimTK::MassProperties(link.mass, com, about_origin));

    // Simbody's pin turns about z and its slider moves along x of frames on both bodies
    const SimTK::CoordinateAxis own(link.revolute ? 2 : 0);
    const SimTK::Rotation turn(SimTK::UnitVec3(SimTK::CoordinateAxis(link.axis)), own);
    const SimTK::Mat33 rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
    const SimTK::Transform inboard(SimTK::Rotation(rotation, true) * turn,
                                   SimTK::Vec3(link.origin[0], link.origin[1], link.origin[2]));
    const SimTK::Transform outboard(turn);
    SimTK::MobilizedBody& parent = link.parent < 0
                                       ? static_cast<SimTK::MobilizedBody&>(matter.updGround())
                                       : bodies[static_cast<std::size_t>(link.parent)];
    if (link.revolute)
      bodies.push_back(SimTK::MobilizedBody::Pin(parent, inboard, body, outboard));
    else
      bodies.push_back(SimTK::MobilizedBody::Slider(parent, inboard, body, outboard));
    centres.push_back(com);
    masses.push_back(link.mass);
  }

  void solve(const SimTK::Vector& q, const SimTK::Vector& v, const SimTK::Vector& a,
             SimTK::Vector& tau) {
    state.updQ() = q;
    state.updU() = v;
    multibody.realize(state, SimTK::Stage::Velocity);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const SimTK::Vec3 arm = bodies[i].getBodyRotation(state) * centres[i];
      const SimTK::Vec3 weight(0.0, 0.0, -gravity * masses[i]);
      body_forces[bodies[i].getMobilizedBodyIndex()] = SimTK::SpatialVec(arm % weight, weight);
    }
    matter.calcResidualForceIgnoringConstraints(state, no_forces, body_forces, a, tau);
  }

  SimTK::MultibodySystem multibody;
  SimTK::SimbodyMatterSubsystem matter;
  std::vector<SimTK::MobilizedBody> bodies;
  std::vector<SimTK::Vec3> centres;
  std::vector<double> masses;
  SimTK::State state;
  SimTK::Vector no_forces;
  SimTK::Vector_<SimTK::SpatialVec> body_forces;
};

class Simbody : public Contestant {
 public:
  Simbody(const Tree& tree, const States& states) : system_(std::make_unique<System>(tree)) {
    for (int t = 0; t < states.samples; ++t)
      for (auto [from, to] : {std::pair(&states.q, &q_), {&states.v, &v_}, {&states.a, &a_}})
        to->emplace_back(states.links, &(*from)[states.at(t, 0)]);
  }

  void set_design(const Tree& tree) override { system_ = std::make_unique<System>(tree); }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(static_cast<std::size_t>(t));
  }

  void torques(std::vector<double>& out) override {
    for (std::size_t t = 0; t < q_.size(); ++t) {
      solve(t);
      for (int i = 0; i < tau_.size(); ++i) out.push_back(tau_[i]);
    }
  }

 private:
  void solve(std::size_t t) { system_->solve(q_[t], v_[t], a_[t], tau_); }

  std::unique_ptr<System> system_;
  std::vector<SimTK::Vector> q_, v_, a_;
  SimTK::Vector tau_;
};

}  // namespace

std::string library_version() {
  return "Simbody " SIMBODY_RELEASE;
}

std::vector<std::string> ways() {
  return {"calcResidualForce"};
}

std::unique_ptr<Contestant> make_contestant(const std::string&, const Tree& tree,
                                            const States& states) {
  return std::make_unique<Simbody>(tree, states);
}

}  // namespace counterpoise::bench
