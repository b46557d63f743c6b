#pragma once

#include "engine/evaluation/pipeline.hpp"

namespace counterpoise {

/// The samples of a motion at which limits are first broken, and springs act the wrong way most,
/// kept from stretch to stretch.
class LimitMemory {
 public:
  explicit LimitMemory(const Mechanism& mechanism)
      : springs_(mechanism.springs.size()), actuators_(mechanism.actuators.size()) {}

  struct Sample {
    int k = -1;  // none
    double value = 0.0;
    int obstacle = -1;  // that a spring is too near to
  };
  static constexpr std::size_t spring_limits = 8, actuator_limits = 4, senses = 4;
  using Senses = std::array<Finding, senses>;

  [[nodiscard]] std::span<Sample> of_spring(std::size_t s) { return springs_[s].broken; }
  [[nodiscard]] std::span<Sample> of_actuator(std::size_t a) { return actuators_[a]; }
  [[nodiscard]] Senses& senses_of(std::size_t s) { return springs_[s].wrong; }

 private:
  struct SpringSamples {
    std::array<Sample, spring_limits> broken;
    Senses wrong;
  };
  std::vector<SpringSamples> springs_;
  std::vector<std::array<Sample, actuator_limits>> actuators_;
};

// Each of these functions must be called in every stretch of a motion, and finds what it finds in
// the last one.

/// Finds the first sample at which the ends of a spring under tension meet, so that rounding alone
/// says which way it pulls (see lacks_direction()). The spring must have been placed. Where there
/// is a finding in a motion of several stretches, the pipeline goes through them once more.
template <class S>
std::optional<Finding> find_lost_direction(const Mechanism& mechanism, Pipeline<S>& pipeline,
                                           std::size_t spring);

/// Adds to `findings` the first broken limit of each kind of one spring (see slack_of()). Each
/// finding's violation is its own largest excess over the motion. The spring must have been placed;
/// loads are not needed.
template <class S>
void find_broken_spring_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                               std::size_t spring, LimitMemory& memory,
                               std::vector<Finding>& findings);

/// Adds to `findings` the first sample at which a spring is nearer than its least clearance to an
/// obstacle, if there is one, like a broken limit. The spring must have been cleared.
template <class S>
void find_too_near(const Mechanism& mechanism, const Pipeline<S>& pipeline, std::size_t spring,
                   LimitMemory& memory, std::vector<Finding>& findings);

/// Finds where a spring that is built to pull pushes most, or is most below its free length, where
/// its coils close; or where one that is built to push pulls most, or is longest. No limit is
/// broken. The spring's type says what it is built for; a coil spring with an initial tension can
/// only be an extension spring. Springs with `acts` in the model are judged by their limits
/// instead. The spring must have been placed. Cost: up to two passes over the samples.
template <class S>
std::optional<Finding> find_wrong_sense(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                        std::size_t spring, LimitMemory& memory);

/// Adds to `findings` the first broken limit of each kind of all actuators of the design last
/// judged, which has these `metrics`. Slack and violations are as for springs. A motion without
/// inertia has poses and no speeds, so it breaks no largest speed.
template <class S>
void find_broken_actuator_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                 const Metrics& metrics, LimitMemory& memory,
                                 std::vector<Finding>& findings);

}  // namespace counterpoise
