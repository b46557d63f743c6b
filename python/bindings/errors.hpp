#pragma once

#include <stdexcept>
#include <string>

#include "input/text/input_error.hpp"

namespace counterpoise::python {

/// Becomes counterpoise.Infeasible: there is nothing that could be computed, for this reason.
class Infeasible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Becomes counterpoise.Error: what was asked for cannot be done with this object, now or here.
class Misuse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError unless all is UTF-8, which names of files and texts in JSON have to be.
void require_utf8(const std::string& text, const std::string& what);

}  // namespace counterpoise::python
