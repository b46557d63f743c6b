#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise::python {

/// The shape of an array, in words of Python.
std::string shape_of(const pybind11::array& array);

/// Throws TypeError unless `array`, made of what was given, holds real numbers.
void require_numbers(const pybind11::array& array, pybind11::handle given);

/// Reads points of a study as Python gives them: a mapping from names to values, an array, or any
/// sequence of numbers. Keeps the names as Python objects, so that a mapping is read without a
/// copy.
class PointReader {
 public:
  explicit PointReader(const Study& study);

  /// Sets one number per variable. Throws InputError for a point outside the study, and TypeError
  /// for anything but a point. Of a mapping the variables in `optional` may be missing.
  void read(pybind11::handle given, std::span<double> point,
            const std::vector<bool>& optional = {}) const;

 private:
  /// All but arrays of doubles, which are most and cost least.
  void read_other(pybind11::handle given, std::span<double> point,
                  const std::vector<bool>& optional) const;
  void read_mapping(pybind11::handle given, std::span<double> point,
                    const std::vector<bool>& optional) const;
  [[nodiscard]] double coordinate(std::size_t variable, pybind11::handle value) const;

  const Study* study_;
  std::vector<pybind11::str> names_;
};

}  // namespace counterpoise::python
