#pragma once

#include <memory>
#include <span>

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

}  // namespace counterpoise
