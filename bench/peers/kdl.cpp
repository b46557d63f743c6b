// Orocos KDL: its chain solver and its tree solver, both recursive Newton-Euler. KDL offers no way
// to change the numbers of a chain or tree in place, so a new design is a new tree and solver.
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <stdexcept>

#include "bench/peers/contestant.hpp"

namespace counterpoise::bench {
namespace {

std::string segment_name(int link) {
  return link < 0 ? "root" : "s" + std::to_string(link);
}

KDL::Segment segment_of(const Link& link, int index) {
  const auto& r = link.rotation;
  const auto& i = link.inertia;
  const KDL::Rotation rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
  const KDL::Vector origin(link.origin[0], link.origin[1], link.origin[2]);
  const KDL::Vector axis(link.axis == 0, link.axis == 1, link.axis == 2);
  const KDL::Joint joint("j" + std::to_string(index), origin, rotation * axis,
                         link.revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
  const KDL::RigidBodyInertia inertia(link.mass, KDL::Vector(link.com[0], link.com[1], link.com[2]),
                                      KDL::RotationalInertia(i[0], i[1], i[2], i[3], i[4], i[5]));
  return KDL::Segment(segment_name(index), joint, KDL::Frame(rotation, origin), inertia);
}

const KDL::Vector weight(0.0, 0.0, -gravity);

struct ChainSolver {
  explicit ChainSolver(const Tree& tree) : wrenches(tree.links.size(), KDL::Wrench::Zero()) {
    for (int i = 0; i < tree.size(); ++i) chain.addSegment(segment_of(tree.links[i], i));
    solver = std::make_unique<KDL::ChainIdSolver_RNE>(chain, weight);
  }
  int operator()(const KDL::JntArray& q, const KDL::JntArray& v, const KDL::JntArray& a,
                 KDL::JntArray& tau) {
    return solver->CartToJnt(q, v, a, wrenches, tau);
  }
  KDL::Chain chain;
  KDL::Wrenches wrenches;
  std::unique_ptr<KDL::ChainIdSolver_RNE> solver;  // refers to the chain
};

struct TreeSolver {
  explicit TreeSolver(const Tree& description) : tree(segment_name(-1)) {
    for (int i = 0; i < description.size(); ++i) {
      const Link& link = description.links[i];
      tree.addSegment(segment_of(link, i), segment_name(link.parent));
    }
    solver = std::make_unique<KDL::TreeIdSolver_RNE>(tree, weight);
  }
  int operator()(const KDL::JntArray& q, const KDL::JntArray& v, const KDL::JntArray& a,
                 KDL::JntArray& tau) {
    return solver->CartToJnt(q, v, a, wrenches, tau);
  }
  KDL::Tree tree;
  KDL::WrenchMap wrenches;
  std::unique_ptr<KDL::TreeIdSolver_RNE> solver;
};

template <class Solver>
class Kdl : public Contestant {
 public:
  Kdl(const Tree& tree, const States& states)
      : solver_(std::make_unique<Solver>(tree)), tau_(static_cast<unsigned>(states.links)) {
    for (int t = 0; t < states.samples; ++t)
      for (auto [from, to] : {std::pair(&states.q, &q_), {&states.v, &v_}, {&states.a, &a_}}) {
        KDL::JntArray& values = to->emplace_back(static_cast<unsigned>(states.links));
        for (int i = 0; i < states.links; ++i)
          values(static_cast<unsigned>(i)) = (*from)[states.at(t, i)];
      }
  }

  void set_design(const Tree& tree) override { solver_ = std::make_unique<Solver>(tree); }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(static_cast<std::size_t>(t));
  }

  void torques(std::vector<double>& out) override {
    for (std::size_t t = 0; t < q_.size(); ++t) {
      solve(t);
      for (unsigned i = 0; i < tau_.rows(); ++i) out.push_back(tau_(i));
    }
  }

 private:
  void solve(std::size_t t) {
    if ((*solver_)(q_[t], v_[t], a_[t], tau_) != 0) throw std::runtime_error("KDL's solver failed");
  }

  std::unique_ptr<Solver> solver_;
  std::vector<KDL::JntArray> q_, v_, a_;
  KDL::JntArray tau_;
};

}  // namespace

std::string library_version() {
  return "Orocos KDL " KDL_RELEASE;
}

std::vector<std::string> ways() {
  return {"chain", "tree"};
}

std::unique_ptr<Contestant> make_contestant(const std::string& way, const Tree& tree,
                                            const States& states) {
  if (way == "tree") return std::make_unique<Kdl<TreeSolver>>(tree, states);
  if (tree.is_chain()) return std::make_unique<Kdl<ChainSolver>>(tree, states);
  return nullptr;
}

}  // namespace counterpoise::bench
