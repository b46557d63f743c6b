#pragma once

#include "formulations/minimal/elimination.hpp"
#include "formulations/minimal/implicit_constraints.hpp"
#include "formulations/minimal/lagrangian.hpp"

namespace counterpoise::test {

/// Gravity forces and mass matrix in minimal coordinates.
struct Terms {
  Vector<double> g1;
  Matrix<double> M1;
};

enum class Way { implicit_constraints, direct, trigonometric };

inline Terms terms(const MinimalPlan& plan, const std::vector<double>& q1, Way way) {
  MinimalState<double> state(plan);
  Terms result{Vector<double>(plan.freedoms()), Matrix<double>(plan.freedoms(), plan.freedoms())};
  if (way == Way::implicit_constraints) {
    close_directly<double>(plan, q1, state);
    constrain(plan, state);
    projected_gravity(plan, state, result.g1);
    projected_mass_matrix(plan, state, result.M1);
    return result;
  }
  if (way == Way::direct)
    eliminate_directly<double>(plan, q1, state);
  else
    eliminate_trigonometrically<double>(plan, q1, state);
  lagrangian_gravity(plan, state, result.g1);
  lagrangian_mass_matrix(plan, state, result.M1);
  return result;
}

/// All three ways, which must agree to 1e-10 of the largest entry; the first of them.
Terms agreed_terms(const MinimalPlan& plan, const std::vector<double>& q1);

/// Compares the terms with energies of the closed mechanism: M1 against kinetic energies, g1
/// against slopes of the potential energy; `q` are the joints at q1.
void check_energies(const Mechanism& mechanism, const std::vector<double>& q1,
                    const std::vector<double>& q, const Terms& found);

/// Compares the terms with the engine's own loads of actuators: at rest, and setting out from rest.
void check_loads(const Mechanism& mechanism, const std::vector<double>& q1, const Terms& found);

}  // namespace counterpoise::test
