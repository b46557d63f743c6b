#include "springs/mounts/simplex_bound.hpp"

#include <catch2/catch.hpp>

#include "springs/mounts/mount_setup.hpp"
#include "springs/problem/exact_goals.hpp"
#include "tests/springs/mounts/balanced_link.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A simplex somewhere in the box, of any shape.
DyadicSimplex random_simplex(Random& random, std::size_t d) {
  DyadicSimplex simplex;
  const double size = std::pow(2.0, -random.below(5));
  std::array<double, most_dimensions> low{}, extent{};
  for (std::size_t i = 0; i < d; ++i) {
    extent[i] = size * random.uniform(0.1, 1.0);
    low[i] = random.uniform(0.0, 1.0 - extent[i]);
  }
  for (std::size_t w = 0; w <= d; ++w)
    for (std::size_t i = 0; i < d; ++i)
      simplex.corners[w][i] = low[i] + extent[i] * random.uniform(0.0, 1.0);
  return simplex;
}

MountSetup setup_of(const Study& study) {
  return {study,
          ExactGoals(study).corner_goal(0),
          std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines()),
          1,
          {}};
}

struct Found {
  std::int64_t outside = 0, looked_at = 0;
};

/// How often, at some points of a simplex, the difference between a coefficient and the linear
/// interpolation of those at the corners is outside what is said of it.
Found errors_of_interpolation(const MountProblem& problem, const MountWeights& multipliers,
                              const DyadicSimplex& simplex, Random& random) {
  const auto d = static_cast<std::size_t>(problem.functions().count());
  const MountWeights* const weights = &multipliers;
  SimplexTerms terms(problem), there(problem);
  terms.set_simplex(simplex);
  terms.compute({&weights, 1});
  Found found;
  for (int k = 0; k < 20; ++k) {
    std::vector<double> lambda;
    double sum = 0.0;
    for (std::size_t w = 0; w <= d; ++w) {
      lambda.push_back(std::pow(random.uniform(0.0, 1.0), 3.0));
      sum += lambda.back();
    }
    DyadicSimplex point = simplex;
    point.corners[0] = {};
    for (std::size_t w = 0; w <= d; ++w) {
      lambda[w] /= sum;
      for (std::size_t i = 0; i < d; ++i) point.corners[0][i] += lambda[w] * simplex.corners[w][i];
    }
    there.set_simplex(point);
    there.compute({&weights, 1});
    const Coefficients& exact = there.of(0).at[0];
    for (std::size_t c = 0; c < exact.size(); ++c) {
      double middle = exact[c].middle(), size = 0.0;
      Interval error = terms.of(0).flat[c];
      for (std::size_t v = 0; v <= d; ++v) {
        const double own = terms.of(0).at[v][c].middle();
        middle -= lambda[v] * own;
        size = std::max(size, std::abs(own));
        for (std::size_t w = 0; w < v; ++w)
          error += (lambda[v] * lambda[w]) * terms.of(0).errors[SimplexTerms::edge(v, w)][c];
      }
      const double rounding = 1e-11 * size + 1e-13;
      ++found.looked_at;
      found.outside += error.low - rounding <= middle && middle <= error.high + rounding ? 0 : 1;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("the error of interpolation lies within what is said of it, at every point") {
  Random random(31);
  std::int64_t outside = 0, looked_at = 0;
  for (int trial = 0; trial < trials(40); ++trial) {
    mounted_arm::Asked asked;
    asked.mounts = 7 - trial % 3;
    const auto& objectives =
        trial % 2 == 0 ? mounted_arm::objectives() : mounted_arm::weighed_objectives();
    asked.objective = objectives[trial / 2 % 5];
    asked.wide = trial % 4 == 3;  // some lengths come near 0
    const Study study = study_of(mounted_arm::files(random, asked));
    MountSetup setup = setup_of(study);
    setup.write_choices();
    for (const MountFamily& family : setup.families()) {
      const MountChoice& choice = family.choices.front();
      const MountProblem* const problem = choice.problem.get();
      const auto d = static_cast<std::size_t>(problem->functions().count());
      if (d == 0) continue;
      const std::vector<double> at(d, random.uniform(0.0, 1.0));
      const MountCorner corner = setup.solvers(family, choice).front().solve(at, {});
      REQUIRE(corner.optimal);
      const Found found = errors_of_interpolation(*problem, *corner.weights.optimal,
                                                  random_simplex(random, d), random);
      outside += found.outside;
      looked_at += found.looked_at;
    }
  }
  CHECK(outside == 0);
  CHECK(looked_at > trials(1000));
}

// A spring that hangs straight down from a post and pulls at right angles to the arm: its lever is
// the same wherever the post is, and the largest that it can be, so that its range has no room to
// spare on one side. The post comes so near that second derivatives say less than this range, and
// what the error then allows is only what the weight changes.
TEST_CASE("the error of interpolation has room for the change of a weight alone") {
  Random random(35);
  bool loose = false;
  for (const char* post : {"height", "0 - height"})
    for (const char* weight : {"sqrt(0.01 + height)", "(0.1 + height^2)"}) {
      CAPTURE(post, weight);
      const Study study =
          study_of({{"model.json", fmt::format(R"json({{"format": "counterpoise-model/1",
"parameters": {{"rate": 5, "free": 0.01, "tension": 1, "height": 0.3, "post": "{}"}},
"world": {{"points": {{"post": [0.2, 0, "post"]}}}},
"bodies": [{{"name": "arm", "parent": "world", "joint": {{"type": "revolute", "axis": "y"}},
  "mass": 2, "com": [0.3, 0, 0], "points": {{"mount": [0.2, 0, 0]}}}}],
"springs": [{{"name": "spring", "connect": ["world.post", "arm.mount"], "rate": "rate",
  "free_length": "free", "initial_tension": "tension"}}],
"actuators": [{{"name": "arm", "joint": "arm"}}]}})json",
                                               post)},
                    {"work.json", R"({"format": "counterpoise-motion/1", "duration": 1, "step": 0.5,
"coordinates": {"arm": {"type": "sine", "mean": 0, "amplitude": 0, "period": 1}}})"},
                    {"study.json", fmt::format(R"json({{"format": "counterpoise-study/1",
"model": "model.json", "motions": {{"work": "work.json"}}, "variables": {{
  "rate": {{"range": [1, 5]}}, "free": {{"range": [0.001, 0.01]}}, "tension": {{"range": [0.5, 2]}},
  "height": {{"range": [0.001, 0.5]}}}},
"search": {{"method": "exact-springs", "geometry": "prove", "gap": 1e-4}},
"objectives": [{{"name": "o", "expression": "arm.max*{}"}}]}})json",
                                               weight)}});
      MountSetup setup = setup_of(study);
      setup.write_choices();
      const MountFamily& family = setup.families().front();
      const MountChoice& choice = family.choices.front();
      DyadicSimplex simplex;
      simplex.corners[1][0] = 1.0;
      const MountCorner corner = setup.solvers(family, choice).front().solve(std::vector{0.5}, {});
      REQUIRE(corner.optimal);
      const Found found =
          errors_of_interpolation(*choice.problem, *corner.weights.optimal, simplex, random);
      CHECK(found.outside == 0);
      const MountWeights* const weights = &*corner.weights.optimal;
      SimplexTerms terms(*choice.problem);
      terms.set_simplex(simplex);
      terms.compute({&weights, 1});
      for (const Interval& error : terms.of(0).flat) loose = loose || error.size() > 0.0;
    }
  CHECK(loose);
}

