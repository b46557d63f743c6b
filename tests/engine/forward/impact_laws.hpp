#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/forward/fall.hpp"

/// Gaps, constraints and masses of a fall, and what impacts have to obey, from positions and
/// energies in the world frame: slopes by differences, masses by kinetic energies.
namespace counterpoise::oracle {

/// A point of a contact, or one end of a stop.
struct OneGap {
  int contact = -1;  // as in FallEvent
  int point = -1;
  bool upper = false;  // of stops
  double restitution = 0.0;
};

class ImpactLaws {
 public:
  ImpactLaws(const Mechanism& mechanism, const Scenario& scenario);

  [[nodiscard]] const std::vector<OneGap>& gaps() const { return gaps_; }
  /// The place of the gap of an event. Both ends of a stop have the same contact: the one that is
  /// nearer to being closed counts.
  [[nodiscard]] std::size_t gap_of(const FallEvent& event, const Eigen::VectorXd& values) const;

  [[nodiscard]] Eigen::VectorXd gap_values(std::span<const double> q) const;
  /// What loops and couplings miss, and how far held actuators are from where they were at
  /// `start` [m, rad].
  [[nodiscard]] Eigen::VectorXd misfit(std::span<const double> q,
                                       std::span<const double> start) const;

  /// Slopes by all joints, one row per gap.
  [[nodiscard]] Eigen::MatrixXd gap_slopes(std::span<const double> q) const;
  /// Slopes of loops, couplings, and of all actuators that are held or followed.
  [[nodiscard]] Eigen::MatrixXd constraint_slopes(std::span<const double> q) const;
  [[nodiscard]] Eigen::MatrixXd mass_matrix(std::span<const double> q) const;

 private:
  [[nodiscard]] Eigen::VectorXd prescribed(std::span<const double> q) const;

  const Mechanism* mechanism_;
  const Scenario* scenario_;
  std::vector<OneGap> gaps_;
};

}  // namespace counterpoise::oracle
