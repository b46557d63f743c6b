#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "tests/engine/forward/falling.hpp"
#include "tests/engine/forward/impact_laws.hpp"
#include "tests/engine/forward/random_fall.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Kind = FallEvent::Kind;

/// Gaps below this are shut [m, rad]: what takes part in impacts is some 1e-11 of the size.
constexpr double sure = 5e-12;
/// Rates of gaps at rest, which are shut to this by Newton's method [m/s, rad/s].
constexpr double rounding = 1e-11;

/// What happened at one instant, and the rows before and after it.
struct Instant {
  std::size_t before = 0, after = 0;
  std::vector<FallEvent> events;

  [[nodiscard]] bool has(Kind kind) const {
    return std::any_of(events.begin(), events.end(),
                       [kind](const FallEvent& event) { return event.kind == kind; });
  }
};

/// What of a vector is no combination of rows.
Eigen::VectorXd unexplained(const Eigen::VectorXd& vector, const Eigen::MatrixXd& rows) {
  if (rows.rows() == 0) return vector;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(1e-8);  // loops have redundant rows, and differences have errors
  factor.compute(rows.transpose());
  return vector - rows.transpose() * factor.solve(vector);
}

/// Whether constraints determine the rate of a gap.
bool forced(const Eigen::VectorXd& slope, const Eigen::MatrixXd& rows) {
  return unexplained(slope, rows).norm() <= 1e-8 * slope.norm();
}

/// The rows of one fall, as states of all bodies.
struct Rows {
  Rows(const Fall& fall, const Mechanism& mechanism) : t(values(fall, "t")) {
    q.assign(t.size(), std::vector<double>(mechanism.bodies.size()));
    v = q;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      if (!mechanism.moves(static_cast<int>(b))) continue;
      const auto& position = values(fall, mechanism.bodies[b].name + ".q");
      const auto& velocity = values(fall, mechanism.bodies[b].name + ".qd");
      for (std::size_t k = 0; k < t.size(); ++k) {
        q[k][b] = position[k];
        v[k][b] = velocity[k];
      }
    }
  }

  [[nodiscard]] Eigen::VectorXd velocity(std::size_t k) const {
    return Eigen::Map<const Eigen::VectorXd>(v[k].data(), static_cast<Eigen::Index>(v[k].size()));
  }

  const std::vector<double>& t;
  std::vector<std::vector<double>> q, v;
};

/// The instants after the start. Each has two rows; a sample at the same time has one more, whose
/// state is that of its neighbour.
std::vector<Instant> instants_of(const Fall& fall, const Rows& rows) {
  std::vector<Instant> instants;
  std::size_t from = 0;
  for (const FallEvent& event : fall.events) {
    if (event.time == 0.0) continue;
    if (instants.empty() || instants.back().events.front().group != event.group) {
      std::size_t k = from;
      while (k + 1 < rows.t.size() && rows.t[k] != event.time) ++k;
      if (fall.stopped && k + 1 >= rows.t.size()) return instants;  // at the very end
      REQUIRE(k + 1 < rows.t.size());
      REQUIRE(rows.t[k + 1] == event.time);
      const auto same =
          std::count(rows.t.begin() + static_cast<std::ptrdiff_t>(k), rows.t.end(), event.time);
      if (same % 2 == 1 && rows.v[k] == rows.v[k + 1]) ++k;
      instants.push_back({k, k + 1, {}});
      from = k + 2;
    }
    instants.back().events.push_back(event);
  }
  return instants;
}

/// The largest misses of each law over all falls.
struct Worst {
  double told = 0.0;             // of the velocities and the energy that events tell
  double complementarity = 0.0;  // of speeds and impulses, relative to the instant's largest
  double momentum = 0.0;
  double gained = 0.0;   // energy in an impact, relative to the kinetic energy
  double elastic = 0.0;  // energy lost or gained where every restitution is 1
  double beyond = 0.0;   // a surface or stop [m, rad]
  double open = 0.0;     // loops, couplings, held actuators [m, rad]
  double energies = 0.0, balance = 0.0;

  static void note(double miss, double& worst) {
    worst = std::isnan(miss) ? no_limit : std::max(worst, miss);
  }
};

struct Seen {
  int falls = 0, impacts = 0, several = 0, elastic = 0, rests = 0, leaves = 0, constrained = 0,
      stopped = 0;
};