TEST_CASE("at their own geometry multipliers say as much as the solver found") {
  Random random(34);
  int looked_at = 0;
  std::vector<std::string> objectives = mounted_arm::objectives();
  for (const std::string& more : mounted_arm::weighed_objectives()) objectives.push_back(more);
  // norms with weights that mounts change in one sum and not in another, and least tensions
  objectives.push_back(R"json({"name": "o", "expression":
"max(2*shoulder.max, (1.6 + height)*shoulder.max + elbow.max, 70 - (1 + mount)*first.min_tension)"})json");
  for (const std::string& objective : objectives)
    for (const bool limited : {false, true}) {
      mounted_arm::Asked asked;
      asked.mounts = 7;
      asked.objective = objective;
      if (limited)
        asked.rest = R"json(, "constraints": [
{"name": "ease", "expression": "shoulder.max + elbow.mean*(1 + height)", "max": 40},
{"name": "pull", "expression": "first.max_tension / (0.5 + mount) - 10*height", "max": 60}])json";
      const Study study = study_of(mounted_arm::files(random, asked));
      CAPTURE(objective, limited);
      MountSetup setup = setup_of(study);
      setup.write_choices();
      for (const MountFamily& family : setup.families()) {
        const MountChoice& choice = family.choices.front();
        const auto d = static_cast<std::size_t>(choice.problem->functions().count());
        DyadicSimplex simplex = random_simplex(random, d);
        const MountCorner corner =
            setup.solvers(family, choice).front().solve(std::span(simplex.corners[0]).first(d), {});
        if (!std::isfinite(corner.value)) continue;
        REQUIRE(corner.optimal);
        SimplexTerms terms(*choice.problem);
        terms.set_simplex(simplex);
        const MountWeights* const weights = &*corner.weights.optimal;
        terms.compute({&weights, 1});
        const double bound = choice.problem->least(terms.of(0).at[0]);
        CHECK(bound == Approx(corner.value).epsilon(1e-7));
        ++looked_at;
      }
    }
  CHECK(looked_at > 15);
}

