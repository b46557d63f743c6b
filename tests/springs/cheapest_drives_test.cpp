#include "springs/problem/best_springs.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <limits>
#include <numeric>

#include "springs/problem/drive_search.hpp"
#include "tests/support/random_drives.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Drives and springs of one trial; the springs' unknowns are between 0 and 1.
struct SpringTrial {
  std::deque<DriveTrial> drives;
  std::deque<DriveChoice> choices;
  DriveProblem problem;
  bool decides = false;  // whether the objective decides between drives of equal cost
};

/// Springs that take away shares of the loads, of a shape that fits them more or less.
SpringTrial random_springs(Random& random, int unknowns, bool chosen) {
  SpringTrial trial;
  DriveProblem& problem = trial.problem;
  problem.convex.lower.assign(static_cast<std::size_t>(unknowns), 0.0);
  problem.convex.upper.assign(static_cast<std::size_t>(unknowns), 1.0);
  trial.decides = random.chance(0.6);
  const DriveCost cost = random.chance(0.5) ? DriveCost::price : DriveCost::mass;
  for (int d = random.chance(0.4) ? 2 : 1; d > 0; --d) {
    DriveTrial& own = trial.drives.emplace_back(random_trial(random, 8, 6));
    own.minimise = cost;
    constexpr std::size_t most = 24;  // samples, as few show what many do
    for (std::vector<double>* numbers :
         {&own.samples.load, &own.samples.velocity, &own.samples.acceleration, &own.samples.weight})
      if (numbers->size() > most) numbers->resize(most);
    trial.choices.emplace_back(own.motors, own.gearboxes, own.transmission, own.margin, cost);
    DriveProblem::Drive& drive = problem.drives.emplace_back();
    drive.choice = &trial.choices.back();
    drive.pairs = drive.choice->pairs();
    drive.load.constant = own.samples.load;
    const std::size_t count = own.samples.size();
    for (int v = 0; v < unknowns; ++v) {
      const double share = random.uniform(-1.5, 0.5), drift = random.uniform(-1.0, 1.0);
      AffineSeries::Column& column = drive.load.columns.emplace_back();
      column.variable = v;
      for (std::size_t k = 0; k < count; ++k) {
        const double place = static_cast<double>(k) / static_cast<double>(count);
        column.coefficients.push_back(own.samples.load[k] * (share + drift * place));
      }
    }
    drive.samples.velocity = own.samples.velocity;
    drive.samples.acceleration = own.samples.acceleration;
    drive.samples.weight = own.samples.weight;
    drive.samples.favourable = random.chance(0.5);
    const double most_play =
        random.chance(0.6) ? 0.0 : std::fabs(own.samples.load[0]) * random.uniform(0.0, 0.5);
    for (std::size_t k = 0; k < count; ++k) {
      drive.samples.play.push_back(random.chance(0.5) ? most_play : 0.0);
      if (drive.samples.play[k] > 0.0) drive.samples.velocity[k] = 0.0;  // there is none in motion
    }
  }
  if (random.chance(0.5)) {
    ConvexSum sum;
    for (int v = 0; v < unknowns; ++v) sum.linear.push_back({v, random.uniform(0.2, 1.0)});
    problem.convex.limits.push_back({sum, random.uniform(0.3, 1.0)});
  }
  ConvexSum objective;
  if (random.chance(0.5)) {
    for (int v = 0; v < unknowns; ++v)
      objective.linear.push_back({v, random.signed_uniform(0.2, 1.0)});
  } else {
    problem.convex.series.push_back(problem.drives.front().load);
    problem.convex.norms.push_back({random.chance(0.5) ? NormKind::max : NormKind::l2, {{0, {}}}});
    objective.norms.push_back({0, 1.0});
  }
  problem.convex.objective.push_back(objective);
  const bool together = random.chance(0.5);  // a row of a catalogue gives both unknowns
  for (int v = 0; v < unknowns && chosen; ++v) {
    if (v == 0 || !together) problem.groups.emplace_back();
    ChoiceGroup& group = problem.groups.back();
    group.unknowns.push_back(v);
    if (group.options.empty())
      group.options.resize(static_cast<std::size_t>(2 + random.below(together ? 40 : 6)));
    for (std::vector<double>& option : group.options) option.push_back(random.uniform(0.0, 1.0));
  }
  return trial;
}

