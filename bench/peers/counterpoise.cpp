// Counterpoise itself: inverse dynamics on a Pack of samples at a time, as evaluations run it, and
// on one sample at a time. Both begin from joint positions, so sines and cosines are included.
#include "bench/peers/contestant.hpp"
#include "bench/peers/tree_dynamics.hpp"

namespace counterpoise::bench {
namespace {

template <class S>
class Counterpoise : public Contestant {
 public:
  Counterpoise(const Tree& tree, const States& states)
      : samples_(states.samples), dynamics_(tree, states) {}

  void set_design(const Tree& tree) override { dynamics_.set_design(tree); }

  void run(int samples) override {
    for (int block = 0; block * lanes<S> < samples; ++block) {
      dynamics_.turn(block);
      dynamics_.solve(block);
    }
  }

  void torques(std::vector<double>& out) override {
    for (int block = 0; block < dynamics_.blocks(); ++block) {
      dynamics_.turn(block);
      const std::span<const S> tau = dynamics_.solve(block);
      for (int t = 0; t < lanes<S> && block * lanes<S> + t < samples_; ++t)
        for (const S& force : tau) out.push_back(lane(force, t));
    }
  }

 private:
  int samples_;
  TreeDynamics<S> dynamics_;
};

}  // namespace

std::string library_version() {
  return "Counterpoise";
}

std::vector<std::string> ways() {
  return {std::to_string(lanes<Pack>) + "-lanes", "one-sample"};
}

std::unique_ptr<Contestant> make_contestant(const std::string& way, const Tree& tree,
                                            const States& states) {
  if (way == "one-sample") return std::make_unique<Counterpoise<double>>(tree, states);
  return std::make_unique<Counterpoise<Pack>>(tree, states);
}

}  // namespace counterpoise::bench
