#include "engine/evaluation/simulation.hpp"

#include <cmath>
#include <exception>
#include <limits>

#include "engine/dynamics/reactions.hpp"
#include "engine/dynamics/shaft.hpp"
#include "engine/evaluation/limits.hpp"
#include "engine/evaluation/motor_samples.hpp"
#include "engine/evaluation/pipeline.hpp"
#include "engine/math/pack.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {

/// The columns of a simulation over the stretch that the pipeline holds.
template <class S>
class SimulationColumns {
 public:
  SimulationColumns(const Mechanism& mechanism, const Motion& motion,
                    const SimulationOptions& options);

  /// Computes all columns except reactions for the design that the pipeline judged last.
  void compute(const Mechanism& mechanism, Pipeline<S>& pipeline);
  /// Computes the reactions' columns, if they were asked for, and notes in `simulation` which
  /// reactions are not determined. Throws MechanismError when the sharing rules contradict each
  /// other at a sample.
  void compute_reactions(const Mechanism& mechanism, Pipeline<S>& pipeline, Simulation& simulation);

  /// The first sample at which some column is not a finite number, or nothing.
  [[nodiscard]] std::optional<Finding> find_not_finite() const;
  /// Leaves no numbers but the time at samples that are left out.
  void hide_left_out(const Pipeline<S>& pipeline);
  [[nodiscard]] std::span<Series> series() { return columns_; }

 private:
  void add_names(const Mechanism& mechanism);
  void add_motor(const Mechanism& mechanism, Pipeline<S>& pipeline, std::size_t actuator,
                 std::size_t& column);
  template <class Value>
  void fill(const Pipeline<S>& pipeline, std::size_t& column, const Value& value);

  double step_;
  bool inertia_, poses_;
  std::size_t springs_;
  std::vector<Series> columns_;
  std::size_t first_reaction_ = 0;  // the column of the first component of a reaction
  std::optional<Reactions> reactions_;
  SampleState sample_;
  std::vector<double> loads_, tensions_, factors_;  // at one sample
  std::vector<double> load_friction_;               // the same, of each body if any has it
};

class SimulationRun::Impl {
 public:
  Impl() = default;
  virtual ~Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  virtual std::variant<Simulation, Finding> check(const Take& take) = 0;
  virtual void read(const Take& take) = 0;
};

namespace {

template <class S>
class RunInLanes final : public SimulationRun::Impl {
 public:
  RunInLanes(const Mechanism& mechanism, const Motion& motion, const SimulationOptions& options)
      : mechanism_(mechanism),
        pipeline_(std::make_shared<const EvaluationPlan>(mechanism, motion, options.closure),
                  motion, Reuse::remember, options.holding),
        springs_(options.springs ? mechanism.springs.size() : 0),
        columns_(mechanism, motion, options),
        limits_(mechanism) {}

  std::variant<Simulation, Finding> check(const SimulationRun::Take& take) override;
  void read(const SimulationRun::Take& take) override;

 private:
  void begin();
  void find_limits();
  void compute_columns();

