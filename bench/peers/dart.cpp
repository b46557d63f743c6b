// DART: Skeleton::computeInverseDynamics and computeForwardDynamics. A new design is set on the
// skeleton's bodies and joints. DART refuses massless bodies; they get 1e-13 kg.
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "bench/peers/contestant.hpp"

namespace counterpoise::bench {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d pose_of(const Link& link) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Map<const RowMajor>(link.rotation.data());
  pose.translation() = Eigen::Map<const Eigen::Vector3d>(link.origin.data());
  return pose;
}

dd::Inertia inertia_of(const Link& link) {
  constexpr double least = 1e-13;
  if (link.mass == 0.0)
    return {least, Eigen::Vector3d::Zero(), least * Eigen::Matrix3d::Identity()};
  const auto& i = link.inertia;
  Eigen::Matrix3d moment;
  moment << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return {link.mass, Eigen::Vector3d(link.com[0], link.com[1], link.com[2]), moment};
}

template <class Joint>
dd::BodyNode* add(dd::Skeleton& skeleton, dd::BodyNode* parent, const Link& link, int index) {
  typename Joint::Properties joint;
  joint.mName = "j" + std::to_string(index);
  joint.mAxis = Eigen::Vector3d::Unit(link.axis);
  joint.mT_ParentBodyToJoint = pose_of(link);
  dd::BodyNode::Properties body;
  body.mName = "b" + std::to_string(index);
  body.mInertia = inertia_of(link);
  return skeleton.createJointAndBodyNodePair<Joint>(parent, joint, body).second;
}

/// A skeleton of the tree, and its bodies in the order of the links.
dd::SkeletonPtr skeleton_of(const Tree& tree, std::vector<dd::BodyNode*>& bodies) {
  dd::SkeletonPtr skeleton = dd::Skeleton::create("tree");
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[static_cast<std::size_t>(i)];
    dd::BodyNode* parent =
        link.parent < 0 ? nullptr : bodies[static_cast<std::size_t>(link.parent)];
    bodies.push_back(link.revolute ? add<dd::RevoluteJoint>(*skeleton, parent, link, i)
                                   : add<dd::PrismaticJoint>(*skeleton, parent, link, i));
  }
  skeleton->setGravity(Eigen::Vector3d(0.0, 0.0, -gravity));
  return skeleton;
}

class Dart : public Contestant {
 public:
  Dart(const Tree& tree, const States& states) : skeleton_(skeleton_of(tree, bodies_)) {
    for (int t = 0; t < states.samples; ++t)
      for (auto [from, to] : {std::pair(&states.q, &q_), {&states.v, &v_}, {&states.a, &a_}})
        to->emplace_back(
            Eigen::Map<const Eigen::VectorXd>(&(*from)[states.at(t, 0)], states.links));
  }

  void set_design(const Tree& tree) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i]->getParentJoint()->setTransformFromParentBodyNode(pose_of(tree.links[i]));
      bodies_[i]->setInertia(inertia_of(tree.links[i]));
    }
  }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(static_cast<std::size_t>(t));
  }

  void torques(std::vector<double>& out) override {
    for (std::size_t t = 0; t < q_.size(); ++t) {
      solve(t);
      const Eigen::VectorXd tau = skeleton_->getForces();
      out.insert(out.end(), tau.begin(), tau.end());
    }
  }

 private:
  void solve(std::size_t t) {
    skeleton_->setPositions(q_[t]);
    skeleton_->setVelocities(v_[t]);
    skeleton_->setAccelerations(a_[t]);
    skeleton_->computeInverseDynamics(false, false, false);
  }

  std::vector<dd::BodyNode*> bodies_;
  dd::SkeletonPtr skeleton_;
  std::vector<Eigen::VectorXd> q_, v_, a_;
};

class DartForward : public ForwardContestant {
 public:
  DartForward(const Tree& tree, const States& states) : skeleton_(skeleton_of(tree, bodies_)) {
    // coordinates are DART's to order
    for (const dd::BodyNode* body : bodies_)
      order_.push_back(body->getParentJoint()->getIndexInSkeleton(0));
    for (int t = 0; t < states.samples; ++t)
      for (auto [from, to] : {std::pair(&states.q, &q_), {&states.v, &v_}, {&states.a, &f_}}) {
        Eigen::VectorXd& values = to->emplace_back(states.links);
        for (int i = 0; i < states.links; ++i) values(place(i)) = (*from)[states.at(t, i)];
      }
  }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(static_cast<std::size_t>(t));
  }

  void accelerations(std::vector<double>& out) override {
    for (std::size_t t = 0; t < q_.size(); ++t) {
      solve(t);
      const Eigen::VectorXd a = skeleton_->getAccelerations();
      for (std::size_t i = 0; i < order_.size(); ++i) out.push_back(a(place(static_cast<int>(i))));
    }
  }

  void fall(double, double, std::vector<double>&) override {}  // its steps are of first order

 private:
  [[nodiscard]] Eigen::Index place(int link) const {
    return static_cast<Eigen::Index>(order_[static_cast<std::size_t>(link)]);
  }
  void solve(std::size_t t) {
    skeleton_->setPositions(q_[t]);
    skeleton_->setVelocities(v_[t]);
    skeleton_->setForces(f_[t]);
    skeleton_->computeForwardDynamics();
  }

  std::vector<dd::BodyNode*> bodies_;
  dd::SkeletonPtr skeleton_;
  std::vector<std::size_t> order_;
  std::vector<Eigen::VectorXd> q_, v_, f_;
};

}  // namespace

std::string library_version() {
  return "DART " DART_VERSION;
}

std::vector<std::string> ways() {
  return {"computeInverseDynamics"};
}

std::unique_ptr<Contestant> make_contestant(const std::string&, const Tree& tree,
                                            const States& states) {
  return std::make_unique<Dart>(tree, states);
}

std::vector<std::string> forward_ways() {
  return {"computeForwardDynamics"};
}

std::unique_ptr<ForwardContestant> make_forward(const std::string&, const Tree& tree,
                                                const States& states) {
  return std::make_unique<DartForward>(tree, states);
}

}  // namespace counterpoise::bench
