#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/mechanism/stage.hpp"

namespace counterpoise {

/// A number that identifies a result: no two results of one unit have the same.
using Stamp = std::uint64_t;

/// Knows which units of an evaluation have to run, from the numbers that they are declared to read.
/// A caller that changes a group of numbers touches it; a caller that runs a unit settles it, which
/// makes the units that read its result stale. All units are stale at first.
class StaleUnits {
 public:
  /// `slots` is the number of coordinates in the motion's plan, `drives` that of its profiles.
  StaleUnits(const StageUnits& units, const Mechanism& nominal, std::size_t slots,
             std::size_t drives);

  /// Whether anything that the unit reads changed since it was last settled.
  [[nodiscard]] bool stale(std::size_t unit) const { return stale_[unit] != 0; }

  void touch(const NumberGroup& group) {
    const Readers& readers = readers_[place_of(group)];
    if (is_remembered(group.quantity))
      for (const std::size_t unit : readers) stale_[unit] = 1;
    else
      touch_all_in(readers);
  }
  void touch_drive(std::size_t drive) { touch_all_in(readers_[first_drive_ + drive]); }
  void touch_unit(std::size_t unit) {
    stale_[unit] = 1;
    inputs_[unit] = ++last_stamp_;
  }
  void touch_everything();
  /// Touches the units that read samples: all but the zero configuration and held coordinates.
  void touch_samples();

  /// Tells all that the unit reads, except the numbers by which it remembers results, from what it
  /// read at any earlier time at which it had another stamp. Never 0.
  [[nodiscard]] Stamp inputs(std::size_t unit) const { return inputs_[unit]; }

  /// Notes that the unit ran and may have left another result. Units must be settled in the order
  /// in which they run, within one design.
  void settle(std::size_t unit);

  /// Declares what the unit reads from now on. It stays as stale as it is. Allocates.
  void declare(std::size_t unit, const StageUnit& declaration);

 private:
  using Readers = std::vector<std::size_t>;

  [[nodiscard]] std::size_t place_of(const NumberGroup& group) const {
    return first_[static_cast<std::size_t>(group.quantity)] +
           static_cast<std::size_t>(group.element < 0 ? 0 : group.element);
  }
  void touch_all_in(const Readers& units) {
    for (const std::size_t unit : units) touch_unit(unit);
  }

  std::array<std::size_t, quantity_count> first_{};  // place of each quantity's first element
  std::size_t first_drive_ = 0;
  std::vector<Readers> readers_;     // per group of numbers, then per drive
  std::vector<Readers> downstream_;  // per unit
  std::vector<char> stale_;          // per unit
  std::vector<Stamp> inputs_;        // per unit
  Stamp last_stamp_ = 1;
};

/// Compares each design with the one before it, number by number and bit by bit, and touches the
/// groups that changed. What a design leaves as it was need not be computed again.
class Revisions {
 public:
  explicit Revisions(ElementSet varying) : varying_(std::move(varying)) {}

  /// Only these elements may differ from design to design.
  void look_at(ElementSet varying) { varying_ = std::move(varying); }
  /// Takes the next design, of the same structure. Cost: one look at every number that may differ;
  /// allocates at the first design only.
  void see(const Mechanism& mechanism, StaleUnits& stale);

 private:
  ElementSet varying_;
  bool known_ = false;
  Mechanism last_;
};

}  // namespace counterpoise
