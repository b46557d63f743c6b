#pragma once

#include <string>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise {

/// The names of the objectives of the trade-off that a study asks for; none if it asks for none.
inline std::vector<std::string> trade_off_of(const Study& study) {
  std::vector<std::string> names;
  if (study.search() == nullptr || !study.search()->trade_off) return names;
  for (const int objective : study.search()->trade_off->objectives)
    names.push_back(study.objectives[static_cast<std::size_t>(objective)].name);
  return names;
}

}  // namespace counterpoise
