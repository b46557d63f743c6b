#include "engine/evaluation/friction_loads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/evaluation/pipeline.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
FrictionLoads<S>::FrictionLoads(const Mechanism& nominal)
    : friction_(nominal),
      sample_(nominal.body_count()),
      inputs_(nominal.actuators.size()),
      factors_(nominal.forces.size()) {}

template <class S>
std::optional<Finding> FrictionLoads<S>::run(const Mechanism& mechanism,
                                             const Pipeline<S>& pipeline, bool ends) {
  friction_.set_design(mechanism);
  const std::size_t joints = friction_.joints().size();
  const auto samples = static_cast<std::size_t>(pipeline.samples());
  blocks_ = (samples + lanes<S> - 1) / lanes<S>;
  loads_.resize(inputs_.size() * blocks_);
  overcome_.resize(joints * samples);
  ends_.assign(ends ? inputs_.size() * samples : 0, Ends());
  tensions_.resize(pipeline.with_springs() ? mechanism.springs.size() : 0);
  for (int k = 0; k < pipeline.samples(); ++k) {
    const double time = (pipeline.stretch().first + k) * pipeline.step();
    try {
      if (const auto lock = run_sample(mechanism, pipeline, k, ends))
        return Finding{.kind = FindingKind::joint_locks,
                       .element = lock->joint,
                       .time = time,
                       .value = lock->feedback,
                       .limit = 1.0,
                       .violation = lock->feedback - 1.0};
    } catch (const MechanismError& error) {
      return Finding{.kind = FindingKind::sharing_contradicted,
                     .element = static_cast<int>(error.element),
                     .time = time};
    }
  }
  for (std::size_t a = 0; a < inputs_.size() && samples > 0; ++a) {
    const SamplePlace<S> last(pipeline.samples() - 1);
    S& block = loads_[a * blocks_ + static_cast<std::size_t>(last.block)];
    for (int i = last.lane + 1; i < lanes<S>; ++i) set_lane(block, i, lane(block, last.lane));
  }
  return std::nullopt;
}

/// Reads what the reactions of a sample are computed from. Returns whether all of it is finite.
template <class S>
bool FrictionLoads<S>::read_inputs(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                   const SamplePlace<S>& place) {
  const auto block = static_cast<std::size_t>(place.block);
  sample_.read_lane<S>(pipeline.joints(place.block), place.lane);
  if (!pipeline.inertia()) sample_.stop();
  for (std::size_t a = 0; a < inputs_.size(); ++a)
    inputs_[a] = lane(pipeline.affine_load(a)(block), place.lane);
  for (std::size_t s = 0; s < tensions_.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    tensions_[s] = tension_of(spring, lane(pipeline.shape(s).length[block], place.lane));
    if (spring.rubs)
      tensions_[s] += spring.friction * lane(pipeline.known_direction(s)[block], place.lane);
  }
  for (std::size_t f = 0; f < factors_.size(); ++f)
    factors_[f] = lane(pipeline.force_factor(f, block), place.lane);
  const std::span<const BodyIndex> joints = friction_.joints();
  slopes_.assign(joints.size() * inputs_.size(), 0.0);
  for (std::size_t b = 0; b < joints.size(); ++b)
    for (const ForceShare& share : pipeline.plan().force_shares[joints[b]]) {
      const bool drives = share.series < 0;
      slopes_[b * inputs_.size() + static_cast<std::size_t>(share.actuator)] =
          drives ? 1.0 : lane(pipeline.transmission().series(share)[block], place.lane);
    }
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  return finite(inputs_) && finite(tensions_) && finite(factors_) && finite(slopes_);
}

template <class S>
double FrictionLoads<S>::load_by(std::size_t actuator, std::span<const double> phi) const {
  double load = 0.0;
  for (std::size_t b = 0; b < phi.size(); ++b)
    load += slopes_[b * inputs_.size() + actuator] * phi[b];
  return load;
}

