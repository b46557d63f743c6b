#include "cases/case_drives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace counterpoise {

struct CaseDrives::OwnDrive {
  const StudyDrive* of = nullptr;
  std::unique_ptr<DriveChoice> choice;  // null where the motor is the model's
  ShaftSamples samples;                 // of all motions
  std::optional<ChosenDrive> chosen;
  ShaftLoad load;
  bool known = false;  // whether there is a motor
};

DriveChoice choice_of(const StudyDrive& drive) {
  return {drive.motors, drive.gearboxes, drive.transmission, drive.margin, drive.minimise};
}

CaseDrives::CaseDrives(const Study& study) : study_(study) {
  for (const StudyDrive& drive : study.drives) {
    OwnDrive& own = drives_.emplace_back();
    own.of = &drive;
    if (drive.chosen()) own.choice = std::make_unique<DriveChoice>(choice_of(drive));
  }
  if (!study.carries_drives()) return;
  std::vector<MountedChoice::Drive> together;
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    if (!drives_[d].choice) continue;
    chosen_.push_back(d);
    together.push_back({drives_[d].choice.get(), drives_[d].of->mount.has_value(),
                        drives_[d].of->favourable_at_rest});
  }
  together_ = std::make_unique<MountedChoice>(together);
  masses_.assign(drives_.size(), 0.0);
}
CaseDrives::~CaseDrives() = default;

std::vector<std::size_t> CaseDrives::actuators() const {
  std::vector<std::size_t> actuators;
  for (const OwnDrive& own : drives_)
    actuators.push_back(static_cast<std::size_t>(own.of->actuator));
  return actuators;
}

namespace {

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::size_t CaseDrives::passes() const {
  return together_ ? 2 + together_->masses() : 1;
}

std::span<const double> CaseDrives::masses(std::size_t pass) {
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const OwnDrive& own = drives_[chosen_[i]];
    if (!own.of->mount) continue;
    const bool heaviest = pass >= 2 && together_->drive_of(pass - 2) == i;
    masses_[chosen_[i]] = pass == last_pass ? own.choice->mass_of(together_->pair(i))
                          : heaviest        ? together_->greatest_mass(i)
                                            : together_->least_mass(i);
  }
  return masses_;
}

void CaseDrives::begin(std::size_t pass) {
  poses_ = false;
  pass_ = pass;
  for (OwnDrive& own : drives_) own.samples.clear();
  for (std::size_t i = 0; i < chosen_.size() && pass != last_pass && together_; ++i) {
    CarriedSamples& samples = together_->samples(i);
    if (pass >= 2) {
      samples.added[pass - 2].clear();
      continue;
    }
    samples.least.clear();
    samples.play.clear();
  }
}

/// Adds what motion `m` asks of the drives that are yet to be chosen; its samples count by `share`.
void CaseDrives::add_unchosen(std::size_t m, const Evaluator& evaluator, double share) {
  const LoadCase& load_case = study_.motions[m];
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const StudyDrive& drive = *drives_[chosen_[i]].of;
    const MotorSamples& asked = evaluator.motor_samples(chosen_[i]);
    CarriedSamples& samples = together_->samples(i);
    const bool pauses = load_case.pause > 0.0 && !asked.load.empty();
    const double held = pauses && !drive.brake ? asked.load.back() : 0.0;
    if (pass_ >= 2) {
      std::vector<double>& added = samples.added[pass_ - 2];
      append(added, asked.load);
      if (pauses) added.push_back(held);
      continue;
    }
    append(samples.least.load, asked.load);
    append(samples.least.acceleration, asked.acceleration);
    for (const double v : asked.velocity)
      samples.least.velocity.push_back(std::abs(v) <= Friction::rest ? 0.0 : v);
    for (const double weight : asked.weight) samples.least.weight.push_back(weight * share);
    append(samples.play, asked.play);
    samples.play.resize(samples.least.size(), 0.0);
    if (!pauses) continue;
    samples.play.push_back(drive.brake || asked.play.empty() ? 0.0 : asked.play.back());
    samples.least.load.push_back(held);
    samples.least.velocity.push_back(0.0);
    samples.least.acceleration.push_back(0.0);
    samples.least.weight.push_back(load_case.weight * load_case.pause);
  }
}

