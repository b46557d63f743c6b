#pragma once

#include <nlopt.hpp>
#include <string>

namespace counterpoise {

struct NloptAlgorithm {
  const char* name = nullptr;
  nlopt::algorithm id = nlopt::LN_SBPLX;
  bool local = true;        // descends from a start point
  bool nested = false;      // runs a local algorithm inside
  unsigned dimensions = 1;  // at least
};

/// Throws std::invalid_argument, listing the valid names.
const NloptAlgorithm& find_algorithm(const std::string& name);

}  // namespace counterpoise
