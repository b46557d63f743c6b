#pragma once

#include <string>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;  // one Value per column
};

}  // namespace counterpoise