void CaseDrives::add(std::size_t m, const Mechanism& mechanism, const Evaluator& evaluator) {
  if (drives_.empty()) return;
  const LoadCase& load_case = study_.motions[m];
  poses_ = poses_ || load_case.motion.nominal.poses;
  double weights = 0.0;  // the same for all actuators
  for (const double weight : evaluator.motor_samples(0).weight) weights += weight;
  const double share =
      weights > 0.0 ? load_case.weight * load_case.motion.nominal.extent() / weights : 0.0;
  if (pass_ != last_pass) return add_unchosen(m, evaluator, share);
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    OwnDrive& own = drives_[d];
    const MotorSamples& asked = evaluator.motor_samples(d);
    const MotorSide& motor = mechanism.actuators[own.of->actuator].motor;
    // a drive that is chosen takes the place of the model's motor and all that belongs to it
    const Friction friction = own.choice ? Friction{} : motor.friction;
    const std::size_t before = own.samples.size();
    append(own.samples.load, asked.load);
    append(own.samples.velocity, asked.velocity);
    append(own.samples.acceleration, asked.acceleration);
    append(own.samples.weight, asked.weight);
    for (std::size_t k = before; k < own.samples.size(); ++k) {
      own.samples.weight[k] *= share;
      double& v = own.samples.velocity[k];
      v = std::abs(v) <= Friction::rest ? 0.0 : v;
    }
    if (!asked.play.empty() || !friction.none())
      for (std::size_t k = 0; k < asked.load.size(); ++k)
        own.samples.load[before + k] = asked.at(k, friction, own.of->favourable_at_rest).load;
    if (load_case.pause == 0.0 || asked.load.empty()) continue;
    const double held =
        own.of->brake ? 0.0
                      : asked.held_at(asked.load.size() - 1, friction, own.of->favourable_at_rest);
    own.samples.load.push_back(held);
    own.samples.velocity.push_back(0.0);
    own.samples.acceleration.push_back(0.0);
    own.samples.weight.push_back(load_case.weight * load_case.pause);
  }
}

namespace {

std::string catalogues_of(const StudyDrive& drive) {
  return drive.gearboxes.empty() ? drive.motors_file
                                 : drive.motors_file + " with " + drive.gearboxes_file;
}

DriveNames names_of(const StudyDrive& drive, const DrivePair& pair) {
  DriveNames names{drive.motors[static_cast<std::size_t>(pair.motor)].name, {}};
  if (pair.gearbox >= 0)
    names.gearbox = drive.gearboxes[static_cast<std::size_t>(pair.gearbox)].name;
  return names;
}

/// A drive of the study falls short by what is asked of its nearest pair.
Failure failure_by(std::size_t drive, const DriveUse& use) {
  Failure failure;
  failure.kind = kind_of(use.hardest());
  failure.of = static_cast<int>(drive);
  failure.value = use.largest();
  failure.bound = 1.0;
  failure.violation = use.largest() - 1.0;
  return failure;
}

}  // namespace

bool CaseDrives::choose_carried(const Mechanism& mechanism, Choice choice, CaseOutcome& out) {
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    CarriedSamples& samples = together_->samples(i);
    for (std::vector<double>& added : samples.added)
      for (std::size_t k = 0; k < added.size(); ++k) added[k] -= samples.least.load[k];
  }
  suffice_ = together_->choose();
  if (suffice_ || choice != Choice::required) return true;
  const auto& [drive, use] = together_->shortfall();
  out.computable = false;
  out.refuse(failure_by(chosen_[drive], use), words_of_shortfall(mechanism));
  return false;
}

/// Why no drives suffice that the mechanism could carry.
std::string CaseDrives::words_of_shortfall(const Mechanism& mechanism) const {
  const auto& [drive, use] = together_->shortfall();
  const auto named = [&](std::size_t i) {
    const StudyDrive& of = *drives_[chosen_[i]].of;
    return fmt::format("{} of {}", names_of(of, together_->pair(i)).words(),
                       mechanism.actuators[of.actuator].name);
  };
  std::string others;
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    if (i != drive) others += (others.empty() ? ", beside " : ", ") + named(i);
  const StudyDrive& of = *drives_[chosen_[drive]].of;
  return fmt::format(
      "no drive of {} suffices for {} with what the drives weigh: the nearest, {}{}, "
      "falls short by {:.3g} % in {}",
      catalogues_of(of), mechanism.actuators[of.actuator].name,
      names_of(of, together_->pair(drive)).words(), others, 100.0 * (use.largest() - 1.0),
      words_of(use.hardest()));
}

bool CaseDrives::chooses() const {
  return std::any_of(drives_.begin(), drives_.end(),
                     [](const OwnDrive& own) { return own.choice != nullptr; });
}

