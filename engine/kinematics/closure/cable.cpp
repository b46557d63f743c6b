#include "engine/kinematics/closure/cable.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
/// How far rounding may bring the end of a cable into the pulley on whose rim it is, relatively.
constexpr double rim = 1e-9;
/// How far a drum may be unwound beyond the end of its cable, because the rim is known to `rim`
/// only [rad].
constexpr double unwound = 1e-4;

double angle_between(const Vec2<double>& from, const Vec2<double>& to, double sense) {
  return std::atan2(sense * cross2(from, to), from.dot(to));
}

/// The angle between a neighbour and the point of contact of the tangent from it.
double angle_to_contact(double radius, double distance) {
  return std::acos(std::clamp(radius / distance, -1.0, 1.0));
}

}  // namespace

Cable cable_of(const Mechanism& mechanism, const Spring& spring) {
  Cable cable;
  if (!spring.is_cable()) return cable;
  for (const PointIndex point : points_along(spring))
    cable.stops.push_back(
        {point, path_to(mechanism, mechanism.points[point].body, point).chains[1]});
  const auto shared = [&] {
    const std::vector<BodyIndex>& first = cable.stops[0].chain;
    return !first.empty() &&
           std::all_of(cable.stops.begin(), cable.stops.end(), [&](const auto& stop) {
             return !stop.chain.empty() && stop.chain.front() == first.front();
           });
  };
  while (shared())
    for (Cable::Stop& stop : cable.stops) stop.chain.erase(stop.chain.begin());
  for (Cable::Stop& stop : cable.stops)
    if (mechanism.points[stop.point].is_cam) stop.turners = stop.chain;
  return cable;
}

std::vector<BodyIndex> moving_joints(const Cable& cable, const Mechanism& mechanism) {
  std::vector<BodyIndex> joints;
  for (const Cable::Stop& stop : cable.stops)
    for (const BodyIndex body : stop.chain)
      if (mechanism.moves(body)) joints.push_back(body);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

void CableCourse::resize(std::size_t stops) {
  in.resize(stops);
  out.resize(stops);
  wrap.resize(stops);
  around.resize(stops);
  direction.resize(stops);
  flat_.resize(stops);
}

std::optional<CableFault> CableCourse::lay(std::span<const CableStop> stops) {
  length = 0.0;
  for (std::size_t first = 0; first + 1 < stops.size();) {
    std::size_t last = first + 1;
    while (last + 1 < stops.size() && stops[last].radius > 0.0) ++last;
    if (const auto fault = lay_run(stops, first, last)) return fault;
    first = last;
  }
  return std::nullopt;
}

/// Finds how the cable goes straight from each stop that it touches to the next; whether it can.
bool CableCourse::find_tangents(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; i = flat_[i].next) {
    Flat& from = flat_[i];
    from.next = i + 1;
    while (!flat_[from.next].touches) ++from.next;
    Flat& to = flat_[from.next];
    if (from.cam != nullptr || to.cam != nullptr) {
      if (!join_cam(from, to)) return false;
      continue;
    }
    const Vec2<double> apart = to.centre - from.centre;
    const double across = from.signed_radius - to.signed_radius;
    const double distance = apart.norm();
    if (distance < std::abs(across) * (1.0 - rim) || distance == 0.0) return false;
    from.straight = std::sqrt(std::max(0.0, (distance - across) * (distance + across)));
    // apart = straight * d + across * right(d), with right(d) = (d_y, -d_x)
    const double scale = from.straight * from.straight + across * across;
    from.leaves = Vec2<double>(apart(0) * from.straight - apart(1) * across,
                               apart(1) * from.straight + apart(0) * across) /
                  scale;
    const Vec2<double> right(from.leaves(1), -from.leaves(0));
    from.out = from.centre + from.signed_radius * right;
    to.in = to.centre + to.signed_radius * right;
  }
  return true;
}

