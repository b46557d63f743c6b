#pragma once

#include <optional>
#include <span>
#include <string>

#include "studies/io/study.hpp"

namespace counterpoise {

/// From a point of a study to mechanisms and motions: what the variables, the baseline and a
/// motion's own parameters set. One per thread; `study` must outlive it.
class CaseDesign {
 public:
  explicit CaseDesign(const Study& study);

  /// Sets the parameters of a point (see PointSource). Returns the motion it selects, or -1.
  int set_point(std::span<const double> point);
  void set_baseline() { settings_ = study_->baseline; }

  /// Binds the settings. Returns in words why there is no such design.
  std::optional<std::string> bind();
  /// The design for motion `m`, with the parameters that hold for it alone, and the motion; after
  /// bind(). Allocates nothing after the first call for a motion.
  std::optional<std::string> bind_motion(std::size_t m, Mechanism& mechanism, Motion& motion);

  /// The value of every model parameter in the last bind().
  [[nodiscard]] std::span<const double> parameters() const { return binder_.values(); }

 private:
  const Study* study_;
  ModelBinder binder_;
  ModelBinder motion_binder_;  // for motions with parameters of their own
  std::vector<MotionBinder> motions_;
  std::vector<std::vector<Expression>> targets_;  // per variable, of continuous ones; own copies
  std::vector<ParameterSetting> settings_, motion_settings_;
  Mechanism mechanism_;
};

}  // namespace counterpoise
