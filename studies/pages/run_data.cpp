#include "studies/pages/run_data.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

#include "input/definition/mechanism_units.hpp"
#include "results/text/table_format.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

/// The distance of a loop's points above which it counts as open [share of the mechanism's size].
constexpr double open_gap = 1e-7;

constexpr std::array<std::string_view, 6> energies = {"kinetic", "potential", "springs",
                                                      "total",   "lost",      "work"};

}  // namespace

const Series* find_column(const std::vector<Series>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Series& series) { return series.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

namespace {

/// Numbers of one kind, and the size beside which tiny ones are rounding.
struct Kind {
  double size = 0.0;
  std::vector<Series*> columns;
};

/// Brings the columns of one kind together.
class Kinds {
 public:
  explicit Kinds(std::vector<Series>& columns) {
    for (Series& series : columns) by_name_.emplace(series.name, &series);
  }
  void add(const std::string& kind, double size, const std::string& column) {
    const auto found = by_name_.find(column);
    if (found == by_name_.end()) return;
    Kind& of = kinds_.try_emplace(kind, Kind{size, {}}).first->second;
    of.columns.push_back(found->second);
  }
  void clear_rounding() {
    for (auto& [name, kind] : kinds_) {
      for (const Series* series : kind.columns)
        for (const double value : series->values) kind.size = std::max(kind.size, std::abs(value));
      for (Series* series : kind.columns)
        for (double& value : series->values) value = without_rounding(value, kind.size);
    }
  }

 private:
  std::unordered_map<std::string, Series*> by_name_;
  std::map<std::string, Kind> kinds_;
};

double mass_of(const Mechanism& mechanism) {
  double mass = 0.0;
  for (const Body& body : mechanism.bodies) mass += body.mass;
  for (const Actuator& actuator : mechanism.actuators)
    mass += actuator.tube.mass + actuator.rod.mass;
  return mass;
}

}  // namespace

void stand_still(std::vector<Series>& columns) {
  for (std::size_t c = 1; c < columns.size(); ++c) {
    std::vector<double>& values = columns[c].values;
    const auto first =
        std::find_if(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
    if (first == values.end()) continue;
    double last = *first;
    for (double& value : values) last = value = std::isnan(value) ? last : value;
  }
}

std::vector<Series> without_rounding(const Mechanism& mechanism, std::vector<Series> columns) {
  const double length = farthest_coordinate(mechanism), turn = 1.0;
  const double weight = mass_of(mechanism) * mechanism.gravity.norm();
  Kinds kinds(columns);
  for (const Actuator& actuator : mechanism.actuators) {
    const std::string unit = load_unit(mechanism, actuator);
    const bool line = unit == "N";
    kinds.add(unit, line ? weight : weight * length, actuator.name + ".load");
    kinds.add(line ? "m" : "rad", line ? length : turn, actuator.name + ".position");
    kinds.add(line ? "m/s" : "rad/s", 0.0, actuator.name + ".velocity");
  }
  for (const Spring& spring : mechanism.springs) {
    kinds.add("m", length, spring.name + ".length");
    kinds.add("m", length, spring.name + ".clearance");
    kinds.add("N", weight, spring.name + ".tension");
    kinds.add("rad", turn, spring.name + ".angle");
    kinds.add("N*m", weight * length, spring.name + ".torque");
  }
  for (const Body& body : mechanism.bodies) {
    const bool turns = body.joint.type == JointType::revolute;
    kinds.add(turns ? "rad" : "m", turns ? turn : length, body.name + ".q");
  }
  for (const std::string_view part : energies)
    kinds.add("J", weight * length, fmt::format("energy.{}", part));
  kinds.clear_rounding();
  return columns;
}

Placing::Placing(const Mechanism& mechanism, const std::vector<Series>& columns)
    : mechanism_(mechanism),
      columns_(columns),
      size_(std::max(farthest_coordinate(mechanism), 1e-12)),
      state_(mechanism.body_count()) {
  prepare_frames(mechanism, frames_);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    joints_.push_back(mechanism.moves(b) ? find_column(columns, mechanism.bodies[b].name + ".q")
                                         : nullptr);
}

void Placing::go(std::size_t sample) {
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    if (const Series* q = joints_[b]) state_.set_position(frames_, b, q->values[sample]);
  place_bodies(frames_, state_.view(), poses_);
}

Vec3d Placing::place(PointIndex index) const {
  const Point& point = mechanism_.points[index];
  if (point.body == world_body) return point.position;
  const Pose& pose = poses_[point.body];
  return pose.rotation * point.position + pose.origin;
}

Approach Placing::approach(SpringClearance<double>& clearance) const {
  clearance.nearest({mechanism_, frames_}, state_.view());
  return clearance.locate(mechanism_, 0);
}

double Placing::gap(const Loop& loop) const {
  const double gap = line(loop.points).norm();
  return gap > open_gap * size_ ? gap : 0.0;
}

namespace {

Json series_json(std::string_view kind, const std::string& element, std::string_view quantity,
                 std::string_view unit, const std::vector<double>& values) {
  return {{"kind", kind},
          {"element", element},
          {"quantity", quantity},
          {"unit", unit},
          {"values", float32_column(values)}};
}

/// Writes down sample by sample what pages draw.
class PoseRecord {
 public:
  explicit PoseRecord(const Mechanism& mechanism)
      : mechanism_(mechanism), mass_(mass_of(mechanism)), gaps_(mechanism.loops.size()) {}

  void add(const Placing& now) {
    for (const Pose& pose : now.poses()) {
      const Eigen::Quaterniond turn(pose.rotation);
      for (const double number : {pose.origin.x(), pose.origin.y(), pose.origin.z(), turn.x(),
                                  turn.y(), turn.z(), turn.w()})
        numbers_.push_back(number);
    }
    add_centre_of_mass(now);
    for (std::size_t l = 0; l < gaps_.size(); ++l) gaps_[l].push_back(now.gap(mechanism_.loops[l]));
  }

  /// `json` has the keys of keys() already.
  void write(Json& json) const {
    json["poses"] = float32_column(numbers_);
    if (mass_ > 0.0) json["centre_of_mass"] = float32_column(centres_);
  }
  /// The numbers, with null for each column that write() gives.
  [[nodiscard]] Json keys() const {
    Json json = {{"mass", mass_}, {"poses", nullptr}};
    if (mass_ > 0.0) json["centre_of_mass"] = nullptr;
    return json;
  }
  void write_gaps(Json& series) const {
    for (std::size_t l = 0; l < gaps_.size(); ++l)
      if (*std::max_element(gaps_[l].begin(), gaps_[l].end()) > 0.0)
        series.push_back(series_json("loop", mechanism_.loops[l].name, "gap", "m", gaps_[l]));
  }

 private:
  void add_centre_of_mass(const Placing& now) {
    Vec3d sum = Vec3d::Zero();
    for (std::size_t b = 0; b < now.poses().size(); ++b) {
      const Body& body = mechanism_.bodies[b];
      sum += body.mass * (now.poses()[b].rotation * body.com + now.poses()[b].origin);
    }
    for (const Actuator& actuator : mechanism_.actuators) {
      if (!actuator.linear() || actuator.tube.mass + actuator.rod.mass == 0.0) continue;
      const Vec3d along = now.line(actuator.points).normalized();
      sum += actuator.tube.mass * (now.place(actuator.points[0]) + actuator.tube.com * along) +
             actuator.rod.mass * (now.place(actuator.points[1]) - actuator.rod.com * along);
    }
    for (const double number : sum)
      centres_.push_back(mass_ > 0.0 ? without_rounding(number / mass_, now.size()) : 0.0);
  }

  const Mechanism& mechanism_;
  double mass_;
  std::vector<double> numbers_, centres_;
  std::vector<std::vector<double>> gaps_;
};

/// Writes down sample by sample where a spring comes nearest to the obstacles that it keeps clear
/// of.
class ApproachRecord {
 public:
  ApproachRecord(const Mechanism& mechanism, SpringIndex spring)
      : spring_(spring),
        clearance_(mechanism, mechanism.springs[spring], SpringClearance<double>::Axes::of_world) {}

  void add(const Placing& now) {
    const Approach nearest = now.approach(clearance_);
    obstacles_.push_back(static_cast<int>(nearest.obstacle));
    for (const Vec3d& place : {nearest.on_axis, nearest.on_middle})
      places_.insert(places_.end(), place.begin(), place.end());
  }
  [[nodiscard]] Json json() const {
    return {{"spring", static_cast<int>(spring_)},
            {"obstacles", int32_column(obstacles_)},
            {"places", float32_column(places_)}};
  }

 private:
  SpringIndex spring_;
  SpringClearance<double> clearance_;
  std::vector<int> obstacles_;
  std::vector<double> places_;
};

/// The columns as series, the actuators' first.
Json all_series(const Mechanism& mechanism, const std::vector<Series>& columns) {
  Json series = Json::array();
  const auto add = [&](std::string_view kind, const std::string& element, std::string_view quantity,
                       std::string_view unit) {
    if (const Series* found = find_column(columns, element + "." + std::string(quantity)))
      series.push_back(series_json(kind, element, quantity, unit, found->values));
  };
  for (const Actuator& actuator : mechanism.actuators) {
    const bool line = load_unit(mechanism, actuator) == "N";
    add("actuator", actuator.name, "load", line ? "N" : "N*m");
    add("actuator", actuator.name, "bare_load", line ? "N" : "N*m");
    add("actuator", actuator.name, "position", line ? "m" : "rad");
    add("actuator", actuator.name, "velocity", line ? "m/s" : "rad/s");
  }
  for (const Spring& spring : mechanism.springs) {
    add("spring", spring.name, "length", "m");
    add("spring", spring.name, "tension", "N");
    add("spring", spring.name, "clearance", "m");
    add("spring", spring.name, "angle", "rad");
    add("spring", spring.name, "torque", "N*m");
  }
  for (const Body& body : mechanism.bodies)
    add("joint", body.name, "q", body.joint.type == JointType::revolute ? "rad" : "m");
  for (const std::string_view part : energies) add("energy", "energy", part, "J");
  return series;
}

}  // namespace

Json run_data(const Mechanism& mechanism, const std::vector<Series>& columns) {
  Placing placing(mechanism, columns);
  PoseRecord record(mechanism);
  std::vector<ApproachRecord> approaches;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s)
    if (find_column(columns, mechanism.springs[s].name + ".clearance") != nullptr)
      approaches.emplace_back(mechanism, s);
  for (std::size_t k = 0; k < placing.samples(); ++k) {
    placing.go(k);
    record.add(placing);
    for (ApproachRecord& one : approaches) one.add(placing);
  }
  // all keys first, because an object that grows copies what it holds
  Json json = record.keys();
  json["samples"] = placing.samples();
  json["times"] = nullptr;
  json["series"] = nullptr;
  for (const ApproachRecord& one : approaches) json["approaches"].push_back(one.json());
  record.write(json);
  json["times"] = float64_column(columns.front().values);
  json["series"] = all_series(mechanism, columns);
  record.write_gaps(json["series"]);
  return json;
}

std::vector<Series> position_columns(const Mechanism& mechanism, const std::vector<double>& times,
                                     const std::vector<std::vector<double>>& positions) {
  std::vector<Series> columns = {{"t", times}};
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    if (!mechanism.moves(b)) continue;
    Series& series = columns.emplace_back(Series{mechanism.bodies[b].name + ".q", {}});
    for (const std::vector<double>& q : positions) series.values.push_back(q[b]);
  }
  return columns;
}

}  // namespace counterpoise
