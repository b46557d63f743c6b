#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "drives/catalogue.hpp"
#include "drives/choice.hpp"
#include "input/definition/model.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/definition/scenario.hpp"
#include "input/text/csv.hpp"

namespace counterpoise {

/// A parameter that a variable sets. A discrete variable has one value per level; a continuous one
/// an expression of the variable (value 0 of its scope).
struct VariableTarget {
  int parameter = -1;
  std::vector<double> by_level;
  std::optional<Expression> expression;
};

enum class VariableKind { values, levels, continuous, catalogue, motion };

/// One variable of a study. Points of the design space hold one number per variable: the level
/// (0, 1, ...) of a discrete one, the value of a continuous one.
struct Variable {
  std::string name;
  VariableKind kind = VariableKind::values;
  std::vector<double> values;    // values and levels: the value of each level
  double low = 0.0, high = 0.0;  // continuous
  std::vector<std::string>
      labels;                // catalogue: first text column (or the row number); motion: name
  std::vector<int> rows;     // catalogue: 1-based row of the file
  std::string catalogue;     // catalogue: the file, as the study names it
  std::vector<int> motions;  // motion: index of each level
  std::vector<VariableTarget> targets;
  Unit unit;  // that its numbers are given in, or else of the first parameter that gets them
              // unchanged; the numbers above are in SI
  bool unit_in_text = false;  // whether its numbers have the unit in their text
  std::string definition;     // its JSON as the file has it, on one line
  Location where;

  [[nodiscard]] bool discrete() const { return kind != VariableKind::continuous; }
  [[nodiscard]] std::int64_t level_count() const;
  [[nodiscard]] bool numeric() const {
    return kind != VariableKind::catalogue && kind != VariableKind::motion;
  }
};

/// One motion of a study, with the parameters that hold for it alone. A motion that is gone through
/// with several values of parameters is as many load cases, one after the other.
struct LoadCase {
  std::string name;         // with the values: "workspace@payload=2kg,tilt=5deg"
  std::string motion_name;  // without them
  ParametricMotion motion;
  double weight = 1.0;
  double pause = 0.0;  // that the robot stands still in its last pose before it goes on [s]
  std::vector<ParameterSetting> settings;
  std::size_t combination = 0;  // of the values, counted from 0
  Location where;
};

/// A scenario of a study: something that may happen to the robot beside its motions.
struct ScenarioCase {
  std::string name;
  ParametricScenario scenario;
  Location where;
};

enum class SamplingMethod { grid, sobol, latin_hypercube, random, list };

struct Sampling {
  SamplingMethod method = SamplingMethod::grid;
  std::int64_t count = 0;  // number of cases
  std::uint64_t seed = 0;
  std::vector<std::vector<double>> points;  // list: one point per case
};

enum class SearchMethod { nlopt, exact_springs };

/// Settings of NLopt's search; see SearchOptions.
struct SearchSettings {
  double tolerance = 1e-7;
  double initial_step = 0.2;
  int restarts = 12;
  int population = 0;
};

/// The trade-off between some objectives: designs that cannot improve one without worsening
/// another.
struct TradeOff {
  std::vector<int> objectives;  // two or three; indices of Study::objectives
  int points = 21;              // along each edge of the front
};

/// How far the best mounts are to be proved.
struct MountProof {
  double gap = 1e-6;  // relative, between the best design and the bound
  std::int64_t max_simplices = 1'000'000;
  double max_memory = 4.0;  // [GB]
};

struct Search {
  SearchMethod method = SearchMethod::nlopt;
  std::vector<std::string> algorithms;  // one after the other, each from the best point so far
  int starts = 1;
  int max_evaluations = 1000;
  std::uint64_t seed = 1;
  SearchSettings settings;
  // exact springs
  bool geometry = false;  // the study says how to search over what springs do not size
  double within = 0.0;  // keep combinations of catalogue springs up to this fraction above the best
  int max_cases = 100;  // at most so many of them
  std::optional<TradeOff> trade_off;
  std::optional<MountProof> proof;  // over geometry; in place of a search over it
  Location where;