/// Finds how the cable goes straight between a cam and its neighbour; whether it can.
bool CableCourse::join_cam(Flat& from, Flat& to) {
  const bool arrives = to.cam != nullptr;
  Flat& cam = arrives ? to : from;
  const Flat& other = arrives ? from : to;
  const Vec2<double>& x = cam.zero;
  const Vec2<double> y = cam.sense * Vec2<double>(-x(1), x(0));
  const Vec2<double> apart = other.centre - cam.centre;
  const auto contact = cam.cam->find_tangent({apart.dot(x), apart.dot(y)},
                                             cam.sense * other.signed_radius, arrives, cam.near);
  cam.missed = !contact;
  if (!contact) return false;
  cam.contact = *contact;
  const double c = std::cos(contact->angle), s = std::sin(contact->angle);
  from.leaves = c * y - s * x;
  const Vec2<double> place =
      cam.centre + contact->lever * (c * x + s * y) + contact->offset * from.leaves;
  const Vec2<double> right(from.leaves(1), -from.leaves(0));
  from.out = arrives ? Vec2<double>(from.centre + from.signed_radius * right) : place;
  to.in = arrives ? place : Vec2<double>(to.centre + to.signed_radius * right);
  from.straight = (to.in - from.out).dot(from.leaves);
  const std::vector<CamProfile::Knot>& knots = cam.cam->knots();
  cam.wrap = arrives ? knots.back().angle - contact->angle : contact->angle - knots.front().angle;
  cam.wound = arrives ? cam.cam->length() - contact->gone : contact->gone;
  return true;
}

/// Finds how far the cable lies on each pulley, and returns the one that it would leave most, or
/// else one that is in its way most; `last` if there is none.
std::size_t CableCourse::find_wrong_contact(std::size_t first, std::size_t last) {
  std::size_t worst = last;
  double least = 0.0;
  std::size_t before = first;
  for (std::size_t i = first + 1; i < last; ++i) {
    Flat& pulley = flat_[i];
    const std::size_t behind = pulley.touches ? pulley.next : flat_[before].next;
    const Vec2<double> from = flat_[before].out - pulley.centre;
    const Vec2<double> to = flat_[behind].in - pulley.centre;
    const double radius = std::abs(pulley.signed_radius);
    pulley.around = angle_between(from, to, pulley.sense);
    if (pulley.around < 0.0) pulley.around += turn;
    pulley.wrap =
        pulley.around - angle_to_contact(radius, from.norm()) - angle_to_contact(radius, to.norm());
    const bool wrong = pulley.touches ? pulley.wrap <= 0.0 : pulley.wrap > rim;
    if (wrong && (worst == last || pulley.wrap < least)) {
      worst = i;
      least = pulley.wrap;
    }
    if (pulley.touches) before = i;
  }
  return worst;
}

/// Lays the cable on all pulleys and lifts it off one after the other; whether it comes to rest.
bool CableCourse::settle(std::size_t first, std::size_t last) {
  const std::size_t most = 4 * (last - first);
  for (std::size_t round = 0; round < most && find_tangents(first, last); ++round) {
    const std::size_t wrong = find_wrong_contact(first, last);
    if (wrong == last) return true;
    flat_[wrong].touches = !flat_[wrong].touches;
  }
  return false;
}

/// Tries all sets of pulleys that the cable may touch; whether any is right. Costs their number,
/// which is why long runs are given up; it is needed where lifting off one by one goes in circles.
bool CableCourse::choose_shortest(std::size_t first, std::size_t last) {
  constexpr std::size_t most = 10;
  const std::size_t pulleys = last - first - 1;
  if (pulleys > most) return false;
  const std::size_t none = std::size_t{1} << pulleys;
  std::size_t best = none;
  double least = 0.0;
  const auto touch = [&](std::size_t set) {
    for (std::size_t i = 0; i < pulleys; ++i) flat_[first + 1 + i].touches = ((set >> i) & 1U) != 0;
    return find_tangents(first, last) && find_wrong_contact(first, last) == last;
  };
  for (std::size_t set = 0; set < none; ++set) {
    if (!touch(set)) continue;
    const double plan = plan_length(first, last);
    if (best < none && !(plan < least)) continue;
    best = set;
    least = plan;
  }
  return best < none && touch(best);
}

double CableCourse::plan_length(std::size_t first, std::size_t last) const {
  double plan = 0.0;
  for (std::size_t i = first; i < last; i = flat_[i].next)
    plan += flat_[i].straight + std::abs(flat_[i].signed_radius) * flat_[i].wrap;
  for (const std::size_t end : {first, last})
    if (flat_[end].cam != nullptr) plan += flat_[end].wound;
  return plan;
}

