#include "springs/mounts/moving_spring.hpp"

#include <catch2/catch.hpp>

#include "cases/case_evaluator.hpp"
#include "springs/problem/spring_roles.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

bool encloses(const Interval& interval, double number, double error) {
  return interval.low - error <= number && number <= interval.high + error;
}

/// The engine's loads of an arm at a geometry.
std::vector<AffineLoads> loads_at(CaseEvaluator& evaluator, const std::vector<double>& point) {
  std::vector<AffineLoads> loads;
  CaseOutcome outcome;
  REQUIRE(evaluator.take_apart(point, loads, outcome));
  return loads;
}

const std::vector<double>* influence_of(const AffineLoads& loads, int actuator, int spring) {
  for (const auto& influence : loads.actuators[actuator].influences)
    if (static_cast<int>(influence.spring) == spring) return &influence.per_tension;
  return nullptr;
}

}  // namespace

TEST_CASE("lengths and influences at any mounts are the engine's, and bends their differences") {
  Random random(12);
  mounted_arm::Asked asked;
  asked.mounts = 7;
  std::array<double, 3> most_off{};  // of length, f and e: parts of what curvatures allow
  for (int trial = 0; trial < 10; ++trial) {
    const Study study = study_of(mounted_arm::files(random, asked));
    const SpringRoles roles = find_spring_roles(study);
    CaseEvaluator evaluator(study);
    std::vector<double> point;
    for (const Variable& variable : study.variables)
      point.push_back(random.uniform(variable.low, variable.high));
    loads_at(evaluator, point);
    const MountFunctions functions(study, roles.outer, point);
    for (int s = 0; s < 3; ++s) {
      loads_at(evaluator, point);
      const auto& moving = functions.moving(0, static_cast<std::size_t>(s));
      REQUIRE_FALSE(moving.empty());
      const MovingSpring spring(0, static_cast<std::size_t>(s), evaluator.mount_motion(0, s),
                                evaluator.mechanism(0), moving);
      // somewhere else in the box
      std::vector<double> other = point;
      std::vector<Interval> box;
      for (const int v : roles.outer) {
        const auto at = static_cast<std::size_t>(v);
        const double t = random.uniform(0.0, 1.0);
        other[at] =
            study.variables[at].low + t * (study.variables[at].high - study.variables[at].low);
        box.emplace_back(t);
      }
      const auto parameters = functions.parameters(0, box);
      std::vector<Interval> z;
      for (const MovingCoordinate& one : moving)
        z.push_back(functions.position(one, parameters).value);
      const AffineLoads loads = loads_at(evaluator, other).front();
      for (int k = 0; k < spring.samples(); k += 5) {
        const auto at = static_cast<std::size_t>(k);
        const MovingSpring::Line line = spring.line(k, z);
        const double length = loads.springs[s].length[at];
        CHECK(encloses(line.length, length, 1e-13));
        CHECK(line.length.high - line.length.low < 1e-13);
        for (std::size_t a = 0; a < spring.actuators().size(); ++a) {
          const MovingSpring::Triple slope = spring.slope(k, a, z);
          const Interval f = MovingSpring::f({&line, 1}, {&slope, 1});
          const std::vector<double>* e = influence_of(loads, spring.actuators()[a], s);
          REQUIRE(e != nullptr);
          CHECK(encloses(f * inverse(line.length), (*e)[at], 1e-12));
          CHECK(f.high - f.low < 1e-13);
        }
      }
      // lengths, f and e at convex combinations of places are within what these say
      std::vector<std::vector<Interval>> corners(4, z);
      std::vector<MovingSpring::Line> lines;
      std::vector<MovingSpring::Triple> slopes_at;
      for (auto& corner : corners) {
        for (Interval& one : corner) one = Interval(one.middle() + random.uniform(-0.3, 0.3));
        lines.push_back(spring.line(11, corner));
        slopes_at.push_back(spring.slope(11, 0, corner));
      }
      const Interval lengths = MovingSpring::length(lines);
      const Interval fs = MovingSpring::f(lines, slopes_at);
      for (int trial_place = 0; trial_place < 50; ++trial_place) {
        const double a = random.uniform(0.0, 1.0), b = random.uniform(0.0, 1.0);
        const std::array weights = {a * b, a * (1.0 - b), (1.0 - a) * b, (1.0 - a) * (1.0 - b)};
        std::vector<Interval> mixed(z.size(), Interval(0.0));
        for (std::size_t w = 0; w < 4; ++w)
          for (std::size_t i = 0; i < z.size(); ++i) mixed[i] += weights[w] * corners[w][i];
        const MovingSpring::Line line = spring.line(11, mixed);
        const MovingSpring::Triple slope = spring.slope(11, 0, mixed);
        const double f = MovingSpring::f({&line, 1}, {&slope, 1}).middle();
        CHECK(encloses(lengths, line.length.middle(), 1e-12));
        CHECK(encloses(fs, f, 1e-12));
        if (lengths.low > 1e-3)
          CHECK(encloses(MovingSpring::e(lines, slopes_at, lengths), f / line.length.middle(),
                         1e-12));
      }
      // curvatures along edges hold the differences anywhere in a simplex
      const int k = 7;
      const auto values_at = [&](const std::vector<Interval>& at) {
        const MovingSpring::Line line = spring.line(k, at);
        const MovingSpring::Triple slope = spring.slope(k, 0, at);
        const double f = MovingSpring::f({&line, 1}, {&slope, 1}).middle();
        return std::array{line.length.middle(), f, f / line.length.middle()};
      };
      const double size = std::exp2(-random.uniform(2.0, 6.0));
      lines.clear();
      slopes_at.clear();
      for (auto& corner : corners) {
        corner = z;
        for (Interval& one : corner)
          one = Interval(one.middle() + size * random.uniform(-1.0, 1.0));
        lines.push_back(spring.line(k, corner));
        slopes_at.push_back(spring.slope(k, 0, corner));
      }
      if (const auto middle = MovingSpring::middle(lines, MovingSpring::length(lines))) {
        std::array<std::array<MovingSpring::Curvature, 6>, 3> curvatures;
        MovingSpring::curvatures_of_length(lines, *middle, curvatures[0]);
        MovingSpring::curvatures_of_f(lines, slopes_at, curvatures[1]);
        MovingSpring::curvatures_of_e(lines, slopes_at, *middle, curvatures[2]);
        for (int trial_place = 0; trial_place < 20; ++trial_place) {
          std::array<double, 4> weights{};
          double total = 0.0;
          for (double& one : weights) total += one = std::pow(random.uniform(0.0, 1.0), 4.0);
          for (std::size_t v = 1, edge = 0; v < 4; ++v)
            for (std::size_t w = 0; w < v; ++w, ++edge) {
              constexpr double h = 1e-2;
              const auto moved = [&](double along) {
                std::vector<Interval> at(z.size(), Interval(0.0));
                for (std::size_t i = 0; i < z.size(); ++i) {
                  double sum = along * (corners[v][i].middle() - corners[w][i].middle());
                  for (std::size_t c = 0; c < 4; ++c)
                    sum += weights[c] / total * corners[c][i].middle();
                  at[i] = Interval(sum);
                }
                return values_at(at);
              };
              const auto low = moved(-h), at = moved(0.0), high = moved(h);
              for (std::size_t n = 0; n < 3; ++n) {
                const MovingSpring::Curvature& own = curvatures[n][edge];
                const double bend = (high[n] - 2.0 * at[n] + low[n]) / (h * h);
                const double off = std::abs(bend - own.middle.middle());
                CHECK(off <= own.spread + 1e-3 * size * size);
                if (own.spread > size * size) most_off[n] = std::max(most_off[n], off / own.spread);
              }
            }
        }
      }
      // bends over a small box hold the differences at a point of it
      std::vector<Interval> region;
      for (const Interval& one : z) region.push_back(one + Interval(-1e-3, 1e-3));
      const MovingSpring::Line over = spring.line(k, region);
      const MovingSpring::Triple slope_over = spring.slope(k, 0, region);
      const MovingSpring::Lines places(&over, 1);
      const MovingSpring::Slopes slopes(&slope_over, 1);
      const MovingSpring::Shape shape = spring.shape(k, places, MovingSpring::length(places));
      MovingSpring::Bend of_length, of_f, of_e;
      spring.bend_of_length(shape, of_length);
      spring.bend_of_f(k, 0, places, slopes, of_f);
      spring.bend_of_e(k, 0, places, slopes, shape, of_e);
      const auto values = [&](std::size_t i, double a, std::size_t j, double b) {
        std::vector<Interval> moved;
        for (const Interval& one : z) moved.emplace_back(one.middle());
        moved[i] = Interval(moved[i].middle() + a);
        moved[j] = Interval(moved[j].middle() + b);
        return values_at(moved);
      };
      constexpr double h = 1e-4;
      for (std::size_t i = 0; i < moving.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
          const auto pp = values(i, h, j, h), pm = values(i, h, j, -h), mp = values(i, -h, j, h),
                     mm = values(i, -h, j, -h);
          const MovingSpring::Bend* bends[] = {&of_length, &of_f, &of_e};
          for (std::size_t n = 0; n < 3; ++n) {
            const double step = i == j ? 2.0 * h : h;
            const double bend =
                i == j ? (pp[n] - 2.0 * values(i, 0.0, i, 0.0)[n] + mm[n]) / (step * step)
                       : (pp[n] - pm[n] - mp[n] + mm[n]) / (4.0 * h * h);
            CHECK(encloses(bends[n]->curvatures[SmoothNumber::pair(i, j)], bend, 1e-4));
          }
        }
    }
  }
  CHECK(most_off[0] > 0.3);
  CHECK(most_off[2] > 0.2);
}
