#pragma once

#include <optional>
#include <variant>

#include "engine/falls/equations_of_motion.hpp"
#include "engine/falls/fall.hpp"
#include "engine/falls/fall_record.hpp"
#include "engine/falls/impact.hpp"
#include "engine/falls/integrator.hpp"
#include "engine/math/cubic.hpp"

namespace counterpoise {

/// How far inside a surface, relative to the mechanism's size, a point still only touches it.
inline constexpr double touching = 1e-9;
/// How far a gap must fall below zero, relative to that size, to be an event.
inline constexpr double event_depth = 1e-11;
/// Ends of profiles that are nearer to a sample are at it [s].
inline constexpr double same_time = 1e-9;

/// Simulates one fall: begins it, integrates from sample to sample, and stops where gaps close,
/// held gaps begin to pull, or slides begin or cease to stick.
class Faller {
 public:
  Faller(const Mechanism& mechanism, const Scenario& scenario, const FallOptions& options)
      : scenario_(with_locks(mechanism, scenario)),
        corners_(corners_of_forces(scenario)),
        equations_(mechanism, scenario_),
        record_(equations_, scenario_, options.columns),
        between_steps_(options.between_steps) {
    for (std::size_t s = 0; s < equations_.mechanism().springs.size(); ++s)
      if (!equations_.mechanism().springs[s].is_straight()) bent_.push_back(s);
  }

  std::optional<FallStop> begin(const JointStart& start);
  Fall run();

 private:
  using Result = EquationsOfMotion::Result;
  using GapList = std::vector<std::size_t>;
  using Stopped = std::optional<FallStop>;

  /// The state at the beginning of a step.
  struct StepStart {
    double time;
    std::vector<double> y;
  };
  /// A gap and the time at which it seems to close.
  struct Crossing {
    std::size_t gap;
    double time;
  };

  Stopped stop(FallStop::Kind kind, std::string words) const {
    return FallStop{kind, time_, std::move(words)};
  }
  Stopped stop_for(Result result) const;
  Stopped stop_for_integration() const;
  Stopped settle_start();
  void stop_actuators(const std::vector<std::size_t>& held);
  Stopped end_profiles();
  /// The times of the fall at which the courses of forces have corners, in order.
  static std::vector<double> corners_of_forces(const Scenario& scenario);
  /// The first of them behind a time; infinite if there is none.
  [[nodiscard]] double corner_behind(double time) const;
  /// Closes brakes whose time has come.
  Stopped close_brakes();
  /// The time at which a followed profile ends; infinite if the actuator follows none.
  double end_of_profile(std::size_t actuator) const;
  const std::string& name_of(std::size_t gap) const;

  /// Finds independent joints, accelerations and loads at the present state, and starts to
  /// integrate from there.
  Stopped restart();
  void integrate_from(double t, const std::vector<double>& y);
  bool integrate_to(double t);
  Stopped return_to(const StepStart& from, double t);
  bool see(double t);
  Stopped advance(double target);
  Stopped take_step(const StepStart& from, double target);
  /// The energy balance, which stays constant during a fall, and the sum of the magnitudes of its
  /// terms (for rounding) [J].
  struct Balance {
    double value = 0.0, size = 0.0;
  };
  Balance balance();

  Cubic way_of(std::size_t gap, double t0) const;
  bool may_miss(double t0) const;
  std::optional<Crossing> first_crossing(double t0) const;
  Stopped meet(Crossing crossing, const StepStart& from, double t1);
  Stopped find_closing(const Crossing& crossing, const StepStart& from, double t1);
  bool closes_soon(std::size_t gap) const;
  /// Notes on which pieces of their laws the springs are that have several.
  void read_pieces(std::vector<int>& pieces);
  /// Integrates to the time at which a spring comes to another piece of its law within a step.
  Stopped find_bend(const StepStart& from, const std::vector<int>& pieces);
  bool pulls();
  Stopped lose(const StepStart& from, double t1);

  // Dry friction, in rubbing.cpp.
  [[nodiscard]] bool is_dry(std::size_t slide) const;
  /// Lets no slide stick or rub, as impulses are beyond all dry friction.
  void loosen();
  std::variant<std::vector<EquationsOfMotion::Rubbing>, Result> find_slipping(
      const std::vector<std::size_t>& still);
  /// Whether a slide that moved has turned round, one that could not move does, or friction cannot
  /// hold those that stick.
  bool slips();
  /// Integrates to the time at which that happens within a step.
  Stopped find_slip(const StepStart& from, double t1);
  /// Lets the slides go on as friction then does.
  Stopped slip();
  /// Finds which slides stick and which way the others rub, and goes on from there.
  Stopped settle_friction();

  Stopped collide_at(const GapList& closing, const GapList& touched);
  Stopped leave();
  GapList touching_now(const GapList& closing);
  GapList settle(const GapList& gaps, Impact& impact);
  /// Holds gaps that rest, and goes on from there.
  Stopped rest_on(GapList gaps);
  void tell_impact(const GapList& gaps, std::size_t closing, const Impact& impact,
                   const std::vector<double>& angles);
  Stopped count_event();
  FallEvent event_of(std::size_t gap, FallEvent::Kind kind) const;
  void read_gaps(std::vector<GapValue>& values);
  void add_row() { record_.add_row(time_, equations_, lost_, work_); }
  /// Whether a gap may close: it is not held, and nothing prescribed has driven it through.
  [[nodiscard]] bool watched(std::size_t gap) const;

  Scenario scenario_;
  std::vector<double> corners_;  // of the courses of forces: steps end there
  EquationsOfMotion equations_;
  FallRecord record_;
  std::function<void()> between_steps_;
  std::optional<Integrator> integrator_;
  std::vector<BodyIndex> integrated_;  // independent joints that the integrator's state holds
  std::vector<GapValue> before_, after_;
  std::vector<std::size_t> bent_;  // springs whose laws have several pieces
  std::vector<int> pieces_;        // on which these are at the beginning of a step
  GapList passed_;          // gaps that what is held or followed drove through, until they open
  bool redundant_ = false;  // held gaps share their forces
  std::optional<EquationsOfMotion> unheld_;  // the same mechanism where no gap is held
  std::optional<EquationsOfMotion> loose_;   // and where no slide sticks
  Result trouble_ = Result::solved;
  JointStart step_start_;  // the joints where a step begins; empty before the first
  double time_ = 0.0, lost_ = 0.0, work_ = 0.0;
  int groups_ = 0, events_ = 0;
};

}  // namespace counterpoise
