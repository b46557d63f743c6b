#include "studies/pages/design_view.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/falls/event_partners.hpp"
#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/mobility.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "engine/kinematics/nearest_poses.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "results/text/cells.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {

/// What pages show of a mechanism over time. `columns` are those of simulate() or of a fall, or any
/// of them; the first is "t", and of every moving joint the position has to be there. The result
/// has the pose of every body (origin, then the quaternion x, y, z, w) and the centre of mass at
/// every sample in world axes, and the columns as series in SI with the element and the quantity.
/// Where a loop is open, the distances of its points are a series too, 0 at the samples at which it
/// closes: a page marks what is above 0, and measures no gaps in its own rounded poses. Cost: one
/// forward sweep a sample. report/src/common/data.ts has the same as types.
Json run_data(const Mechanism& mechanism, const std::vector<Series>& columns);

/// Columns for run_data from one position per body and sample alone.
std::vector<Series> position_columns(const Mechanism& mechanism, const std::vector<double>& times,
                                     const std::vector<std::vector<double>>& positions);

namespace {

constexpr std::array<std::string_view, 4> finding_kinds = {"error", "limit", "warning", "note"};

Json structure_json(const Structure& s) {
  return {{"bodies", s.bodies},
          {"revolute", s.revolute_joints},
          {"prismatic", s.prismatic_joints},
          {"fixed", s.fixed_joints},
          {"universal", s.universal_joints},
          {"point", s.point_closures},
          {"loops", s.loops},
          {"redundant_equations", s.redundant_equations},
          {"couplings", s.couplings},
          {"springs", s.springs},
          {"actuators", s.actuators},
          {"degrees_of_freedom", s.degrees_of_freedom}};
}

Json surface_json(const Contact& contact) {
  constexpr std::array<std::string_view, 3> kinds = {"plane", "sphere", "cylinder"};
  const Surface& surface = contact.surface;
  const auto numbers = [](const Vec3d& v) { return Json{v.x(), v.y(), v.z()}; };
  return {{"name", contact.name},
          {"kind", kinds[static_cast<std::size_t>(surface.kind)]},
          {"body", static_cast<int>(surface.body)},
          {"point", numbers(surface.point)},
          {"direction", numbers(surface.direction)},
          {"radius", surface.radius}};
}

}  // namespace

DesignView::DesignView(const Model& model, Mechanism mechanism, std::string label)
    : model_(&model), mechanism_(std::move(mechanism)), label_(std::move(label)) {
  zero_ = position_columns(mechanism_, {0.0}, {nearest_zero_configuration(mechanism_)});
  examine();
  if (structure_) hold();
  columns_ = zero_;
}

void DesignView::examine() {
  try {
    structure_ = examine_structure(mechanism_);
    note_redundant_loops();
  } catch (const MechanismError& error) {
    nearest_ = true;
    add({ViewFinding::Kind::error, located(model_->location(pointer_to(error)), error.what())});
  }
}

/// The loads that hold the zero configuration, and the springs in it.
void DesignView::hold() {
  Motion rest;
  rest.duration = rest.step = 1.0;
  rest.inertia = false;
  auto result = simulate(mechanism_, rest, {});
  if (const Finding* finding = std::get_if<Finding>(&result))
    return add(
        {ViewFinding::Kind::warning, "the zero configuration: " + describe(*finding, mechanism_)});
  zero_ = std::move(std::get<Simulation>(result).columns);
  for (Series& series : zero_) series.values.resize(1);
}

/// The loops of which an equation more or less changes nothing.
void DesignView::note_redundant_loops() {
  if (structure_->redundant_equations == 0) return;
  const Paths paths(mechanism_);
  const Mobility mobility(mechanism_, paths);
  std::vector<BodyIndex> moving;
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    if (mechanism_.moves(b)) moving.push_back(b);
  const std::vector<Equation> all = closing_equations(mechanism_);
  const int rank = mobility.rank(all, moving);
  std::string names;
  for (std::size_t e = 0; e < all.size(); ++e) {
    std::vector<Equation> others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(e));
    const int redundant = all[e].rows - (rank - mobility.rank(others, moving));
    if (redundant == 0) continue;
    const auto element = static_cast<std::size_t>(all[e].element);
    names += fmt::format("{}{} ({} of {})", names.empty() ? "" : ", ",
                         all[e].kind == EquationKind::loop ? mechanism_.loops[element].name
                                                           : mechanism_.couplings[element].name,
                         redundant, all[e].rows);
  }
  add({ViewFinding::Kind::note,
       fmt::format("{} equations of loops are redundant, which is usual where loops are planar. "
                   "Equations that the others imply: {}",
                   structure_->redundant_equations, names)});
}

