#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "results/rows/tie_order.hpp"

namespace counterpoise {

/// The part of a TieOrder around one value of the first objective, found while all designs pass by.
/// It holds the designs next to that value, and counts those far below it.
class OrderWindow {
 public:
  /// `around`: of the first objective; minus infinity for the beginning of the order. `room`:
  /// designs on each side of it that are held; more where they tie.
  OrderWindow(std::vector<TieTolerance> tolerances, double around, std::size_t room);

  /// A design as TieOrder::offer() takes it. Cost: constant on average.
  void offer(std::int64_t id, std::span<const double> objectives);

  struct Part {
    std::int64_t before = 0;        // designs that stand before the first of `ids`
    std::vector<std::int64_t> ids;  // best first, without gaps
    bool to_end = false;            // no design stands behind them
  };
  /// The order around the value, as a TieOrder of all designs has it. Nothing where the room was
  /// too small to tell where a group of designs that tie begins. Cost: n log n of the designs held.
  [[nodiscard]] std::optional<Part> part() const;

 private:
  /// The designs on one side of the value.
  struct Side {
    std::vector<std::int64_t> ids{};
    std::vector<double> values{};                              // design by design
    std::size_t enough = 0;                                    // designs at which some are left out
    double limit = std::numeric_limits<double>::infinity();    // distances beyond it are left out
    double nearest = std::numeric_limits<double>::infinity();  // distance of those left out
    std::int64_t left_out = 0;
  };
  [[nodiscard]] std::optional<double> begin_of_group() const;
  void leave_out(Side& side, double sign) const;

  std::vector<TieTolerance> tolerances_;
  double around_;
  std::size_t room_;
  Side below_, above_;  // of `below_` distances are negated values, of `above_` values
};

}  // namespace counterpoise
