#pragma once

#include "springs/problem/sizing_problem.hpp"

namespace counterpoise {

/// The springs of a design, one vector for each motion.
using DesignSprings = std::vector<std::vector<Spring>>;

/// The numbers of one level that choosing needs.
struct StockLevel {
  DesignSprings springs;
  std::vector<double> parameters;  // of the model
};
/// Says why no spring can have the numbers of a level, whatever its lengths in the geometry; empty
/// if one can.
std::string fault_of_level(const Study& study, const SpringRoles& roles, int variable,
                           const StockLevel& level);

using StockLevelAt = std::function<StockLevel(int variable, int level)>;

/// Adds to `out` two unknowns (rate and offset) for each kind of law that a chosen variable sets,
/// and one for each parameter that forms read and that follows from it; writes the laws of the
/// chosen springs into `motions`; leaves out levels with a spring that the motions make too short,
/// too long or overload. Springs on one variable that always have the same law share unknowns.
void add_stock(const Study& study, const SpringRoles& roles,
               const std::vector<int>& read_parameters, const StockLevelAt& level_at,
               std::vector<MotionLoads>& motions, WrittenProblem& out,
               std::vector<std::pair<int, int>>& unknown_of_parameter);

}  // namespace counterpoise