  Mechanism mechanism_;
  Pipeline<S> pipeline_;
  std::size_t springs_;
  SimulationColumns<S> columns_;
  LimitMemory limits_;
  Metrics metrics_;
  Simulation result_;
  std::exception_ptr refusal_;         // of the first sample whose reactions contradict
  std::optional<Finding> not_finite_;  // first sample with a number that is not finite
};

template <class S>
void RunInLanes<S>::begin() {
  result_ = {};
  refusal_ = nullptr;
  not_finite_.reset();
}

template <class S>
void RunInLanes<S>::find_limits() {
  for (std::size_t s = 0; s < springs_; ++s) {
    find_broken_spring_limits(mechanism_, pipeline_, s, limits_, result_.broken_limits);
    find_too_near(mechanism_, pipeline_, s, limits_, result_.broken_limits);
    if (const auto wrong = find_wrong_sense(mechanism_, pipeline_, s, limits_))
      result_.wrong_senses.push_back(*wrong);
  }
  find_broken_actuator_limits(mechanism_, pipeline_, metrics_, limits_, result_.broken_limits);
}

template <class S>
void RunInLanes<S>::compute_columns() {
  columns_.compute(mechanism_, pipeline_);
  try {
    if (!refusal_) columns_.compute_reactions(mechanism_, pipeline_, result_);
  } catch (const MechanismError&) {
    refusal_ = std::current_exception();
  }
  if (!refusal_ && !not_finite_) not_finite_ = columns_.find_not_finite();
  columns_.hide_left_out(pipeline_);
}

template <class S>
std::variant<Simulation, Finding> RunInLanes<S>::check(const SimulationRun::Take& take) {
  bool finite = true;
  std::optional<Finding> locked;
  pipeline_.rewind();
  do {
    const Stretch& stretch = pipeline_.stretch();
    if (stretch.starts()) begin();
    if (const auto finding = pipeline_.follow(mechanism_)) {
      if (stretch.ends()) return *finding;
      continue;
    }
    for (std::size_t s = 0; s < springs_; ++s) {
      pipeline_.place_spring(mechanism_, s);
      if (const auto finding = find_lost_direction(mechanism_, pipeline_, s)) return *finding;
      pipeline_.clear_spring(mechanism_, s);
    }
    pipeline_.carry(mechanism_);
    if (!locked) locked = pipeline_.rub(mechanism_, springs_ > 0);
    if (locked) continue;
    finite = pipeline_.judge(mechanism_, springs_ > 0, metrics_);
    find_limits();
    if (!finite) continue;
    compute_columns();
    take(columns_.series(), stretch.first);
  } while (pipeline_.next());
  if (locked) return *locked;
  if (!finite) return Finding{FindingKind::not_finite};
  if (refusal_) std::rethrow_exception(refusal_);
  if (not_finite_) return *not_finite_;
  return std::move(result_);
}

template <class S>
void RunInLanes<S>::read(const SimulationRun::Take& take) {
  if (pipeline_.stretch().whole()) return take(columns_.series(), 0);
  pipeline_.rewind();
  do {
    pipeline_.follow(mechanism_);
    for (std::size_t s = 0; s < springs_; ++s) {
      pipeline_.place_spring(mechanism_, s);
      pipeline_.clear_spring(mechanism_, s);
    }
    pipeline_.carry(mechanism_);
    pipeline_.rub(mechanism_, springs_ > 0);
    pipeline_.judge(mechanism_, springs_ > 0, metrics_);
    compute_columns();
    take(columns_.series(), pipeline_.stretch().first);
  } while (pipeline_.advance());
}

}  // namespace

SimulationRun::SimulationRun(const Mechanism& mechanism, const Motion& motion,
                             const SimulationOptions& options) {
  if (options.lanes_of_samples == Lanes::pack)
    impl_ = std::make_unique<RunInLanes<Pack>>(mechanism, motion, options);
  else
    impl_ = std::make_unique<RunInLanes<double>>(mechanism, motion, options);
}
SimulationRun::~SimulationRun() = default;

std::variant<Simulation, Finding> SimulationRun::check(const Take& take) {
  return impl_->check(take);
}

void SimulationRun::read(const Take& take) {
  impl_->read(take);
}

void remove_left_out(std::vector<Series>& columns) {
  if (columns.size() < 2) return;
  const std::vector<double> marks = columns[1].values;  // NaN where a sample is left out
  for (Series& series : columns) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < marks.size(); ++k)
      if (!std::isnan(marks[k])) series.values[kept++] = series.values[k];
    series.values.resize(kept);
  }
}

std::variant<Simulation, Finding> simulate(const Mechanism& mechanism, const Motion& motion,
                                           const SimulationOptions& options) {
  std::vector<Series> columns;
  const auto samples = static_cast<std::size_t>(motion.sample_count());
  const auto append = [&](std::span<Series> stretch, int first) {
    if (first == 0) columns.clear();
    for (std::size_t c = 0; c < stretch.size(); ++c) {
      if (first == 0) columns.push_back({stretch[c].name, std::move(stretch[c].values)});
      std::vector<double>& values = columns[c].values;
      if (first > 0)
        values.insert(values.end(), stretch[c].values.begin(), stretch[c].values.end());
      values.reserve(samples);
    }
  };
  auto result = SimulationRun(mechanism, motion, options).check(append);
  if (Simulation* simulation = std::get_if<Simulation>(&result))
    simulation->columns = std::move(columns);
  return result;
}

