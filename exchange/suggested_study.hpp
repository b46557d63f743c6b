#pragma once

#include <string>
#include <vector>

#include "exchange/imported_model.hpp"

namespace counterpoise {

/// A model with springs that could balance it, and a study that sizes and places them.
struct SuggestedStudy {
  std::string model, study, motion;  // texts of the three files
};

/// Adds to an imported model a spring between the two bodies of each pair ("upper_arm,base_link";
/// one may be the world), with mounts and numbers that are parameters. The study sizes the springs
/// exactly at mounts that it searches, for the least peak and mean load of the actuators between
/// the bodies, over a motion in which every actuator swings about the middle of its range. `output`
/// is the model's file; the study names it and `motion_file`. Throws InputError for a pair of
/// bodies that are not there, or that no actuator moves against each other.
SuggestedStudy suggest_springs(const ImportedModel& model, const std::vector<std::string>& pairs,
                               const std::filesystem::path& output, const std::string& motion_file);

}  // namespace counterpoise
