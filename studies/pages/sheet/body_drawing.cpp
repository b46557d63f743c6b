#include "studies/pages/sheet/body_drawing.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "engine/math/rotation.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

constexpr double mark_size = 3.6, name_size = 2.6, dimension_size = 2.7;  // of fonts [mm]
constexpr double light = 0.6;                                             // a grey

/// The rim of a pulley or the edge of a cam, in the axes of its body; nothing of a mere point.
std::vector<Vec3d> outline_of(const Point& point) {
  std::vector<Vec3d> outline;
  if (point.is_cam && point.cam != nullptr) {
    for (const CamProfile::Knot& knot : cam_in_steps(point))
      outline.push_back(place_on_cam(point, CamProfile::place(knot)));
  } else if (point.is_pulley && point.radius > 0.0) {
    constexpr int steps = 48;
    const Vec3d right = point.axis.unitOrthogonal(), up = point.axis.cross(right);
    for (int i = 0; i <= steps; ++i) {
      const double angle = 2.0 * std::numbers::pi * (i % steps) / steps;
      outline.push_back(point.position +
                        point.radius * (std::cos(angle) * right + std::sin(angle) * up));
    }
  }
  return outline;
}

/// All that a drawing of a body has to show.
std::vector<Vec3d> places_on(const WorkshopSheet& sheet, const SheetBody& body) {
  std::vector<Vec3d> places = {Vec3d::Zero()};
  for (const SheetMount& mount : body.mounts) {
    const Point& point = sheet.parts.mechanism.points[mount.point];
    places.push_back(point.position);
    const std::vector<Vec3d> outline = outline_of(point);
    places.insert(places.end(), outline.begin(), outline.end());
  }
  for (const std::size_t w : body.weights) places.push_back(sheet.parts.weights[w].place);
  return places;
}

