#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/mechanism/stage.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// The coordinate of a variable (see Variable) at u in [0, 1): low + u * (high - low) if it is
/// continuous, the level floor(u * levels) if it is discrete.
double coordinate_at(const Variable& variable, double u);

/// Gives the point of every case of a sampled study, by case id: 1 .. case_count(). The point of an
/// id depends on nothing but the study, so that any worker can start anywhere. One per thread.
class PointSource {
 public:
  explicit PointSource(const Study& study);
  ~PointSource();
  PointSource(PointSource&&) noexcept;

  /// Sets one number per variable (see Variable). Cheap when ids rise by one. In a grid the last
  /// variable runs fastest. Sobol, Latin hypercube and random samples have one dimension per
  /// variable, see coordinate_at().
  void point(std::int64_t id, std::span<double> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The ids first .. last; empty if last < first.
struct IdRange {
  std::int64_t first = 1;
  std::int64_t last = 0;

  [[nodiscard]] std::int64_t size() const { return last < first ? 0 : last - first + 1; }
};

/// The order in which the cases of a sampled study are evaluated: window by window of consecutive
/// ids. Inside a window the numbers that slow stages read change as seldom as possible. A window of
/// a grid is a box, run through with the variables of late stages innermost. A window of another
/// sampling is sorted by the levels of its discrete variables, unless a continuous variable changes
/// an equally early stage in every case. Windows are short where the ids' own order is as good, and
/// medium-sized where only springs change, so that rows are stored meanwhile.
///
/// Places in this order are counted from 1, as ids are, and a window has the same places as ids. A
/// part of a study is a range of places: where it begins or ends inside a box, it takes the box's
/// cases from there on in their order, so that parts together change slow numbers as seldom as the
/// whole does, but once more at each cut.
class CaseOrder {
 public:
  /// Makes windows of at most `largest` ids (at least 1).
  CaseOrder(const Study& study, std::int64_t largest);

  /// The places from `first` on, up to `last` at most, that make one window or the rest of one.
  [[nodiscard]] IdRange window(std::int64_t first, std::int64_t last) const;

  /// The ids at a window's places, each once, in the order of evaluation, as distances from the id
  /// that is returned; with `points` the point of each if it is expensive to ask PointSource for
  /// it, else none.
  std::int64_t arrange(const IdRange& window, std::vector<std::uint32_t>& offsets,
                       std::vector<double>& points);

  /// A range of ids that contains the ids at these places (at least one).
  [[nodiscard]] IdRange ids_around(const IdRange& places) const;

  /// The most cases of a window.
  [[nodiscard]] std::int64_t largest() const { return largest_; }
  /// Whether ids are evaluated in rising order.
  [[nodiscard]] bool rising() const { return box_.empty() && keys_.empty(); }
  /// Cases in a row for which only the last stage has new numbers; 1 if not known.
  [[nodiscard]] std::int64_t run_length() const { return run_length_; }

 private:
  /// One digit of a grid's ids: a variable's levels and what a level adds to the id.
  struct Digit {
    std::int64_t levels;
    std::int64_t stride;
  };
  void order_grid();
  void order_samples();
  [[nodiscard]] IdRange box_at(std::int64_t id) const;
  void arrange_box(const IdRange& window, std::vector<std::uint32_t>& offsets) const;
  void arrange_samples(const IdRange& window, std::vector<std::uint32_t>& offsets,
                       std::vector<double>& points);

  const Study& study_;
  std::int64_t largest_;
  std::int64_t run_length_ = 1;
  // For a grid: a window takes `range_` levels of one digit and all levels of the digits below it.
  std::int64_t below_ = 1, range_ = 1, levels_ = 1;
  std::vector<Digit> box_;         // outermost first; empty: the ids' own order
  std::size_t ranged_ = 0;         // which of them has only part of its levels in a window
  std::vector<std::size_t> keys_;  // variables to sort samples by, first the most important
  PointSource source_;
};

/// For each variable the earliest stage of an evaluation that reads a number it can change, in any
/// of the study's motions.
std::vector<Stage> first_stages(const Study& study);

}  // namespace counterpoise
