#include "exchange/suggested_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "exchange/model_draft.hpp"
#include "input/reading/read.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

/// Two bodies, the first farther from the base.
struct Pair {
  BodyIndex outer, inner;
  std::string asked;
};

class Suggestion {
 public:
  Suggestion(const ImportedModel& imported, const Model& model)
      : imported_(imported),
        model_(model),
        mechanism_(model.nominal),
        root_(Json::parse(imported.text)) {
    for (const Body& body : mechanism_.bodies) masses_.push_back(body.mass);
    for (std::size_t b = masses_.size(); b-- > 0;)
      if (mechanism_.bodies[b].parent != world_body)
        masses_[at(mechanism_.bodies[b].parent)] += masses_[b];
    for (const Spring& spring : mechanism_.springs) spring_names_.valid(spring.name);
    // mounts have the springs' names, which no point may have yet
    for (const Point& point : mechanism_.points)
      spring_names_.valid(point.name.substr(point.name.find('.') + 1));
  }

  void add(const std::string& asked) {
    const Pair pair = pair_of(asked);
    const std::string spring = spring_names_.valid(name_of(pair.outer) + "_spring");
    note_actuators(pair);
    const double size = size_of(pair.outer);
    const double weight = std::max(1.0, 9.81 * masses_[at(pair.outer)]);  // [N]; no range is empty
    const std::string outer = add_mount(spring, pair.outer, middle_of(pair.outer), 0.0, size);
    const std::string inner = add_mount(spring, pair.inner, joint_towards(pair), 0.3 * size, size);
    add_number(spring + "_rate", weight / size, 0.0, 10.0 * weight / size, "N/m");
    add_number(spring + "_free_length", 0.3 * size, 0.0, size, "m");
    add_number(spring + "_initial_tension", 0.0, 0.0, weight, "N");
    Json element;
    element["name"] = spring;
    element["connect"] = {outer, inner};
    element["rate"] = spring + "_rate";
    element["free_length"] = spring + "_free_length";
    element["initial_tension"] = spring + "_initial_tension";
    element["source"] = "suggested";
    root_["springs"].push_back(std::move(element));
  }

  [[nodiscard]] std::string model_text() const { return json_file_text(root_); }

  [[nodiscard]] std::string study_text(const std::string& model_file,
                                       const std::string& motion_file) const {
    Json study;
    study["format"] = "counterpoise-study/1";
    study["name"] = model_.name + "_springs";
    study["description"] =
        "Suggested: springs sized exactly at mounts that are searched. Change ranges, motion and "
        "objectives to what you have and want.";
    study["model"] = model_file;
    study["motions"] = {{"swing", motion_file}};
    study["variables"] = variables_;
    study["search"] = {{"method", "exact-springs"},
                       {"algorithm", {"GN_CRS2_LM", "LN_SBPLX"}},
                       {"starts", 2},
                       {"max_evaluations", 200},
                       {"seed", 1}};
    study["objectives"] = {{{"name", "peak"}, {"minimize", "max"}, {"of", actuators_}},
                           {{"name", "mean"}, {"minimize", "mean"}, {"of", actuators_}}};
    return json_file_text(study);
  }

  [[nodiscard]] std::string motion_text() const {
    Json motion;
    motion["format"] = "counterpoise-motion/1";
    motion["name"] = "swing";
    motion["description"] =
        "Suggested: every actuator swings about the middle of its range, or about where it stands.";
    motion["duration"] = 12;
    motion["step"] = 0.05;
    double period = 6.0;  // [s]; others differ, so that poses do not repeat
    for (const Actuator& actuator : mechanism_.actuators) {
      const bool turns =
          !actuator.linear() && mechanism_.bodies[actuator.joint].joint.type == JointType::revolute;
      const bool ends =
          std::isfinite(actuator.min_position) && std::isfinite(actuator.max_position);
      double amplitude = turns ? 0.5 : 0.1;  // [rad] or [m]
      if (ends)
        amplitude = std::min(amplitude, 0.4 * (actuator.max_position - actuator.min_position));
      if (std::isfinite(actuator.max_speed))
        amplitude =
            std::min(amplitude, 0.5 * actuator.max_speed * period / (2.0 * std::numbers::pi));
      const double stands = actuator.linear() ? 0.0 : mechanism_.bodies[actuator.joint].joint.guess;
      const double mean = ends ? 0.5 * (actuator.min_position + actuator.max_position) : stands;
      motion["coordinates"][actuator.name] = {
          {"type", "sine"}, {"mean", mean}, {"amplitude", amplitude}, {"period", period}};
      period += 0.7;
    }
    return json_file_text(motion);
  }

 private:
  using Json = ModelDraft::Json;

  [[nodiscard]] std::string name_of(BodyIndex body) const {
    return body == world_body ? "world" : mechanism_.bodies[body].name;
  }

  [[nodiscard]] std::vector<BodyIndex> way_down(BodyIndex body) const {
    std::vector<BodyIndex> way;
    for (; body != world_body; body = mechanism_.bodies[body].parent) way.push_back(body);
    return way;
  }

  [[nodiscard]] BodyIndex body_named(const std::string& asked, const std::string& name) const {
    const auto described = imported_.body_names.find(name);
    const std::string& own = described == imported_.body_names.end() ? name : described->second;
    if (own == "world") return world_body;
    const BodyIndex body = find_body(mechanism_, own);
    if (body >= 0) return body;
    std::vector<std::string> known = {"world"};
    for (const Body& other : mechanism_.bodies) known.push_back(other.name);
    for (const auto& [other, _] : imported_.body_names) known.push_back(other);
    throw InputError({.file = "--suggest-springs " + asked},
                     fmt::format("found {}, expected the name of a body{}", in_quotes(name),
                                 did_you_mean(name, known)));
  }