class Judge {
 public:
  Judge(const RandomFall& random, const Fall& fall)
      : random_(random),
        fall_(fall),
        laws_(random.mechanism, random.scenario),
        rows_(fall, random.mechanism) {
    // what is followed into a jam or a singular pose drives energies beyond all bounds
    if (fall.stopped) until_ = fall.stopped->time - 0.1;
  }

  void judge(Worst& worst, Seen& seen) const {
    ++seen.falls;
    judge_rows(worst);
    for (const Instant& instant : instants_of(fall_, rows_)) {
      if (instant.events.front().time >= until_) break;
      seen.rests += instant.has(Kind::rest);
      seen.leaves += instant.has(Kind::leave);
      if (instant.has(Kind::impact)) judge_impact(instant, worst, seen);
    }
  }

 private:
  [[nodiscard]] double column(const char* name, std::size_t row) const {
    return values(fall_, name)[row];
  }

  /// What no fall changes [J].
  [[nodiscard]] double balance(std::size_t row) const {
    return column("energy.total", row) - column("energy.work", row) + column("energy.lost", row);
  }

  void judge_rows(Worst& worst) const {
    double kinetic = 1e-3, drift = 0.0;
    const Mechanism& mechanism = random_.mechanism;
    for (std::size_t k = 0; k < rows_.t.size() && rows_.t[k] < until_; ++k) {
      kinetic = std::max(kinetic, column("energy.kinetic", k));
      drift = std::max(drift, std::abs(balance(k) - balance(0)));
      // what is followed may drive points through surfaces
      const Eigen::VectorXd gaps = laws_.gap_values(rows_.q[k]);
      for (Eigen::Index i = 0; i < gaps.size(); ++i)
        if (gaps(i) < 0.0 &&
            !forced(laws_.gap_slopes(rows_.q[k]).row(i), laws_.constraint_slopes(rows_.q[k])))
          Worst::note(-gaps(i), worst.beyond);
      const Eigen::VectorXd open = laws_.misfit(rows_.q[k], random_.start.q);
      if (open.size() > 0) Worst::note(open.cwiseAbs().maxCoeff(), worst.open);
      const oracle::Energy moving = oracle::kinetic_energy(mechanism, rows_.q[k], rows_.v[k]),
                           resting = oracle::potential_energy(mechanism, rows_.q[k], true);
      const double size = moving.size + resting.size;
      Worst::note(std::abs(column("energy.kinetic", k) - moving.value) / size, worst.energies);
      Worst::note(std::abs(column("energy.total", k) - moving.value - resting.value) / size,
                  worst.energies);
    }
    Worst::note(drift / kinetic, worst.balance);
  }

  void judge_impact(const Instant& instant, Worst& worst, Seen& seen) const {
    ++seen.impacts;
    const std::vector<double>& q = rows_.q[instant.before];
    const Eigen::VectorXd v0 = rows_.velocity(instant.before), v1 = rows_.velocity(instant.after);
    const Eigen::VectorXd gaps = laws_.gap_values(q);
    const Eigen::MatrixXd slopes = laws_.gap_slopes(q), mass = laws_.mass_matrix(q),
                          rows = laws_.constraint_slopes(q);
    const Eigen::VectorXd before = slopes * v0, after = slopes * v1;
    const double speed = (slopes.cwiseAbs() * v0.cwiseAbs()).maxCoeff();
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(gaps.size());
    double least = 1.0, told_lost = 0.0, largest = 0.0;
    int hits = 0;
    bool creeps = false;
    for (const FallEvent& event : instant.events) {
      if (event.kind != Kind::impact) continue;
      ++hits;
      const auto i = static_cast<Eigen::Index>(laws_.gap_of(event, gaps));
      REQUIRE(i < gaps.size());
      impulse(i) = event.impulse;
      largest = std::max(largest, event.impulse);
      told_lost += event.energy_lost;
      if (before(i) < -rounding * speed)
        least = std::min(least, laws_.gaps()[std::size_t(i)].restitution);
      for (const double miss :
           {event.normal_velocity_before - before(i), event.normal_velocity_after - after(i)})
        Worst::note((std::abs(miss) - rounding) / speed, worst.told);
    }
    seen.several += hits > 1;
    seen.constrained += rows.rows() > 0;
    // What takes the last of rebounds is not told where it draws a gap back, and changes the
    // others' speeds a little.
    const double slow = 10.0 * random_.scenario.rest_speed;
    std::vector<Eigen::Index> shut;
    for (Eigen::Index i = 0; i < gaps.size(); ++i)
      if (std::abs(gaps(i)) <= 10.0 * sure && std::abs(before(i)) <= slow &&
          std::abs(after(i)) <= 1e-9 * speed + rounding)
        shut.push_back(i);
    const bool settles = instant.has(Kind::rest) || !shut.empty() || creeps;
    const double slack = settles ? slow : 0.0;
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      const bool soon =
          before(i) < 0.0 && std::abs(gaps(i)) <= -before(i) * random_.scenario.simultaneous;
      if (std::abs(gaps(i)) > sure && !soon) continue;
      if (forced(slopes.row(i), rows)) continue;
      const double w = after(i) + least * before(i) + slack + rounding;
      Worst::note(-impulse(i) / std::max(largest, 1e-300), worst.complementarity);
      Worst::note(-w / speed, worst.complementarity);
      if (slack == 0.0)
        Worst::note((w - 2.0 * rounding) / speed * impulse(i) / std::max(largest, 1e-300),
                    worst.complementarity);
    }

