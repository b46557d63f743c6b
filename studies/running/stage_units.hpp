#pragma once

#include <vector>

#include "engine/reuse/stage.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// The numbers of a mechanism that a field of a model gives.
Quantity quantity_of(Field field);

/// The units of an evaluation of the study's designs over one of its motions. A body whose inertia
/// varies is taken to have mass, which it has in some design. Throws InputError at the load case
/// where its motion and the model's actuators do not fit.
StageUnits stage_units_of(const Model& model, const LoadCase& load_case);

/// For each variable the earliest stage of an evaluation that reads a number it can change, in any
/// of the study's motions.
std::vector<Stage> first_stages(const Study& study);

}  // namespace counterpoise
