#include "studies/pages/run_data.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "input/definition/mechanism_units.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

/// The distance of a loop's points above which it counts as open [share of the mechanism's size].
constexpr double open_gap = 1e-7;

}  // namespace

const Series* find_column(const std::vector<Series>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Series& series) { return series.name == name; });
  return found == columns.end() ? nullptr : &*found;
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
      : mechanism_(mechanism), gaps_(mechanism.loops.size()) {
    for (const Body& body : mechanism.bodies) mass_ += body.mass;
    for (const Actuator& actuator : mechanism.actuators)
      mass_ += actuator.tube.mass + actuator.rod.mass;
  }

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
    for (const double number : sum) centres_.push_back(mass_ > 0.0 ? number / mass_ : 0.0);
  }

  const Mechanism& mechanism_;
  double mass_ = 0.0;
  std::vector<double> numbers_, centres_;
  std::vector<std::vector<double>> gaps_;
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
    add("actuator", actuator.name, "position", line ? "m" : "rad");
    add("actuator", actuator.name, "velocity", line ? "m/s" : "rad/s");
  }
  for (const Spring& spring : mechanism.springs) {
    add("spring", spring.name, "length", "m");
    add("spring", spring.name, "tension", "N");
    add("spring", spring.name, "angle", "rad");
    add("spring", spring.name, "torque", "N*m");
  }
  for (const Body& body : mechanism.bodies)
    add("joint", body.name, "q", body.joint.type == JointType::revolute ? "rad" : "m");
  for (const char* part : {"kinetic", "potential", "springs", "total", "lost", "work"})
    add("energy", "energy", part, "J");
  return series;
}

}  // namespace

Json run_data(const Mechanism& mechanism, const std::vector<Series>& columns) {
  Placing placing(mechanism, columns);
  PoseRecord record(mechanism);
  for (std::size_t k = 0; k < placing.samples(); ++k) {
    placing.go(k);
    record.add(placing);
  }
  // all keys first, because an object that grows copies what it holds
  Json json = record.keys();
  json["samples"] = placing.samples();
  json["times"] = nullptr;
  json["series"] = nullptr;
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
