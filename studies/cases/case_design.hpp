#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "studies/definition/study.hpp"

namespace counterpoise {

/// Makes mechanisms and motions from a point of a study: from what the variables, the baseline and
/// a motion's own parameters set. One per thread; `study` must outlive it. Allocates nothing after
/// the first design unless a reason is returned.
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

  /// The binder that refused the last bind(), or (`m` >= 0) the last bind_motion(); null if it was
  /// the motion's own numbers.
  [[nodiscard]] const ModelBinder* refused_by(int m) const {
    const OwnMotion* own = m < 0 ? nullptr : &motions_[static_cast<std::size_t>(m)];
    if (own != nullptr && !own->binder) return nullptr;
    return own == nullptr ? &binder_ : own->binder.get();
  }

  /// The mechanism that the last bind_motion() of `m` made; it stays in place until the next.
  [[nodiscard]] const Mechanism& mechanism(std::size_t m) const;
  [[nodiscard]] const Motion& motion(std::size_t m) const { return motions_[m].motion.motion(); }
  /// See MotionBinder.
  [[nodiscard]] std::uint64_t motion_revision(std::size_t m) const {
    return motions_[m].motion.revision();
  }

  /// The value of every model parameter in the last bind().
  [[nodiscard]] std::span<const double> parameters() const { return binder_.values(); }
  /// The value of every model parameter in the last bind_motion() of `m`.
  [[nodiscard]] std::span<const double> parameters(std::size_t m) const {
    return motions_[m].binder ? motions_[m].binder->values() : binder_.values();
  }

 private:
  /// A load case, with a binder of its own if parameters hold for it alone.
  struct OwnMotion {
    MotionBinder motion;
    std::unique_ptr<ModelBinder> binder;
    std::vector<char> overridden;  // per model parameter
  };

  const Study* study_;
  ModelBinder binder_;
  std::vector<OwnMotion> motions_;
  std::vector<ParameterSetting> settings_, motion_settings_;
};

}  // namespace counterpoise