TEST_CASE("a simplex's bound is below what its multipliers say at every point of it") {
  Random random(33);
  std::int64_t below = 0, looked_at = 0;
  for (int trial = 0; trial < trials(40); ++trial) {
    mounted_arm::Asked asked;
    asked.mounts = std::array{1, 2, 3, 7}[trial % 4];
    asked.wide = true;
    const auto& objectives =
        trial % 8 < 4 ? mounted_arm::objectives() : mounted_arm::weighed_objectives();
    asked.objective = objectives[trial % 3];
    Files files = mounted_arm::files(random, asked);
    // springs that hardly vary, so that what bends decides
    std::string& text = files.at("study.json");
    for (const auto& [wide, narrow] :
         {std::pair("[0, 900]", "[500, 500.01]"), std::pair("[0.02, 0.2]", "[0.1, 0.10001]"),
          std::pair("[0, 30]", "[5, 5.001]"), std::pair("[0, 600]", "[200, 200.01]")})
      text = with(text, wide, narrow);
    const Study study = study_of(files);
    MountSetup setup = setup_of(study);
    setup.write_choices();
    const MountFamily& family = setup.families().front();
    const MountChoice& choice = family.choices.front();
    const MountProblem& problem = *choice.problem;
    const auto d = static_cast<std::size_t>(problem.functions().count());
    const DyadicSimplex simplex = random_simplex(random, d);
    CornerSolver solver = std::move(setup.solvers(family, choice).front());
    std::vector<MountCorner> corners;
    SimplexBounds::Corners known{};
    std::vector<const MountWeights*> weights;
    for (std::size_t w = 0; w <= d; ++w)
      corners.push_back(solver.solve(std::span(simplex.corners[w]).first(d), {}));
    for (std::size_t w = 0; w <= d; ++w) {
      REQUIRE(corners[w].optimal);
      known[w] = &corners[w].weights;
      weights.push_back(&*corners[w].weights.optimal);
    }
    SimplexBounds bounds(problem);
    using Kind = BoundReason::Kind;
    const double interpolated = bounds.bound(simplex, known, {Kind::interpolated});
    // a design so bad that it rules out no springs
    const double bisected = bounds.bound(simplex, known, {Kind::tightened, 0, 0, 1e9});
    if (std::isfinite(bisected)) CHECK(bisected >= interpolated);  // means have no rows
    SimplexTerms there(problem);
    std::vector<double> of_corner;
    for (std::size_t w = 0; w <= d; ++w)
      of_corner.push_back(
          bounds.bound(simplex, known, {Kind::corner, static_cast<std::uint8_t>(w)}));
    const auto compare = [&](const Coefficients& sum, double bound) {
      const double said = problem.least(sum);
      ++looked_at;
      below += said < bound - 1e-9 * (1.0 + std::abs(bound)) ? 1 : 0;
    };
    for (int k = 0; k < 200; ++k) {
      std::vector<double> lambda(d + 1, 0.0);
      double total = 0.0;
      for (double& one : lambda) {
        one = random.chance(0.3) ? 0.0 : random.uniform(0.0, 1.0);
        total += one;
      }
      if (total == 0.0) continue;
      DyadicSimplex point = simplex;
      point.corners[0] = {};
      for (std::size_t w = 0; w <= d; ++w) {
        lambda[w] /= total;
        for (std::size_t i = 0; i < d; ++i)
          point.corners[0][i] += lambda[w] * simplex.corners[w][i];
      }
      there.set_simplex(point);
      there.compute(weights);
      Coefficients sum(1 + problem.unknowns(), Interval(0.0));
      for (std::size_t u = 0; u <= d; ++u) {
        for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += lambda[u] * there.of(u).at[0][c];
        compare(there.of(u).at[0], of_corner[u]);
      }
      compare(sum, interpolated);
      compare(sum, bisected);
    }
  }
  CHECK(below == 0);
  CHECK(looked_at > trials(10000));
}