  /// Searches that a case id can belong to, each of `starts` starts.
  [[nodiscard]] std::int64_t task_count() const;
};

enum class Statistic { max, mean, rms, energy, peak_power, holds };
/// How many of them can be an objective by themselves: the first ones, which are the better the
/// smaller they are.
inline constexpr std::size_t minimised_statistics = 5;
/// What is kept of a motor: torque and speed at its shaft, and of one that is chosen what it costs
/// and where it stands in its catalogue.
enum class MotorStatistic {
  torque,         // largest |torque|                          [N m]
  rms,            // of the torque                             [N m]
  speed,          // largest |speed|                           [rad/s]
  power,          // largest |torque * speed|                  [W]
  energy,         // taken in over all motions                 [J]
  holding_power,  // largest heat while it stands still; 0 where it never does  [W]
  utilisation,    // largest share of what the drive can do
  price,
  mass,    // [kg]
  motor,   // row of the catalogue, from 1
  gearbox  // row of the catalogue, from 1; 0: none
};
/// The clearance only of springs that keep clear of obstacles.
enum class SpringStatistic { min_length, max_length, max_tension, min_tension, clearance };
/// What is kept of a fall; see FallExtremes.
enum class FallStatistic {
  drop,
  max_speed,
  max_impulse,
  max_impact_speed,
  settled,
  energy_lost,
  moved,           // of any point or centre of mass
  actuator_moved,  // of one actuator
};

/// An objective to be minimised: a statistic of some actuators, or an expression of
/// Study::metric_scope.
struct Objective {
  std::string name;
  Statistic statistic = Statistic::max;
  std::vector<int> actuators;
  std::optional<Expression> expression;
  std::string unit = {};  // SI, of the expression; empty if it is not known
  Location where;         // of the expression, or of the whole
  Location name_where;
};

struct Constraint {
  std::string name;
  Expression expression;  // of Study::metric_scope
  Location where;
  double min = -no_limit;
  double max = no_limit;
  std::string unit = {};  // SI, of the expression; empty if it is not known
};

/// How far a parameter of a robot as built may lie from the design's value, to either side:
///   |value| * fraction + plus_minus
struct Tolerance {
  int parameter = -1;
  double plus_minus = 0.0;  // in SI
  double fraction = 0.0;    // of the value
  int variable = -1;        // a catalogue, whose levels have fractions of their own; or -1
  std::vector<double> by_level;

  /// The half-width of the interval for a design whose parameter has this value; `point` is as
  /// PointSource gives it.
  [[nodiscard]] double half_width(double value, std::span<const double> point) const;
};

/// What a study says about manufacturing: which parameters deviate, and how deviations are sampled.
struct Tolerances {
  int samples = 256;
  std::uint64_t seed = 1;
  double percentile = 95.0;
  std::vector<Tolerance> of;
};

enum class MetricOf { actuator, motor, scenario, spring, poses };

/// A metric by its place: actuator, motor, spring or scenario, and which of its numbers; or how
/// many poses are left out.
struct MetricName {
  std::string name;  // "lift.max", "power_off.tool.tip.drop"
  MetricOf of = MetricOf::actuator;
  int element = -1;   // index of the actuator or spring; of a motor see Study::motor_metrics, of a
                      // scenario Study::fall_metrics; 0
  int statistic = 0;  // a Statistic, MotorStatistic, SpringStatistic or FallStatistic

  /// Whether it is the share of samples at which an actuator is held.
  [[nodiscard]] bool is_share_held() const {
    return of == MetricOf::actuator && statistic == static_cast<int>(Statistic::holds);
  }
  /// Whether nothing bounds it over a box of tolerances: shares that are held jump, and motors lose
  /// other shares of their power where they drive than where they are driven.
  [[nodiscard]] bool lacks_worst_case() const { return is_share_held() || of == MetricOf::motor; }
};

/// Where a mechanism carries a drive, as a point mass.
struct DriveMount {
  BodyIndex body;
  PointIndex point;                // a named point of the body; none: `position`
  Vec3d position = Vec3d::Zero();  // in body axes                                        [m]
  Location where;
};

/// The motor of an actuator in a study: the one that the model has, or the best of catalogues.
struct StudyDrive {
  int actuator = -1;
  std::vector<Motor> motors;       // to choose from; empty: the motor of the model
  std::vector<Gearbox> gearboxes;  // to choose from; empty: the motor drives without a gearbox
  std::string motors_file, gearboxes_file;  // as the study names them
  // turn of the gearbox's output, or of a motor without one, per unit of the actuator's position
  double transmission = 1.0;  // [rad/rad, rad/m]
  double margin = 1.0;        // by which torques are multiplied
  DriveCost minimise = DriveCost::price;
  bool priced = false, weighed = false;  // whether all catalogues give prices, and masses
  double recuperated = 0.0;              // share of the power that comes back
  bool favourable_at_rest = false;       // which end of what dry friction may carry counts at rest
  bool brake = false;                    // whether a brake holds in pauses, so that the motor rests
  std::optional<DriveMount> mount;  // what it weighs loads the mechanism; else it weighs nothing
  Location where;

