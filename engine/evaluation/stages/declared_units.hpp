#pragma once

#include "engine/evaluation/stages/plan.hpp"

namespace counterpoise {

/// Declares every unit of an evaluation and what it reads, for the nominal mechanism of a plan
/// whose other members are set.
StageUnits declare_units(const EvaluationPlan& plan);

/// Declares the unit of the tree forces for a design: it reads the geometry of those bodies and
/// legs that have mass, or carry some.
StageUnit declare_tree_forces(const EvaluationPlan& plan, const Mechanism& design);

/// Declares the unit of each actuator's bare load for a design: it reads the slopes of joints that
/// get forces. `declared` must have the units before them.
std::vector<StageUnit> declare_bare_loads(const EvaluationPlan& plan, const StageUnits& declared,
                                          const Mechanism& design);

}  // namespace counterpoise