TEST_CASE("a bound tightened by a known design is above no design that does as well") {
  Random random(36);
  std::int64_t above = 0, looked_at = 0;
  int raised = 0, loose = 0;
  for (int trial = 0; trial < trials(60); ++trial) {
    const int mounts = 1 + trial % 4;
    // springs at the ends of their ranges, and a limit that decides too
    const char* const free_length = trial % 2 == 0 ? "[0.05, 0.12]" : "[0.1, 0.16]";
    const char* const rest = trial % 3 == 2 ? R"(, "constraints": [
{"name": "pull", "expression": "s.max_tension", "max": 150}])"
                                            : "";
    const Study study = study_of(balanced_link(random, mounts, free_length, rest));
    MountSetup setup = setup_of(study);
    setup.write_choices();
    const MountFamily& family = setup.families().front();
    const MountChoice& choice = family.choices.front();
    const auto d = static_cast<std::size_t>(mounts);
    // with a good geometry in its middle, so that no corner is as good
    CornerSolver solver = std::move(setup.solvers(family, choice).front());
    std::vector<double> good(d, 0.5);
    double lowest = solver.solve(good, {}).value;
    for (int tried = 0; tried < 120; ++tried) {
      const double reach = std::exp2(-tried / 15.0);
      std::vector<double> at = good;
      for (double& one : at) one = std::clamp(one + reach * random.uniform(-1.0, 1.0), 0.0, 1.0);
      const double value = solver.solve(at, {}).value;
      if (!(value < lowest)) continue;
      good = at;
      lowest = value;
    }
    DyadicSimplex simplex;
    const double size = std::exp2(-random.uniform(1.0, 5.0));
    bool inside = true;
    for (std::size_t i = 0; i < d; ++i) {
      double mean = 0.0;
      for (std::size_t w = 0; w <= d; ++w) {
        simplex.corners[w][i] = size * random.uniform(-1.0, 1.0);
        mean += simplex.corners[w][i] / static_cast<double>(d + 1);
      }
      for (std::size_t w = 0; w <= d; ++w) {
        double& own = simplex.corners[w][i];
        own += good[i] - mean;
        inside = inside && own >= 0.0 && own <= 1.0;
        own = std::clamp(own, 0.0, 1.0);
      }
    }
    std::vector<MountCorner> corners;
    for (std::size_t w = 0; w <= d; ++w)
      corners.push_back(solver.solve(std::span(simplex.corners[w]).first(d), {}));
    SimplexBounds::Corners known{};
    for (std::size_t w = 0; w <= d; ++w) known[w] = &corners[w].weights;
    std::vector<const MountWeights*> weights;
    for (const MountCorner& corner : corners) weights.push_back(&*corner.weights.optimal);
    SimplexTerms there(*choice.problem);
    std::vector<double> values = {inside ? lowest : no_limit}, said;
    for (int k = 0; k < 40; ++k) {
      std::vector<double> lambda;
      double total = 0.0;
      for (std::size_t w = 0; w <= d; ++w)
        total += lambda.emplace_back(random.chance(0.4) ? 0.0 : random.uniform(0.0, 1.0));
      if (total == 0.0) continue;
      DyadicSimplex point;
      Coefficients sum(1 + choice.problem->unknowns(), Interval(0.0));
      for (std::size_t w = 0; w <= d; ++w)
        for (std::size_t i = 0; i < d; ++i)
          point.corners[0][i] += lambda[w] / total * simplex.corners[w][i];
      values.push_back(solver.solve(std::span(point.corners[0]).first(d), {}).value);
      there.set_simplex(point);
      there.compute(weights);
      for (std::size_t w = 0; w <= d; ++w)
        for (std::size_t c = 0; c < sum.size(); ++c)
          sum[c] += (lambda[w] / total) * there.of(w).at[0][c];
      said.push_back(choice.problem->least(sum));
    }
    const double best = *std::min_element(values.begin(), values.end());
    if (!std::isfinite(best)) continue;
    SimplexBounds bounds(*choice.problem);
    using Kind = BoundReason::Kind;
    const double interpolated = bounds.bound(simplex, known, {Kind::interpolated});
    // a design so bad that it rules out no springs leaves what the multipliers say
    const double bisected = bounds.bound(simplex, known, {Kind::tightened, 0, 0, 1e9});
    for (const double one : said) above += bisected > one + 1e-9 * (1.0 + std::abs(one)) ? 1 : 0;
    double least = best;
    for (const MountCorner& corner : corners) least = std::min(least, corner.value);
    for (const double beyond : {0.0, 0.01, 0.3, 10.0}) {
      const double cutoff = least * (1.0 + beyond);
      const double bound = bounds.bound(simplex, known, {Kind::tightened, 0, 0, cutoff});
      CHECK(bound <= cutoff);
      for (const double value : values) {
        ++looked_at;
        above += bound > value + 1e-9 * (1.0 + std::abs(value)) ? 1 : 0;
      }
      if (!(interpolated < least * (1.0 - 1e-6))) continue;
      ++loose;
      raised += bound > interpolated + 1e-6 * least ? 1 : 0;
    }
  }
  CHECK(above == 0);
  CHECK(looked_at > trials(3000));
  CHECK(loose > trials(20));
  CHECK(raised > loose / 2);
}

