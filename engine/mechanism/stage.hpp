#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// The stages of an evaluation, slowest and earliest first. Each reads its own group of numbers and
/// the results of the stages before it; a stage is not run again if none of its numbers changed.
enum class Stage {
  coordinates,   // motion, geometry of joints, loops and actuators -> motion of all joints
  tree_forces,   // joint motion, masses, gravity, friction, forces from outside -> joint forces of
                 // the bare tree
  transmission,  // joint motion, geometry -> load of each actuator per force on each joint
  bare_loads,    // tree forces, transmission -> loads without springs
  spring_geometry,  // joint motion, mounts, transmission -> a spring's length, load per tension
  loads,            // bare loads, spring geometry, springs' laws -> loads, metrics
};
inline constexpr std::size_t stage_count = 6;
std::string_view name_of(Stage stage);

/// Whether stages remember their results. Both ways give the same bits.
enum class Reuse { remember, recompute };

/// A group of numbers of one element of a mechanism, or of one thing computed from it.
enum class Quantity {
  gravity,
  joint_geometry,  // axis, origin, rotation, guess of the joint of a body
  inertia,         // mass, centre of mass, inertia of a body
  point,
  pulley,     // axis, radius, zero and edge of a point that is the centre of a pulley or cam
  loop_axes,  // axes and rotation of a loop
  coupling,
  spring_law,  // what a spring's tension depends on besides its points
  spring_limits,
  actuator_limits,
  leg_inertia,      // tube and rod of an actuator
  applied_force,    // force and moment from outside
  friction,         // of the joint of a body
  motor,            // of an actuator; no stage reads it
  obstacle,         // places and radius
  zero_position,    // computed: joint position of a body in the zero configuration
  held_coordinate,  // computed: the position of a coordinate that the motion does not move
};
inline constexpr std::size_t quantity_count = 17;

/// One group of numbers of one element, which change together.
struct NumberGroup {
  Quantity quantity = Quantity::gravity;
  int element = -1;  // index in the mechanism's list or slot of a coordinate; -1 for gravity

  bool operator==(const NumberGroup&) const = default;
  friend bool operator<(const NumberGroup& a, const NumberGroup& b) {
    return std::tie(a.quantity, a.element) < std::tie(b.quantity, b.element);
  }
};

/// How many results stages remember of one unit (see StageCount), where the oldest is replaced
/// first. A spring remembers its shapes, one per pair of mounts; an actuator that springs load its
/// metrics, one per set of shapes and laws. All other units remember the last result.
inline constexpr std::size_t remembered_shapes = 4;
inline constexpr std::size_t remembered_loads = 16;
/// Whether results of a unit that remembers several are told apart by the numbers of this quantity.
/// After a change of any other quantity that the unit reads, its remembered results are not used
/// again.
[[nodiscard]] constexpr bool is_remembered(Quantity quantity) {
  return quantity == Quantity::point || quantity == Quantity::spring_law;
}

/// A part of a stage that runs, or is served from memory, as a whole: the unit in which StageCount
/// counts. It runs unless a remembered result was made from the same numbers, profiles and upstream
/// results (see is_remembered).
struct StageUnit {
  Stage stage = Stage::coordinates;
  std::vector<NumberGroup> reads;     // groups that the unit itself reads, ascending
  std::vector<int> drives;            // drives with profiles that it reads, ascending
  std::vector<std::size_t> upstream;  // units whose results it reads, ascending
  // `reads` with computed quantities replaced by the groups that they depend on, ascending; numbers
  // of these may change while the computed quantity stays the same
  std::vector<NumberGroup> numbers;
};

/// All units of an evaluation and what each of them reads. This is the only place that says so:
/// stages ask it whether they have to run, and studies order their cases by it.
struct StageUnits {
  static constexpr std::size_t none = ~std::size_t{0};

  /// All units in the order in which they run, every one after those it reads: one for each step of
  /// the motion's plan, one for its redundant loops if there are any, then the others below.
  std::vector<StageUnit> units;
  std::vector<std::size_t> transmission;   // per step of the actuators' plan; `none` for motors
  std::size_t actuator_motion = none;      // belongs to the stage of the transmission
  std::size_t first_spring = none;         // unit of the first spring; each spring has one
  std::vector<std::size_t> spring_masses;  // per spring; `none` without mass. They belong to the
                                           // stage of the tree forces
  std::size_t tree_forces = none;
  std::vector<std::size_t> bare_loads;  // per actuator
  std::vector<std::size_t> loads;       // per actuator; `none` if no spring loads it

  /// The zero configuration and the held coordinates, which count as part of the coordinates' stage
  /// and in no StageCount; their indices follow the indices of `units`.
  StageUnit zero_configuration, held_coordinates;
  [[nodiscard]] std::size_t zero_index() const { return units.size(); }
  [[nodiscard]] std::size_t held_index() const { return units.size() + 1; }

  /// The earliest stage that reads a group of numbers, or Stage::loads if none reads it.
  [[nodiscard]] Stage first_reader(const NumberGroup& group) const;
};

/// How often a stage ran and how often a remembered result served instead, counted in units (a step
/// of the closure or of the transmission, a spring, an actuator), and the time that its runs took.
struct StageCount {
  std::int64_t runs = 0;
  std::int64_t reused = 0;
  double seconds = 0.0;
};
using StageCounts = std::array<StageCount, stage_count>;

/// Adds up the time that each of several kinds of work takes, in two accounts. A reading costs a
/// few nanoseconds: it counts the processor's own ticks where these exist and finds out at the end
/// how long one is.
template <class Kind, std::size_t kinds>
class TickClock {
 public:
  TickClock() : begun_(Clock::now()), first_tick_(tick()) {}

  /// Selects the separate account, or the main one, for the work that follows.
  void count_apart(bool apart) { account_ = apart ? 1 : 0; }
  /// Starts to time what follows.
  void start() { last_ = tick(); }
  /// Adds the time since the last reading to this kind.
  void stop(Kind kind) {
    const std::uint64_t now = tick();
    ticks_[account_][static_cast<std::size_t>(kind)] += now - last_;
    last_ = now;
  }

  [[nodiscard]] double seconds(Kind kind, bool apart) const {
    const std::chrono::duration<double> passed = Clock::now() - begun_;
    const auto all = static_cast<double>(tick() - first_tick_);
    const auto own = static_cast<double>(ticks_[apart ? 1 : 0][static_cast<std::size_t>(kind)]);
    return all > 0.0 ? passed.count() * own / all : 0.0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::uint64_t tick() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
#endif
  }

  Clock::time_point begun_;
  std::uint64_t first_tick_;
  std::uint64_t last_ = 0;
  std::size_t account_ = 0;
  std::array<std::array<std::uint64_t, kinds>, 2> ticks_{};
};
using StageClock = TickClock<Stage, stage_count>;

}  // namespace counterpoise
