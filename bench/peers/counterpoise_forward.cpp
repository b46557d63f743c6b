// Counterpoise's accelerations of trees: by articulated bodies, as falls take them, and by the mass
// matrix and its Cholesky factors, as falls take them where loops close the tree. Both begin from
// joint positions, so sines and cosines are included. Falls are simulated as the program does it.
#include <Eigen/Cholesky>
#include <stdexcept>

#include "bench/peers/contestant.hpp"
#include "bench/peers/mechanism_of.hpp"
#include "engine/dynamics/articulated_bodies.hpp"
#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/mass_matrix.hpp"
#include "engine/falls/fall.hpp"

namespace counterpoise::bench {
namespace {

class Forward : public ForwardContestant {
 public:
  Forward(const Tree& tree, const States& states, bool by_mass)
      : states_(states),
        by_mass_(by_mass),
        mechanism_(mechanism_of(tree)),
        motion_(motion_of<double>(states)),
        free_(tree.links.size(), 0),
        matrix_(Eigen::MatrixXd::Zero(tree.size(), tree.size())),
        effort_(tree.size()),
        found_(tree.size()) {
    model_.prepare(mechanism_);
    newton_euler_.resize(tree.links.size());
    composite_.prepare(model_, tree.links.size());
    articulated_.prepare(model_, tree.links.size());
    for (int t = 0; t < states.samples; ++t) fill(motion_.block(t).a, 0.0);
  }

  void run(int samples) override {
    for (int t = 0; t < samples; ++t) solve(t);
  }

  void accelerations(std::vector<double>& out) override {
    for (int t = 0; t < states_.samples; ++t) {
      solve(t);
      out.insert(out.end(), found_.begin(), found_.end());
    }
  }

  void fall(double seconds, double, std::vector<double>& out) override {
    Scenario scenario;
    scenario.duration = scenario.step = seconds;
    scenario.tolerance = 1e-13;
    const auto first = [this](const std::vector<double>& all) {
      return std::vector<double>(all.begin(), all.begin() + states_.links);
    };
    const auto result =
        simulate_fall(mechanism_, scenario, {first(states_.q), first(states_.v)}, {});
    if (!std::holds_alternative<Fall>(result)) throw std::runtime_error("the tree does not fall");
    for (const char* quantity : {".q", ".qd"})
      for (const Body& body : mechanism_.bodies)
        for (const Series& series : std::get<Fall>(result).columns)
          if (series.name == body.name + quantity) out.push_back(series.values.back());
  }

 private:
  void solve(int t) {
    const JointState<double> state = motion_.block(t);
    const std::size_t n = free_.size();
    for (std::size_t b = 0; b < n; ++b) sincos(state.q[b], state.sine[b], state.cosine[b]);
    inverse_dynamics<double>(model_, state, newton_euler_, {effort_.data(), n});
    effort_ =
        Eigen::Map<const Eigen::VectorXd>(&states_.a[states_.at(t, 0)], effort_.size()) - effort_;
    if (by_mass_) {
      mass_matrix<double>(model_, state, composite_, matrix_);
      factor_.compute(matrix_);
      found_ = effort_;
      factor_.solveInPlace(found_);
    } else if (!articulated_bodies(model_, state, free_, {}, {effort_.data(), n}, articulated_,
                                   {found_.data(), n})) {
      throw std::runtime_error("a joint moves no mass");
    }
  }

  States states_;
  bool by_mass_;
  Mechanism mechanism_;
  JointMotion<double> motion_;
  TreeModel model_;
  InverseDynamicsScratch<double> newton_euler_;
  MassMatrixScratch<double> composite_;
  ArticulatedBodiesScratch articulated_;
  std::vector<char> free_;  // which joints are held: none
  Eigen::MatrixXd matrix_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd effort_, found_;
};

}  // namespace

std::vector<std::string> forward_ways() {
  return {"articulated-bodies", "mass-matrix"};
}

std::unique_ptr<ForwardContestant> make_forward(const std::string& way, const Tree& tree,
                                                const States& states) {
  return std::make_unique<Forward>(tree, states, way == "mass-matrix");
}

}  // namespace counterpoise::bench