/// The loads of a drive at these springs, with what dry friction adds where it stands still.
ShaftSamples samples_at(const DriveProblem::Drive& drive, const std::vector<double>& x) {
  ShaftSamples samples;
  for (std::size_t k = 0; k < drive.load.constant.size(); ++k) {
    double load = drive.load.constant[k];
    for (const AffineSeries::Column& column : drive.load.columns)
      load += column.coefficients[k] * x[static_cast<std::size_t>(column.variable)];
    const double size = std::fabs(load), play = drive.samples.play[k];
    const double carried = drive.samples.favourable ? std::fmax(0.0, size - play) : size + play;
    samples.load.push_back(load < 0 ? -carried : carried);
  }
  samples.velocity = drive.samples.velocity;
  samples.acceleration = drive.samples.acceleration;
  samples.weight = drive.samples.weight;
  return samples;
}

/// What the cheapest drives cost at these springs, one by one over all pairs; infinite: none do.
std::vector<double> costs_at(const SpringTrial& trial, const std::vector<double>& x) {
  std::vector<double> costs;
  for (std::size_t d = 0; d < trial.drives.size(); ++d) {
    const DriveTrial& own = trial.drives[d];
    const ShaftSamples samples = samples_at(trial.problem.drives[d], x);
    double least = std::numeric_limits<double>::infinity();
    const bool price = own.minimise == DriveCost::price;
    const std::vector<Gearbox> none(1);
    for (const Motor& motor : own.motors)
      for (const Gearbox& gears : own.gearboxes.empty() ? none : own.gearboxes) {
        const double cost = price ? motor.price + gears.price : motor.mass + gears.mass;
        if (cost < least && ask(motor, gears, own.transmission, own.margin, samples).fits())
          least = cost;
      }
    costs.push_back(least);
  }
  return costs;
}

double sum_of(const std::vector<double>& costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}

double cost_at(const SpringTrial& trial, const std::vector<double>& x) {
  return sum_of(costs_at(trial, x));
}

bool keeps_limits(const ConvexProblem& convex, const std::vector<double>& x) {
  for (const ConvexLimit& limit : convex.limits) {
    double sum = limit.sum.constant;
    for (const ConvexSum::Term& term : limit.sum.linear)
      sum += term.weight * x[static_cast<std::size_t>(term.index)];
    if (sum > limit.bound + 1e-9) return false;
  }
  return true;
}

/// All springs of a grid, or all combinations of options.
std::vector<std::vector<double>> points_of(const DriveProblem& problem, int steps) {
  std::vector<std::vector<std::vector<double>>> values;  // of one unknown or group after the other
  for (const ChoiceGroup& group : problem.groups) values.push_back(group.options);
  if (problem.groups.empty()) {
    values.resize(problem.convex.lower.size());
    for (auto& own : values)
      for (int i = 0; i <= steps; ++i) own.push_back({static_cast<double>(i) / steps});
  }
  std::vector<std::vector<double>> points = {{}};
  for (const auto& own : values) {
    std::vector<std::vector<double>> next;
    for (const std::vector<double>& point : points)
      for (const std::vector<double>& value : own) {
        next.push_back(point);
        next.back().insert(next.back().end(), value.begin(), value.end());
      }
    points = std::move(next);
  }
  std::erase_if(points, [&](const auto& point) { return !keeps_limits(problem.convex, point); });
  return points;
}

Combination start_of(const DriveProblem& problem, const std::vector<double>& point) {
  Combination start{{}, point, 0.0};
  for (const ChoiceGroup& group : problem.groups) {
    const auto first = static_cast<std::size_t>(group.unknowns.front());
    start.options.push_back(0);
    while (group.options[static_cast<std::size_t>(start.options.back())].front() != point[first])
      ++start.options.back();
  }
  return start;
}

