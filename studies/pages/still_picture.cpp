#include "studies/pages/still_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include "engine/kinematics/closure/cable.hpp"
#include "engine/math/rotation.hpp"
#include "input/definition/mechanism_units.hpp"
#include "results/text/printable.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

using Vec2d = Vec2<double>;

constexpr double width = 960.0, height = 540.0, margin = 24.0, text_size = 17.0;  // of the picture

/// What lies right, above and in front in the picture.
struct View {
  Vec3d right, above, front;

  explicit View(const Vec3d& towards)
      : right(Vec3d::UnitZ().cross(towards).normalized()), front(towards.normalized()) {
    above = front.cross(right);
  }
  [[nodiscard]] Vec2d flat(const Vec3d& place) const {
    return {right.dot(place), above.dot(place)};
  }
};

/// The direction from which the scene of a page first looks: one that shows depth, and shows a flat
/// mechanism from its broad side (stage.ts).
Vec3d oblique(const Eigen::AlignedBox3d& box) {
  const Vec3d half = box.sizes() / 2.0;
  const double least = half.minCoeff();
  if (least > 0.3 * half.norm()) return {0.75, -1.5, 0.7};
  if (least == half.z()) return {0.25, -0.7, 1.3};
  return least == half.x() ? Vec3d(1.5, -0.6, 0.45) : Vec3d(0.5, -1.5, 0.4);
}

/// A stroke, an area or a text in metres; those that are deeper are drawn first.
struct Shape {
  enum class Kind { line, area, text };
  Kind kind = Kind::line;
  std::string colour = {};  // its class
  std::vector<Vec2d> at = {};
  double thickness = 0.0;  // of lines [m]
  double opacity = 1.0;
  double depth = 0.0;
  std::string text = {};
};

/// Loads below this share of the largest have no arrow, unless they are the largest at the instant.
constexpr double least_share = 0.01;

constexpr double on_top = 1e300, above_all = 2e300;  // depths

