#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/dynamics/load_friction.hpp"
#include "engine/evaluation/kinematics.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

template <class S>
class Pipeline;

/// The loads of all actuators over a stretch of a motion where friction of joints grows with their
/// reactions (see LoadFriction). They are not affine in the tensions of springs, so that they are
/// stored. Allocates; cost: the reactions of each sample, once, and once more for each joint with
/// dry friction.
template <class S>
class FrictionLoads {
 public:
  explicit FrictionLoads(const Mechanism& nominal);

  /// Computes the loads of a design from all its other loads, which the pipeline knows. `ends`:
  /// whether to find also what dry friction may carry at rest. Returns why loads are not known, at
  /// the first such sample. Loads that are not finite stay so.
  std::optional<Finding> run(const Mechanism& mechanism, const Pipeline<S>& pipeline, bool ends);

  /// The load of an actuator.
  [[nodiscard]] std::span<const S> load(std::size_t actuator) const {
    return std::span<const S>(loads_).subspan(actuator * blocks_, blocks_);
  }
  /// What overcomes, in a sample, the friction of each joint that grows with its reaction, along
  /// +axis; one entry per body.
  void read(int sample, std::span<double> of_bodies) const;
  /// By how much friction of joints and springs that are at rest in a sample may raise or lower the
  /// load of an actuator. Where more than 8 of them change the friction of others, each acts to the
  /// side on which it adds to the load or takes from it, which may be less than the most.
  struct Ends {
    double up = 0.0, down = 0.0;
  };
  [[nodiscard]] const Ends& ends(std::size_t actuator, int sample) const {
    return ends_[static_cast<std::size_t>(sample) * inputs_.size() + actuator];
  }

 private:
  std::optional<LoadFriction::Lock> run_sample(const Mechanism& mechanism,
                                               const Pipeline<S>& pipeline, int k, bool ends);
  [[nodiscard]] bool read_inputs(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                 const SamplePlace<S>& place);
  std::optional<LoadFriction::Lock> find_ends(const Mechanism& mechanism,
                                              const Pipeline<S>& pipeline, std::size_t sample);
  void find_resting_springs(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                            const SamplePlace<S>& place);
  [[nodiscard]] double load_by(std::size_t actuator, std::span<const double> phi) const;

  LoadFriction friction_;
  SampleState sample_;
  std::vector<double> inputs_, tensions_, factors_;  // loads, tensions and factors of one sample
  std::vector<double> slopes_;                       // of one sample, see LoadFriction
  LoadFriction::Signs moving_, resting_;
  /// Dry friction of a spring whose length is at rest.
  struct RestingSpring {
    double friction = 0.0;
    std::vector<double> slopes;  // per actuator: its load per tension
    bool changes_others = false;
    std::vector<Vec3d> changes;  // see LoadFriction::respond_to_spring()
  };
  std::vector<RestingSpring> resting_springs_;         // of one sample
  std::vector<double> phi_, phi_at_end_, phi_turned_;  // per joint
  std::size_t blocks_ = 0;
  std::vector<S> loads_;          // actuator by actuator
  std::vector<double> overcome_;  // sample by sample, phi of each joint
  std::vector<Ends> ends_;        // sample by sample, of each actuator
};

}  // namespace counterpoise