template <class S>
std::optional<LoadFriction::Lock> FrictionLoads<S>::run_sample(const Mechanism& mechanism,
                                                               const Pipeline<S>& pipeline, int k,
                                                               bool ends) {
  const SamplePlace<S> place(k);
  const bool finite = read_inputs(mechanism, pipeline, place) &&
                      friction_.linearise({pipeline.geometry(mechanism), pipeline.tree(),
                                           sample_.view(), inputs_, tensions_, factors_},
                                          slopes_);
  const std::span<const BodyIndex> joints = friction_.joints();
  const auto sample = static_cast<std::size_t>(k);
  phi_.assign(joints.size(), std::numeric_limits<double>::quiet_NaN());
  if (finite) {
    moving_.sign.assign(joints.size(), 0.0);
    moving_.dry.assign(joints.size(), 0.0);
    for (std::size_t b = 0; b < joints.size(); ++b) {
      const double v = sample_.view().v[static_cast<std::size_t>(joints[b])];
      if (std::abs(v) > Friction::rest) moving_.sign[b] = std::copysign(1.0, v);
    }
    if (const auto lock = friction_.solve(moving_, phi_)) return lock;
  }
  std::copy(phi_.begin(), phi_.end(), overcome_.begin() + k * static_cast<int>(joints.size()));
  for (std::size_t a = 0; a < inputs_.size(); ++a)
    set_lane(loads_[a * blocks_ + static_cast<std::size_t>(place.block)], place.lane,
             inputs_[a] + load_by(a, phi_));
  return ends && finite ? find_ends(mechanism, pipeline, sample) : std::nullopt;
}

/// Springs with dry friction whose length is at rest in a sample, and what they change.
template <class S>
void FrictionLoads<S>::find_resting_springs(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                            const SamplePlace<S>& place) {
  const auto block = static_cast<std::size_t>(place.block);
  resting_springs_.clear();
  for (std::size_t s = 0; s < tensions_.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    if (!spring.rubs || spring.friction == 0.0) continue;
    if (lane(pipeline.known_direction(s)[block], place.lane) != 0.0) continue;
    RestingSpring& found = resting_springs_.emplace_back();
    found.friction = spring.friction;
    found.slopes.assign(inputs_.size(), 0.0);
    for (std::size_t a = 0; a < inputs_.size(); ++a)
      for (const auto& influence : pipeline.influences(a))
        if (static_cast<std::size_t>(influence.spring) == s)
          found.slopes[a] = lane(pipeline.per_tension(influence)[block], place.lane);
    found.changes_others =
        friction_.respond_to_spring({pipeline.geometry(mechanism), pipeline.tree(), sample_.view(),
                                     inputs_, tensions_, factors_},
                                    s, found.slopes, found.changes);
  }
}

