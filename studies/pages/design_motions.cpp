#include "studies/pages/design_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "input/definition/mechanism_units.hpp"
#include "input/text/compressed.hpp"
#include "results/text/table_format.hpp"
#include "studies/instants.hpp"
#include "studies/pages/drive_data.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/pages/run_data.hpp"
#include "studies/parts_list.hpp"

namespace counterpoise {
namespace {

/// How many numbers of poses at rest a report may hold of each design in each motion.
constexpr std::size_t most_numbers = 1'000'000;

ShownPoses shown_of(const Mechanism& mechanism, const Motion& motion) {
  return {motion, most_poses(mechanism, most_numbers)};
}

/// The loads of all actuators; nothing where the mechanism cannot follow.
std::vector<std::vector<double>> loads_of(const Mechanism& mechanism, const Motion& motion,
                                          bool springs) {
  std::vector<std::vector<double>> loads;
  auto result =
      simulate_shown(mechanism, motion, {.springs = springs}, shown_of(mechanism, motion));
  auto* run = std::get_if<ShownRun>(&result);
  if (run == nullptr) return loads;
  Simulation& simulation = run->simulation;
  stand_still(simulation.columns);
  simulation.columns = without_rounding(mechanism, std::move(simulation.columns));
  for (const Actuator& actuator : mechanism.actuators)
    loads.push_back(column_of(simulation, actuator.name + ".load"));
  return loads;
}

Json columns_json(const std::vector<std::vector<double>>& loads) {
  Json json = Json::array();
  for (const std::vector<double>& load : loads) json.push_back(float64_column(load));
  return json;
}

/// Makes zero of what is rounding beside the largest of these numbers.
void clear_rounding(std::initializer_list<std::vector<double>*> parts,
                    std::vector<std::vector<double>>& more) {
  std::vector<std::vector<double>*> all(parts);
  for (std::vector<double>& one : more) all.push_back(&one);
  double size = 0.0;
  for (const std::vector<double>* one : all)
    for (const double value : *one) size = std::max(size, std::abs(value));
  for (std::vector<double>* one : all)
    for (double& value : *one) value = without_rounding(value, size);
}

/// The samples that a report holds of a motion.
std::vector<std::size_t> samples_of(const Mechanism& mechanism, const Motion& motion) {
  const ShownPoses shown = shown_of(mechanism, motion);
  if (shown.thinned()) return {shown.samples().begin(), shown.samples().end()};
  std::vector<std::size_t> all(static_cast<std::size_t>(motion.sample_count()));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// What makes up the load of each actuator over time.
Json layers_json(const Mechanism& mechanism, const Motion& motion) {
  const SplitLoads split(mechanism, motion);
  const std::vector<std::size_t> samples = samples_of(mechanism, motion);
  Json json = Json::array();
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    std::vector<double> gravity, inertia, forces, friction;
    std::vector<std::vector<double>> springs;
    std::vector<int> of;
    // the sample that is shown: as stand_still() has it
    const auto first = std::find_if(samples.begin(), samples.end(),
                                    [&](std::size_t k) { return !split.left_out(k); });
    std::size_t shown = first == samples.end() ? samples.front() : *first;
    for (const std::size_t k : samples) {
      if (!split.left_out(k)) shown = k;
      const LoadSplit at = split.at(a, shown);
      gravity.push_back(at.gravity);
      inertia.push_back(at.inertia);
      forces.push_back(at.forces);
      friction.push_back(at.friction);
      springs.resize(at.springs.size());
      of.resize(at.springs.size());
      for (std::size_t s = 0; s < at.springs.size(); ++s) {
        springs[s].push_back(at.springs[s].load);
        of[s] = at.springs[s].spring;
      }
    }
    clear_rounding({&gravity, &inertia, &forces, &friction}, springs);
    Json shares = Json::array();
    for (std::size_t s = 0; s < springs.size(); ++s)
      shares.push_back(
          {{"name", mechanism.springs[of[s]].name}, {"values", float32_column(springs[s])}});
    json.push_back({{"gravity", float32_column(gravity)},
                    {"inertia", float32_column(inertia)},
                    {"springs", shares}});
    if (!mechanism.forces.empty()) json.back()["forces"] = float32_column(forces);
    if (has_friction(mechanism)) json.back()["friction"] = float32_column(friction);
  }
  return json;
}

/// The constraints that bound the largest load of an actuator alone, with that bound.
Json constraints_json(const Study& study, int actuator) {
  Json json = Json::array();
  for (const Constraint& constraint : study.constraints) {
    const auto nodes = constraint.expression.nodes();
    if (nodes.size() != 1 || nodes[0].kind != ExpressionNode::Kind::linear ||
        nodes[0].value >= study.baseline_offset())
      continue;
    const MetricName* metric = study.metric_of(nodes[0].value);
    if (metric == nullptr || metric->of != MetricOf::actuator || metric->element != actuator ||
        metric->statistic != static_cast<int>(Statistic::max) || !(nodes[0].factor > 0.0))
      continue;
    const double bound = (constraint.max - nodes[0].offset) / nodes[0].factor;
    if (std::isfinite(bound)) json.push_back({{"name", constraint.name}, {"value", bound}});
  }
  return json;
}

DesignView view_of(const Study& study, const MotionDesign& design, const std::string& label) {
  DesignView view(*study.model, design.mechanism, label);
  view.follow(design.motion, most_numbers);
  return view;
}

/// The view without the positions of joints and energies, which a report plots nowhere.
Json view_json(const DesignView& view) {
  Json json = view.json();
  json["structure"] = nullptr;
  json["zero"]["series"] = Json::array();
  Json& series = json["run"]["series"];
  Json read = Json::array();
  for (Json& one : series)
    if (one["kind"] != "joint" && one["kind"] != "energy") read.push_back(std::move(one));
  series = std::move(read);
  return json;
}

/// Second differences of numbers that are `stride` apart, as whole numbers of their bits: near 0
/// where the numbers change smoothly, and exact.
std::vector<std::uint32_t> differences(std::vector<std::uint32_t> bits, std::size_t stride) {
  for (int order = 0; order < 2; ++order)
    for (std::size_t i = bits.size(); i-- > stride;) bits[i] -= bits[i - stride];
  return bits;
}

/// Rounds single-precision numbers to 17 bits of their mantissa, which is a hundredth of a
/// millimetre in a metre: enough for a drawing, and half as long when compressed.
void round_bits(std::vector<unsigned char>& bytes) {
  constexpr std::uint32_t half = 1U << 5, left_out = (1U << 6) - 1;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, 4);
    bits = (bits + half) & ~left_out;
    std::memcpy(bytes.data() + i, &bits, 4);
  }
}

}  // namespace