  [[nodiscard]] bool chosen() const { return !motors.empty(); }
};

/// What a metric of a motor is about: one of Study::drives, or (-1) all that are chosen.
struct MotorMetric {
  int drive = -1;
  MotorStatistic statistic = MotorStatistic::torque;
};

/// A price or mass of one of Study::drives, or (-1) of all that are chosen.
struct CostOfDrives {
  int drive = -1;
  DriveCost cost = DriveCost::price;
};

/// What a metric of a scenario is about.
struct FallMetric {
  int scenario = -1;  // index of Study::scenarios
  FallStatistic statistic = FallStatistic::settled;
  int element = -1;  // index of the point, or of the contact or stop as FallEvent counts them
};

/// Which cases of a sampling the results keep, if not all.
struct Keep {
  std::int64_t best = 1000;       // the first of the ranking
  bool front = true;              // those that no other dominates
  std::int64_t sample = 100'000;  // so many of all cases, each as likely
  std::uint64_t seed = 1;         // of the sample
  std::vector<int> per{};         // discrete variables: the best for each level
};

/// A text the study was read from, kept with its results.
struct SourceText {
  std::string role;  // "study", "model", "motion" (its tables too), "scenario" (its motion and
                     // tables too), "catalogue", "designs"
  std::string path;  // as the study names it
  std::string text;
};

/// How near two designs tie in an objective unless the study says otherwise, relative.
inline constexpr double default_ties = 1e-6;

/// A study file with everything it refers to, read and checked as a whole. Immutable.
struct Study {
  std::string name;
  std::string variant;  // its name, of a study that was read as one of several; else empty
  std::filesystem::path path;
  std::unique_ptr<const Model> model;
  std::vector<LoadCase> motions;
  std::vector<ScenarioCase> scenarios;
  std::vector<Variable> variables;
  std::vector<VariableReach> reach;  // one per variable
  int motion_variable = -1;          // index into variables, or -1: every case runs all motions
  std::variant<Sampling, Search> method;
  std::vector<Objective> objectives;
  std::vector<Unit> display;  // units in which lengths and angles are shown, or none
  std::vector<double> ties;   // per objective, relative: how near two designs tie in it
  std::vector<Constraint> constraints;
  std::vector<StudyDrive> drives;  // by ascending actuator
  double cycles_per_year = 0.0;    // how often all motions are gone through; 0: not known
  std::vector<ParameterSetting> baseline;
  std::optional<Tolerances> tolerances;
  std::vector<MetricName> metrics;         // of actuators, motors, scenarios, poses and, last,
                                           // springs, which without_springs has no metrics of
  std::vector<MotorMetric> motor_metrics;  // one per metric of a motor
  std::vector<FallMetric> fall_metrics;    // one per metric of a scenario
  std::vector<int> stored;                 // indices into metrics
  std::optional<Keep> keep;                // all cases are kept if absent
  /// The values expressions of objectives and constraints read: the model's parameters, metrics,
  /// "baseline." metrics, "without_springs." metrics of actuators and scenarios; see
  /// metric_offset().
  Scope metric_scope;
  std::vector<SourceText> sources;
  std::vector<std::string> warnings;  // lines, each with its place, about what is read but unlikely

  [[nodiscard]] int metric_offset() const { return static_cast<int>(model->parameters.size()); }
  [[nodiscard]] int baseline_offset() const {
    return metric_offset() + static_cast<int>(metrics.size());
  }
  [[nodiscard]] int without_springs_offset() const {
    return baseline_offset() + static_cast<int>(metrics.size());
  }
  /// The metric that a value of metric_scope is, of the design itself or of a baseline; null for a
  /// parameter.
  [[nodiscard]] const MetricName* metric_of(int value) const;
  /// The cost that an expression is, if it is just the price or mass of drives that are chosen.
  [[nodiscard]] std::optional<CostOfDrives> cost_in(const Expression& expression) const;
  /// The same of all of them.
  [[nodiscard]] std::optional<DriveCost> cost_of_drives(const Expression& expression) const;
  /// Whether an expression reads a metric of a scenario, of the design itself or of a baseline.
  [[nodiscard]] bool reads_scenario(const Expression& expression) const;
  /// The same of the design itself: for each scenario whether an objective, a constraint or a
  /// stored metric reads it. Others are not run.
  [[nodiscard]] std::vector<bool> scenarios_read() const;
  /// Whether any is.
  [[nodiscard]] bool runs_scenarios() const;
  /// Indices of motions, one for each design of a case: motions that set no parameters share one,
  /// and the first of these stands for all.
  [[nodiscard]] std::vector<std::size_t> motions_by_design() const;
  /// Whether the mechanism carries drives whose masses are chosen with each design.
  [[nodiscard]] bool carries_drives() const;
  /// Whether such a drive sits at this point.
  [[nodiscard]] bool mounts_at(PointIndex point) const;
  [[nodiscard]] const Search* search() const { return std::get_if<Search>(&method); }
  [[nodiscard]] std::int64_t case_count() const;
};

/// Reads and checks a file on disk that holds what the key `tolerances` of this study would;
/// `study_files` gives the catalogues. Throws InputError at the first mistake.
Tolerances read_tolerances(const std::filesystem::path& path, const Study& study,
                           const FileProvider& study_files);

}  // namespace counterpoise