/// Whether pairs suffice at these springs.
bool suffice_at(const SpringTrial& trial, const PairSet& set, const std::vector<double>& x) {
  for (std::size_t i = 0; i < set.drives.size(); ++i) {
    const DriveTrial& own = trial.drives[set.drives[i]];
    const DrivePair& pair = set.pairs[i];
    const Gearbox gears =
        pair.gearbox < 0 ? Gearbox{} : own.gearboxes[static_cast<std::size_t>(pair.gearbox)];
    if (!ask(own.motors[static_cast<std::size_t>(pair.motor)], gears, own.transmission, own.margin,
             samples_at(trial.problem.drives[set.drives[i]], x))
             .fits())
      return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a range of loads holds just those that a pair suffices for at one sample") {
  Random random(20261130);
  int within = 0, beyond = 0, ends = 0;
  for (int i = 0; i < 400; ++i) {
    const SpringTrial trial = random_springs(random, 1, false);
    const DriveTrial& own = trial.drives.front();
    const DriveProblem::Drive& drive = trial.problem.drives.front();
    const auto m = static_cast<std::size_t>(random.below(static_cast<int>(own.motors.size())));
    const int g = own.gearboxes.empty() ? -1 : random.below(static_cast<int>(own.gearboxes.size()));
    const Gearbox gears = g < 0 ? Gearbox{} : own.gearboxes[static_cast<std::size_t>(g)];
    const AllowedLoads allowed(trial.choices.front(), {static_cast<int>(m), g}, drive.samples);
    const auto k = static_cast<std::size_t>(random.below(static_cast<int>(drive.samples.size())));
    if (!allowed.fast_enough()) continue;
    const LoadInterval range = allowed.range(k);
    const double scale = allowed.scale();
    for (int n = 0; n < 40; ++n) {
      const double u = scale * random.uniform(-2.0, 2.0);
      ShaftSamples one = samples_at(drive, {0.0});
      const double size = std::fabs(u), play = drive.samples.play[k];
      one.load = {
          std::copysign(drive.samples.favourable ? std::fmax(0.0, size - play) : size + play, u)};
      one.velocity = {one.velocity[k]};
      one.acceleration = {one.acceleration[k]};
      one.weight = {0.0};  // a mean of nothing
      Asked asked = ask(own.motors[m], gears, own.transmission, own.margin, one);
      asked.shares[2] = asked.shares[6] = 0.0;  // speeds, which no load changes
      if (std::fabs(asked.largest() - 1.0) < 1e-6) continue;
      INFO("trial " << i << ", load " << u << " of " << range.least << " to " << range.most);
      REQUIRE(asked.fits() == (u >= range.least && u <= range.most));
      ++(asked.fits() ? within : beyond);
      ends += range.least > -1.9 * scale && range.most < 1.9 * scale ? 1 : 0;
    }
  }
  CHECK(std::min({within, beyond, ends}) > 1000);
}

TEST_CASE("dry friction is on the worse side of a load that is rounding") {
  OpenSamples samples{{1.0, 0.0, 0.0}, {0.0, 3.0, -3.0}, {1.0, 1.0, 1.0}, {0.0, 2.0, 2.0}, false};
  ShaftSamples asked;
  for (const double sign : {1.0, -1.0}) {
    samples.favourable = false;
    samples.with_loads({5.0, sign * 1e-15, sign * 1e-15}, asked);
    CHECK(asked.load == std::vector<double>{5.0, 2.0, -2.0});
    samples.with_loads({5.0, sign * 1e-3, sign * 1e-3}, asked);
    CHECK(asked.load == std::vector<double>{5.0, sign * 2.001, sign * 2.001});
    samples.favourable = true;
    samples.with_loads({5.0, sign * 1e-15, sign * 1e-15}, asked);
    CHECK(asked.load == std::vector<double>{5.0, 0.0, 0.0});
  }
}

TEST_CASE("a line is never above what it is below, and touches its convex hull") {
  Random random(20261201);
  int bent = 0;
  for (int i = 0; i < 400; ++i) {
    const SpringTrial trial = random_springs(random, 1, false);
    const DriveProblem::Drive& drive = trial.problem.drives.front();
    const int g = trial.drives.front().gearboxes.empty() ? -1 : 0;
    const AllowedLoads allowed(trial.choices.front(), {0, g}, drive.samples);
    const auto k = static_cast<std::size_t>(random.below(static_cast<int>(drive.samples.size())));
    const double scale = allowed.scale();
    const double end = random.uniform(-1.0, 0.5) * scale;
    const LoadInterval range{end, end + random.uniform(0.1, 1.0) * scale};
    const double u = random.uniform(range.least, range.most), y = random.signed_uniform(0.5, 2.0);
    const auto mean = random.chance(0.8) ? AllowedLoads::Mean::torque : AllowedLoads::Mean::load;
    const LoadLine line = allowed.line_below(mean, k, y, range, u);
    // the hull at u by all pairs of many loads to either side
    std::vector<std::pair<double, double>> left, right;
    const double size = std::fabs(allowed.value(mean, k, range.least)) +
                        std::fabs(allowed.value(mean, k, range.most));
    for (int n = 0; n <= 400; ++n) {
      const double at = range.least + (range.most - range.least) * n / 400;
      const double value = y * allowed.value(mean, k, at);
      REQUIRE(line.slope * at + line.offset <= value + 1e-12 * size);
      (at <= u ? left : right).emplace_back(at, value);
    }
    double hull = y * allowed.value(mean, k, u);
    const double itself = hull;
    for (const auto& [a, fa] : left)
      for (const auto& [b, fb] : right) hull = std::min(hull, fa + (fb - fa) * (u - a) / (b - a));
    CHECK(line.slope * u + line.offset >= hull - 0.02 * size);
    bent += itself - hull > 0.05 * size ? 1 : 0;
    // what multipliers weigh is largest where a fine grid finds it
    const double slope = random.signed_uniform(0.1, 1.0) / scale;
    const double of_torque = random.signed_uniform(0.1, 1.0), of_load = random.uniform(-1.0, 1.0);
    double most = -std::numeric_limits<double>::infinity(), sizes = 0.0;
    for (int n = 0; n <= 4000; ++n) {
      const double at = range.least + (range.most - range.least) * n / 4000;
      const double torque = of_torque * allowed.value(AllowedLoads::Mean::torque, k, at);
      const double load = of_load * allowed.value(AllowedLoads::Mean::load, k, at);
      most = std::max(most, slope * at - torque - load);
      sizes = std::max(sizes, std::fabs(torque) + std::fabs(load) + 1.0);
    }
    const double told = allowed.largest(k, slope, of_torque, of_load, range);
    CHECK(told >= most - 1e-12 * sizes);
    CHECK(told <= most + 0.3 * sizes);  // jumps at 0 lie between the grid's loads
  }
  CHECK(bent > 10);
}

TEST_CASE("no springs of a grid or catalogue get by with cheaper drives") {
  Random random(20261129);
  int found_some = 0, springs_mattered = 0, open = 0, sets = 0;
  for (int i = 0; i < trials(6000); ++i) {
    const int unknowns = 1 + random.below(2);
    const bool chosen = random.chance(0.4);
    const SpringTrial trial = random_springs(random, unknowns, chosen);
    const std::vector<std::vector<double>> points =
        points_of(trial.problem, unknowns == 1 ? 200 : 20);
    if (points.empty()) continue;
    INFO("trial " << i);
    const Combination start = start_of(trial.problem, points.front());
    DrivenSprings found = cheapest_drives(trial.problem, start, {});
    if (trial.decides && !found.pairs.empty()) {
      DriveProblem equal = trial.problem;
      equal.most_cost = found.cost * (1 + 1e-12);
      const std::int64_t passed_over = found.open;
      for (std::size_t d = 0; d < equal.drives.size(); ++d) equal.drives[d].pairs = found.left[d];
      found = best_springs(equal, found, {});
      found.open += passed_over;
    }
    open += found.open > 0 ? 1 : 0;
    sets += trial.drives.size() > 1 ? 1 : 0;
    double least = std::numeric_limits<double>::infinity(), value = least, most = 0.0;
    for (const std::vector<double>& point : points) {
      const double cost = cost_at(trial, point);
      const double here = objective_of(trial.problem.convex, point);
      most = std::max(most, cost);
      if (cost < least || (cost == least && here < value)) {
        least = cost;
        value = here;
      }
    }
    if (found.pairs.empty()) {
      if (found.open == 0) REQUIRE(std::isinf(least));
      continue;
    }
    ++found_some;
    springs_mattered += most > least ? 1 : 0;
    // what it found is true
    REQUIRE(keeps_limits(trial.problem.convex, found.x));
    REQUIRE(cost_at(trial, found.x) <= found.cost * (1 + 1e-12));
    double cost = 0.0;
    for (std::size_t d = 0; d < found.pairs.size(); ++d)
      cost += trial.choices[d].cost_of(found.pairs[d]).first;
    REQUIRE(cost == Approx(found.cost).epsilon(1e-12));
    // and nothing is cheaper
    if (found.open == 0) REQUIRE(found.cost <= least * (1 + 1e-12));
    if (chosen && found.open == 0) REQUIRE(found.cost == Approx(least).epsilon(1e-12));
    if (trial.decides && found.open == 0 && found.cost == Approx(least).epsilon(1e-12)) {
      const double size = std::fabs(objective_of(trial.problem.convex, start.x)) + 1.0;
      CHECK(found.value <= value + 1e-6 * size);
      CHECK(found.value == Approx(objective_of(trial.problem.convex, found.x)).margin(1e-9 * size));
    }
  }
  CAPTURE(found_some, springs_mattered, open, sets);
  CHECK(found_some > trials(6000) / 3);
  CHECK(springs_mattered > trials(6000) / 6);
  CHECK(open <= trials(6000) / 50);
  CHECK(sets > trials(6000) / 5);
}

TEST_CASE("what multipliers of some pairs exclude is true of other pairs") {
  Random random(20261204);
  int excluded = 0, by_objective = 0, not_excluded = 0;
  for (int i = 0; i < trials(2000); ++i) {
    const int unknowns = 1 + random.below(2);
    const SpringTrial trial = random_springs(random, unknowns, random.chance(0.5));
    const std::vector<std::vector<double>> points =
        points_of(trial.problem, unknowns == 1 ? 100 : 14);
    if (points.empty()) continue;
    INFO("trial " << i);
    std::vector<double> values;
    for (const std::vector<double>& point : points)
      values.push_back(objective_of(trial.problem.convex, point));
    const auto some_value = [&] {
      return values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))];
    };
    const double scale = *std::max_element(values.begin(), values.end()) -
                         *std::min_element(values.begin(), values.end());
    DriveSearch search(trial.problem, {});
    const Combination start = start_of(trial.problem, points.front());
    for (int look = 0; look < 12; ++look) {
      std::vector<std::size_t> drives;
      std::vector<DrivePair> pairs;
      for (std::size_t d = 0; d < trial.drives.size(); ++d) {
        if (random.chance(0.3)) continue;
        const auto& all = trial.problem.drives[d].pairs;
        drives.push_back(d);
        pairs.push_back(all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))]);
      }
      const std::optional<PairSet> set = search.set_of(drives, pairs);
      const double below = random.chance(0.3) ? infinity : some_value();
      double least = infinity;
      for (std::size_t p = 0; p < points.size() && set; ++p)
        if (values[p] < least && suffice_at(trial, *set, points[p])) least = values[p];
      if (!set) continue;
      if (search.excluded_before(*set, below)) {
        REQUIRE(least >= std::min(below, 1e300) - 1e-6 * (scale + std::fabs(least)));
        ++(std::isinf(below) ? excluded : by_objective);
        continue;
      }
      ++not_excluded;
      Springs springs{start.x, start.options, below};
      const double bound = search.improve(*set, springs);
      REQUIRE(bound <= springs.value);
      REQUIRE(std::min(bound, 1e300) <= least + 1e-6 * (scale + std::fabs(least)));
      if (springs.value < below) REQUIRE(suffice_at(trial, *set, springs.x));
    }
  }
  CAPTURE(excluded, by_objective, not_excluded);
  CHECK(std::min(excluded, by_objective) > trials(2000) / 10);
  CHECK(not_excluded > trials(2000));
}

