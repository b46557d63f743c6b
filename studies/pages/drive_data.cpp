#include "studies/pages/drive_data.hpp"

#include <algorithm>
#include <optional>

#include "cases/case_drives.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

/// The motor that a robot has for one of the study's drives.
struct OwnMotor {
  Shaft shaft;
  std::string words, name;
  const Motor* limits = nullptr;  // of a chosen one
};

std::optional<OwnMotor> motor_of(const Study& study, const DrivenRobot& robot, std::size_t d) {
  const StudyDrive& drive = study.drives[d];
  if (!drive.chosen())
    return OwnMotor{shaft_of(robot.design.mechanism.actuators[drive.actuator].motor), "", "",
                    nullptr};
  const auto index = static_cast<int>(d);
  const DriveNames names = chosen_names(study, *robot.metrics, index);
  if (names.motor.empty()) return std::nullopt;
  const auto row = [&](MotorStatistic statistic) {
    return static_cast<std::size_t>(motor_metric(study, *robot.metrics, index, statistic)) - 1;
  };
  const Motor& motor = drive.motors[row(MotorStatistic::motor)];
  const Gearbox gearbox =
      names.gearbox.empty() ? Gearbox{} : drive.gearboxes[row(MotorStatistic::gearbox)];
  return OwnMotor{shaft_of(motor, gearbox, drive.transmission), names.words(), names.motor, &motor};
}

/// The outline of what a motor can do at each speed: up to this torque as far as the line through
/// its rated point and its no-load speed leaves it where it drives, and anyway where it brakes.
Json outline(const Motor& motor, double torque) {
  const double droop = motor.droop();
  const double last = std::max(0.0, motor.no_load_speed - droop * torque);
  const double end = motor.no_load_speed, peak = last > 0.0 || droop == 0.0 ? torque : end / droop;
  return {{"speed", {-end, -end, last, end, end, -last, -end}},
          {"torque", {0.0, peak, peak, 0.0, -peak, -peak, 0.0}}};
}

/// What a motor can do for a moment and for ever; null for one that the model gives.
Json limits_json(const OwnMotor& motor) {
  if (motor.limits == nullptr) return nullptr;
  return {{"motor", motor.name},
          {"peak", outline(*motor.limits, motor.limits->peak_torque)},
          {"rated", outline(*motor.limits, motor.limits->rated_torque)}};
}

}  // namespace

Json shafts_json(const Study& study, std::span<const DrivenRobot> robots) {
  Json json = Json::array();
  std::vector<std::size_t> actuators;
  for (const StudyDrive& drive : study.drives) {
    actuators.push_back(static_cast<std::size_t>(drive.actuator));
    json.push_back({{"actuator", study.model->nominal.actuators[drive.actuator].name},
                    {"courses", Json::array()}});
  }
  for (const DrivenRobot& robot : robots) {
    Evaluator evaluator(robot.design.mechanism, robot.design.motion);
    evaluator.watch_motors(actuators);
    Metrics metrics;
    static_cast<void>(evaluator.evaluate(robot.design.mechanism,
                                         {.springs = robot.springs, .limits = false}, metrics));
    if (!evaluator.followed()) continue;
    for (std::size_t d = 0; d < study.drives.size(); ++d) {
      const std::optional<OwnMotor> motor = motor_of(study, robot, d);
      if (!motor) continue;
      const StudyDrive& drive = study.drives[d];
      const MotorSamples& asked = evaluator.motor_samples(d);
      const Friction friction =
          drive.chosen() ? Friction{}
                         : robot.design.mechanism.actuators[drive.actuator].motor.friction;
      std::vector<double> speed, torque;
      for (std::size_t k = 0; k < asked.load.size(); ++k) {
        const MotorState state = asked.at(k, friction, drive.favourable_at_rest);
        speed.push_back(motor->shaft.ratio * state.velocity);
        torque.push_back(motor->shaft.torque(state.load, state.velocity, state.acceleration));
      }
      json[d]["courses"].push_back({{"robot", robot.name},
                                    {"drive", motor->words},
                                    {"speed", {{"values", float32_column(speed)}}},
                                    {"torque", {{"values", float32_column(torque)}}},
                                    {"limits", limits_json(*motor)}});
    }
  }
  return json;
}

}  // namespace counterpoise