void CaseDrives::finish(const Mechanism& mechanism, Choice choice, CaseOutcome& out) {
  const bool wanted = choice != Choice::left_out;
  std::size_t next = 0;  // of chosen_
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    OwnDrive& own = drives_[d];
    const StudyDrive& drive = *own.of;
    const Actuator& actuator = mechanism.actuators[drive.actuator];
    own.known = !own.choice;
    if (!own.choice) {
      own.load = load_of(shaft_of(actuator.motor), own.samples, drive.recuperated);
      continue;
    }
    own.chosen.reset();
    const std::size_t place = next++;
    if (!wanted) continue;
    if (together_ && !suffice_) {
      const DrivePair& pair = together_->pair(place);
      own.known = keeps(own.choice->use_of(pair, own.samples).largest(), 1.0);
      if (!own.known) continue;
    }
    own.chosen = together_
                     ? own.choice->chosen(together_->pair(place), own.samples, drive.recuperated)
                     : own.choice->choose(own.samples, drive.recuperated);
    own.known = own.chosen.has_value();
    if (own.chosen) {
      own.load = own.chosen->load;
      continue;
    }
    if (choice != Choice::required) continue;
    const DrivePair nearest = own.choice->nearest(own.samples);
    const DriveUse use = own.choice->use_of(nearest, own.samples);
    const Failure failure = failure_by(d, use);
    out.refuse(failure,
               fmt::format("no drive of {} suffices for {}: the nearest, {}, falls short by {:.3g} "
                           "% in {}",
                           catalogues_of(drive), actuator.name, names_of(drive, nearest).words(),
                           100.0 * failure.violation, words_of(use.hardest())));
  }
  set_metrics(out);
}

void CaseDrives::set_metrics(CaseOutcome& out) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  out.metrics.motors.resize(study_.motor_metrics.size());
  const auto total = [&](double (DriveChoice::*cost)(const DrivePair&) const) {
    double sum = 0.0;
    for (const OwnDrive& own : drives_)
      if (own.choice) sum += own.chosen ? ((*own.choice).*cost)(own.chosen->pair) : unknown;
    return sum;
  };
  const auto value_of = [&](const MotorMetric& metric) {
    const bool price = metric.statistic == MotorStatistic::price;
    const auto cost = price ? &DriveChoice::price_of : &DriveChoice::mass_of;
    if (metric.drive < 0) return total(cost);
    const OwnDrive& own = drives_[static_cast<std::size_t>(metric.drive)];
    if (!own.known) return unknown;
    switch (metric.statistic) {
      case MotorStatistic::torque:
        return own.load.torque;
      case MotorStatistic::rms:
        return own.load.rms;
      case MotorStatistic::speed:
        return own.load.speed;
      case MotorStatistic::power:
        return own.load.power;
      case MotorStatistic::energy:
        return poses_ ? 0.0 : own.load.energy;
      case MotorStatistic::holding_power:
        return own.load.holding_power;
      case MotorStatistic::utilisation:
        return own.chosen->utilisation;
      case MotorStatistic::price:
      case MotorStatistic::mass:
        return ((*own.choice).*cost)(own.chosen->pair);
      case MotorStatistic::motor:
        return own.chosen->pair.motor + 1.0;
      case MotorStatistic::gearbox:
        return own.chosen->pair.gearbox + 1.0;
    }
    return unknown;
  };
  for (std::size_t i = 0; i < out.metrics.motors.size(); ++i)
    out.metrics.motors[i] = value_of(study_.motor_metrics[i]);
}

void CaseDrives::forget(CaseOutcome& out) const {
  out.metrics.motors.assign(study_.motor_metrics.size(), std::numeric_limits<double>::quiet_NaN());
}

std::string DriveNames::words() const {
  return gearbox.empty() ? motor : motor + " with " + gearbox;
}

void add_drives(const Study& study, std::span<const double> masses, Mechanism& mechanism) {
  for (std::size_t d = 0; d < masses.size(); ++d) {
    const std::optional<DriveMount>& mount = study.drives[d].mount;
    if (!mount) continue;
    const bool named = mount->point >= 0;
    add_point_mass(mechanism.bodies[mount->body], masses[d],
                   named ? mechanism.points[mount->point].position : mount->position);
  }
}

double motor_metric(const Study& study, const CaseMetrics& metrics, int drive,
                    MotorStatistic statistic) {
  for (std::size_t i = 0; i < metrics.motors.size(); ++i)
    if (study.motor_metrics[i].drive == drive && study.motor_metrics[i].statistic == statistic)
      return metrics.motors[i];
  return std::numeric_limits<double>::quiet_NaN();
}

DriveNames chosen_names(const Study& study, const CaseMetrics& metrics, int drive) {
  const StudyDrive& of = study.drives[static_cast<std::size_t>(drive)];
  const double motor = motor_metric(study, metrics, drive, MotorStatistic::motor);
  const double gearbox = motor_metric(study, metrics, drive, MotorStatistic::gearbox);
  DriveNames names;
  if (motor >= 1.0) names.motor = of.motors[static_cast<std::size_t>(motor) - 1].name;
  if (gearbox >= 1.0) names.gearbox = of.gearboxes[static_cast<std::size_t>(gearbox) - 1].name;
  return names;
}

FailureKind kind_of(DriveDemand demand) {
  return static_cast<FailureKind>(static_cast<int>(FailureKind::drive_peak_torque) +
                                  static_cast<int>(demand));
}

}  // namespace counterpoise