std::optional<CableFault> CableCourse::lay_run(std::span<const CableStop> stops, std::size_t first,
                                               std::size_t last) {
  const bool cam = stops[first].cam != nullptr || stops[last].cam != nullptr;
  if (last == first + 1 && !cam) {
    const Vec3d apart = stops[last].place - stops[first].place;
    const double distance = apart.norm();
    const double least =
        meeting_share * (stops[last].place.norm() + stops[first].place.norm() + distance);
    if (distance <= least) return CableFault{CableFault::Kind::meeting, distance, least};
    out[first] = stops[first].place;
    in[last] = stops[last].place;
    direction[first] = apart / distance;
    length += distance;
    return std::nullopt;
  }
  const Vec3d axis = stops[last > first + 1 || stops[last].cam != nullptr ? first + 1 : first].axis;
  const Vec3d x = axis.unitOrthogonal(), y = axis.cross(x);
  for (std::size_t i = first; i <= last; ++i) {
    Flat& flat = flat_[i];
    flat = {};
    flat.centre = Vec2<double>(stops[i].place.dot(x), stops[i].place.dot(y));
    flat.in = flat.out = flat.centre;
    flat.cam = stops[i].cam;
    if ((i == first || i == last) && flat.cam == nullptr) continue;
    if (stops[i].axis.cross(axis).norm() > rim)
      return CableFault{CableFault::Kind::askew, 0.0, 0.0};
    if (stops[i].axis.dot(axis) < 0.0) flat.sense = -1.0;
    flat.signed_radius = flat.sense * stops[i].radius;
    if (flat.cam == nullptr) continue;
    flat.zero = {stops[i].zero.dot(x), stops[i].zero.dot(y)};
    flat.near = stops[i].near;
  }
  for (std::size_t i = first; i < last; ++i) {
    if (flat_[i].cam != nullptr || flat_[i + 1].cam != nullptr) continue;
    const double distance = (flat_[i + 1].centre - flat_[i].centre).norm();
    const double across = std::abs(flat_[i + 1].signed_radius - flat_[i].signed_radius);
    if (distance < across * (1.0 - rim))
      return CableFault{CableFault::Kind::inside, distance, across};
  }
  const CableFault no_course{CableFault::Kind::no_course, 0.0, 0.0};
  if (!settle(first, last) && !choose_shortest(first, last)) {
    for (const std::size_t end : {first, last})
      if (flat_[end].missed) {
        const std::vector<CamProfile::Knot>& knots = flat_[end].cam->knots();
        return CableFault{CableFault::Kind::off_cam, knots.front().angle, knots.back().angle};
      }
    return no_course;
  }
  for (std::size_t i = first + 1; i < last; ++i)
    for (const std::size_t end : {i - 1, i + 1})
      if (!flat_[i].touches && flat_[i].wrap < -unwound && flat_[end].signed_radius == 0.0 &&
          flat_[end].cam == nullptr &&
          (flat_[end].centre - flat_[i].centre).norm() < stops[i].radius * (1.0 + rim))
        return no_course;

  const double plan = plan_length(first, last);
  const double start = stops[first].place.dot(axis), rise = stops[last].place.dot(axis) - start;
  const double whole = std::hypot(plan, rise);
  if (!(whole > 0.0)) return no_course;
  length += whole;
  const double cosine = plan / whole, sine = rise / whole;
  const auto place = [&](const Vec2<double>& at, double gone) {
    return Vec3d(at(0) * x + at(1) * y + (start + (plan > 0.0 ? rise * gone / plan : 0.0)) * axis);
  };
  double gone = flat_[first].wound;
  for (std::size_t i = first; i < last; i = flat_[i].next) {
    Flat& from = flat_[i];
    out[i] = i == first && from.cam == nullptr ? stops[first].place : place(from.out, gone);
    gone += from.straight;
    const std::size_t next = from.next;
    const Vec3d along = cosine * (from.leaves(0) * x + from.leaves(1) * y) + sine * axis;
    for (std::size_t k = i; k < next; ++k) direction[k] = along;
    in[next] = next == last && flat_[last].cam == nullptr ? stops[last].place
                                                          : place(flat_[next].in, gone);
    for (std::size_t k = i + 1; k < next; ++k) in[k] = out[k] = in[next];  // lifted off
    gone += next < last ? stops[next].radius * flat_[next].wrap : 0.0;
  }
  for (std::size_t i = first + 1; i < last; ++i) {
    wrap[i] = flat_[i].touches ? flat_[i].wrap : 0.0;
    around[i] = flat_[i].around;
  }
  for (const std::size_t end : {first, last})
    if (flat_[end].cam != nullptr) {
      wrap[end] = flat_[end].wrap;
      around[end] = flat_[end].contact.angle;
    }
  return std::nullopt;
}