/// Where no joint with such friction moves, a load is largest or least where the friction of every
/// joint acts in full, as it is linear in friction, and what bounds that are convex functions of
/// it. Beside joints that move, the largest of these is taken, which may be less than the most.
template <class S>
std::optional<LoadFriction::Lock> FrictionLoads<S>::find_ends(const Mechanism& mechanism,
                                                              const Pipeline<S>& pipeline,
                                                              std::size_t sample) {
  constexpr std::size_t most_together = 8;
  find_resting_springs(mechanism, pipeline, SamplePlace<S>(static_cast<int>(sample)));
  const std::span<const BodyIndex> joints = friction_.joints();
  const std::size_t actuators = inputs_.size();
  resting_ = moving_;
  std::vector<std::size_t> together,
      apart;  // joints that change the friction of others, and do not
  for (std::size_t b = 0; b < joints.size(); ++b) {
    const std::span<const double> own = std::span(slopes_).subspan(b * actuators, actuators);
    const bool acts = std::any_of(own.begin(), own.end(), [](double w) { return w != 0.0; });
    if (moving_.sign[b] != 0.0 || !(acts || friction_.changes_others(b))) continue;
    resting_.dry[b] = mechanism.bodies[joints[b]].friction.coulomb;
    (friction_.changes_others(b) ? together : apart).push_back(b);
  }
  std::vector<const RestingSpring*> coupled;  // springs that change the friction of joints
  for (const RestingSpring& spring : resting_springs_)
    if (spring.changes_others) coupled.push_back(&spring);
  for (const RestingSpring& spring : resting_springs_)
    for (std::size_t a = 0; a < actuators && !spring.changes_others; ++a) {
      Ends& found = ends_[sample * actuators + a];
      found.up += std::abs(spring.slopes[a]) * spring.friction;
      found.down += std::abs(spring.slopes[a]) * spring.friction;
    }
  if (together.empty() && apart.empty() && coupled.empty()) return std::nullopt;
  const std::vector<Ends> alone(
      ends_.begin() + static_cast<std::ptrdiff_t>(sample * actuators),
      ends_.begin() + static_cast<std::ptrdiff_t>((sample + 1) * actuators));
  const std::size_t sides = together.size() + coupled.size();
  const bool all_ways = sides <= most_together;
  const std::size_t ways = all_ways ? std::size_t{1} << sides : 2 * actuators;
  std::vector<double> pulls(coupled.size());
  for (std::size_t way = 0; way < ways; ++way) {
    const auto turned_side = [&](std::size_t i, double slope) {
      const double side = all_ways ? 1.0 : slope;
      const bool back = ((all_ways ? way >> i : way) & 1) != 0;
      return std::copysign(1.0, back ? -side : side);
    };
    for (std::size_t i = 0; i < together.size(); ++i)
      resting_.sign[together[i]] = turned_side(i, slopes_[together[i] * actuators + way / 2]);
    resting_.added.assign(coupled.empty() ? 0 : joints.size(), Vec3d::Zero());
    for (std::size_t i = 0; i < coupled.size(); ++i) {
      const RestingSpring& spring = *coupled[i];
      pulls[i] = spring.friction * turned_side(together.size() + i, spring.slopes[way / 2]);
      for (std::size_t b = 0; b < joints.size(); ++b)
        resting_.added[b] += pulls[i] * spring.changes[b];
    }
    for (const std::size_t b : apart) resting_.sign[b] = 1.0;
    if (const auto lock = friction_.solve(resting_, phi_at_end_)) return lock;
    for (const std::size_t b : apart) resting_.sign[b] = -1.0;
    if (!apart.empty())
      if (const auto lock = friction_.solve(resting_, phi_turned_)) return lock;
    for (std::size_t a = 0; a < actuators; ++a) {
      double up = load_by(a, phi_at_end_) - load_by(a, phi_);
      for (std::size_t i = 0; i < coupled.size(); ++i) up += pulls[i] * coupled[i]->slopes[a];
      double down = -up;
      for (const std::size_t b : apart) {
        const double turned = slopes_[b * actuators + a] * (phi_turned_[b] - phi_at_end_[b]);
        up += std::max(0.0, turned);
        down += std::max(0.0, -turned);
      }
      Ends& found = ends_[sample * actuators + a];
      found.up = std::max(found.up, alone[a].up + up);
      found.down = std::max(found.down, alone[a].down + down);
    }
  }
  return std::nullopt;
}

template <class S>
void FrictionLoads<S>::read(int sample, std::span<double> of_bodies) const {
  const std::span<const BodyIndex> joints = friction_.joints();
  std::fill(of_bodies.begin(), of_bodies.end(), 0.0);
  for (std::size_t b = 0; b < joints.size(); ++b)
    of_bodies[static_cast<std::size_t>(joints[b])] =
        overcome_[static_cast<std::size_t>(sample) * joints.size() + b];
}

template class FrictionLoads<double>;
template class FrictionLoads<Pack>;

}  // namespace counterpoise
