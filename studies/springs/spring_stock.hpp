#pragma once

#include "optimizer/convex/choose.hpp"
#include "studies/springs/sizing_problem.hpp"

namespace counterpoise {

/// The springs of a design, one vector for each motion.
using DesignSprings = std::vector<std::vector<Spring>>;

/// What a spring made to order could be instead of one from a catalogue: any rate, free length and
/// initial tension between the least and the largest of all rows, under the largest load of any.
struct CustomSpring {
  int unknown =
      -1;  // its rate; the next is its offset; -1: springs of several laws on one variable
  std::array<double, 2> rate = {no_limit, -no_limit};
  std::array<double, 2> free_length = {no_limit, -no_limit};
  std::array<double, 2> initial_tension = {no_limit, -no_limit};
  double max_load = 0.0;
  bool coils_close = true;                          // every row's min_length is its free length
  double shortest = no_limit, longest = -no_limit;  // over its springs and motions
};

/// What the levels of one chosen variable make of its springs at one geometry.
struct StockGroup {
  int variable = -1;                 // index of Study::variables
  std::vector<int> levels;           // of each option
  std::vector<int> refused;          // levels whose own limits the geometry breaks
  std::vector<std::string> reasons;  // of each refused level
  CustomSpring custom;
};

/// The chosen springs of one geometry: what may be chosen, and as options of a choice.
struct Stock {
  std::vector<StockGroup> groups;  // one per SpringRoles::chosen, in their order
  std::vector<ChoiceGroup> options;
};

/// What choosing needs to know of one level.
struct StockLevel {
  DesignSprings springs;
  std::vector<double> parameters;  // of the model
};
/// Why no spring can have a level at all, whatever the geometry makes of its lengths; or nothing.
std::string fault_of_level(const Study& study, const SpringRoles& roles, int variable,
                           const StockLevel& level);

using StockLevelAt = std::function<StockLevel(int variable, int level)>;

/// Adds two unknowns (rate and offset) for each kind of law that a chosen variable sets, and one
/// for each parameter that forms read and that follows from it; writes the laws of the chosen
/// springs into `motions`; leaves out levels with a spring that the motions make too short, too
/// long or overload. Springs on one variable that always have the same law share unknowns.
Stock add_stock(const Study& study, const SpringRoles& roles,
                const std::vector<int>& read_parameters, const StockLevelAt& level_at,
                std::vector<MotionLoads>& motions, ConvexProblem& problem,
                std::vector<std::pair<int, int>>& unknown_of_parameter);

}  // namespace counterpoise