template <class S>
SimulationColumns<S>::SimulationColumns(const Mechanism& mechanism, const Motion& motion,
                                        const SimulationOptions& options)
    : step_(motion.step),
      inertia_(motion.inertia),
      poses_(motion.poses),
      springs_(options.springs ? mechanism.springs.size() : 0),
      sample_(mechanism.body_count()),
      loads_(mechanism.actuators.size()),
      tensions_(springs_),
      factors_(mechanism.forces.size()) {
  if (options.reactions) reactions_.emplace(mechanism);
  add_names(mechanism);
}

template <class S>
void SimulationColumns<S>::add_names(const Mechanism& mechanism) {
  const auto add = [this](const std::string& stem, const auto&... quantities) {
    (columns_.push_back({stem + std::string(quantities), {}}), ...);
  };
  add("t", "");
  for (const Actuator& actuator : mechanism.actuators) {
    add(actuator.name, ".position", ".velocity", ".load");
    if (actuator.motor.known) add(actuator.name, ".motor_torque", ".motor_speed", ".motor_power");
  }
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body)
    if (mechanism.moves(body)) add(mechanism.bodies[body].name, ".q", ".qd", ".qdd");
  for (std::size_t s = 0; s < springs_; ++s) {
    const Spring& spring = mechanism.springs[s];
    const bool torsion = spring.type == SpringType::torsion;
    add(spring.name, torsion ? ".angle" : ".length", torsion ? ".torque" : ".tension");
    if (spring.rubs) add(spring.name, ".friction");
    if (!spring.clear_of.empty()) add(spring.name, ".clearance");
  }
  first_reaction_ = columns_.size();
  if (!reactions_) return;
  for (const Body& body : mechanism.bodies)
    for (const std::string_view component : wrench_components)
      add(body.name + ".reaction.", component);
  for (const Loop& loop : mechanism.loops)
    for (const std::string_view component : wrench_components)
      add(loop.name + ".closure.", component);
}

/// Fills the next column with `value(block)` of every sample.
template <class S>
template <class Value>
void SimulationColumns<S>::fill(const Pipeline<S>& pipeline, std::size_t& column,
                                const Value& value) {
  std::vector<double>& values = columns_[column++].values;
  values.resize(static_cast<std::size_t>(pipeline.samples()));
  for (int k = 0; k < pipeline.samples(); ++k) {
    const SamplePlace<S> place(k);
    values[k] = lane(value(static_cast<std::size_t>(place.block)), place.lane);
  }
}

/// Adds torque, speed and power at the shaft of the motor of one actuator. At rest dry friction
/// carries for it as little as it can.
template <class S>
void SimulationColumns<S>::add_motor(const Mechanism& mechanism, Pipeline<S>& pipeline,
                                     std::size_t actuator, std::size_t& column) {
  MotorSamples samples;
  take_motor_samples(mechanism, pipeline, actuator, samples);
  const MotorSide& motor = mechanism.actuators[actuator].motor;
  const Shaft shaft = shaft_of(motor);
  for (std::size_t c = column; c < column + 3; ++c) columns_[c].values.clear();
  for (std::size_t k = 0; k < samples.load.size(); ++k) {
    const MotorState state = samples.at(k, motor.friction, false);
    const double torque = shaft.torque(state.load, state.velocity, state.acceleration);
    const double speed = shaft.ratio * state.velocity;
    columns_[column].values.push_back(torque);
    columns_[column + 1].values.push_back(speed);
    columns_[column + 2].values.push_back(torque * speed);
  }
  column += 3;
}