/// Draws one design.
class Drawing {
 public:
  /// `largest` has the largest load of each unit in all designs.
  Drawing(const StillDesign& design, const View& view, double symbols,
          const std::map<std::string, double>& largest)
      : design_(design), mechanism_(*design.mechanism), view_(view), symbols_(symbols) {
    for (BodyIndex b = -1; b < mechanism_.body_count(); ++b) add_limbs(b);
    for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) add_joint(b);
    for (std::size_t l = 0; l < mechanism_.loops.size(); ++l) add_loop(l);
    for (const Obstacle& obstacle : mechanism_.obstacles) add_obstacle(obstacle);
    for (std::size_t s = 0; s < mechanism_.springs.size(); ++s) add_spring(s);
    for (const Actuator& actuator : mechanism_.actuators) add_actuator(actuator);
    add_loads(largest);
  }
  [[nodiscard]] std::vector<Shape>& shapes() { return shapes_; }

 private:
  [[nodiscard]] Vec3d on(BodyIndex body, const Vec3d& position) const {
    if (body == world_body) return position;
    const Pose& pose = design_.poses[body];
    return pose.rotation * position + pose.origin;
  }
  [[nodiscard]] Vec3d point(PointIndex index) const {
    return on(mechanism_.points[index].body, mechanism_.points[index].position);
  }
  [[nodiscard]] Vec3d axis(BodyIndex body) const {
    const Vec3d& own = mechanism_.bodies[body].joint.axis;
    return design_.poses[body].rotation * own;
  }

  Shape& add(Shape::Kind kind, std::string colour, const std::vector<Vec3d>& places,
             double thickness) {
    Shape shape{.kind = kind, .colour = std::move(colour), .at = {}, .thickness = thickness};
    for (const Vec3d& place : places) {
      shape.at.push_back(view_.flat(place));
      shape.depth += view_.front.dot(place) / static_cast<double>(places.size());
    }
    shapes_.push_back(std::move(shape));
    return shapes_.back();
  }
  Shape& line(std::string colour, const std::vector<Vec3d>& places, double thickness) {
    return add(Shape::Kind::line, std::move(colour), places, thickness);
  }
  /// A dot is a line without length, whose ends are round.
  Shape& dot(std::string colour, const Vec3d& place, double diameter) {
    return line(std::move(colour), {place, place}, diameter);
  }

  /// The shortest tree that joins the joint of a body, those that it carries and its points (Prim).
  void add_limbs(BodyIndex body) {
    std::vector<Vec3d> left;
    const auto take = [&](const Vec3d& place) {
      if (std::none_of(left.begin(), left.end(),
                       [&](const Vec3d& other) { return (other - place).norm() < 1e-9; }))
        left.push_back(place);
    };
    if (body != world_body) take(Vec3d::Zero());
    for (const Body& other : mechanism_.bodies)
      if (other.parent == body) take(other.joint.origin);
    for (const Point& point : mechanism_.points)
      if (point.body == body) take(point.position);
    if (body != world_body && left.size() < 2 && mechanism_.bodies[body].mass > 0.0)
      take(mechanism_.bodies[body].com);
    if (left.empty()) return;
    const std::string colour =
        body == world_body ? "world" : fmt::format("body-{}", static_cast<int>(body) % 6);
    if (body != world_body)
      if (const double radius = radius_of_ball(mechanism_, body); radius > 0.0)
        dot(colour, on(body, mechanism_.bodies[body].com), 2.0 * radius);
    const double thickness = symbols_ * (body == world_body ? 0.009 : 0.022);
    std::vector<Vec3d> joined = {left.front()};
    left.erase(left.begin());
    dot(colour, on(body, joined.front()), thickness);
    while (!left.empty()) {
      std::pair<std::size_t, std::size_t> nearest = {0, 0};
      double least = no_limit;
      for (std::size_t i = 0; i < joined.size(); ++i)
        for (std::size_t j = 0; j < left.size(); ++j)
          if (const double distance = (joined[i] - left[j]).norm(); distance < least) {
            least = distance;
            nearest = {i, j};
          }
      line(colour, {on(body, joined[nearest.first]), on(body, left[nearest.second])}, thickness);
      joined.push_back(left[nearest.second]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(nearest.second));
    }
  }

  void add_joint(BodyIndex body) {
    const Vec3d origin = on(body, Vec3d::Zero());
    const Joint& joint = mechanism_.bodies[body].joint;
    if (joint.type == JointType::fixed) return;
    const bool slides = joint.type == JointType::prismatic;
    if (slides)
      line("rod", {on(mechanism_.bodies[body].parent, joint.origin), origin}, 0.012 * symbols_);
    const Vec3d half = (slides ? 0.029 : 0.021) * symbols_ * axis(body);
    line(slides ? "slider" : "joint", {origin - half, origin + half},
         (slides ? 0.024 : 0.032) * symbols_);
  }

  void add_loop(std::size_t index) {
    const Loop& loop = mechanism_.loops[index];
    const Vec3d from = point(loop.points[0]), to = point(loop.points[1]);
    dot("loop", from, 0.03 * symbols_);
    if (design_.gaps[index] > 0.0) line("gap", {from, to}, 0.008 * symbols_).depth = on_top;
  }

  void add_spring(std::size_t index) {
    const Spring& spring = mechanism_.springs[index];
    const auto [tension, most] = design_.tensions[index];
    const double limit = std::isfinite(spring.max_load) ? spring.max_load : most;
    const double share = limit > 0.0 ? std::min(std::abs(tension) / limit, 1.0) : 0.0;
    std::string colour = tension < 0.0 ? "push" : "pull";
    if (!design_.changes.empty())
      colour = fmt::format("spring-{}", name_of(design_.changes[index]));
    const auto draw = [&](const std::vector<Vec3d>& places, double thickness) {
      line(colour, places, thickness).opacity = 0.4 + 0.6 * share;
    };
    if (spring.type == SpringType::torsion) {
      std::vector<Vec3d> places;
      const Vec3d centre = on(spring.joint, Vec3d::Zero());
      for (int i = 0; i <= 40; ++i) {
        const double radius = 0.036 * symbols_ * (0.35 + 0.65 * i / 40.0);
        places.push_back(on_circle(centre, axis(spring.joint), radius, 2.5 * i / 40.0));
      }
      return draw(places, 0.007 * symbols_);
    }
    Vec3d from = point(spring.points[0]);
    Vec3d to = point(spring.points[1]);
    if (spring.is_cable()) {
      std::vector<Vec3d> cable = cable_places(spring);
      if (mechanism_.points[spring.points[0]].is_cam) {
        std::reverse(cable.begin(), cable.end());
        from = cable.front();
      }
      to = from + 0.7 * (cable[1] - from);
      cable.front() = to;
      line(colour, cable, 0.005 * symbols_);
      for (const PointIndex over : spring.over) add_pulley(mechanism_.points[over]);
      for (const PointIndex end : spring.points) add_cam(mechanism_.points[end]);
    }
    if (spring.type == SpringType::gas)
      return draw({from, to}, spring.radius > 0.0 ? 2.0 * spring.radius : 0.022 * symbols_);
    const Vec3d along = to - from;
    Vec3d aside = view_.front.cross(along);
    if (!(aside.norm() > 1e-9)) aside = view_.right;
    aside *= spring.radius > 0.0 ? spring.radius / aside.norm()
                                 : std::min(0.02 * symbols_, 0.18 * along.norm()) / aside.norm();
    std::vector<Vec3d> places = {from};
    constexpr int bends = 16;
    for (int i = 0; i <= bends; ++i)
      places.push_back(from + (0.1 + 0.8 * i / bends) * along +
                       (i == 0 || i == bends ? 0.0 : (i % 2 == 0 ? 1.0 : -1.0)) * aside);
    places.push_back(to);
    draw(places, 0.007 * symbols_);
  }

  void add_obstacle(const Obstacle& obstacle) {
    const auto place = [&](std::size_t end) {
      return on(obstacle.body, place_of(mechanism_, obstacle, end));
    };
    line("obstacle", {place(0), place(1)}, std::max(2.0 * obstacle.radius, 0.006 * symbols_))
        .opacity = 0.35;
  }

  void add_pulley(const Point& pulley) {
    if (!pulley.is_pulley) return;
    const Vec3d centre = on(pulley.body, pulley.position);
    const Vec3d axis = on(pulley.body, pulley.position + pulley.axis) - centre;
    std::vector<Vec3d> rim;
    for (int i = 0; i <= 40; ++i) rim.push_back(on_circle(centre, axis, pulley.radius, i / 40.0));
    line("rod", rim, 0.005 * symbols_);
  }

  void add_cam(const Point& cam) {
    if (!cam.is_cam) return;
    std::vector<Vec3d> edge;
    for (const CamProfile::Knot& knot : cam_in_steps(cam))
      edge.push_back(on(cam.body, place_on_cam(cam, CamProfile::place(knot))));
    line("rod", edge, 0.005 * symbols_);
  }

  /// The course of a spring's cable, arcs in short steps.
  std::vector<Vec3d> cable_places(const Spring& spring) const {
    std::vector<CableStop> stops;
    for (const Cable::Stop& stop : cable_of(mechanism_, spring).stops) {
      const Point& one = mechanism_.points[stop.point];
      const Vec3d along = on(one.body, one.axis) - on(one.body, Vec3d::Zero());
      stops.push_back({point(stop.point), along, one.radius});
      stops.back().zero = on(one.body, one.zero) - on(one.body, Vec3d::Zero());
      stops.back().cam = one.cam.get();
      if (one.start)
        stops.back().near =
            *one.start - turned_by(mechanism_, one, stop.turners, [this](BodyIndex body) {
              return design_.positions[static_cast<std::size_t>(int{body})];
            });
    }
    CableCourse course;
    course.resize(stops.size());
    std::vector<Vec3d> places;
    const auto add_edge = [&](std::size_t end, double from, double to) {
      const Point& cam = mechanism_.points[spring.points[end == 0 ? 0 : 1]];
      const int steps = std::max(30, static_cast<int>(std::abs(to - from) / 0.1));
      for (int i = 0; i <= steps; ++i) {
        const auto contact = cam.cam->at(from + (to - from) * i / steps);
        places.push_back(on(cam.body, place_on_cam(cam, CamProfile::place(contact))));
      }
    };
    const std::size_t last = stops.size() - 1;
    const bool laid = !course.lay(stops);
    if (laid && stops[0].cam != nullptr)
      add_edge(0, stops[0].cam->knots().front().angle, course.around[0]);
    else
      places.push_back(stops[0].place);
    if (!laid) {
      for (std::size_t i = 1; i < stops.size(); ++i) places.push_back(stops[i].place);
      return places;
    }
    for (std::size_t i = 1; i + 1 < stops.size(); ++i) {
      places.push_back(course.in[i]);
      const Vec3d& turn_about = stops[i].axis;
      const Vec3d start = course.in[i] - stops[i].place;
      const double rise = turn_about.dot(course.out[i] - course.in[i]);
      const int steps =
          stops[i].radius > 0.0 ? static_cast<int>(std::ceil(course.wrap[i] / 0.1)) : 0;
      for (int k = 1; k <= steps; ++k) {
        const double share = static_cast<double>(k) / steps;
        places.push_back(stops[i].place +
                         Eigen::AngleAxisd(course.wrap[i] * share, turn_about) * start +
                         rise * share * turn_about);
      }
    }
    if (stops[last].cam != nullptr)
      add_edge(last, course.around[last], stops[last].cam->knots().back().angle);
    else
      places.push_back(stops[last].place);
    return places;
  }

  void add_actuator(const Actuator& actuator) {
    if (!actuator.linear()) {
      const Vec3d origin = on(actuator.joint, Vec3d::Zero());
      const bool slides = mechanism_.bodies[actuator.joint].joint.type == JointType::prismatic;
      const Vec3d half = (slides ? 0.037 : 0.009) * symbols_ * axis(actuator.joint);
      line("actuator", {origin - half, origin + half}, (slides ? 0.026 : 0.044) * symbols_);
      return;
    }
    const Vec3d from = point(actuator.points[0]), to = point(actuator.points[1]);
    const double depth = line("rod", {from, to}, 0.014 * symbols_).depth;
    line("actuator", {from, from + 0.6 * (to - from)}, 0.027 * symbols_).depth = depth;
  }

  /// A place on a circle about an axis, after some turns.
  static Vec3d on_circle(const Vec3d& centre, const Vec3d& axis, double radius, double turns) {
    const double angle = 2.0 * std::numbers::pi * turns;
    return centre + rotation_between(Vec3d::UnitZ(), axis) *
                        Vec3d(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  }

  /// A line with a head at its end, over all bodies, with an edge in the colour of the background.
  void arrow(const std::vector<Vec3d>& places, double thickness) {
    const Vec2d end = view_.flat(places.back());
    const Vec2d back = view_.flat(places[places.size() - 2]);
    Vec2d way = end - back;
    way = way.norm() > 1e-12 ? Vec2d(way.normalized()) : Vec2d(1.0, 0.0);
    const Vec2d aside = Vec2d(-way.y(), way.x()) * 3.0 * thickness;
    const Vec2d heel = end - 5.0 * thickness * way;
    line("halo", places, 2.6 * thickness).depth = on_top;
    line("load", places, thickness).depth = above_all;
    // the line ends where the head begins
    for (auto shape = shapes_.end() - 2; shape != shapes_.end(); ++shape) shape->at.back() = heel;
    shapes_.push_back({.kind = Shape::Kind::area,
                       .colour = "load",
                       .at = {end, heel + aside, heel - aside},
                       .depth = above_all});
  }

  /// The arrows of an actuator's load, as a share of the largest load; returns where they end.
  Vec3d add_load(const Actuator& actuator, bool turns, double share) {
    const double length = std::max(std::abs(share) * 0.16, 0.036) * symbols_;
    const double thickness = 0.012 * symbols_;
    if (turns) {
      const double turn = std::max(std::abs(share) * 0.8, 0.05);
      std::vector<Vec3d> places;
      const Vec3d about = share < 0.0 ? Vec3d(-axis(actuator.joint)) : axis(actuator.joint);
      for (int i = 0; i <= 48; ++i)
        places.push_back(
            on_circle(on(actuator.joint, Vec3d::Zero()), about, 0.055 * symbols_, turn * i / 48.0));
      arrow(places, 0.7 * thickness);
      return places.back();
    }
    if (!actuator.linear()) {
      const Vec3d from = on(actuator.joint, Vec3d::Zero());
      const Vec3d to = from + (share < 0.0 ? -length : length) * axis(actuator.joint);
      arrow({from, to}, thickness);
      return to;
    }
    const std::array<Vec3d, 2> ends = {point(actuator.points[0]), point(actuator.points[1])};
    const Vec3d along = (ends[1] - ends[0]).normalized();
    const std::array<Vec3d, 2> far = {ends[0] - length * along, ends[1] + length * along};
    for (std::size_t i = 0; i < 2; ++i) {
      if (share < 0.0)
        arrow({far[i], ends[i]}, thickness);
      else
        arrow({ends[i], far[i]}, thickness);
    }
    return far[1];
  }

  /// All loads, with the number beside the largest of each unit.
  void add_loads(const std::map<std::string, double>& largest) {
    struct Numbered {
      double load = 0.0;
      std::string text;
      Vec3d at;
    };
    std::map<std::string, Numbered> numbered;
    for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
      const Actuator& actuator = mechanism_.actuators[a];
      const std::string unit = load_unit(mechanism_, actuator);
      const double most = largest.at(unit), load = design_.loads[a].now;
      if (!(std::abs(load) > 1e-9 * most)) continue;  // rounding, or not known
      Numbered& first = numbered[unit];
      const bool largest_now = std::abs(load) > std::abs(first.load);
      if (!largest_now && std::abs(load) < least_share * most) continue;
      const Vec3d end = add_load(actuator, unit == "N*m", load / most);
      if (largest_now) first = {load, actuator.name + " " + still_number(load, unit), end};
    }
    for (const auto& [unit, one] : numbered)
      shapes_.push_back({.kind = Shape::Kind::text,
                         .colour = "number",
                         .at = {view_.flat(one.at)},
                         .depth = above_all,
                         .text = one.text});
  }

  const StillDesign& design_;
  const Mechanism& mechanism_;
  const View& view_;
  double symbols_;
  std::vector<Shape> shapes_;
};