/// Takes the columns of numbers and the mechanisms out of JSON, each once: {"column": 3} stands for
/// one, {"mechanism": 3} for the other. JSON with its columns in it should be given before it
/// becomes a part of anything, as objects that grow are copied with all they hold.
class SharedColumns {
 public:
  [[nodiscard]] Json shared(Json json) {
    share(json);
    return json;
  }
  [[nodiscard]] Json shared(const std::string& key, Json json) {
    share(json, key);
    return json;
  }
  /// What each column is: bytes a number, numbers, and how far its differences reach.
  Json columns = Json::array();
  ColumnBlock block;
  Json mechanisms = Json::array();

 private:
  void share(Json& json) {
    if (const auto mechanism = json.find("mechanism"); mechanism != json.end()) {
      bodies_ = mechanism->at("bodies").size();
      const auto found = std::find(mechanisms.begin(), mechanisms.end(), *mechanism);
      const auto index = std::distance(mechanisms.begin(), found);
      if (found == mechanisms.end()) mechanisms.push_back(std::move(*mechanism));
      *mechanism = {{"mechanism", index}};
    }
    for (auto& [key, value] : json.items())
      if (key != "mechanism") share(value, key);
  }
  void share(Json& json, const std::string& key) {
    if (json.is_object()) return share(json);
    if (json.is_array()) {
      for (Json& part : json) share(part, key);
      return;
    }
    const bool doubles = key == "times" || key == "loads" || key == "without_springs";
    const bool floats = key == "values" || key == "poses" || key == "centre_of_mass" ||
                        key == "gravity" || key == "inertia" || key == "forces" ||
                        key == "friction";
    if (!json.is_string() || (!doubles && !floats)) return;
    auto& text = json.get_ref<std::string&>();
    const auto [at, fresh] = numbers_.try_emplace(std::move(text), columns.size());
    if (fresh) {
      std::vector<unsigned char> bytes = from_base64(at->first);
      if (doubles) add<std::uint64_t>(bytes, 0);
      if (key == "poses") round_bits(bytes);
      if (floats)
        add<std::uint32_t>(bytes, key == "poses" ? 7 * bodies_ : key == "centre_of_mass" ? 3 : 1);
    }
    json = {{"column", at->second}};
  }