template <class S>
void SimulationColumns<S>::compute(const Mechanism& mechanism, Pipeline<S>& pipeline) {
  std::vector<double>& times = columns_.front().values;
  times.resize(static_cast<std::size_t>(pipeline.samples()));
  for (int k = 0; k < pipeline.samples(); ++k) times[k] = (pipeline.stretch().first + k) * step_;
  std::size_t column = 1;
  const auto add = [&](const auto& value) { fill(pipeline, column, value); };
  const ActuatorMotion<S>& moves = pipeline.actuator_motion();
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    add([&](std::size_t block) { return moves.position(a)[block]; });
    add([&](std::size_t block) { return poses_ ? S(0.0) : moves.velocity(a)[block]; });
    add(pipeline.load(a));
    if (mechanism.actuators[a].motor.known) add_motor(mechanism, pipeline, a, column);
  }
  const auto joints = [&](std::size_t block) { return pipeline.joints(static_cast<int>(block)); };
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body) {
    if (!mechanism.moves(body)) continue;
    const auto b = static_cast<std::size_t>(body);
    add([&](std::size_t block) { return joints(block).q[b]; });
    add([&](std::size_t block) { return poses_ ? S(0.0) : joints(block).v[b]; });
    add([&](std::size_t block) { return poses_ ? S(0.0) : joints(block).a[b]; });
  }
  for (std::size_t s = 0; s < springs_; ++s) {
    const SpringShape<S>& shape = pipeline.shape(s);
    const Spring& spring = mechanism.springs[s];
    add([&](std::size_t block) { return shape.length[block]; });
    add([&](std::size_t block) { return tension_of(spring, shape.length[block]); });
    if (spring.rubs)
      add([way = pipeline.direction(s), &spring](std::size_t block) {
        return S(way[block] * spring.friction);
      });
    const double radius = spring.radius;
    if (shape.cleared) add([&](std::size_t block) { return S(shape.distance[block] - radius); });
  }
}

template <class S>
void SimulationColumns<S>::compute_reactions(const Mechanism& mechanism, Pipeline<S>& pipeline,
                                             Simulation& simulation) {
  if (!reactions_) return;
  for (std::size_t c = first_reaction_; c < columns_.size(); ++c) columns_[c].values.clear();
  for (int k = 0; k < pipeline.samples(); ++k) {
    const SamplePlace<S> place(k);
    const auto block = static_cast<std::size_t>(place.block);
    sample_.read_lane<S>(pipeline.joints(place.block), place.lane);
    if (!inertia_) sample_.stop();
    for (std::size_t a = 0; a < loads_.size(); ++a)
      loads_[a] = lane(pipeline.load(a)(block), place.lane);
    for (std::size_t s = 0; s < tensions_.size(); ++s) {
      const Spring& spring = mechanism.springs[s];
      tensions_[s] = tension_of(spring, lane(pipeline.shape(s).length[block], place.lane));
      if (spring.rubs)
        tensions_[s] += lane(pipeline.direction(s)[block], place.lane) * spring.friction;
    }
    for (std::size_t f = 0; f < factors_.size(); ++f)
      factors_[f] = lane(pipeline.force_factor(f, block), place.lane);
    if (const FrictionLoads<S>* rubbing = pipeline.friction_loads()) {
      load_friction_.resize(mechanism.bodies.size());
      rubbing->read(k, load_friction_);
    }
    reactions_->compute(pipeline.geometry(mechanism), pipeline.tree(), sample_.view(), loads_,
                        tensions_, factors_, load_friction_);
    std::size_t column = first_reaction_;
    const auto add = [&](const Wrench& wrench) {
      for (const Vec3d& vector : {wrench.force, wrench.moment})
        for (const double value : vector) columns_[column++].values.push_back(value);
    };
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) add(reactions_->of_body(b));
    for (int l = 0; l < static_cast<int>(mechanism.loops.size()); ++l) add(reactions_->of_loop(l));
    if (reactions_->open_numbers() > simulation.open_reactions) {
      simulation.open_reactions = reactions_->open_numbers();
      simulation.open_joints = reactions_->open_joints();
    }
  }
}

template <class S>
std::optional<Finding> SimulationColumns<S>::find_not_finite() const {
  const std::vector<double>& t = columns_.front().values;
  for (std::size_t k = 0; k < t.size(); ++k)
    for (const Series& series : columns_)
      if (!std::isfinite(series.values[k])) return Finding{FindingKind::not_finite, -1, t[k]};
  return std::nullopt;
}

template <class S>
void SimulationColumns<S>::hide_left_out(const Pipeline<S>& pipeline) {
  const std::span<const char> left_out = pipeline.left_out();
  for (std::size_t k = 0; k < left_out.size(); ++k)
    for (std::size_t c = 1; c < columns_.size() && left_out[k] != 0; ++c)
      if (k < columns_[c].values.size())
        columns_[c].values[k] = std::numeric_limits<double>::quiet_NaN();
}

template class SimulationColumns<double>;
template class SimulationColumns<Pack>;

}  // namespace counterpoise
