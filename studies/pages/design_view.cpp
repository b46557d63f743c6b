#include "studies/pages/design_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/falls/event_partners.hpp"
#include "engine/kinematics/closure/mobility.hpp"
#include "engine/kinematics/nearest_poses.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "results/text/cells.hpp"
#include "results/text/table_format.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/pages/motion_data.hpp"
#include "studies/pages/run_data.hpp"
#include "studies/pages/workspace_data.hpp"
#include "studies/unreached_poses.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {

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

/// The largest energy of any kind. Energies that are tiny beside it are rounding.
double largest_energy(const std::vector<Series>& columns) {
  double size = 0.0;
  for (const Series& series : columns)
    if (series.name.starts_with("energy."))
      for (const double value : series.values) size = std::max(size, std::abs(value));
  return size;
}

}  // namespace

DesignView::DesignView(const Model& model, Mechanism mechanism, std::string label)
    : model_(&model), mechanism_(std::move(mechanism)), label_(std::move(label)) {
  zero_ = without_rounding(
      mechanism_, position_columns(mechanism_, {0.0}, {nearest_zero_configuration(mechanism_)}));
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
  zero_ = without_rounding(mechanism_, std::move(std::get<Simulation>(result).columns));
  for (Series& series : zero_) series.values.resize(1);
}

/// The loops with redundant equations.
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

/// Keeps which poses there are, says which are left out, and lets the robot stand still there.
void DesignView::keep_poses(const Motion& motion, ShownRun& run) {
  workspace_ = workspace_data(mechanism_, motion, run.reached, *shown_);
  if (shown_->thinned()) note_thinned(motion, run);
  const UnreachedPoses left = unreached_poses(0, mechanism_, motion, run.reached);
  if (left.left_out == 0) return;
  stand_still(run.simulation.columns);
  add({ViewFinding::Kind::note,
       fmt::format("{} of {} poses are left out, and the robot stands where it was before: {}{}",
                   left.left_out, left.poses, fmt::join(left.regions, "; "),
                   left.elsewhere > 0 ? fmt::format("; and {} elsewhere", left.elsewhere) : "")});
}

/// Says how many poses are shown, and which load is the largest of all poses.
void DesignView::note_thinned(const Motion& motion, const ShownRun& run) {
  std::vector<std::string> largest;
  for (std::size_t a = 0; a < run.largest.size(); ++a) {
    const auto& [load, sample] = run.largest[a];
    const Actuator& actuator = mechanism_.actuators[a];
    if (sample < 0) continue;
    std::string where;
    for (const PosePosition& of : pose_of(motion, mechanism_, sample))
      where += fmt::format("{}{} {:.6g} {}", where.empty() ? "" : ", ", of.coordinate, of.position,
                           of.unit);
    largest.push_back(fmt::format("{} {:.6g} {} in pose {} ({})", actuator.name, load,
                                  load_unit(mechanism_, actuator), sample + 1, where));
  }
  add({ViewFinding::Kind::note,
       fmt::format("{} of {} poses are shown, chosen evenly, because all would make the page too "
                   "large; a motion with fewer positions has them all. Largest loads of all {}: {}",
                   shown_->samples().size(), motion.sample_count(), motion.sample_count(),
                   fmt::join(largest, "; "))});
}

Json json_of(const ViewFinding& finding) {
  return {{"kind", finding_kinds[static_cast<std::size_t>(finding.kind)]},
          {"text", finding.text},
          {"time", or_null(finding.time)}};
}

std::vector<ViewFinding> findings_of(const Model& model, const Mechanism& mechanism,
                                     const Motion& motion, const Simulation& simulation) {
  std::vector<ViewFinding> findings;
  for (const Finding& finding : simulation.broken_limits)
    findings.push_back(
        {ViewFinding::Kind::limit, describe(finding, mechanism, motion), finding.time});
  for (const Finding& finding : simulation.wrong_senses)
    findings.push_back({ViewFinding::Kind::warning,
                        wrong_sense(model, mechanism, motion, finding, "").words, finding.time});
  return findings;
}