/// The size of symbols: that of the mechanism, or less where its joints are close to each other.
double symbol_size(const StillDesign& design) {
  std::vector<double> links;
  for (const Body& body : design.mechanism->bodies)
    if (const double length = body.joint.origin.norm(); length > 1e-4 * design.size)
      links.push_back(length);
  std::sort(links.begin(), links.end());
  const double link = links.empty() ? design.size : links[links.size() / 2];
  return std::max(std::min(design.size, 10.0 * link), design.size / 4.0);
}

Eigen::AlignedBox2d outline(const std::vector<Shape>& shapes) {
  Eigen::AlignedBox2d box;
  for (const Shape& shape : shapes) {
    const Vec2d around = Vec2d::Constant(shape.thickness / 2.0);
    for (const Vec2d& place : shape.at) {
      box.extend(Vec2d(place - around));
      box.extend(Vec2d(place + around));
    }
  }
  return box;
}

/// From metres to places in the picture.
struct Paper {
  double scale = 1.0;  // a metre
  Vec2d origin;

  [[nodiscard]] Vec2d at(const Vec2d& place) const {
    return {origin.x() + scale * place.x(), origin.y() - scale * place.y()};
  }
};

/// A way through places in whole pixels, each from the one before: the shortest text of it.
std::string path_of(const std::vector<Vec2d>& places, const Paper& paper) {
  std::string path;
  Eigen::Vector2i before = Eigen::Vector2i::Zero();
  for (const Vec2d& place : places) {
    const Eigen::Vector2i now = paper.at(place).array().round().cast<int>();
    const Eigen::Vector2i way = now - before;
    path += path.empty() ? fmt::format("M{} {}l0 0", now.x(), now.y())
                         : fmt::format("{}{}{}{}", way.x() < 0 ? "" : " ", way.x(),
                                       way.y() < 0 ? "" : " ", way.y());
    before = now;
  }
  return path;
}

