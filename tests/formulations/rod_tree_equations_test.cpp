#include <algorithm>
#include <catch2/catch.hpp>

#include "formulations/gibbs_appell/gibbs_appell.hpp"
#include "formulations/gibbs_appell/gibbs_appell_rotations.hpp"
#include "formulations/gibbs_appell/lagrangian_traces.hpp"
#include "tests/formulations/rod_tree_case.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::rod_tree;
using namespace counterpoise::test;

namespace {

using Derive = Equations<double> (*)(const RodTree&, const State<double>&);
constexpr std::array<Derive, 3> formulations = {equations_by<GibbsAppell<double>>,
                                                equations_by<GibbsAppellByRotations<double>>,
                                                equations_by<Lagrangian<double>>};
constexpr double rounding = 1e-11;  // of sums over up to 30 rods, relative to the largest entry

/// What all formulations must agree on for one motion of the tree.
void check_all(const RodTree& tree, const RodTreeMotion& motion) {
  const Equations<double> expected = engine_equations(tree, motion);
  const double largest = expected.inertia.cwiseAbs().maxCoeff();
  const double pull = expected.right_side.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < formulations.size(); ++i) {
    const Equations<double> found = formulations[i](tree, motion.state());
    CAPTURE(i, found.inertia - expected.inertia, found.right_side - expected.right_side);
    REQUIRE((found.inertia - expected.inertia).cwiseAbs().maxCoeff() <= rounding * largest);
    REQUIRE((found.right_side - expected.right_side).cwiseAbs().maxCoeff() <= rounding * pull);

    // the accelerations need exactly the torques, and no force on the floating base
    const Eigen::VectorXd fast = accelerations(found);
    const Eigen::VectorXd needed = engine_forces(tree, motion, fast);
    REQUIRE((needed - motion.torques).cwiseAbs().maxCoeff() <=
            rounding * std::max(pull, largest * fast.cwiseAbs().maxCoeff()));
  }
}

}  // namespace

TEST_CASE("all formulations give the engine's equations of motion for random trees of rods") {
  Random random(20260601);
  for (int trial = 0; trial < trials(200); ++trial) {
    const RodTree tree = random_rod_tree(random, 2 + trial % 29);
    REQUIRE(!find_fault(tree));
    CAPTURE(trial, tree.rods.size());
    check_all(tree, random_rod_tree_motion(random, tree));
  }
}

TEST_CASE("all formulations give the same accelerations of the tree of paper 002") {
  Random random(20260602);
  const RodTree tree = paper_tree();
  for (int trial = 0; trial < trials(100); ++trial) {
    const RodTreeMotion motion = random_rod_tree_motion(random, tree);
    check_all(tree, motion);
    const Eigen::VectorXd expected = accelerations(engine_equations(tree, motion));
    for (const Derive derive : formulations) {
      const Eigen::VectorXd found = accelerations(derive(tree, motion.state()));
      CAPTURE(trial, (found - expected).transpose(), expected.transpose());
      REQUIRE((found - expected).norm() <= rounding * expected.norm());
    }
  }
}

TEST_CASE(
    "the tree of paper 002 divides into its four branches, with the virtual rods of the text") {
  const std::vector<Branch> branches = divide_into_branches(paper_tree());
  const std::vector<std::vector<int>> rods = {
      {0, 1, 2, 3}, {0, 1, 4, 5, 6}, {0, 1, 4, 7}, {0, 1, 4, 8, 9}};
  const std::vector<std::size_t> virtual_rods = {0, 2, 3, 3};
  REQUIRE(branches.size() == rods.size());
  for (std::size_t m = 0; m < rods.size(); ++m) {
    REQUIRE(branches[m].size() == rods[m].size());
    for (std::size_t i = 0; i < rods[m].size(); ++i) {
      CAPTURE(m, i);
      CHECK(branches[m][i].rod == rods[m][i]);
      CHECK(branches[m][i].real == (i >= virtual_rods[m]));
      CHECK(branches[m][i].first_moment(3) == (branches[m][i].real ? 1.0 : 0.0));
    }
  }
}

TEST_CASE("every rod of a random tree is real in one branch, and branches run from base to tip") {
  Random random(20260603);
  for (int trial = 0; trial < trials(50); ++trial) {
    const RodTree tree = random_rod_tree(random, 1 + random.below(30));
    std::vector<int> real(tree.rods.size(), 0);
    for (const Branch& branch : divide_into_branches(tree)) {
      int before = floating_base;
      for (const BranchRod& rod : branch) {
        const auto at = static_cast<std::size_t>(rod.rod);
        CHECK(tree.rods[at].parent == before);
        real[at] += rod.real;
        before = rod.rod;
      }
      CHECK(std::none_of(tree.rods.begin(), tree.rods.end(),
                         [&](const Rod& rod) { return rod.parent == before; }));
    }
    CHECK(std::all_of(real.begin(), real.end(), [](int times) { return times == 1; }));
  }
}

TEST_CASE("an impossible tree of rods is refused in words that name the rod") {
  const auto fault = [](auto spoil) {
    RodTree tree = paper_tree();
    spoil(tree);
    return find_fault(tree).value_or("none");
  };
  CHECK(fault([](RodTree&) {}) == "none");
  CHECK(fault([](RodTree& t) { t.gravity.x() = std::nan(""); }) == "gravity is not finite");
  CHECK(fault([](RodTree& t) { t.rods[3].parent = 3; }) ==
        "rod 3: its parent 3 is not a rod before it, nor -1 for the floating base");
  CHECK(fault([](RodTree& t) { t.rods[0].parent = -2; }) ==
        "rod 0: its parent -2 is not a rod before it, nor -1 for the floating base");
  CHECK(fault([](RodTree& t) { t.rods[4].length = 0.0; }) ==
        "rod 4: its length is not a positive number");
  CHECK(fault([](RodTree& t) { t.rods[5].mass_per_length = -1.0; }) ==
        "rod 5: its mass per length is not a positive number");
  const std::string inertia =
      "rod 6: its inertia per length is not a symmetric matrix of finite numbers with a diagonal "
      "that is not negative";
  CHECK(fault([](RodTree& t) { t.rods[6].inertia_per_length(0, 1) = 1e-6; }) == inertia);
  CHECK(fault([](RodTree& t) { t.rods[6].inertia_per_length(2, 2) = -1e-6; }) == inertia);
}
