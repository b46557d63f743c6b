#include "engine/evaluation/simulation.hpp"

#include <exception>

#include "engine/evaluation/limits.hpp"
#include "engine/evaluation/simulation_columns.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

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
  std::optional<Finding> not_finite_;  // first sample with a number that is none
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
}

template <class S>
std::variant<Simulation, Finding> RunInLanes<S>::check(const SimulationRun::Take& take) {
  bool finite = true;
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
    }
    pipeline_.carry(mechanism_);
    finite = pipeline_.judge(mechanism_, springs_ > 0, metrics_);
    find_limits();
    if (!finite) continue;
    compute_columns();
    take(columns_.series(), stretch.first);
  } while (pipeline_.next());
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
    for (std::size_t s = 0; s < springs_; ++s) pipeline_.place_spring(mechanism_, s);
    pipeline_.carry(mechanism_);
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

}  // namespace counterpoise
