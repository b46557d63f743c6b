#pragma once

#include <vector>

#include "springs/mounts/mount_problem.hpp"

namespace counterpoise {

/// The largest load at any geometry, where mounts are all that varies: springs are given, so that
/// every load is a number. Only of objectives that are the largest of some loads. One per thread.
class DecidingLoads {
 public:
  /// `problem` must outlive it.
  explicit DecidingLoads(const MountProblem& problem);

  /// A load as MountRow::name has it, and what the objective is at least because of it.
  struct Found {
    MountRow::Name name{};
    double value = -no_limit;
  };
  /// The load that decides at a place in the unit box; of loads that differ by rounding alone the
  /// first, so that every processor finds the same. Cost: 0.1 microseconds for each sample of each
  /// spring, and some nanoseconds for each sample of each load.
  [[nodiscard]] Found at(std::span<const double> place);

 private:
  /// A load of the objective at all samples.
  struct Series {
    MountProblem::LoadOfObjective load;
    std::vector<double> fixed;    // without the springs that the variables move
    std::vector<double> weights;  // in the objective
    struct OfSpring {
      std::size_t spring, actuator;  // of MountProblem::springs(), and in its actuators()
    };
    std::vector<OfSpring> springs;
  };
  void find_functions(std::span<const Interval> place);

  const MountProblem& problem_;
  std::vector<Series> series_;
  std::vector<std::vector<std::vector<double>>> e_, f_;  // per spring, actuator and sample
  std::vector<double> values_;
};

}  // namespace counterpoise