/// Places on a line as near as they can be to those wished, which ascend, and at least `gap` apart:
/// those that are too close are spread about their middle.
std::vector<double> spread(const std::vector<double>& wished, double gap) {
  struct Pool {
    double sum;
    std::size_t count;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;  // of wishes less the gaps before them, means ascending
  for (std::size_t i = 0; i < wished.size(); ++i) {
    pools.push_back({wished[i] - gap * static_cast<double>(i), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> places;
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i)
      places.push_back(pool.mean() + gap * static_cast<double>(places.size()));
  return places;
}

/// The drawing while it is made, with y upwards from the frame's origin, in mm on paper.
class DrawnBody {
 public:
  DrawnBody(const WorkshopSheet& sheet, const SheetBody& body, const WorkshopUnits& units,
            double width)
      : sheet_(sheet),
        body_(body),
        units_(units),
        plane_(plane_of(sheet, body)),
        width_(width - left_band - 2.0 * margin) {
    for (const Vec3d& place : places_on(sheet, body)) box_.extend(flat(place));
    take_joints();
    choose_scale();
  }

  BodyDrawing drawn() {
    draw_frame();
    draw_things();
    draw_dimensions();
    place_names();
    return finished();
  }

 private:
  /// A name that wants a place beside a place.
  struct Wish {
    SheetPlace at;
    std::string text;
    double size, grey;
    bool bold;
  };
  struct Place {
    double at;  // on paper, from the origin
    double to;  // how far the line goes that leads to it
    double value;
  };

  [[nodiscard]] SheetPlace flat(const Vec3d& place) const {
    return {place[plane_.axes[0]], place[plane_.axes[1]]};
  }
  [[nodiscard]] SheetPlace on_paper(const Vec3d& place) const { return scale_ * flat(place); }

  /// The joints of the bodies that this one carries, unless they are far from all else.
  void take_joints() {
    const Eigen::AlignedBox2d all = box_;
    const double size = all.sizes().maxCoeff();
    for (const Body& body : sheet_.parts.mechanism.bodies) {
      if (body.parent != body_.body || body.joint.type == JointType::fixed) continue;
      const SheetPlace at = flat(body.joint.origin);
      if (all.exteriorDistance(at) > size) continue;
      joints_.emplace_back(body.name, body.joint.origin);
      box_.extend(at);
    }
  }

  /// The largest of the usual scales that fits.
  void choose_scale() {
    const double across = 1e3 * box_.sizes().x(), tall = 1e3 * box_.sizes().y();
    for (const auto& [larger, smaller] : {std::pair{10.0, 1.0},
                                          {5.0, 1.0},
                                          {2.0, 1.0},
                                          {1.0, 1.0},
                                          {1.0, 2.0},
                                          {1.0, 5.0},
                                          {1.0, 10.0},
                                          {1.0, 20.0},
                                          {1.0, 50.0},
                                          {1.0, 100.0},
                                          {1.0, 1000.0}}) {
      scale_ = 1e3 * larger / smaller;
      words_ = fmt::format("{:g} : {:g}", larger, smaller);
      if (across * larger / smaller <= width_ && tall * larger / smaller <= tallest) return;
    }
    scale_ = 1e3 * std::min(width_ / std::max(across, 1.0), tallest / std::max(tall, 1.0));
    words_ = "not true";
  }

  void line(const std::vector<SheetPlace>& places, double width, double grey = 0.0,
            bool dashed = false) {
    part_.lines.push_back({.places = places, .width = width, .grey = grey, .dashed = dashed});
  }
  void area(const std::vector<SheetPlace>& places, double grey = 0.0) {
    part_.lines.push_back({.places = places, .grey = grey, .filled = true});
  }

  /// The origin, and arrows along the axes.
  void draw_frame() {
    constexpr double length = 11.0, head = 1.8;
    for (int i = 0; i < 2; ++i) {
      const SheetPlace along = i == 0 ? SheetPlace(1.0, 0.0) : SheetPlace(0.0, 1.0);
      const SheetPlace aside = SheetPlace(-along.y(), along.x());
      const SheetPlace end = length * along;
      line({SheetPlace(-3.0 * along), end}, 0.2, 0.35);
      area(
          {end, end - head * along + 0.35 * head * aside, end - head * along - 0.35 * head * aside},
          0.35);
      wishes_.push_back({end, std::string(1, "xyz"[plane_.axes[i]]), name_size, 0.0, false});
    }
    line(circle({0.0, 0.0}, 1.1), 0.3, 0.35);
    taken_.emplace_back(SheetPlace(-1.6, -1.6), SheetPlace(1.6, 1.6));
    frame_.extend(SheetPlace(-3.0, -3.0));
    frame_.extend(SheetPlace(length + 4.0, length + 4.0));
    frame_.extend(scale_ * box_.min());
    frame_.extend(scale_ * box_.max());
  }

  void take_dot(const SheetPlace& at) {
    taken_.emplace_back(at - SheetPlace(0.9, 0.9), at + SheetPlace(0.9, 0.9));
  }

  void draw_things() {
    for (const auto& [name, origin] : joints_) {
      const SheetPlace at = on_paper(origin);
      line(circle(at, 0.8), 0.25, light);
      take_dot(at);
      wishes_.push_back({at, "joint of " + name, name_size, 0.45, false});
    }
    std::vector<std::pair<SheetPlace, std::string>> marks;  // those of one place together
    const auto mark = [&](const SheetPlace& at, const std::string& text) {
      constexpr double one = 0.3;  // what is nearer on paper is at one place
      for (auto& [place, texts] : marks)
        if ((place - at).norm() < one) {
          texts += ", " + text;
          return;
        }
      marks.emplace_back(at, text);
    };
    for (const SheetMount& mount : body_.mounts) {
      const Point& point = sheet_.parts.mechanism.points[mount.point];
      std::vector<SheetPlace> outline;
      for (const Vec3d& place : outline_of(point)) outline.push_back(on_paper(place));
      if (!outline.empty()) line(outline, 0.35, 0.25);
      area(circle(on_paper(point.position), 0.75));
      mark(on_paper(point.position), mount.mark);
    }
    for (const std::size_t w : body_.weights) {
      const SheetPlace at = on_paper(sheet_.parts.weights[w].place);
      line(circle(at, 1.6), 0.3);
      line({at - SheetPlace(2.4, 0.0), at + SheetPlace(2.4, 0.0)}, 0.2);
      line({at - SheetPlace(0.0, 2.4), at + SheetPlace(0.0, 2.4)}, 0.2);
      mark(at, mark_of_weight(w));
    }
    for (const auto& [at, text] : marks) {
      take_dot(at);
      wishes_.push_back({at, text, mark_size, 0.0, true});
    }
  }

  /// The places along one axis, each once, from the least to the greatest, the origin among them.
  [[nodiscard]] std::vector<Place> dimensions(int axis) const {
    std::vector<Vec3d> all = {Vec3d::Zero()};
    for (const SheetMount& mount : body_.mounts)
      all.push_back(sheet_.parts.mechanism.points[mount.point].position);
    for (const std::size_t w : body_.weights) all.push_back(sheet_.parts.weights[w].place);
    std::map<std::string, Place> found;  // by the number that is written
    for (const Vec3d& place : all) {
      const SheetPlace at = on_paper(place);
      const double value = place[plane_.axes[axis]];
      const auto [of, added] =
          found.try_emplace(units_.length_number(value), Place{at[axis], at[1 - axis], value});
      if (!added) of->second.to = std::max(of->second.to, at[1 - axis]);
    }
    std::vector<Place> places;
    for (const auto& [text, place] : found) places.push_back(place);
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.at < b.at; });
    return places;
  }

  /// Running dimensions: below for the axis to the right, at the left for the other.
  void draw_dimensions() {
    constexpr double away = 5.0, bend = 4.0, straight = 2.0, gap = 3.4;
    const SheetPlace corner = frame_.min();
    for (int axis = 0; axis < 2; ++axis) {
      const std::vector<Place> places = dimensions(axis);
      if (gap * static_cast<double>(places.size()) > (axis == 0 ? width_ : tallest_dimensions)) {
        undimensioned_ +=
            fmt::format("{}{}", undimensioned_.empty() ? "" : " and ", "xyz"[plane_.axes[axis]]);
        continue;
      }
      std::vector<double> wished;
      for (const Place& place : places) wished.push_back(place.at);
      const std::vector<double> at = spread(wished, gap);
      const double begin = corner[1 - axis] - away;
      const auto point = [&](double along, double across) {
        return axis == 0 ? SheetPlace(along, across) : SheetPlace(across, along);
      };
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double end = begin - straight - bend;
        line({point(places[i].at, places[i].to), point(places[i].at, begin),
              point(at[i], begin - bend), point(at[i], end)},
             0.13, 0.5);
        part_.texts.push_back({.at = axis == 0
                                         ? SheetPlace(at[i] + 0.35 * dimension_size, end - 0.8)
                                         : SheetPlace(end - 0.8, at[i] - 0.35 * dimension_size),
                               .text = units_.length_number(places[i].value),
                               .size = dimension_size,
                               .anchor = SheetText::Anchor::end,
                               .upwards = axis == 0});
        frame_.extend(point(at[i] - gap, end));
        frame_.extend(point(at[i] + gap, end));
        const double widest = text_width(part_.texts.back().text, dimension_size);
        bands_[axis] = std::max(bands_[axis], widest);
        if (axis == 0) uprights_.push_back(places[i]);
        if (axis == 1) levels_.push_back(places[i]);
      }
    }
  }

  [[nodiscard]] double overlap(const Eigen::AlignedBox2d& box) const {
    double sum = 0.0;
    for (const Eigen::AlignedBox2d& other : taken_)
      if (const auto both = box.intersection(other); !both.isEmpty()) sum += 10.0 + both.volume();
    for (const Place& upright : uprights_)
      if (upright.at > box.min().x() && upright.at < box.max().x() && upright.to > box.min().y())
        sum += 1.0;
    for (const Place& level : levels_)
      if (level.at > box.min().y() && level.at < box.max().y() && level.to > box.min().x())
        sum += 1.0;
    return sum;
  }

  /// Gives each name the place beside its own that covers the least.
  void place_names() {
    std::stable_sort(wishes_.begin(), wishes_.end(),
                     [](const Wish& a, const Wish& b) { return a.size > b.size; });
    for (const Wish& wish : wishes_) {
      const double wide = text_width(wish.text, wish.size, wish.bold), tall = 0.72 * wish.size;
      double least = no_limit;
      Eigen::AlignedBox2d chosen;
      for (const double away : {1.2, 3.0, 5.5, 8.5})
        for (const auto& [x, y] :
             {std::pair{1, 1}, {-1, 1}, {1, 0}, {0, 1}, {1, -1}, {-1, 0}, {0, -1}, {-1, -1}}) {
          const SheetPlace middle =
              wish.at + SheetPlace(x * (away + 0.5 * wide), y * (away + 0.5 * tall));
          const SheetPlace half(0.5 * wide + 0.3, 0.5 * tall + 0.3);
          const Eigen::AlignedBox2d box(middle - half, middle + half);
          const double cost = overlap(box) + 0.2 * away;
          if (cost < least - 1e-9) {
            least = cost;
            chosen = box;
          }
        }
      taken_.push_back(chosen);
      frame_.extend(chosen);
      part_.texts.push_back({.at = {chosen.center().x(), chosen.center().y() - 0.5 * tall},
                             .text = wish.text,
                             .size = wish.size,
                             .anchor = SheetText::Anchor::middle,
                             .bold = wish.bold,
                             .grey = wish.grey});
    }
  }

  /// Moves all to the page's own axes, its corner at the origin.
  BodyDrawing finished() {
    const double left = std::min(frame_.min().x(), frame_.min().x() - bands_[1]);
    const double bottom = frame_.min().y() - bands_[0];
    BodyDrawing drawing;
    drawing.height = frame_.max().y() - bottom + 2.0 * margin;
    const auto move = [&](SheetPlace& place) {
      place = {place.x() - left + margin, frame_.max().y() - place.y() + margin};
    };
    for (SheetLine& line : part_.lines)
      for (SheetPlace& place : line.places) move(place);
    for (SheetText& text : part_.texts) move(text.at);
    drawing.part = std::move(part_);
    drawing.caption =
        fmt::format("{} of its own frame, seen {}, scale {}", plane_.name, plane_.seen, words_);
    if (!undimensioned_.empty())
      drawing.caption += fmt::format("; too many places to dimension along {}: the table has them",
                                     undimensioned_);
    return drawing;
  }

  static constexpr double margin = 2.0, left_band = 34.0, tallest = 72.0,
                          tallest_dimensions = 150.0;

  const WorkshopSheet& sheet_;
  const SheetBody& body_;
  const WorkshopUnits& units_;
  SheetPlane plane_;
  double width_, scale_ = 1.0;  // scale_: mm on paper a metre
  std::string words_;
  std::string undimensioned_;  // axes with more places than dimensions find room for
  Eigen::AlignedBox2d box_;    // of all places [m]
  Eigen::AlignedBox2d frame_;  // of all that is drawn [mm]
  std::vector<std::pair<std::string, Vec3d>> joints_;  // of the bodies that it carries
  std::vector<Wish> wishes_;
  std::vector<Eigen::AlignedBox2d> taken_;
  std::vector<Place> uprights_, levels_;      // lines of dimensions
  std::array<double, 2> bands_ = {0.0, 0.0};  // the widest numbers
  SheetPage part_;
};

}  // namespace

SheetPlane plane_of(const WorkshopSheet& sheet, const SheetBody& body) {
  Eigen::AlignedBox3d box;
  for (const Vec3d& place : places_on(sheet, body)) box.extend(place);
  int across = 1;  // the axis of the joint, along which the drawing is looked at
  if (body.body != world_body)
    sheet.parts.mechanism.bodies[body.body].joint.axis.cwiseAbs().maxCoeff(&across);
  const double least = box.sizes().minCoeff();
  if (box.sizes()[across] > least + 1e-9) box.sizes().minCoeff(&across);
  switch (across) {
    case 0:
      return {{1, 2}, "y and z", "against x"};
    case 1:
      return {{0, 2}, "x and z", "along y"};
    default:
      return {{0, 1}, "x and y", "against z"};
  }
}

BodyDrawing draw_body(const WorkshopSheet& sheet, const SheetBody& body, const WorkshopUnits& units,
                      double width) {
  return DrawnBody(sheet, body, units, width).drawn();
}

std::string mark_of_weight(std::size_t weight) {
  return fmt::format("W{}", weight + 1);
}

}  // namespace counterpoise
