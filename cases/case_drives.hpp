#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case_outcome.hpp"
#include "drives/choice.hpp"
#include "drives/mounted_choice.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// The choice among all pairs of a drive's catalogues.
DriveChoice choice_of(const StudyDrive& drive);

/// Finds what each design of a study asks of its motors, and chooses drives from catalogues. One
/// per thread; `study` must outlive it. Allocates nothing for a feasible case after the first.
class CaseDrives {
 public:
  explicit CaseDrives(const Study& study);
  ~CaseDrives();

  /// Whether the study knows a motor.
  [[nodiscard]] bool any() const { return !drives_.empty(); }
  /// The actuators whose motors evaluators have to watch.
  [[nodiscard]] std::vector<std::size_t> actuators() const;

  /// Drives that the mechanism carries are chosen after some passes through the motions, each with
  /// other masses: from the first on with the lightest drives, then with the heaviest of one after
  /// the other; the last pass has the drives that are chosen. Without such drives it is the only
  /// one. The last is number 0.
  static constexpr std::size_t last_pass = 0;
  [[nodiscard]] std::size_t passes() const;
  /// Whether there are such drives.
  [[nodiscard]] bool carried() const { return together_ != nullptr; }
  /// The masses that the mechanism has to carry in a pass, one for each drive of the study.
  std::span<const double> masses(std::size_t pass);

  /// Begins a pass of a design.
  void begin(std::size_t pass);
  /// Adds what motion `m` asks of the motors, whose evaluator has just evaluated the design.
  void add(std::size_t m, const Mechanism& mechanism, const Evaluator& evaluator);
  /// What becomes of drives from catalogues.
  enum class Choice { left_out, tried, required };
  /// Chooses drives from all passes but the last. Where none suffice for the loads that they cause,
  /// the last pass has those that come nearest; if they are required, the outcome is refused.
  /// Returns whether there is anything to carry.
  bool choose_carried(const Mechanism& mechanism, Choice choice, CaseOutcome& out);

  /// Sets the metrics of the motors from all motions that were added. Where no pair of a catalogue
  /// suffices, or the choice is left out, its metrics are NaN. If a pair is required and none
  /// suffices, the outcome is refused with the nearest pair, the demand that it falls short of, and
  /// by how much.
  void finish(const Mechanism& mechanism, Choice choice, CaseOutcome& out);
  /// Whether some drive is chosen from catalogues.
  [[nodiscard]] bool chooses() const;
  /// Marks the metrics of motors as not known.
  void forget(CaseOutcome& out) const;

 private:
  struct OwnDrive;

  void set_metrics(CaseOutcome& out) const;
  void add_unchosen(std::size_t m, const Evaluator& evaluator, double share);
  [[nodiscard]] std::string words_of_shortfall(const Mechanism& mechanism) const;

  const Study& study_;
  std::vector<OwnDrive> drives_;             // one per Study::drives
  std::unique_ptr<MountedChoice> together_;  // of all drives from catalogues, if one is mounted
  std::vector<std::size_t> chosen_;          // the drives of `together_`
  std::vector<double> masses_;
  std::size_t pass_ = last_pass;
  bool suffice_ = true;  // whether the drives of the last pass do
  bool poses_ = false;   // whether a motion that was added has poses, which take no time
};

/// Adds the masses of a study's drives to a mechanism that has none of them.
void add_drives(const Study& study, std::span<const double> masses, Mechanism& mechanism);

/// A metric of one of a study's drives, or (-1) of all that are chosen; NaN where it is not known.
double motor_metric(const Study& study, const CaseMetrics& metrics, int drive,
                    MotorStatistic statistic);
/// The names of the motor and the gearbox that a drive of a study has in a case; empty where none
/// is chosen, or there is no gearbox.
struct DriveNames {
  std::string motor, gearbox;

  /// "DM-8 with DG-S14", or the motor alone.
  [[nodiscard]] std::string words() const;
};
DriveNames chosen_names(const Study& study, const CaseMetrics& metrics, int drive);

/// The kind of failure of a design for which no drive suffices, by the demand that the nearest one
/// falls short of.
FailureKind kind_of(DriveDemand demand);

}  // namespace counterpoise
