#pragma once

#include <memory>
#include <span>

#include "studies/io/study.hpp"

namespace counterpoise {

/// Well mixed bits of a number (the finaliser of splitmix64).
std::uint64_t mixed(std::uint64_t x);

/// Gives the point of every case of a sampled study, by case id: 1 .. case_count(). The point of an
/// id depends on nothing but the study, so that any worker can start anywhere. One per thread.
class PointSource {
 public:
  explicit PointSource(const Study& study);
  ~PointSource();
  PointSource(PointSource&&) noexcept;

  /// One number per variable (see Variable). Cheap when ids rise by one. Grid: the last variable
  /// runs fastest. Sobol, Latin hypercube, random: one dimension a variable, discrete choice
  /// floor(u * n).
  void point(std::int64_t id, std::span<double> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