/// Keeps which points the motion leads, whose paths pages draw.
void DesignView::keep_paths(const Motion& motion) {
  for (const Drive& drive : motion.drives)
    if (drive.point >= 0 && std::find(paths_.begin(), paths_.end(), drive.point) == paths_.end())
      paths_.push_back(drive.point);
}

void DesignView::follow(const Motion& motion, std::size_t numbers) {
  at_rest_ = motion.poses;
  shown_.emplace(motion, most_poses(mechanism_, numbers));
  keep_paths(motion);
  try {
    auto result = simulate_shown(mechanism_, motion, {}, *shown_);
    if (const Finding* finding = std::get_if<Finding>(&result)) {
      add({ViewFinding::Kind::error, describe(*finding, mechanism_, motion), finding->time});
      return go_near(motion);
    }
    ShownRun& run = std::get<ShownRun>(result);
    Simulation& simulation = run.simulation;
    if (motion.poses) keep_poses(motion, run);
    columns_ = without_rounding(mechanism_, std::move(simulation.columns));
    for (ViewFinding& finding : findings_of(*model_, mechanism_, motion, simulation))
      add(std::move(finding));
  } catch (const MechanismError&) {
    if (structure_) throw;
    go_near(motion);  // why it does not close is a finding already
  }
}

void DesignView::add_bare_loads(const Motion& motion) {
  if (nearest_ || mechanism_.springs.empty()) return;
  auto result = simulate_shown(mechanism_, motion, {.springs = false}, *shown_);
  auto* run = std::get_if<ShownRun>(&result);
  if (run == nullptr) return;
  stand_still(run->simulation.columns);
  const std::vector<Series> bare = without_rounding(mechanism_, std::move(run->simulation.columns));
  for (const Actuator& actuator : mechanism_.actuators)
    if (const Series* load = find_column(bare, actuator.name + ".load"))
      columns_.push_back({actuator.name + ".bare_load", load->values});
}

void DesignView::add_course(const Motion& motion, const ParametricMotion& given,
                            std::span<const double> parameters) {
  course_ = motion_data(mechanism_, motion, given, parameters, columns_);
}

void DesignView::go_near(const Motion& motion) {
  nearest_ = true;
  std::vector<double> times;
  std::vector<std::vector<double>> positions = nearest_to_motion(mechanism_, motion);
  for (int k = 0; k < motion.sample_count(); ++k) times.push_back(k * motion.step);
  if (shown_->thinned()) {
    std::vector<std::vector<double>> kept;
    times.clear();
    for (const int k : shown_->samples()) {
      times.push_back(k * motion.step);
      kept.push_back(std::move(positions[static_cast<std::size_t>(k)]));
    }
    positions = std::move(kept);
  }
  columns_ = position_columns(mechanism_, times, positions);
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
  columns_ = without_rounding(mechanism_, std::move(fall.columns));
  add_events(fall, scenario);
  if (fall.stopped)
    add({ViewFinding::Kind::error, "the fall ends before its time: " + fall.stopped->words,
         fall.stopped->time});
}

