#pragma once

#include "engine/dynamics/reactions/reactions.hpp"
#include "engine/evaluation/pipeline.hpp"
#include "engine/evaluation/simulation.hpp"

namespace counterpoise {

/// The columns of a simulation, of the stretch that the pipeline holds.
template <class S>
class SimulationColumns {
 public:
  SimulationColumns(const Mechanism& mechanism, const Motion& motion,
                    const SimulationOptions& options);

  /// Computes all columns but those of reactions, of the design last judged.
  void compute(const Mechanism& mechanism, const Pipeline<S>& pipeline);
  /// Computes the columns of reactions, if they were asked for, and what `simulation` says about
  /// them. Throws MechanismError when the sharing rules contradict each other at a sample.
  void compute_reactions(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                         Simulation& simulation);

  /// The first sample at which some column is not a finite number, or nothing.
  [[nodiscard]] std::optional<Finding> find_not_finite() const;
  [[nodiscard]] std::span<Series> series() { return columns_; }

 private:
  void add_names(const Mechanism& mechanism);
  template <class Value>
  void fill(const Pipeline<S>& pipeline, std::size_t& column, const Value& value);

  double step_;
  bool inertia_;
  std::size_t springs_;
  std::vector<Series> columns_;
  std::size_t first_reaction_ = 0;  // the column of the first component of a reaction
  std::optional<Reactions> reactions_;
  SampleState sample_;
  std::vector<double> loads_, tensions_;  // at one sample
};

}  // namespace counterpoise