TEST_CASE("errors of products do not depend on what was computed before them") {
  Random random(38);
  int looked_at = 0;
  for (const std::string& objective : mounted_arm::weighed_objectives()) {
    mounted_arm::Asked asked;
    asked.objective = objective;
    const Study study = study_of(mounted_arm::files(random, asked));
    MountSetup setup = setup_of(study);
    setup.write_choices();
    for (const MountFamily& family : setup.families()) {
      const MountChoice& choice = family.choices.front();
      const auto d = static_cast<std::size_t>(choice.problem->functions().count());
      const DyadicSimplex simplex = random_simplex(random, d);
      const MountCorner corner =
          setup.solvers(family, choice).front().solve(std::span(simplex.corners[0]).first(d), {});
      REQUIRE(corner.optimal);
      const MountWeights& weights = *corner.weights.optimal;
      const MountWeights* const whole = &weights;
      for (const MountWeights::Product& product : weights.products) {
        // the loads of a product, as those of multipliers without one
        MountWeights alone;
        static_cast<MountSum&>(alone) = product.of;
        const MountWeights* const first = &alone;
        SimplexTerms terms(*choice.problem), after(*choice.problem);
        for (SimplexTerms* const own : {&terms, &after}) own->set_simplex(simplex);
        after.compute({&first, 1});
        terms.compute({&whole, 1});
        after.compute({&whole, 1});
        for (std::size_t c = 0; c <= choice.problem->unknowns(); ++c)
          for (std::size_t e = 0; e < SimplexTerms::edge(d + 1, 0); ++e) {
            CHECK(after.of(0).errors[e][c].low == terms.of(0).errors[e][c].low);
            CHECK(after.of(0).errors[e][c].high == terms.of(0).errors[e][c].high);
            ++looked_at;
          }
      }
    }
  }
  CHECK(looked_at > 20);
}

