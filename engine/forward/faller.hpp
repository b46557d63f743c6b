#pragma once

#include <optional>

#include "engine/forward/fall_record.hpp"
#include "engine/forward/integrator.hpp"

namespace counterpoise {

/// Carries one fall out: begins it, integrates from sample to sample, and stops where gaps close or
/// held gaps begin to pull.
class Faller {
 public:
  Faller(const Mechanism& mechanism, const Scenario& scenario, bool columns)
      : scenario_(scenario),
        equations_(mechanism, scenario_),
        record_(equations_, scenario_, columns) {}

  std::optional<FallStop> begin(const JointStart& start);
  Fall run();

 private:
  using Result = EquationsOfMotion::Result;
  using GapList = std::vector<std::size_t>;
  using Stopped = std::optional<FallStop>;

  Stopped stop(FallStop::Kind kind, std::string words) const {
    return FallStop{kind, time_, std::move(words)};
  }
  Stopped stop_for(Result result) const;
  Stopped settle_start();
  Stopped stop_held_actuators();
  /// Finds independent joints, accelerations and loads at the present state, and starts to
  /// integrate from there.
  Stopped restart();
  Stopped advance(double target);
  Stopped collide_at(const GapList& closing);
  Stopped leave(std::size_t place);
  void integrate_from(double t, const std::vector<double>& y);
  bool integrate_to(double t);
  bool see(double t);
  Stopped meet(std::size_t gap, double t0, const std::vector<double>& y0, double guess, double t1);
  Stopped lose(std::size_t place, double t0, const std::vector<double>& y0, double t1);
  GapList closing_now(std::size_t first);
  FallEvent event_of(std::size_t gap, FallEvent::Kind kind) const;
  void read_gaps(std::vector<GapValue>& values);
  void add_row() { record_.add_row(time_, equations_, lost_, work_); }

  Scenario scenario_;
  EquationsOfMotion equations_;
  FallRecord record_;
  std::optional<Integrator> integrator_;
  std::vector<BodyIndex> integrated_;  // independent joints that the integrator's state holds
  std::vector<GapValue> before_, after_;
  Result trouble_ = Result::solved;
  double time_ = 0.0, lost_ = 0.0, work_ = 0.0;
  int groups_ = 0, events_ = 0;
};

}  // namespace counterpoise
