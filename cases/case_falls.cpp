#include "cases/case_falls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cases/case_drives.hpp"
#include "cases/clock.hpp"
#include "engine/falls/fall.hpp"

namespace counterpoise {
namespace {

static_assert(static_cast<int>(FailureKind::fall_not_integrated) -
                      static_cast<int>(FailureKind::fall_open_start) ==
                  static_cast<int>(FallStop::Kind::not_integrated),
              "the two lists name the same stops in the same order");

FailureKind kind_of(FallStop::Kind kind) {
  return static_cast<FailureKind>(static_cast<int>(FailureKind::fall_open_start) +
                                  static_cast<int>(kind));
}

double value_of(const FallMetric& metric, const FallExtremes& extremes) {
  const auto of = [&](const std::vector<double>& values) { return values[metric.element]; };
  switch (metric.statistic) {
    case FallStatistic::drop:
      return of(extremes.drop);
    case FallStatistic::max_speed:
      return of(extremes.max_speed);
    case FallStatistic::max_impulse:
      return of(extremes.max_impulse);
    case FallStatistic::max_impact_speed:
      return of(extremes.max_impact_speed);
    case FallStatistic::settled:
      return extremes.settled;
    case FallStatistic::energy_lost:
      return extremes.energy_lost;
    case FallStatistic::moved:
      return extremes.moved;
    case FallStatistic::actuator_moved:
      return of(extremes.actuator_moved);
  }
  return 0.0;
}

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += seconds_since(begun_); }

 private:
  double& seconds_;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace

CaseFalls::CaseFalls(const Study& study) : study_(study) {
  const std::vector<bool> read = study.scenarios_read();
  for (std::size_t s = 0; s < read.size(); ++s)
    if (read[s]) read_.push_back(s);
  mechanisms_.assign(read_.size(), study.model->nominal);
}

void CaseFalls::forget(CaseOutcome& out) const {
  out.metrics.falls.assign(study_.fall_metrics.size(), std::numeric_limits<double>::quiet_NaN());
}

bool CaseFalls::bind(CaseDesign& design, CaseOutcome& out) {
  for (std::size_t i = 0; i < read_.size(); ++i) {
    if (const auto reason = design.bind_scenario(read_[i], 0)) {
      Failure failure;
      failure.kind = FailureKind::scenario_impossible;
      failure.of = static_cast<int>(read_[i]);
      out.refuse(failure,
                 fmt::format("{} in scenario {}", *reason, study_.scenarios[read_[i]].name));
      return false;
    }
    mechanisms_[i] = design.scenario_mechanism(read_[i]);
    add_drives(study_, design.masses(), mechanisms_[i]);
  }
  return true;
}

bool CaseFalls::run(CaseDesign& design, CaseOutcome& out) {
  const Stopwatch watch(counts_[account_].seconds);
  forget(out);
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const std::vector<double>& times = study_.scenarios[read_[i]].scenario.start.times;
    for (std::size_t instant = 0; instant < times.size(); ++instant) {
      // the numbers are those that bind() has accepted, and only the instant differs
      if (instant > 0) static_cast<void>(design.bind_scenario(read_[i], instant));
      ++counts_[account_].runs;
      if (!fall(read_[i], mechanisms_[i], design, times[instant], out)) return false;
    }
  }
  return true;
}

bool CaseFalls::fall(std::size_t scenario, const Mechanism& mechanism, CaseDesign& design,
                     double from, CaseOutcome& out) {
  const ScenarioCase& of = study_.scenarios[scenario];
  const std::string place = of.scenario.start.several
                                ? fmt::format(" in scenario {} from t={:.6g} s", of.name, from)
                                : fmt::format(" in scenario {}", of.name);
  Failure failure;
  failure.of = static_cast<int>(scenario);
  const auto start = design.scenario(scenario).start(mechanism);
  if (const Finding* finding = std::get_if<Finding>(&start)) {
    failure.kind = FailureKind::fall_open_start;
    failure.time = 0.0;
    out.refuse(failure, "the fall cannot begin: " + describe(*finding, mechanism) + place);
    return false;
  }
  const auto result = simulate_fall(mechanism, design.scenario(scenario).scenario(),
                                    std::get<JointStart>(start), {.columns = false});
  const Fall* fall = std::get_if<Fall>(&result);
  const FallStop* stop = fall == nullptr ? &std::get<FallStop>(result)
                         : fall->stopped ? &*fall->stopped
                                         : nullptr;
  if (stop != nullptr) {
    failure.kind = kind_of(stop->kind);
    failure.time = stop->time;
    out.refuse(failure, fall == nullptr
                            ? "the fall cannot begin: " + stop->words + place
                            : fmt::format("the fall ends at t={:.6g} s, before its time: {}{}",
                                          stop->time, stop->words, place));
    return false;
  }
  for (std::size_t m = 0; m < study_.fall_metrics.size(); ++m) {
    const FallMetric& metric = study_.fall_metrics[m];
    if (metric.scenario != static_cast<int>(scenario)) continue;
    double& worst = out.metrics.falls[m];
    const double value = value_of(metric, fall->extremes);
    worst = worst >= value ? worst : value;  // the first replaces NaN
  }
  return true;
}

void disable_springs(Mechanism& mechanism) {
  for (Spring& spring : mechanism.springs) {
    spring.group_law = {};
    spring.rate = 0.0;
    spring.initial_tension = 0.0;
    spring.friction = 0.0;
    spring.mass = 0.0;
  }
}

}  // namespace counterpoise