  [[nodiscard]] Pair pair_of(const std::string& asked) const {
    const std::size_t comma = asked.find(',');
    if (comma == std::string::npos)
      throw InputError({.file = "--suggest-springs " + asked}, "expected two bodies: BODY,BODY");
    BodyIndex first = body_named(asked, asked.substr(0, comma));
    BodyIndex second = body_named(asked, asked.substr(comma + 1));
    if (way_down(first).size() < way_down(second).size()) std::swap(first, second);
    if (first == second)
      throw InputError({.file = "--suggest-springs " + asked}, "expected two different bodies");
    return {first, second, asked};
  }

  /// The actuators to relieve become those on joints between the two bodies, with one unit of load.
  void note_actuators(const Pair& pair) {
    std::set<int> between;
    for (const BodyIndex body : way_down(pair.outer)) between.insert(body);
    for (const BodyIndex body : way_down(pair.inner))
      if (between.erase(body) == 0) between.insert(body);
    for (bool grown = true; grown;) {  // an actuator may move these joints by couplings
      grown = false;
      for (const Coupling& coupling : mechanism_.couplings)
        for (const CouplingTerm& term : coupling.terms)
          if (between.contains(coupling.joint) != between.contains(term.of)) {
            between.insert({coupling.joint, term.of});
            grown = true;
          }
    }
    const std::size_t before = actuators_.size();
    for (const JointType type : {JointType::revolute, JointType::prismatic}) {
      for (const Actuator& actuator : mechanism_.actuators) {
        if (actuator.linear() || !between.contains(actuator.joint)) continue;
        if (mechanism_.bodies[actuator.joint].joint.type != type) continue;
        if (type_ && *type_ != type) continue;
        type_ = type;
        if (std::find(actuators_.begin(), actuators_.end(), actuator.name) == actuators_.end())
          actuators_.push_back(actuator.name);
      }
    }
    if (actuators_.size() == before && before == 0)
      throw InputError(
          {.file = "--suggest-springs " + pair.asked},
          fmt::format("found no actuator on a joint between {} and {}, expected one that "
                      "the spring could relieve",
                      name_of(pair.outer), name_of(pair.inner)));
  }

  /// How far a body reaches from its own joint: to the next joints or its centre of mass [m].
  [[nodiscard]] double size_of(BodyIndex body) const {
    constexpr double least = 0.05;
    double size = std::max(least, mechanism_.bodies[body].com.norm());
    for (const Body& next : mechanism_.bodies)
      if (next.parent == body) size = std::max(size, next.joint.origin.norm());
    return size;
  }

  [[nodiscard]] Vec3d middle_of(BodyIndex body) const { return mechanism_.bodies[body].com; }

  /// The origin of the next body from the inner towards the outer one, in the inner body's axes
  /// [m]; 0 if they are on different branches.
  [[nodiscard]] Vec3d joint_towards(const Pair& pair) const {
    for (const BodyIndex body : way_down(pair.outer))
      if (mechanism_.bodies[body].parent == pair.inner) return mechanism_.bodies[body].joint.origin;
    return Vec3d::Zero();
  }

  void add_number(const std::string& name, double value, double low, double high,
                  const std::string& unit) {
    root_["parameters"][name] = {{"value", value}, {"unit", unit}, {"source", "suggested"}};
    if (low == 0.0) root_["parameters"][name]["min"] = 0;
    variables_[name] = {{"range", {low, high}}};
  }

  /// Adds a point of a body whose three coordinates are parameters, with ranges of half the size to
  /// each side; it begins `up` along the body's z axis. Returns its name.
  std::string add_mount(const std::string& spring, BodyIndex body, const Vec3d& middle, double up,
                        double size) {
    const std::string owner = name_of(body);
    Json point = Json::array();
    for (int i = 0; i < 3; ++i) {
      const std::string name = fmt::format("{}_{}_{}", spring, owner, "xyz"[i]);
      add_number(name, middle(i) + (i == 2 ? up : 0.0), middle(i) - 0.5 * size,
                 middle(i) + 0.5 * size, "m");
      root_["parameters"][name].erase("min");
      point.push_back(name);
    }
    if (body == world_body) root_["world"]["points"][spring] = point;
    for (Json& element : root_["bodies"])
      if (element["name"] == owner) element["points"][spring] = point;
    return owner + "." + spring;
  }

  const ImportedModel& imported_;
  const Model& model_;
  const Mechanism& mechanism_;
  Json root_;
  std::vector<double> masses_;  // of each body and all behind it
  ValidNames spring_names_;
  Json variables_ = Json::object();
  std::vector<std::string> actuators_;
  std::optional<JointType> type_;  // of their joints
};

}  // namespace

SuggestedStudy suggest_springs(const ImportedModel& imported, const std::vector<std::string>& pairs,
                               const std::filesystem::path& output,
                               const std::string& motion_file) {
  const Model model = read_model(output, [&](const auto&) { return imported.text; });
  Suggestion suggestion(imported, model);
  for (const std::string& pair : pairs) suggestion.add(pair);
  try {
    const std::string text = suggestion.model_text();
    examine_model(read_model(output, [&](const auto&) { return text; }));
  } catch (const InputError& error) {
    throw InputError({.file = "--suggest-springs"}, "makes no model: " + error.message());
  }
  return {suggestion.model_text(), suggestion.study_text(output.filename().string(), motion_file),
          suggestion.motion_text()};
}

}  // namespace counterpoise