template <class S>
void CableLine<S>::resize(const Cable& cable) {
  const std::size_t stops = cable.stops.size();
  traces_.resize(stops);
  for (std::size_t i = 0; i < stops; ++i) traces_[i].resize(cable.stops[i].chain.size());
  for (auto* vectors : {&axes_, &zeros_, &in_, &out_, &direction_})
    vectors->assign(stops, Vec3<S>::Constant(S(0.0)));
  turned_.assign(stops, S(0.0));
  stops_.resize(stops);
  course_.resize(stops);
}

template <class S>
void CableLine<S>::trace(const DesignGeometry& geometry, const Cable& cable,
                         const JointView<S>& state) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const Point& point = geometry.mechanism.points[cable.stops[i].point];
    trace_positions<S>(geometry.frames, cable.stops[i].chain, point.position, state, traces_[i]);
    axes_[i] = traces_[i].rotation * point.axis.template cast<S>();
    if (!point.is_cam) continue;
    zeros_[i] = traces_[i].rotation * point.zero.template cast<S>();
    if (point.start)
      turned_[i] = turned_by(geometry.mechanism, point, cable.stops[i].turners,
                             [&](BodyIndex body) { return state.q[body]; });
  }
}

template <class S>
std::optional<CableFault> CableLine<S>::lay(const Mechanism& mechanism, const Cable& cable,
                                            int sample) {
  const auto get = [sample](const Vec3<S>& v) {
    return Vec3d(lane(v(0), sample), lane(v(1), sample), lane(v(2), sample));
  };
  const auto set = [sample](Vec3<S>& v, const Vec3d& to) {
    for (int i = 0; i < 3; ++i) set_lane(v(i), sample, to(i));
  };
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const Point& point = mechanism.points[cable.stops[i].point];
    stops_[i] = {get(traces_[i].p), get(axes_[i]), point.radius};
    if (!point.is_cam) continue;
    stops_[i].zero = get(zeros_[i]);
    stops_[i].cam = point.cam.get();
    if (point.start) stops_[i].near = *point.start - lane(turned_[i], sample);
  }
  if (const auto fault = course_.lay(stops_)) return fault;
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    set(in_[i], course_.in[i]);
    set(out_[i], course_.out[i]);
    if (i + 1 < stops_.size()) set(direction_[i], course_.direction[i]);
  }
  return std::nullopt;
}

template <class S>
bool CableLine<S>::slips() {
  bool passed = false;
  const bool first = around_.empty();
  around_.resize(stops_.size());
  for (std::size_t i = 0; i < around_.size(); ++i) {
    // that of a cam whose turns are counted may pass any angle, but not leave its joints
    const double around = course_.around[i] - stops_[i].near.value_or(0.0);
    passed |= !first && std::abs(around - around_[i]) > std::numbers::pi;
    around_[i] = around;
  }
  return passed;
}

template <class S>
S CableLine<S>::slope(std::span<const JointFrame> frames, const Cable& cable, std::size_t stop,
                      std::size_t position) const {
  const Trace<S>& trace = traces_[stop];
  const JointType type = frames[at(cable.stops[stop].chain[position])].type;
  if (type == JointType::fixed) return S(0.0);
  const Vec3<S>& axis = trace.axis[position];
  const auto moved = [&](const Vec3<S>& place) {
    return type == JointType::revolute ? Vec3<S>(axis.cross(place - trace.origin[position])) : axis;
  };
  S slope(0.0);
  if (stop > 0) slope += direction_[stop - 1].dot(moved(in_[stop]));
  if (stop + 1 < stops_.size()) slope -= direction_[stop].dot(moved(out_[stop]));
  return slope;
}

template class CableLine<double>;
template class CableLine<Pack>;

}  // namespace counterpoise
