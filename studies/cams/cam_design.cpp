#include "studies/cams/cam_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "engine/evaluation/simulation.hpp"
#include "engine/kinematics/closure/cable.hpp"
#include "studies/cams/chebyshev.hpp"
#include "studies/instants.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t samples = 256;    // where loads and places are computed
constexpr int looks_at_profile = 1441;  // at the radius of curvature, and at the load that is left
constexpr double exact = 1e-10;         // share of the load that a profile may leave

Motion poses_of(ActuatorIndex actuator, std::vector<double> positions) {
  Motion motion;
  motion.duration = static_cast<double>(positions.size()) - 1.0;
  motion.step = 1.0;
  motion.inertia = false;
  motion.poses = true;
  Drive drive;
  drive.actuator = actuator;
  drive.profile = PoseLevels{.levels = std::move(positions)};
  motion.drives.push_back(std::move(drive));
  return motion;
}

std::vector<double> positions_between(double from, double to, int count) {
  std::vector<double> positions;
  for (int i = 0; i < count; ++i) positions.push_back(from + (to - from) * i / (count - 1));
  return positions;
}

/// Where a point of a body is in the world at a sample of a run.
class Places {
 public:
  Places(const Mechanism& mechanism, const Simulation& run) : mechanism_(mechanism) {
    for (const Body& body : mechanism.bodies)
      positions_.push_back(body.joint.type == JointType::fixed ? nullptr
                                                               : &column_of(run, body.name + ".q"));
  }

  [[nodiscard]] double joint_at(BodyIndex body, std::size_t sample) const {
    return positions_[at(body)] == nullptr ? 0.0 : (*positions_[at(body)])[sample];
  }
  /// Of the direction `v` of a body's axes, in world axes; of a place with `origin`.
  [[nodiscard]] Vec3d in_world(BodyIndex index, Vec3d v, bool place, std::size_t sample) const {
    for (BodyIndex b = index; b != world_body; b = mechanism_.bodies[b].parent) {
      const Joint& joint = mechanism_.bodies[b].joint;
      const double q = joint_at(b, sample);
      if (joint.type == JointType::revolute)
        v = Eigen::AngleAxisd(q, joint.axis) * v;
      else if (place && joint.type == JointType::prismatic)
        v += joint.axis * q;
      v = joint.rotation * v;
      if (place) v += joint.origin;
    }
    return v;
  }

 private:
  const Mechanism& mechanism_;
  std::vector<const std::vector<double>*> positions_;
};

/// The curves that a cam is made from, by the actuator's position.
struct Curves {
  ChebyshevSeries load;  // without the spring
  ChebyshevSeries x, y;  // of the stop next to the cam, in the cam's frame
  ChebyshevSeries turn;  // of that stop's body about the cam's axis, in the cam's frame
  double radius = 0.0;   // of that stop, negative if its axis is opposite to the cam's
  double load_without = 0.0;
  std::optional<double> near;  // where turns are counted: CableStop::near at the beginning
};

constexpr std::string_view not_smooth =
    "the load, or the place of the cable's point, is not a smooth function of the position over "
    "this range; a shorter range may do";