    const double kinetic =
                     oracle::kinetic_energy(random_.mechanism, q, rows_.v[instant.before]).value,
                 left = oracle::kinetic_energy(random_.mechanism, q, rows_.v[instant.after]).value;
    const double work =
        column("energy.work", instant.after) - column("energy.work", instant.before);
    const double lost = kinetic + work - left;
    Worst::note(-lost / kinetic, worst.gained);
    Worst::note(std::abs(lost - told_lost) / kinetic, worst.told);
    if (least == 1.0 && slack == 0.0) {
      ++seen.elastic;
      Worst::note(std::abs(lost) / kinetic, worst.elastic);
    }
    Eigen::MatrixXd all(rows.rows() + static_cast<Eigen::Index>(shut.size()), rows.cols());
    all << rows, slopes(shut, Eigen::all);
    const double momentum = (mass.cwiseAbs() * (v0.cwiseAbs() + v1.cwiseAbs())).maxCoeff();
    judge_momentum(mass * (v1 - v0), momentum, slopes, all, impulse, worst);
  }

  /// What the impulses of the contacts do not explain, constraints have to. `momentum` is the size
  /// of what cancels in the change.
  void judge_momentum(const Eigen::VectorXd& change, double momentum, const Eigen::MatrixXd& slopes,
                      const Eigen::MatrixXd& rows, const Eigen::VectorXd& impulse,
                      Worst& worst) const {
    const Eigen::VectorXd rest = unexplained(change - slopes.transpose() * impulse, rows);
    const double size = change.cwiseAbs().maxCoeff();
    const double rounded = 1e-14 * momentum;
    if (size > 0.0) Worst::note((rest.cwiseAbs().maxCoeff() - rounded) / size, worst.momentum);
  }

  const RandomFall& random_;
  const Fall& fall_;
  oracle::ImpactLaws laws_;
  Rows rows_;
  double until_ = no_limit;
};

}  // namespace

TEST_CASE("500 random falls obey the laws of impacts, and keep their energy") {
  Random random(20261123);
  Seen seen;
  for (int trial = 0; trial < trials(500); ++trial) {
    CAPTURE(trial);
    const RandomFall one = random_fall(random, trial);
    const auto result = simulate_fall(one.mechanism, one.scenario, one.start, {});
    REQUIRE(std::holds_alternative<Fall>(result));
    const Fall& fall = std::get<Fall>(result);
    seen.stopped += fall.stopped.has_value();
    Worst worst;
    Judge(one, fall).judge(worst, seen);
    CHECK(worst.told <= 1e-10);
    CHECK(worst.complementarity <= 1e-10);
    CHECK(worst.momentum <= 1e-9);
    CHECK(worst.gained <= 1e-10);
    CHECK(worst.elastic <= 1e-9);
    CHECK(worst.beyond <= 1e-10);
    CHECK(worst.open <= 1e-9);
    CHECK(worst.energies <= 1e-12);
    CHECK(worst.balance <= 1e-8);
  }
  CHECK(seen.falls == trials(500));
  CHECK(seen.impacts > trials(3000));
  CHECK(seen.several > trials(500));
  CHECK(seen.elastic > trials(400));
  CHECK(seen.rests > trials(300));
  CHECK(seen.leaves > trials(150));
  CHECK(seen.constrained > trials(1000));
  CHECK(seen.stopped <= 10);  // where what is followed jams, or is singular
}
