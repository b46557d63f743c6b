#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "engine/falls/fall.hpp"
#include "tests/engine/falls/falling.hpp"
#include "tests/engine/falls/random_fall.hpp"
#include "tests/oracles/closure.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/trials.hpp"

/// Gaps, constraints and masses of a fall, and what impacts have to obey, from positions and
/// energies in the world frame: slopes by differences, masses by kinetic energies.
namespace counterpoise::oracle {

/// A point of a contact, or one end of a stop.
struct OneGap {
  int contact = -1;  // as in FallEvent
  int point = -1;
  bool upper = false;  // of stops
  double restitution = 0.0;
};

class ImpactLaws {
 public:
  ImpactLaws(const Mechanism& mechanism, const Scenario& scenario);

  [[nodiscard]] const std::vector<OneGap>& gaps() const { return gaps_; }
  /// The place of the gap of an event. Both ends of a stop have the same contact: the one that is
  /// nearer to being closed counts.
  [[nodiscard]] std::size_t gap_of(const FallEvent& event, const Eigen::VectorXd& values) const;

  [[nodiscard]] Eigen::VectorXd gap_values(std::span<const double> q) const;
  /// What loops and couplings miss, and how far held actuators are from where they were at
  /// `start` [m, rad].
  [[nodiscard]] Eigen::VectorXd misfit(std::span<const double> q,
                                       std::span<const double> start) const;

  /// Slopes by all joints, one row per gap.
  [[nodiscard]] Eigen::MatrixXd gap_slopes(std::span<const double> q) const;
  /// Slopes of loops, couplings, and of all actuators that are held or followed.
  [[nodiscard]] Eigen::MatrixXd constraint_slopes(std::span<const double> q) const;
  [[nodiscard]] Eigen::MatrixXd mass_matrix(std::span<const double> q) const;

 private:
  [[nodiscard]] Eigen::VectorXd prescribed(std::span<const double> q) const;

  const Mechanism* mechanism_;
  const Scenario* scenario_;
  std::vector<OneGap> gaps_;
};

}  // namespace counterpoise::oracle

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
  double told = 0.0;             // of the velocities and energy that events report
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
    // The impulse that takes the last of rebounds is not reported where it draws a gap back, and
    // changes the others' speeds a little.
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
  /// of the terms that cancel in the change.
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

namespace counterpoise::oracle {
namespace {

using Poses = std::span<const Eigen::Matrix4d>;

double surface_distance(const Mechanism& mechanism, Poses poses, const Surface& surface,
                        PointIndex point) {
  Eigen::Vector4d p = world_point(mechanism, poses, point).homogeneous();
  if (surface.body != world_body) p = (poses[surface.body].inverse() * p).eval();
  const Vec3d d = p.head<3>() - surface.point;
  if (surface.kind == Surface::Kind::plane) return surface.direction.dot(d);
  const double out =
      surface.kind == Surface::Kind::sphere ? d.norm() : d.cross(surface.direction).norm();
  return surface.inside ? surface.radius - out : out - surface.radius;
}

double position_of(const Mechanism& mechanism, Poses poses, std::span<const double> q,
                   const Stop& stop) {
  const auto element = static_cast<std::size_t>(stop.element);
  if (stop.of == Stop::Of::joint) return q[element];
  if (stop.of == Stop::Of::actuator) return actuator_position(mechanism, q, stop.element);
  const Spring& spring = mechanism.springs[element];
  if (spring.type == SpringType::torsion) return q[spring.joint];
  return (world_point(mechanism, poses, spring.points[1]) -
          world_point(mechanism, poses, spring.points[0]))
      .norm();
}

/// Slopes by central differences of sixth order. Steps are small beside the radii of surfaces, of
/// 0.3 m and more, and errors some 1e-12.
Eigen::MatrixXd slopes(const std::function<Eigen::VectorXd(std::span<const double>)>& function,
                       std::span<const double> at, const Mechanism& mechanism) {
  constexpr double h = 2e-3;
  std::vector<double> q(at.begin(), at.end());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(function(q).size(), mechanism.body_count());
  for (std::size_t b = 0; b < q.size(); ++b) {
    if (!mechanism.moves(static_cast<int>(b))) continue;
    const auto difference = [&](double step) -> Eigen::VectorXd {
      q[b] = at[b] + step;
      const Eigen::VectorXd above = function(q);
      q[b] = at[b] - step;
      const Eigen::VectorXd below = function(q);
      q[b] = at[b];
      return above - below;
    };
    result.col(static_cast<Eigen::Index>(b)) =
        (45.0 * difference(h) - 9.0 * difference(2.0 * h) + difference(3.0 * h)) / (60.0 * h);
  }
  return result;
}

}  // namespace

ImpactLaws::ImpactLaws(const Mechanism& mechanism, const Scenario& scenario)
    : mechanism_(&mechanism), scenario_(&scenario) {
  int number = 0;
  for (const Contact& contact : scenario.contacts) {
    for (int p = 0; p < static_cast<int>(contact.points.size()); ++p)
      gaps_.push_back({number, p, false, contact.restitution});
    ++number;
  }
  for (const Stop& stop : scenario.stops) {
    if (stop.min > -no_limit) gaps_.push_back({number, -1, false, stop.restitution});
    if (stop.max < no_limit) gaps_.push_back({number, -1, true, stop.restitution});
    ++number;
  }
}

std::size_t ImpactLaws::gap_of(const FallEvent& event, const Eigen::VectorXd& values) const {
  std::size_t found = gaps_.size();
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (gaps_[i].contact != event.contact || gaps_[i].point != event.point) continue;
    if (found == gaps_.size() || std::abs(values(static_cast<Eigen::Index>(i))) <
                                     std::abs(values(static_cast<Eigen::Index>(found))))
      found = i;
  }
  return found;
}