std::variant<Curves, std::string> curves_of(const Mechanism& mechanism, const CamDemand& demand) {
  const Spring& spring = mechanism.springs[demand.spring];
  Mechanism bare = mechanism;
  bare.springs = {};
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s)
    if (static_cast<int>(s) != int{demand.spring}) bare.springs.push_back(mechanism.springs[s]);
  const Motion motion =
      poses_of(demand.actuator, ChebyshevSeries::places(demand.from, demand.to, samples));
  const auto result = simulate(bare, motion, {});
  if (const Finding* finding = std::get_if<Finding>(&result))
    return "without the spring: " + describe(*finding, bare, motion);
  const auto& run = std::get<Simulation>(result);
  std::vector<PointIndex> stops = points_along(spring);  // from the cam
  if (mechanism.points[stops.back()].is_cam) std::reverse(stops.begin(), stops.end());
  const Point& cam = mechanism.points[stops[0]];
  const Point& next = mechanism.points[stops[1]];
  // pulleys are as wide as needed, but the point behind them has to be in the plane
  const auto behind = std::find_if(stops.begin() + 1, stops.end(), [&](PointIndex stop) {
    return !mechanism.points[stop].is_pulley;
  });
  const Point& end = mechanism.points[*behind];
  const std::string& actuator = mechanism.actuators[demand.actuator].name;
  const Places places(bare, run);
  const Vec3d across = next.axis.unitOrthogonal();
  std::vector<double> xs, ys, turns;
  double radius = 0.0, last_turn = 0.0;
  for (std::size_t k = 0; k < samples; ++k) {
    const auto from_cam = [&](const Point& point) {
      return Vec3d(places.in_world(point.body, point.position, true, k) -
                   places.in_world(cam.body, cam.position, true, k));
    };
    const Vec3d apart = from_cam(next), axis = places.in_world(cam.body, cam.axis, false, k);
    const Vec3d zero = places.in_world(cam.body, cam.zero, false, k), one = axis.cross(zero);
    if (const double aside = from_cam(end).dot(axis); std::abs(aside) > 1e-9 * from_cam(end).norm())
      return fmt::format(
          "point {} is {:.4g} m beside the plane of the cam, across its axis through its centre, "
          "with {} at {:.4g}; move the point or the centre along the axis",
          end.name, std::abs(aside), actuator, column_of(run, actuator + ".position")[k]);
    xs.push_back(apart.dot(zero));
    ys.push_back(apart.dot(one));
    const Vec3d direction = places.in_world(next.body, across, false, k);
    const double turn = std::atan2(direction.dot(one), direction.dot(zero));
    const double step = turns.empty() ? 0.0 : std::remainder(turn - last_turn, CamProfile::turn);
    // from 1, so that a body that does not turn gives no series of rounding errors
    turns.push_back(next.is_pulley && !turns.empty() ? turns.back() + step : 1.0);
    last_turn = turn;
    if (next.is_pulley)
      radius =
          std::copysign(next.radius, places.in_world(next.body, next.axis, false, k).dot(axis));
  }
  const std::vector<double>& loads = column_of(run, actuator + ".load");
  const auto series = [&](const std::vector<double>& values) {
    return ChebyshevSeries::through(demand.from, demand.to, values);
  };
  const auto load = series(loads), x = series(xs), y = series(ys), turn = series(turns);
  if (!load || !x || !y || !turn) return std::string(not_smooth);
  Curves curves{*load, *x, *y, *turn, radius, 0.0, std::nullopt};
  if (cam.start) {
    const Cable cable = cable_of(mechanism, spring);
    const Cable::Stop& stop =
        cable.stops.front().turners.empty() ? cable.stops.back() : cable.stops.front();
    curves.near = *cam.start - turned_by(mechanism, cam, stop.turners,
                                         [&](BodyIndex body) { return places.joint_at(body, 0); });
  }
  for (const double value : loads)
    curves.load_without = std::max(curves.load_without, std::abs(value));
  return curves;
}

/// The tangents of the cable in the cam's frame, by the actuator's position.
class Tangents {
 public:
  Tangents(const Curves& curves, const Spring& spring, bool arrives, const CamDemand& demand)
      : demand_(demand),
        arrives_(arrives),
        rate_(spring.rate),
        load_(curves.load),
        work_(curves.load.integral()),
        x_(curves.x),
        y_(curves.y),
        dx_(curves.x.derivative()),
        dy_(curves.y.derivative()),
        turning_(curves.turn.derivative()),
        radius_(curves.radius) {}

  /// The square of the tension.
  [[nodiscard]] double square(double q) const {
    return demand_.tension * demand_.tension - 2.0 * rate_ * (work_.at(q) - work_.at(demand_.from));
  }