TEST_CASE("a spring is the same function in two load cases, unless one moves its mounts") {
  Random random(37);
  for (const bool shifted : {false, true}) {
    Files files = balanced_link(random, 2, "[0.05, 0.12]");
    std::string& model = files.at("model.json");
    model = with(with(model, R"("post_x": 0,)", R"("post_x": 0, "shift": 0, "load": 4,)"),
                 R"("mount_x", 0, "mount_z")", R"("mount_x + shift", 0, "mount_z")");
    const std::size_t mass = model.find(R"("mass": )") + 8;
    model.replace(mass, model.find(',', mass) - mass, R"("load")");
    std::string& text = files.at("study.json");
    text = with(text, R"("heavy": "heavy.json")",
                R"("heavy": "heavy.json", "other": {"file": "heavy.json", "parameters": {)" +
                    std::string(shifted ? R"("shift": 0.01)" : R"("load": 9)") + "}}");
    CAPTURE(shifted);
    const Study study = study_of(files);
    MountSetup setup = setup_of(study);
    setup.write_choices();
    const MountFamily& family = setup.families().front();
    const MountChoice& choice = family.choices.front();
    REQUIRE(choice.problem->springs().size() == 2);
    CHECK(choice.problem->same_as(1) == (shifted ? 1U : 0U));
  }
}

TEST_CASE("weights of one instant add up exactly, whatever their sizes") {
  Random random(32);
  mounted_arm::Asked asked;
  const Study study = study_of(mounted_arm::files(random, asked));
  MountSetup setup = setup_of(study);
  setup.write_choices();
  const MountProblem& problem = *setup.families().front().choices.front().problem;
  SimplexTerms terms(problem);
  const DyadicSimplex simplex = random_simplex(random, 2);
  terms.set_simplex(simplex);
  const auto coefficients = [&](const std::vector<double>& weights) {
    MountWeights own;
    own.constant.assign(1 + problem.unknowns(), Interval(0.0));
    own.of_springs.resize(problem.springs().size());
    for (const double weight : weights) {
      own.of_springs.at(0).loads.push_back({5, 0, weight});
      own.of_springs.at(0).lengths.push_back({7, 0, weight});
    }
    const MountWeights* const one = &own;
    terms.compute({&one, 1});
    return terms.of(0).at[0];
  };
  const Coefficients plain = coefficients({1.0});
  const Coefficients added = coefficients({1e15, 1.0 / 3.0, -1e15, 2.0 / 3.0, 0x1p-54});
  bool used = false;
  for (std::size_t c = 0; c < plain.size(); ++c) {
    used = used || plain[c].size() > 1e-3;
    CHECK(std::abs(added[c].middle() - plain[c].middle()) <= 1e-12 * (1.0 + plain[c].size()));
  }
  CHECK(used);
}
