#pragma once

#include <string>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise {

/// The role of a variable of an exact search.
enum class SpringRole {
  outer,   // moves more than springs' laws or masses: geometry, mounts, the motion
  sized,   // continuous, and enters nothing but springs' rates, free lengths and initial tensions
           // (and the limits that depend on these), or nothing but masses and inertias of bodies,
           // which are affine in it
  chosen,  // discrete, and enters only what a sized one may: values, a catalogue
  held,    // a chosen one fixed at a level, so that it acts as a constant
};

struct SpringRoles {
  std::vector<SpringRole> roles;                // one per Study::variables
  std::vector<int> outer, sized, chosen, held;  // indices into Study::variables
  std::vector<int> masses;                      // indices into `sized`, of those that size masses
  /// For each variable that is not outer, the springs whose laws it enters, in order.
  std::vector<std::vector<int>> springs;
  /// For each parameter of the model, whether a sized or chosen variable changes its value.
  std::vector<bool> inner_parameters;

  // whether an outer variable enters the law of a spring that may go slack, or of a group
  bool searches_slack = false, searches_groups = false;

  [[nodiscard]] bool any() const { return !sized.empty() || !chosen.empty(); }
  /// What is sized or chosen, in words: "springs", "masses" or "springs and masses"; of springs
  /// only those that are never slack, or single ones, where the law of another is searched.
  [[nodiscard]] const char* words() const {
    if (!masses.empty() && masses.size() == sized.size() && chosen.empty())
      return searches_slack    ? "masses beside these slack springs"
             : searches_groups ? "masses beside these groups of springs"
                               : "masses";
    if (searches_slack)
      return masses.empty() ? "springs beside these slack ones"
                            : "springs and masses beside these slack springs";
    if (searches_groups)
      return masses.empty() ? "springs beside these groups"
                            : "springs and masses beside these groups of springs";
    return masses.empty() ? "springs" : "springs and masses";
  }
};

/// The roles of a study's variables. Throws InputError, with the place, where an exact search
/// cannot handle them: no variable sizes a spring or a mass or chooses a spring, a discrete one
/// moves more than springs, a variable selects the motion, a spring is both chosen and sized or
/// chosen twice, or may go slack or is a group and is chosen. A variable that masses follow in
/// another way than affine ones is outer, and so is a continuous one that a spring follows which
/// may go slack, or a group.
SpringRoles find_spring_roles(const Study& study);

/// Why an outer variable is not sized, as a main clause.
std::string why_not_sized(const Study& study, std::size_t variable);

/// The roles of a problem in which every chosen variable is held at one of its levels.
SpringRoles with_choices_held(const Study& study, SpringRoles roles);

/// Throws InputError at an outer variable (its index) that moves nothing an exact search could
/// search over: it has no effect at all, or is only a limit of springs or a number of objectives
/// and constraints.
void require_geometry(const Study& study, std::size_t variable);

}  // namespace counterpoise
