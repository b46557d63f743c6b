#pragma once

#include <string>
#include <vector>

#include "springs/problem/cheapest_drives.hpp"
#include "springs/problem/sizing_problem.hpp"

namespace counterpoise {

/// What an exact search minimises first if that is the cost of all drives, which is no convex
/// function of springs.
bool minimises_drives(const Study& study, int objective);

/// Throws InputError, with the place, where an exact search minimises or bounds the cost of drives
/// and that does not fit the drives or the search.
void require_fit_for_drives(const Study& study);

/// Whether an exact search looks for the best springs that drives from catalogues suffice for. Else
/// drives are chosen for the springs that it finds.
bool finds_with_drives(const Study& study);

/// Whether nothing speaks against an outcome but that no drives suffice, or that they cost too
/// much.
bool lacks_drives_only(const Study& study, const CaseOutcome& outcome);

/// Says that no drives suffice, whatever the springs; or, where that is not proved of all, that
/// none were found.
std::string words_of_lacking(const Study& study, const DrivenSprings& found);

/// The choices of a study's drives, one for each that is chosen from catalogues.
std::vector<DriveChoice> choices_of(const Study& study);

/// What the motions of a geometry ask of the drives, as functions of the unknowns of its problem,
/// with the pauses between motions. `choices` must outlive it.
std::vector<DriveProblem::Drive> open_drives(const Study& study,
                                             const std::vector<DriveChoice>& choices,
                                             const std::vector<MotionLoads>& motions,
                                             std::size_t unknowns);

/// Leaves drives the pairs that keep the constraints on what they cost.
void keep_constraints(const Study& study, DriveProblem& problem);

}  // namespace counterpoise
