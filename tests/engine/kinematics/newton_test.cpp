#include <catch2/catch.hpp>

#include "engine/evaluation/pipeline.hpp"
#include "engine/math/pack.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Joint positions, velocities, accelerations and loads of all samples, one after the other.
struct History {
  std::vector<double> q, v, a, loads;
};

template <class S>
History history(const Sample& sample, Closure closure) {
  const auto plan =
      std::make_shared<const EvaluationPlan>(sample.mechanism, sample.motion, closure);
  Pipeline<S> pipeline(plan, sample.motion, Reuse::remember);
  const auto finding = pipeline.follow(sample.mechanism);
  INFO((finding ? describe(*finding, sample.mechanism) : ""));
  REQUIRE(!finding);
  for (std::size_t s = 0; s < sample.mechanism.springs.size(); ++s)
    pipeline.place_spring(sample.mechanism, s);
  pipeline.carry(sample.mechanism);
  Metrics metrics;
  REQUIRE(pipeline.judge(sample.mechanism, true, metrics));
  History result;
  for (int k = 0; k < pipeline.samples(); ++k) {
    const int block = k / lanes<S>, at = k % lanes<S>;
    const JointView<S> state = pipeline.joints(block);
    for (int b = 0; b < sample.mechanism.body_count(); ++b) {
      if (!sample.mechanism.moves(b)) continue;
      const auto i = static_cast<std::size_t>(b);
      result.q.push_back(lane(state.q[i], at));
      result.v.push_back(lane(state.v[i], at));
      result.a.push_back(lane(state.a[i], at));
    }
    for (std::size_t a = 0; a < sample.mechanism.actuators.size(); ++a)
      result.loads.push_back(lane(pipeline.load(a)(static_cast<std::size_t>(block)), at));
  }
  return result;
}

void check_equal(const std::vector<double>& a, const std::vector<double>& b, double relative) {
  REQUIRE(a.size() == b.size());
  double size = 1.0;
  for (double x : a) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i, a[i], b[i], size);
    REQUIRE(std::abs(a[i] - b[i]) <= relative * size);
  }
}

Sample nth_sample(Random& random, int trial, bool always_linkage) {
  SampleOptions options{.tree_bodies = 4};
  if (always_linkage || trial % 3 != 0)
    options.linkage = static_cast<Linkage>(trial % linkage_count);
  // lengths that fill packs and that do not
  options.duration = 0.01 * (30 + trial % 9);
  options.step = 0.01;
  return random_sample(random, options);
}

}  // namespace

TEST_CASE("closed-form joints and loops move as Newton's method finds") {
  Random random(20260701);
  // both close to about 1e-12; poses are no worse conditioned than 0.1, twice for accelerations
  constexpr double tolerance = 1e-9;
  for (int trial = 0; trial < test::trials(20) * linkage_count; ++trial) {
    CAPTURE(trial);
    const Sample sample = nth_sample(random, trial, trial % 5 != 0);
    const History closed = history<double>(sample, Closure::closed_form);
    const History newton = history<double>(sample, Closure::newton);
    check_equal(closed.q, newton.q, tolerance);
    check_equal(closed.v, newton.v, tolerance);
    check_equal(closed.a, newton.a, tolerance);
    check_equal(closed.loads, newton.loads, tolerance);
  }
}

TEST_CASE("linkages on linkages move in closed form as Newton's method finds") {
  Random random(20260703);
  for (int trial = 0; trial < test::trials(25); ++trial) {
    CAPTURE(trial);
    const Sample sample = random_sample(
        random, {.tree_bodies = 2, .more_linkages = 2 + trial % 2, .duration = 0.2, .step = 0.01});
    const History closed = history<double>(sample, Closure::closed_form);
    const History newton = history<double>(sample, Closure::newton);
    check_equal(closed.q, newton.q, 1e-9);
    check_equal(closed.v, newton.v, 1e-9);
    check_equal(closed.a, newton.a, 1e-9);
    check_equal(closed.loads, newton.loads, 1e-9);
  }
}

TEST_CASE("packs of samples give what single samples give") {
  Random random(20260702);
  // the same arithmetic, contracted differently: hundreds of roundings, through poses conditioned
  // no worse than 0.1
  constexpr double tolerance = 1e-10;
  for (int trial = 0; trial < test::trials(12) * linkage_count; ++trial) {
    CAPTURE(trial);
    const Sample sample = nth_sample(random, trial, false);
    for (const Closure closure : {Closure::closed_form, Closure::newton}) {
      const History single = history<double>(sample, closure);
      const History packed = history<Pack>(sample, closure);
      check_equal(single.q, packed.q, tolerance);
      check_equal(single.v, packed.v, tolerance);
      check_equal(single.a, packed.a, tolerance);
      check_equal(single.loads, packed.loads, tolerance);
    }
  }
}