  struct Tangent {
    double angle, lever;
    Vec2<double> place;  // of the stop next to the cam
    Vec2<double> along;  // of the cable, on its way
    double slope, most;  // of the length by that place, and the largest that is possible here
  };
  [[nodiscard]] Tangent at(double q) const {
    Tangent one{};
    one.place = {x_.at(q), y_.at(q)};
    const Vec2<double> moves(dx_.at(q), dy_.at(q));
    one.most = moves.norm();
    // a pulley that turns about the cam moves the place where the cable leaves it along the cable
    one.slope =
        -load_.at(q) / std::sqrt(square(q)) + (arrives_ ? 1.0 : -1.0) * turning_.at(q) * radius_;
    const double share = one.most > 0.0 ? -one.slope / one.most : 2.0;
    if (!(std::abs(share) < 1.0)) return one;
    const Vec2<double> ahead = moves / one.most, left(-ahead(1), ahead(0));
    const double across = std::sqrt((1.0 - share) * (1.0 + share));
    const Vec2<double> this_side = share * ahead + across * left;
    const Vec2<double> other_side = share * ahead - across * left;
    const bool nearer = this_side.dot(one.place) < other_side.dot(one.place);
    const Vec2<double>& to_cam = nearer ? this_side : other_side;
    one.along = arrives_ ? to_cam : Vec2<double>(-to_cam);
    const Vec2<double> normal(one.along(1), -one.along(0));
    one.angle = std::atan2(normal(1), normal(0));
    one.lever = normal.dot(one.place) + radius_;
    return one;
  }

 private:
  const CamDemand& demand_;
  bool arrives_;
  double rate_;
  ChebyshevSeries load_, work_, x_, y_, dx_, dy_, turning_;
  double radius_;
};

/// A knot of the profile at each of these positions.
struct Envelope {
  std::vector<double> positions;
  std::vector<CamProfile::Knot> knots;
  std::vector<double> straight;  // length of the cable that is not on the cam
  double turning = 0.0;          // least slope of the angle by the position, times its sign
};

std::optional<Envelope> envelope_of(const Tangents& tangents, const CamDemand& demand,
                                    bool arrives) {
  std::vector<double> angles, levers;
  for (const double q : ChebyshevSeries::places(demand.from, demand.to, samples)) {
    const auto one = tangents.at(q);
    double angle = one.angle;
    if (!angles.empty())
      angle +=
          std::remainder(angle - angles.back(), 2.0 * std::numbers::pi) - (angle - angles.back());
    angles.push_back(angle);
    levers.push_back(one.lever);
  }
  const auto angle = ChebyshevSeries::through(demand.from, demand.to, angles);
  const auto lever = ChebyshevSeries::through(demand.from, demand.to, levers);
  if (!angle || !lever) return std::nullopt;
  const ChebyshevSeries turn = angle->derivative(), rise = lever->derivative();
  const ChebyshevSeries turn_bend = turn.derivative(), rise_bend = rise.derivative();
  Envelope envelope;
  envelope.positions = positions_between(demand.from, demand.to, looks_at_profile);
  const double sign = turn.at(demand.from) < 0.0 ? -1.0 : 1.0;
  envelope.turning = no_limit;
  for (const double q : envelope.positions) {
    const double turns = turn.at(q), offset = rise.at(q) / turns;
    const double bend = (rise_bend.at(q) - offset * turn_bend.at(q)) / (turns * turns);
    envelope.knots.push_back({angle->at(q), lever->at(q), offset, lever->at(q) + bend});
    const auto one = tangents.at(q);
    const Vec2<double> way = CamProfile::place(envelope.knots.back()) - one.place;
    envelope.straight.push_back((arrives ? 1.0 : -1.0) * way.dot(one.along));
    envelope.turning = std::min(envelope.turning, sign * turns);
  }
  return envelope;
}

template <class Number>
CamRange span_of(const std::vector<CamProfile::Knot>& knots, Number number) {
  CamRange span{no_limit, -no_limit};
  for (const CamProfile::Knot& knot : knots) {
    span.least = std::min(span.least, knot.*number);
    span.greatest = std::max(span.greatest, knot.*number);
  }
  return span;
}

