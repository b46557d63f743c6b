#pragma once

#include <string>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise {

/// Parts of a model that can change nothing, each a warning with its place in the file: springs
/// without rate and preload, springs whose ends do not move against each other, and parameters that
/// nothing in the model reads, though a motion or a study may.
std::vector<std::string> idle_parts(const Model& model);

/// The same of a study's model with its motions and objectives, which may read parameters; and the
/// study's variables that no objective, constraint or limit feels.
std::vector<std::string> idle_parts(const Study& study);

}  // namespace counterpoise