TEST_CASE("no springs of a grid or catalogue that drives within bounds suffice for are better") {
  Random random(20261202);
  int found_some = 0, drives_mattered = 0, bounds_mattered = 0, none = 0, open = 0, sets = 0;
  for (int i = 0; i < trials(6000); ++i) {
    const int unknowns = 1 + random.below(2);
    const bool chosen = random.chance(0.4);
    SpringTrial trial = random_springs(random, unknowns, chosen);
    DriveProblem& problem = trial.problem;
    const std::vector<std::vector<double>> points = points_of(problem, unknowns == 1 ? 200 : 20);
    if (points.empty()) continue;
    // bounds near what drives cost at some springs
    const std::vector<double> costs = costs_at(
        trial, points[static_cast<std::size_t>(random.below(static_cast<int>(points.size())))]);
    std::vector<double> most(costs.size(), infinity);
    const double size = std::isinf(sum_of(costs)) ? 200.0 : sum_of(costs);
    if (random.chance(0.5)) problem.most_cost = size * random.uniform(0.6, 1.1);
    for (std::size_t d = 0; d < costs.size(); ++d) {
      if (random.chance(0.3) && std::isfinite(costs[d]))
        most[d] = costs[d] * random.uniform(0.8, 1.3);
      std::erase_if(problem.drives[d].pairs, [&](const DrivePair& pair) {
        return trial.choices[d].cost_of(pair).first > most[d];
      });
    }
    INFO("trial " << i);
    double best = infinity, with_any = infinity, without = infinity;
    const auto keeps = [&](const std::vector<double>& asked) {
      bool kept = sum_of(asked) <= problem.most_cost * (1 + 1e-12) && std::isfinite(sum_of(asked));
      for (std::size_t d = 0; d < asked.size(); ++d) kept = kept && asked[d] <= most[d];
      return kept;
    };
    for (const std::vector<double>& point : points) {
      const double value = objective_of(problem.convex, point);
      without = std::min(without, value);
      const std::vector<double> asked = costs_at(trial, point);
      if (std::isfinite(sum_of(asked))) with_any = std::min(with_any, value);
      if (keeps(asked)) best = std::min(best, value);
    }
    const Combination start = start_of(problem, points.front());
    DrivenSprings from;
    from.x = start.x;
    from.options = start.options;
    const DrivenSprings found = best_springs(problem, from, {});
    open += found.open > 0 ? 1 : 0;
    sets += trial.drives.size() > 1 ? 1 : 0;
    drives_mattered += with_any > without ? 1 : 0;
    bounds_mattered += best > with_any ? 1 : 0;
    if (found.pairs.empty()) {
      if (found.open == 0) REQUIRE(std::isinf(best));
      none += found.open == 0 ? 1 : 0;
      continue;
    }
    ++found_some;
    // what it found is true
    REQUIRE(keeps_limits(problem.convex, found.x));
    REQUIRE(keeps(costs_at(trial, found.x)));
    REQUIRE(sum_of(costs_at(trial, found.x)) == Approx(found.cost).epsilon(1e-12));
    const double scale = std::fabs(objective_of(problem.convex, start.x)) + 1.0;
    CHECK(found.value == Approx(objective_of(problem.convex, found.x)).margin(1e-9 * scale));
    // and nothing is better
    if (found.open == 0) CHECK(found.value <= best + 1e-6 * scale);
    if (chosen && found.open == 0) CHECK(found.value == Approx(best).margin(1e-6 * scale));
    // from what it found nothing better is found
    const DrivenSprings again = best_springs(problem, found, {});
    CHECK(again.value <= found.value);
    if (found.open == 0) CHECK(again.value >= found.value - 1e-6 * scale);
  }
  CAPTURE(found_some, drives_mattered, bounds_mattered, none, open, sets);
  CHECK(found_some > trials(6000) / 3);
  CHECK(drives_mattered > trials(6000) / 10);
  CHECK(bounds_mattered > trials(6000) / 10);
  CHECK(none > trials(6000) / 20);
  CHECK(open <= trials(6000) / 50);
  CHECK(sets > trials(6000) / 5);
}