  template <class Bits>
  void add(const std::vector<unsigned char>& bytes, std::size_t stride) {
    std::vector<Bits> numbers(bytes.size() / sizeof(Bits));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    if constexpr (sizeof(Bits) == 4) numbers = differences(std::move(numbers), stride);
    block.add<Bits>(numbers);
    columns.push_back({{"bytes", sizeof(Bits)}, {"count", numbers.size()}, {"stride", stride}});
  }

  std::size_t bodies_ = 1;
  std::unordered_map<std::string, std::size_t> numbers_;
};

DesignMotions::DesignMotions(const Study& study)
    : study_(&study), columns_(std::make_unique<SharedColumns>()) {}
DesignMotions::~DesignMotions() = default;

Json& DesignMotions::motion_json(std::size_t motion, CaseEvaluator& evaluator) {
  const auto [at, fresh] = motions_.try_emplace(motion);
  Json& json = at->second;
  if (!fresh) return json;
  json = {{"name", study_->motions[motion].name},
          {"poses", study_->motions[motion].motion.poses},
          {"baseline", nullptr},
          {"actuators", Json::array()},
          {"designs", Json::array()}};
  const Mechanism& nominal = study_->model->nominal;
  for (std::size_t a = 0; a < nominal.actuators.size(); ++a)
    json["actuators"].push_back({{"name", nominal.actuators[a].name},
                                 {"unit", load_unit(nominal, nominal.actuators[a])},
                                 {"limits", constraints_json(*study_, static_cast<int>(a))}});
  try {
    const MotionDesign design = evaluator.baseline_design(motion);
    DesignView view = view_of(*study_, design, "baseline");
    view.compare(design.mechanism);
    json["baseline"] = {{"view", columns_->shared(view_json(view))},
                        {"loads", loads_json("loads", design, true)},
                        {"without_springs", springless_loads(motion, evaluator)}};
    baselines_.emplace(motion, std::move(view));
  } catch (const InputError&) {
    // the baseline cannot follow this motion
  }
  return json;
}

/// The loads of the baseline without springs; none where no drives suffice that it could carry.
Json DesignMotions::springless_loads(std::size_t motion, CaseEvaluator& evaluator) {
  try {
    return loads_json("without_springs", evaluator.baseline_design(motion, false), false);
  } catch (const InputError&) {
    return Json::array();
  }
}

Json DesignMotions::loads_json(const std::string& key, const MotionDesign& design, bool springs) {
  return columns_->shared(key, columns_json(loads_of(design.mechanism, design.motion, springs)));
}

