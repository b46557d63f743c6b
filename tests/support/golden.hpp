#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace counterpoise::test {

/// Golden numbers at some of a motion's times, worked out outside this project.
struct Golden {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  // as many numbers each as names
};

/// Reads a CSV file of tests/golden, by its path in that folder.
inline Golden read_golden(const std::string& name) {
  std::ifstream file(COUNTERPOISE_SOURCE_DIR "/tests/golden/" + name);
  if (!file) throw std::runtime_error("no golden file " + name);
  Golden golden;
  std::string line, cell;
  std::getline(file, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');)
    golden.names.push_back(cell);
  while (std::getline(file, line)) {
    golden.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      golden.rows.back().push_back(std::stod(cell));
    if (golden.rows.back().size() != golden.names.size())
      throw std::runtime_error("a short row in " + name);
  }
  return golden;
}

}  // namespace counterpoise::test