/// Says in words why an envelope is not the edge of a cam, or nothing.
std::optional<std::string> find_fault(const Envelope& envelope, const CamDemand& demand,
                                      std::string_view unit, bool counts_turns) {
  const auto& knots = envelope.knots;
  const CamRange radius = span_of(knots, &CamProfile::Knot::radius);
  const auto where = [&](auto number) {
    const auto least =
        std::min_element(knots.begin(), knots.end(),
                         [&](const auto& a, const auto& b) { return a.*number < b.*number; });
    return fmt::format("{:.4g} {}",
                       envelope.positions[static_cast<std::size_t>(least - knots.begin())], unit);
  };
  constexpr std::string_view ways =
      "another --tension or rate, the cable's point farther from the axis, or a shorter range may "
      "do";
  if (!(envelope.turning > 0.0))
    return fmt::format("the profile would be undercut: its tangent turns back within the range; {}",
                       ways);
  if (radius.greatest <= 0.0)
    return "the cable would have to lie on the inner side of the edge: turn the cam's \"axis\" "
           "around";
  if (!(radius.least > 0.0))
    return fmt::format(
        "the profile would be undercut: its radius of curvature goes from {:.4g} to {:.4g} m, with "
        "the least at {}; {}",
        radius.least, radius.greatest, where(&CamProfile::Knot::radius), ways);
  if (radius.least < demand.least_radius)
    return fmt::format(
        "the radius of curvature would be {:.4g} m at {}, where --least-radius is {:.4g} m; {}",
        radius.least, where(&CamProfile::Knot::radius), demand.least_radius, ways);
  const auto shortest = std::min_element(envelope.straight.begin(), envelope.straight.end());
  if (!(*shortest > 0.0))
    return fmt::format(
        "the cam would reach the cable's point at {:.4g} {}; move the point farther from the axis",
        envelope.positions[static_cast<std::size_t>(shortest - envelope.straight.begin())], unit);
  const double turned = std::abs(knots.back().angle - knots.front().angle);
  if (turned > CamProfile::turn * (counts_turns ? CamProfile::most_turns : 1))
    return fmt::format(
        "the profile would go round by {:.4g} rad, which is more than {}; {}a shorter range may do",
        turned, counts_turns ? "all turns that are counted" : "a turn",
        counts_turns ? "" : "a profile with \"start\", by which turns are counted, or ");
  return std::nullopt;
}

/// Says in words where the tension, or the slope of the cable's length, is impossible, or nothing.
std::optional<std::string> find_fault(const Tangents& tangents, const Spring& spring,
                                      const CamDemand& demand, std::string_view unit,
                                      CamRange& tension) {
  tension = {no_limit, -no_limit};
  double least = no_limit, least_at = demand.from;
  for (const double q : positions_between(demand.from, demand.to, looks_at_profile)) {
    const double square = tangents.square(q);
    if (square < least) std::tie(least, least_at) = std::pair(square, q);
    tension.greatest = std::max(tension.greatest, std::sqrt(std::max(square, 0.0)));
  }
  const double floor = std::max(spring.initial_tension, 1e-6 * tension.greatest);
  tension.least = std::sqrt(std::max(least, 0.0));
  if (!(least > 0.0) || tension.least < floor * (1.0 - 1e-12)) {
    const double enough = std::sqrt(demand.tension * demand.tension - least + floor * floor);
    return fmt::format(
        "the tension would fall {} at {:.4g} {}; a --tension of {:.4g} N at the beginning of the "
        "range, {:.4g} {}, is enough",
        spring.initial_tension > 0.0 ? fmt::format("below initial_tension, {:.4g} N,", floor)
                                     : std::string("to nothing"),
        least_at, unit, enough, demand.from, unit);
  }
  for (const double q : positions_between(demand.from, demand.to, looks_at_profile))
    if (const auto one = tangents.at(q); !(std::abs(one.slope) < one.most))
      return fmt::format(
          "the cable's length would have to change by {:.4g} m per {} at {:.4g} {}, where its "
          "point moves about the cam by {:.4g} only; more --tension, or the point farther from the "
          "axis, may do",
          std::abs(one.slope), unit, q, unit, one.most);
  return std::nullopt;
}

