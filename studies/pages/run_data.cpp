#include "studies/pages/run_data.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "engine/kinematics/closure/sample_state.hpp"
#include "engine/kinematics/poses.hpp"
#include "input/definition/mechanism_units.hpp"
#include "studies/pages/columns.hpp"

namespace counterpoise {
namespace {

/// A loop whose points are farther apart counts as open [share of the mechanism's size].
constexpr double open_gap = 1e-7;

const Series* find(const std::vector<Series>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Series& series) { return series.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

Json series_json(std::string_view kind, const std::string& element, std::string_view quantity,
                 std::string_view unit, const std::vector<double>& values) {
  return {{"kind", kind},
          {"element", element},
          {"quantity", quantity},
          {"unit", unit},
          {"values", float32_column(values)}};
}

/// Places bodies sample by sample and writes down what pages draw.
class PoseRecord {
 public:
  explicit PoseRecord(const Mechanism& mechanism)
      : mechanism_(mechanism), state_(mechanism.body_count()), gaps_(mechanism.loops.size()) {
    prepare_frames(mechanism, frames_);
    for (const Body& body : mechanism.bodies) mass_ += body.mass;
    for (const Actuator& actuator : mechanism.actuators)
      mass_ += actuator.tube.mass + actuator.rod.mass;
  }

  void add(const std::vector<const Series*>& joints, std::size_t sample) {
    for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
      if (const Series* q = joints[static_cast<std::size_t>(b)])
        state_.set_position(frames_, b, q->values[sample]);
    place_bodies(frames_, state_.view(), poses_);
    for (const Pose& pose : poses_) {
      const Eigen::Quaterniond turn(pose.rotation);
      for (const double number : {pose.origin.x(), pose.origin.y(), pose.origin.z(), turn.x(),
                                  turn.y(), turn.z(), turn.w()})
        numbers_.push_back(number);
    }
    add_centre_of_mass();
    for (std::size_t l = 0; l < gaps_.size(); ++l)
      gaps_[l].push_back(line(mechanism_.loops[l].points).norm());
  }

  void write(Json& json) const {
    json["poses"] = float32_column(numbers_);
    if (mass_ > 0.0) json["centre_of_mass"] = float32_column(centres_);
    json["mass"] = mass_;
  }
  void write_gaps(Json& series) const {
    const double size = std::max(farthest_coordinate(mechanism_), 1e-12);
    for (std::size_t l = 0; l < gaps_.size(); ++l)
      if (*std::max_element(gaps_[l].begin(), gaps_[l].end()) > open_gap * size)
        series.push_back(series_json("loop", mechanism_.loops[l].name, "gap", "m", gaps_[l]));
  }

 private:
  [[nodiscard]] Vec3d place(PointIndex index) const {
    const Point& point = mechanism_.points[index];
    if (point.body == world_body) return point.position;
    const Pose& pose = poses_[static_cast<std::size_t>(point.body)];
    return pose.rotation * point.position + pose.origin;
  }
  [[nodiscard]] Vec3d line(const std::array<PointIndex, 2>& points) const {
    return place(points[1]) - place(points[0]);
  }

  void add_centre_of_mass() {
    Vec3d sum = Vec3d::Zero();
    for (std::size_t b = 0; b < poses_.size(); ++b) {
      const Body& body = mechanism_.bodies[b];
      sum += body.mass * (poses_[b].rotation * body.com + poses_[b].origin);
    }
    for (const Actuator& actuator : mechanism_.actuators) {
      if (!actuator.linear() || actuator.tube.mass + actuator.rod.mass == 0.0) continue;
      const Vec3d along = line(actuator.points).normalized();
      sum += actuator.tube.mass * (place(actuator.points[0]) + actuator.tube.com * along) +
             actuator.rod.mass * (place(actuator.points[1]) - actuator.rod.com * along);
    }
    for (const double number : sum) centres_.push_back(mass_ > 0.0 ? number / mass_ : 0.0);
  }

  const Mechanism& mechanism_;
  std::vector<JointFrame> frames_;
  SampleState state_;
  std::vector<Pose> poses_;
  double mass_ = 0.0;
  std::vector<double> numbers_, centres_;
  std::vector<std::vector<double>> gaps_;
};

/// The columns as series, those of the actuators first.
Json all_series(const Mechanism& mechanism, const std::vector<Series>& columns) {
  Json series = Json::array();
  const auto add = [&](std::string_view kind, const std::string& element, std::string_view quantity,
                       std::string_view unit) {
    if (const Series* found = find(columns, element + "." + std::string(quantity)))
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
  const std::vector<double>& times = columns.front().values;
  std::vector<const Series*> joints;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    joints.push_back(mechanism.moves(b) ? find(columns, mechanism.bodies[b].name + ".q") : nullptr);
  PoseRecord record(mechanism);
  for (std::size_t k = 0; k < times.size(); ++k) record.add(joints, k);
  Json json = {{"samples", times.size()}, {"times", float64_column(times)}};
  record.write(json);
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
    for (const std::vector<double>& q : positions)
      series.values.push_back(q[static_cast<std::size_t>(b)]);
  }
  return columns;
}

}  // namespace counterpoise