/// `right` is where the drawing ends that a text belongs to.
std::string drawn(const Shape& shape, const Paper& paper, double right) {
  if (shape.kind == Shape::Kind::text) {
    const double room = text_size * 0.6 * static_cast<double>(shape.text.size());
    const Vec2d at = paper.at(shape.at.front());
    const bool before = at.x() + room > right && at.x() > room;
    return fmt::format("<text class=\"{}{}\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>", shape.colour,
                       before ? " before" : "", at.x() + (before ? -10.0 : 10.0),
                       std::clamp(at.y() + 6.0, text_size, height - 6.0),
                       escaped(printable(shape.text)));
  }
  const std::string path = path_of(shape.at, paper);
  if (shape.kind == Shape::Kind::area)
    return fmt::format("<path class=\"{} area\" d=\"{}z\"/>", shape.colour, path);
  return fmt::format(
      "<path class=\"{}\" d=\"{}\" stroke-width=\"{:.2g}\"{}/>", shape.colour, path,
      std::max(shape.thickness * paper.scale, 1.0),
      shape.opacity < 1.0 ? fmt::format(" stroke-opacity=\"{:.2g}\"", shape.opacity) : "");
}

}  // namespace

std::string still_picture(const std::vector<StillDesign>& designs, const std::string& key,
                          const std::string& caption) {
  const View view(oblique(designs.front().box));
  double symbols = no_limit;
  std::map<std::string, double> largest;
  for (const StillDesign& design : designs) {
    symbols = std::min(symbols, symbol_size(design));
    for (std::size_t a = 0; a < design.loads.size(); ++a) {
      double& most = largest[load_unit(*design.mechanism, design.mechanism->actuators[a])];
      most = std::max(most, design.loads[a].most);
    }
  }

  // side by side, and as large as all of them fit above their names
  std::vector<std::vector<Shape>> drawings;
  Eigen::AlignedBox2d all;
  std::vector<Eigen::AlignedBox2d> boxes;
  for (const StillDesign& design : designs) {
    std::vector<Shape> shapes = std::move(Drawing(design, view, symbols, largest).shapes());
    Eigen::AlignedBox2d box = outline(shapes);
    const double edge = boxes.empty() ? box.min().x() : boxes.back().max().x() + 0.1 * design.size;
    const Vec2d shift(edge - box.min().x(), 0.0);
    for (Shape& shape : shapes)
      for (Vec2d& place : shape.at) place += shift;
    box.translate(shift);
    boxes.push_back(box);
    all.extend(box);
    drawings.push_back(std::move(shapes));
  }
  const double names = designs.size() > 1 ? 1.6 * text_size : 0.0;
  const Vec2d room(width - 2.0 * margin, height - 2.0 * margin - names);
  const Vec2d sizes = all.sizes().cwiseMax(1e-9);
  Paper paper;
  paper.scale = std::min(room.x() / sizes.x(), room.y() / sizes.y());
  paper.origin = {width / 2.0 - paper.scale * all.center().x(),
                  margin + room.y() / 2.0 + paper.scale * all.center().y()};

  std::string svg = fmt::format(
      "<figure class=\"still\" data-still=\"{}\"><svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\">",
      escaped(key), width, height, escaped(printable(caption)));
  for (std::size_t d = 0; d < designs.size(); ++d) {
    std::vector<Shape>& shapes = drawings[d];
    std::stable_sort(shapes.begin(), shapes.end(),
                     [](const Shape& a, const Shape& b) { return a.depth < b.depth; });
    const double right = d + 1 < boxes.size() ? paper.at(boxes[d].max()).x() : width;
    for (const Shape& shape : shapes) svg += drawn(shape, paper, right);
    if (designs.size() > 1)
      svg += fmt::format("<text class=\"name\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>",
                         paper.at(boxes[d].center()).x(), paper.at(all.min()).y() + 1.5 * text_size,
                         escaped(printable(designs[d].name)));
  }
  return svg + "</svg><figcaption>" + escaped(printable(caption)) + "</figcaption></figure>";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string still_number(double value, const std::string& unit) {
  std::string text = fmt::format("{:.4g} {}", value, unit == "N*m" ? "N·m" : unit);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace counterpoise