Eigen::VectorXd ImpactLaws::gap_values(std::span<const double> q) const {
  const auto poses = world_poses(*mechanism_, q);
  Eigen::VectorXd values(static_cast<Eigen::Index>(gaps_.size()));
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const auto contact = static_cast<std::size_t>(gaps_[i].contact);
    double& value = values(static_cast<Eigen::Index>(i));
    if (gaps_[i].point >= 0) {
      const Contact& one = scenario_->contacts[contact];
      value = surface_distance(*mechanism_, poses, one.surface, one.points[gaps_[i].point]);
      continue;
    }
    const Stop& stop = scenario_->stops[contact - scenario_->contacts.size()];
    const double position = position_of(*mechanism_, poses, q, stop);
    value = gaps_[i].upper ? stop.max - position : position - stop.min;
  }
  return values;
}

Eigen::VectorXd ImpactLaws::prescribed(std::span<const double> q) const {
  std::vector<double> values;
  for (std::size_t a = 0; a < mechanism_->actuators.size(); ++a) {
    const ActuatorMode mode = scenario_->actuators[a].mode;
    if (mode == ActuatorMode::held || mode == ActuatorMode::follow)
      values.push_back(actuator_position(*mechanism_, q, static_cast<int>(a)));
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::VectorXd ImpactLaws::misfit(std::span<const double> q, std::span<const double> start) const {
  const Eigen::VectorXd closure = closure_misfit(*mechanism_, q);
  std::vector<double> all(closure.begin(), closure.end());
  for (std::size_t a = 0; a < mechanism_->actuators.size(); ++a)
    if (scenario_->actuators[a].mode == ActuatorMode::held)
      all.push_back(actuator_position(*mechanism_, q, static_cast<int>(a)) -
                    actuator_position(*mechanism_, start, static_cast<int>(a)));
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

Eigen::MatrixXd ImpactLaws::gap_slopes(std::span<const double> q) const {
  return slopes([this](std::span<const double> at) { return gap_values(at); }, q, *mechanism_);
}

Eigen::MatrixXd ImpactLaws::constraint_slopes(std::span<const double> q) const {
  const auto rows = [this](std::span<const double> at) -> Eigen::VectorXd {
    const Eigen::VectorXd closure = closure_misfit(*mechanism_, at), driven = prescribed(at);
    Eigen::VectorXd all(closure.size() + driven.size());
    all << closure, driven;
    return all;
  };
  return slopes(rows, q, *mechanism_);
}

/// Kinetic energy is a quadratic form: its entries follow from pairs of unit velocities.
Eigen::MatrixXd ImpactLaws::mass_matrix(std::span<const double> q) const {
  const auto n = static_cast<Eigen::Index>(q.size());
  const auto energy = [&](Eigen::Index i, Eigen::Index j) {
    std::vector<double> v(q.size());
    v[i] = v[j] = 1.0;
    return kinetic_energy(*mechanism_, q, v).value;
  };
  Eigen::MatrixXd mass(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    mass(i, i) = 2.0 * energy(i, i);
    for (Eigen::Index j = 0; j < i; ++j)
      mass(i, j) = mass(j, i) = energy(i, j) - 0.5 * (mass(i, i) + mass(j, j));
  }
  return mass;
}

}  // namespace counterpoise::oracle
