#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/falls/fall.hpp"
#include "input/definition/model.hpp"
#include "input/definition/parametric_motion.hpp"
#include "results/text/cells.hpp"
#include "studies/pages/shown_poses.hpp"
#include "studies/pages/still_picture.hpp"

namespace counterpoise {

/// Something a page says about a design. Errors: why it cannot be followed; limits: those it
/// breaks; notes: anything else.
struct ViewFinding {
  enum class Kind { error, limit, warning, note };
  Kind kind = Kind::note;
  std::string text;
  std::optional<double> time = std::nullopt;  // [s]
};

/// Type `Finding` of report/src/common/data.ts.
Json json_of(const ViewFinding& finding);

/// What a page says about a design that follows a motion: the limits that it breaks there, and the
/// springs that act against what they are built for.
std::vector<ViewFinding> findings_of(const Model& model, const Mechanism& mechanism,
                                     const Motion& motion, const Simulation& simulation);

/// One design of a model, and all that a page shows of it: the zero configuration, then a motion or
/// a fall. A design that cannot close or cannot follow is placed as near to that as it gets.
class DesignView {
 public:
  /// Examines the design as `check` does and finds its zero configuration. The model must outlive
  /// the view. `label` names the design on the page.
  DesignView(const Model& model, Mechanism mechanism, std::string label);

  /// How many numbers of poses at rest a page may hold of a design: some 50 MB.
  static constexpr std::size_t most_numbers = 10'000'000;

  /// Runs the motion as `simulate` does. Of poses at rest with more than so many numbers it keeps a
  /// part, and says so. Throws MechanismError where a design that closes has too
  /// few or too many coordinates or actuators for it.
  void follow(const Motion& motion, std::size_t numbers = most_numbers);
  /// Adds the loads that the actuators would have in the motion without springs, if the design has
  /// springs and follows it. Cost: a simulation.
  void add_bare_loads(const Motion& motion);
  /// Adds what the motion does with its coordinates over time. `given` is what the motion is bound
  /// from, and `parameters` are the values that it is bound to.
  void add_course(const Motion& motion, const ParametricMotion& given,
                  std::span<const double> parameters);
  /// Lets the mechanism go as `forward` does; `start` is where, or why it cannot be there.
  void fall(const Scenario& scenario, const std::variant<JointStart, Finding>& start);
  void add(ViewFinding finding) { findings_.push_back(std::move(finding)); }
  /// Notes how the design changes the springs of a baseline.
  void compare(const Mechanism& baseline) { changes_ = spring_changes(mechanism_, baseline); }

  /// Whether the design closes and did all it was asked to do.
  [[nodiscard]] bool whole() const;
  [[nodiscard]] const std::vector<ViewFinding>& findings() const { return findings_; }
  [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }
  /// The number of samples that were recorded, and which they are of the motion's.
  [[nodiscard]] std::size_t samples() const { return columns_.front().values.size(); }
  [[nodiscard]] const ShownPoses* shown() const { return shown_ ? &*shown_ : nullptr; }
  /// The first instant of the largest load, among the actuators with the most common unit, and that
  /// load in words; the first instant of all if there are no loads.
  struct Instant {
    double time = 0.0;  // [s]
    double load = 0.0;  // its size [N or N*m]
    std::string words;
  };
  [[nodiscard]] Instant largest_load() const;
  /// The design as it is drawn at an instant, under the name given. This view must outlive it.
  /// Cost: up to some hundred forward sweeps.
  [[nodiscard]] StillDesign still(double time, const std::string& name) const;
  /// Type `Design` of report/src/common/data.ts.
  [[nodiscard]] Json json() const;

 private:
  void examine();
  void hold();
  void note_redundant_loops();
  void keep_poses(const Motion& motion, ShownRun& run);
  void note_thinned(const Motion& motion, const ShownRun& run);
  void add_events(const Fall& fall, const Scenario& scenario);
  void go_near(const Motion& motion);
  void keep_paths(const Motion& motion);

  const Model* model_;
  Mechanism mechanism_;
  std::string label_;
  std::optional<Structure> structure_;  // none if the design does not close
  std::vector<Series> zero_;            // the zero configuration, one sample
  std::vector<Series> columns_;
  std::vector<PointIndex> paths_;  // points that the motion leads
  std::vector<Contact> contacts_;
  Json events_ = Json::array();
  Json fall_;                        // outcome of the fall; null without one
  std::optional<ShownPoses> shown_;  // of the motion that is followed
  Json course_;                      // of the coordinates over time; null without add_course()
  Json workspace_;                   // which the poses at rest are; null without loads in them
  bool nearest_ = false;             // the columns are poses that need not close
  bool at_rest_ = false;             // samples are poses at rest
  std::vector<ViewFinding> findings_;
  std::vector<SpringChange> changes_;  // empty where there is no baseline
};

}  // namespace counterpoise
