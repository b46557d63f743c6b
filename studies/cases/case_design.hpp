#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "input/definition/study.hpp"

namespace counterpoise {

/// What one motion of a study runs of a design.
struct MotionDesign {
  Mechanism mechanism;
  Motion motion;
};

/// Makes mechanisms, motions and scenarios from a point of a study: from what the variables, the
/// baseline, and a motion or scenario for itself alone set. One per thread; `study` must outlive
/// it. Allocates nothing after the first design unless a reason is returned.
class CaseDesign {
 public:
  explicit CaseDesign(const Study& study);

  /// Sets the parameters of a point (see PointSource). Returns the motion it selects, or -1.
  int set_point(std::span<const double> point);
  /// Sets parameters besides those of the point, or in their place. Call it after set_point().
  void set_besides(std::span<const ParameterSetting> settings);
  void set_baseline() { settings_ = study_->baseline; }
  /// The parameters that are set, without those that hold for one motion alone.
  [[nodiscard]] std::span<const ParameterSetting> settings() const { return settings_; }

  /// Binds the settings. If there is no such design, returns the reason in words.
  std::optional<std::string> bind();
  /// Binds the design for motion `m`, with the parameters that hold for this motion alone, and the
  /// motion itself. Call it after bind().
  std::optional<std::string> bind_motion(std::size_t m);
  /// Binds the design for scenario `s`, with the parameters that the scenario sets, and the
  /// scenario itself, begun at one of the instants of its start. Call it after bind().
  std::optional<std::string> bind_scenario(std::size_t s, std::size_t instant);

  /// Whether a motion runs the design without parameters of its own; -1: whether any does.
  [[nodiscard]] bool runs_plain(int motion) const;

  /// A point's design for one motion, whichever motion the point selects. Throws InputError with
  /// the reason where there is none.
  MotionDesign of(std::span<const double> point, std::size_t motion);
  /// The same of the baseline.
  MotionDesign of_baseline(std::size_t motion);

  /// The binder that refused the last bind(), or (`m` >= 0) the last bind_motion(); null if it was
  /// the motion's own numbers.
  [[nodiscard]] const ModelBinder* refused_by(int m) const {
    return m < 0 ? &binder_ : motions_[static_cast<std::size_t>(m)].model.binder.get();
  }

  /// The mechanism that the last bind_motion() of `m` made; it stays in place until the next.
  [[nodiscard]] const Mechanism& mechanism(std::size_t m) const {
    return bound(motions_[m].model).mechanism();
  }
  [[nodiscard]] const Motion& motion(std::size_t m) const { return motions_[m].motion.motion(); }
  /// See MotionBinder.
  [[nodiscard]] std::uint64_t motion_revision(std::size_t m) const {
    return motions_[m].motion.revision();
  }

  /// The value of every model parameter in the last bind().
  [[nodiscard]] std::span<const double> parameters() const { return binder_.values(); }
  /// The value of every model parameter in the last bind_motion() of `m`.
  [[nodiscard]] std::span<const double> parameters(std::size_t m) const {
    return bound(motions_[m].model).values();
  }
  /// What the last bind_scenario() of `s` made; it stays in place until the next.
  [[nodiscard]] const Mechanism& scenario_mechanism(std::size_t s) const {
    return bound(scenarios_[s].model).mechanism();
  }
  [[nodiscard]] const ScenarioBinder& scenario(std::size_t s) const {
    return scenarios_[s].scenario;
  }

 private:
  /// A binder of its own for a motion or scenario that sets parameters for itself alone.
  struct OwnModel {
    std::unique_ptr<ModelBinder> binder;  // null if it sets none
    std::vector<char> overridden;         // per model parameter
  };
  struct OwnMotion {
    MotionBinder motion;
    OwnModel model;
  };
  struct OwnScenario {
    ScenarioBinder scenario;
    OwnModel model;
  };

  MotionDesign in_motion(std::size_t m);
  [[nodiscard]] OwnModel own_model(std::span<const ParameterSetting> settings) const;
  std::optional<std::string> bind_own(OwnModel& own, std::span<const ParameterSetting> settings);
  [[nodiscard]] const ModelBinder& bound(const OwnModel& own) const {
    return own.binder ? *own.binder : binder_;
  }

  const Study* study_;
  ModelBinder binder_;
  std::vector<OwnMotion> motions_;
  std::vector<OwnScenario> scenarios_;
  std::vector<ParameterSetting> settings_, own_settings_;
};

}  // namespace counterpoise