void DesignView::add_events(const Fall& fall, const Scenario& scenario) {
  constexpr std::array<std::string_view, 3> kinds = {"impact", "rest", "leave"};
  const EventPartners partners(mechanism_, scenario);
  const double energy = largest_energy(columns_);
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
                       {"after", without_rounding(event.normal_velocity_after,
                                                  std::abs(event.normal_velocity_before))},
                       {"impulse", event.impulse},
                       {"units", {turns ? "rad/s" : "m/s", turns ? "N*m*s" : "N*s"}},
                       {"energy_lost", without_rounding(event.energy_lost, energy)}});
  }
  const bool settled = !fall.stopped && fall.extremes.settled < scenario.duration;
  fall_ = {{"duration", scenario.duration},
           {"end", fall.stopped ? fall.stopped->time : scenario.duration},
           {"settled", settled ? Json(fall.extremes.settled) : Json()},
           {"settled_speed", scenario.settled_speed},
           {"energy_lost", without_rounding(fall.extremes.energy_lost, energy)}};
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
               {"findings", Json::array()},
               {"events", events_},
               {"fall", fall_},
               {"paths", Json::array()},
               {"surfaces", Json::array()},
               {"zero", nullptr},
               {"run", nullptr}};
  if (!changes_.empty()) {
    json["changes"] = Json::array();
    for (const SpringChange change : changes_) json["changes"].push_back(name_of(change));
  }
  for (const ViewFinding& finding : findings_) json["findings"].push_back(json_of(finding));
  for (const PointIndex point : paths_) json["paths"].push_back(static_cast<int>(point));
  for (const Contact& contact : contacts_) json["surfaces"].push_back(surface_json(contact));
  // last, because an object that grows copies what it holds
  json["zero"] = run_data(mechanism_, zero_);
  json["run"] = run_data(mechanism_, columns_);
  json["run"]["at_rest"] = at_rest_;
  json["run"]["workspace"] = workspace_;
  json["run"]["course"] = course_;
  return json;
}

DesignView::Instant DesignView::largest_load() const {
  std::map<std::string, int> of_unit;
  std::string unit;
  for (const Actuator& actuator : mechanism_.actuators)
    if (const std::string own = load_unit(mechanism_, actuator); ++of_unit[own] > of_unit[unit])
      unit = own;
  Instant found{columns_.front().values.front(), 0.0, ""};
  for (const Actuator& actuator : mechanism_.actuators) {
    const Series* load = find_column(columns_, actuator.name + ".load");
    if (load == nullptr || load_unit(mechanism_, actuator) != unit) continue;
    for (std::size_t k = 0; k < load->values.size(); ++k) {
      if (!(std::abs(load->values[k]) > found.load)) continue;
      found = {columns_.front().values[k], std::abs(load->values[k]),
               fmt::format("the largest load{}, {} of {}",
                           shown_ && shown_->thinned() ? " of the poses shown" : "",
                           still_number(load->values[k], unit), actuator.name)};
    }
  }
  return found;
}

namespace {

/// Where a run is looked at to find how far it goes, however long it is.
constexpr std::size_t most_looks = 240;

StillForce force_of(const std::vector<Series>& columns, const std::string& name, std::size_t at) {
  const Series* series = find_column(columns, name);
  if (series == nullptr) return {};
  StillForce force{series->values[at], 0.0};
  for (const double value : series->values) force.most = std::max(force.most, std::abs(value));
  return force;
}

}  // namespace

StillDesign DesignView::still(double time, const std::string& name) const {
  const std::vector<double>& times = columns_.front().values;
  const auto after = std::upper_bound(times.begin(), times.end(), time + 1e-9);
  const auto sample =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - times.begin(), 1)) - 1;
  StillDesign still{.name = name, .mechanism = &mechanism_, .changes = changes_};
  Placing placing(mechanism_, columns_);
  for (std::size_t k = 0; k < times.size();
       k += std::max<std::size_t>(times.size() / most_looks, 1)) {
    placing.go(k);
    Eigen::AlignedBox3d now;
    for (const Pose& pose : placing.poses()) now.extend(pose.origin);
    for (std::size_t p = 0; p < mechanism_.points.size(); ++p) now.extend(placing.place(p));
    still.box.extend(now);
    still.size = std::max({still.size, now.diagonal().norm(), 1e-6});
  }
  placing.go(sample);
  still.poses = placing.poses();
  for (const Body& body : mechanism_.bodies)
    still.positions.push_back(force_of(columns_, body.name + ".q", sample).now);
  for (const Loop& loop : mechanism_.loops) still.gaps.push_back(placing.gap(loop));
  for (const Actuator& actuator : mechanism_.actuators)
    still.loads.push_back(force_of(columns_, actuator.name + ".load", sample));
  for (const Spring& spring : mechanism_.springs)
    still.tensions.push_back(force_of(
        columns_, spring.name + (spring.type == SpringType::torsion ? ".torque" : ".tension"),
        sample));
  return still;
}

}  // namespace counterpoise