/// Torque over speed of the motors of a design, of the baseline and of the robot without springs.
Json DesignMotions::shafts(std::size_t motion, const std::string& name, const MotionDesign& design,
                           CaseEvaluator& evaluator, const CaseOutcome& outcome,
                           const Baselines::Pair& beside) {
  if (study_->drives.empty() || !outcome.computable || design.motion.poses) return Json::array();
  std::vector<DrivenRobot> robots = {{name, design, &outcome.metrics, true}};
  const auto add = [&](const char* what, const CaseOutcome& robot, bool springs) {
    if (robot.computable)
      robots.push_back({what, evaluator.baseline_design(motion, springs), &robot.metrics, springs});
  };
  add("baseline", beside.baseline, true);
  add("without springs", beside.without_springs, false);
  return columns_->shared("shafts", shafts_json(*study_, robots));
}

void DesignMotions::add(std::int64_t id, std::span<const double> point, CaseEvaluator& evaluator,
                        const CaseOutcome& outcome, const Baselines::Pair& beside) {
  for (const std::size_t m : motions_of(*study_, {point.begin(), point.end()})) {
    Json& json = motion_json(m, evaluator);
    Json shown = {{"case", id},
                  {"view", nullptr},
                  {"reason", ""},
                  {"loads", Json::array()},
                  {"layers", Json::array()},
                  {"shafts", Json::array()}};
    try {
      const MotionDesign design = evaluator.design(point, m);
      DesignView view = view_of(*study_, design, fmt::format("case {}", id));
      if (const auto baseline = baselines_.find(m); baseline != baselines_.end())
        view.compare(baseline->second.mechanism());
      shown["view"] = columns_->shared(view_json(view));
      shown["loads"] = loads_json("loads", design, true);
      if (!shown["loads"].empty())
        shown["layers"] = columns_->shared("layers", layers_json(design.mechanism, design.motion));
      shown["shafts"] = shafts(m, fmt::format("case {}", id), design, evaluator, outcome, beside);
      add_still(m, id, std::move(view));
    } catch (const InputError& error) {
      shown["reason"] = error.message();
    }
    json["designs"].push_back(std::move(shown));
  }
}

void DesignMotions::add_still(std::size_t motion, std::int64_t id, DesignView view) {
  const DesignView& kept = views_.emplace_back(std::move(view));
  const DesignView::Instant instant = kept.largest_load();
  const std::string name = fmt::format("case {}", id);
  Still still{motion, id, {kept.still(instant.time, name)}, name, instant.load};
  if (const auto baseline = baselines_.find(motion); baseline != baselines_.end()) {
    still.designs.push_back(baseline->second.still(instant.time, "baseline"));
    still.caption += " beside the baseline";
  }
  const LoadCase& shown = study_->motions[motion];
  still.caption += shown.motion.nominal.poses
                       ? fmt::format(" in pose {} of {}", std::lround(instant.time) + 1, shown.name)
                       : fmt::format(" in {} at {:.4g} s", shown.name, instant.time);
  if (!instant.words.empty()) still.caption += ": " + instant.words;
  stills_.push_back(std::move(still));
}

std::string DesignMotions::html_of(const Still& still) const {
  const auto index = std::distance(motions_.begin(), motions_.find(still.motion));
  return still_picture(still.designs, fmt::format("{} {}", index, still.id), still.caption);
}

std::vector<std::string> DesignMotions::stills() const {
  std::vector<std::string> html;
  for (const Still& still : stills_) html.push_back(html_of(still));
  return html;
}

std::string DesignMotions::first_still() const {
  const Still* largest = nullptr;
  for (const Still& still : stills_)
    if (still.id == stills_.front().id && (largest == nullptr || still.load > largest->load))
      largest = &still;
  return largest == nullptr ? "" : html_of(*largest);
}

Json DesignMotions::json() const {
  Json motions = Json::array();
  for (const auto& [motion, json] : motions_) motions.push_back(json);
  return {{"columns", columns_->columns},
          {"mechanisms", columns_->mechanisms},
          {"motions", motions},
          {"block", deflated(columns_->block.bytes())}};
}

}  // namespace counterpoise