/// Finds the free length that goes with a design's knots, and what is left of the load; says in
/// words why the spring cannot be on this cam, or nothing.
std::optional<std::string> find_fault(const Mechanism& mechanism, const CamDemand& demand,
                                      CamDesign& design) {
  const Spring& spring = mechanism.springs[demand.spring];
  const Motion motion =
      poses_of(demand.actuator, positions_between(demand.from, demand.to, looks_at_profile));
  const auto run = [&](const Mechanism& made) { return simulate(made, motion, {}); };
  const Mechanism loose = with_cam(mechanism, demand.spring, design.knots, spring.free_length);
  const auto first = run(loose);
  if (const Finding* finding = std::get_if<Finding>(&first))
    return describe(*finding, loose, motion);
  const double length = column_of(std::get<Simulation>(first), spring.name + ".length").front();
  design.free_length = spring.free_length;
  if (spring.rate > 0.0)
    design.free_length = length - (demand.tension - spring.initial_tension) / spring.rate;
  if (design.free_length < 0.0)
    return fmt::format(
        "the cable is {:.4g} m long at the beginning of the range, and its spring would have to be "
        "stretched by {:.4g} m there; a stiffer spring, less --tension, or the cable's point "
        "farther away may do",
        length, length - design.free_length);
  const Mechanism made = with_cam(mechanism, demand.spring, design.knots, design.free_length);
  const auto second = run(made);
  if (const Finding* finding = std::get_if<Finding>(&second))
    return describe(*finding, made, motion);
  const auto& balanced = std::get<Simulation>(second);
  design.load_left = 0.0;
  const std::string& actuator = mechanism.actuators[demand.actuator].name;
  for (const double load : column_of(balanced, actuator + ".load"))
    design.load_left = std::max(design.load_left, std::abs(load));
  design.broken_limits = balanced.broken_limits;
  return std::nullopt;
}

}  // namespace

Mechanism with_cam(const Mechanism& mechanism, SpringIndex index,
                   const std::vector<CamProfile::Knot>& knots, double free_length) {
  Mechanism made = mechanism;
  Spring& spring = made.springs[index];
  spring.free_length = free_length;
  for (const PointIndex point : spring.points)
    if (made.points[point].is_cam)
      made.points[point].cam = std::make_shared<const CamProfile>(knots);
  return made;
}

std::variant<CamDesign, std::string> design_cam(const Mechanism& mechanism,
                                                const CamDemand& demand) {
  const Spring& spring = mechanism.springs[demand.spring];
  const Actuator& actuator = mechanism.actuators[demand.actuator];
  const bool arrives = mechanism.points[spring.points[1]].is_cam;
  const std::string_view unit =
      actuator.linear() || mechanism.bodies[actuator.joint].joint.type == JointType::prismatic
          ? "m"
          : "rad";
  const auto found = curves_of(mechanism, demand);
  if (const auto* reason = std::get_if<std::string>(&found)) return *reason;
  const auto& curves = std::get<Curves>(found);
  const Tangents tangents(curves, spring, arrives, demand);
  CamDesign design;
  design.load_without = curves.load_without;
  if (auto fault = find_fault(tangents, spring, demand, unit, design.tension)) return *fault;
  auto envelope = envelope_of(tangents, demand, arrives);
  if (!envelope) return std::string(not_smooth);
  if (curves.near) {  // on the turn that its joints say
    const double off = *curves.near - envelope->knots.front().angle;
    for (CamProfile::Knot& knot : envelope->knots)
      knot.angle += CamProfile::turn * std::round(off / CamProfile::turn);
  }
  if (auto fault = find_fault(*envelope, demand, unit, curves.near.has_value())) return *fault;
  design.lever = span_of(envelope->knots, &CamProfile::Knot::lever);
  design.radius = span_of(envelope->knots, &CamProfile::Knot::radius);

  std::optional<std::string> reason;
  for (const int every : {4, 2, 1}) {
    design.knots.clear();
    for (int i = 0; i < looks_at_profile; i += every)
      design.knots.push_back(envelope->knots[static_cast<std::size_t>(i)]);
    if (design.knots.front().angle > design.knots.back().angle)
      std::reverse(design.knots.begin(), design.knots.end());
    std::size_t where = 0;
    if ((reason = CamProfile::check(design.knots, where, curves.near.has_value()))) continue;
    if ((reason = find_fault(mechanism, demand, design))) return *reason;
    if (design.load_left <= exact * design.load_without) return design;
    reason = fmt::format(
        "the profile would leave {:.1e} of {:.4g} in the load; {}a shorter range "
        "may do",
        design.load_left, design.load_without,
        spring.over.empty() ? ""
                            : "the cable may lift off the pulley next to the cam; "
                              "a pulley farther in its way, or ");
  }
  return *reason;
}

}  // namespace counterpoise