void DesignView::follow(const Motion& motion) {
  try {
    auto result = simulate(mechanism_, motion, {});
    if (const Finding* finding = std::get_if<Finding>(&result)) {
      add({ViewFinding::Kind::error, describe(*finding, mechanism_), finding->time});
      return go_near(motion);
    }
    Simulation& simulation = std::get<Simulation>(result);
    columns_ = std::move(simulation.columns);
    for (const Finding& finding : simulation.broken_limits)
      add({ViewFinding::Kind::limit, describe(finding, mechanism_), finding.time});
    for (const Finding& finding : simulation.wrong_senses)
      add({ViewFinding::Kind::warning, wrong_sense(*model_, mechanism_, finding, "").words,
           finding.time});
  } catch (const MechanismError&) {
    if (structure_) throw;
    go_near(motion);  // why it does not close is a finding already
  }
}

void DesignView::go_near(const Motion& motion) {
  nearest_ = true;
  std::vector<double> times;
  for (int k = 0; k < motion.sample_count(); ++k) times.push_back(k * motion.step);
  columns_ = position_columns(mechanism_, times, nearest_to_motion(mechanism_, motion));
}

void DesignView::fall(const Scenario& scenario, const std::variant<JointStart, Finding>& start) {
  contacts_ = scenario.contacts;
  if (const Finding* finding = std::get_if<Finding>(&start))
    return add(
        {ViewFinding::Kind::error, "the fall cannot begin: " + describe(*finding, mechanism_)});
  const JointStart& from = std::get<JointStart>(start);
  columns_ = position_columns(mechanism_, {0.0}, {from.q});
  auto result = simulate_fall(mechanism_, scenario, from, FallOptions{});
  if (const FallStop* stop = std::get_if<FallStop>(&result))
    return add({ViewFinding::Kind::error, "the fall cannot begin: " + stop->words});
  Fall& fall = std::get<Fall>(result);
  columns_ = std::move(fall.columns);
  add_events(fall, scenario);
  if (fall.stopped)
    add({ViewFinding::Kind::error, "the fall ends before its time: " + fall.stopped->words,
         fall.stopped->time});
}

void DesignView::add_events(const Fall& fall, const Scenario& scenario) {
  constexpr std::array<std::string_view, 3> kinds = {"impact", "rest", "leave"};
  const EventPartners partners(mechanism_, scenario);
  for (const FallEvent& event : fall.events) {
    const auto of = static_cast<std::size_t>(event.contact);
    const bool turns = partners.turns(of);
    events_.push_back({{"time", event.time},
                       {"group", event.group},
                       {"kind", kinds[static_cast<std::size_t>(event.kind)]},
                       {"what", partners.name(of)},
                       {"point", partners.point(event)},
                       {"body", partners.body(event)},
                       {"on", partners.surface_body(event)},
                       {"angle", event.angle},
                       {"before", event.normal_velocity_before},
                       {"after", event.normal_velocity_after},
                       {"impulse", event.impulse},
                       {"units", {turns ? "rad/s" : "m/s", turns ? "N*m*s" : "N*s"}},
                       {"energy_lost", event.energy_lost}});
  }
  const bool settled = !fall.stopped && fall.extremes.settled < scenario.duration;
  fall_ = {{"duration", scenario.duration},
           {"end", fall.stopped ? fall.stopped->time : scenario.duration},
           {"settled", settled ? Json(fall.extremes.settled) : Json()},
           {"settled_speed", scenario.settled_speed},
           {"energy_lost", fall.extremes.energy_lost}};
}

bool DesignView::whole() const {
  for (const ViewFinding& finding : findings_)
    if (finding.kind == ViewFinding::Kind::error) return false;
  return true;
}

Json DesignView::json() const {
  Json json = {{"label", label_},
               {"mechanism", mechanism_data(mechanism_)},
               {"structure", structure_ ? structure_json(*structure_) : Json()},
               {"closes", structure_.has_value()},
               {"nearest", nearest_},
               {"zero", run_data(mechanism_, zero_)},
               {"run", run_data(mechanism_, columns_)},
               {"findings", Json::array()},
               {"events", events_},
               {"fall", fall_},
               {"surfaces", Json::array()}};
  for (const ViewFinding& finding : findings_)
    json["findings"].push_back({{"kind", finding_kinds[static_cast<std::size_t>(finding.kind)]},
                                {"text", finding.text},
                                {"time", or_null(finding.time)}});
  for (const Contact& contact : contacts_) json["surfaces"].push_back(surface_json(contact));
  return json;
}

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
    for (std::size_t l = 0; l < gaps_.size(); ++l) {
      const double gap = line(mechanism_.loops[l].points).norm();
      gaps_[l].push_back(gap > open_gap * size_ ? gap : 0.0);
    }
  }

  void write(Json& json) const {
    json["poses"] = float32_column(numbers_);
    if (mass_ > 0.0) json["centre_of_mass"] = float32_column(centres_);
    json["mass"] = mass_;
  }
  void write_gaps(Json& series) const {
    for (std::size_t l = 0; l < gaps_.size(); ++l)
      if (*std::max_element(gaps_[l].begin(), gaps_[l].end()) > 0.0)
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
  double size_ = std::max(farthest_coordinate(mechanism_), 1e-12);  // [m]
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
