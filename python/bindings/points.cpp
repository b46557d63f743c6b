#include "python/bindings/points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/point_evaluator.hpp"
#include "python/bindings/errors.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

std::string type_name(py::handle object) {
  return py::str(py::type::handle_of(object).attr("__name__"));
}

[[noreturn]] void refuse_name(const Study& study, py::handle key) {
  std::vector<std::string> names;
  for (const Variable& variable : study.variables) names.push_back(variable.name);
  const std::string found = py::str(key);
  throw InputError({.file = "point"}, fmt::format("found {}, expected a variable of the study{}",
                                                  in_quotes(found), did_you_mean(found, names)));
}

/// Reads one number a variable from an array of doubles; false if it has another type or shape.
bool read_doubles(py::handle given, std::span<double> point) {
  if (!py::isinstance<py::array_t<double>>(given)) return false;
  const auto array = py::reinterpret_borrow<py::array_t<double>>(given);
  if (array.ndim() != 1 || static_cast<std::size_t>(array.shape(0)) != point.size()) return false;
  const auto values = array.unchecked<1>();
  for (std::size_t v = 0; v < point.size(); ++v) point[v] = values(static_cast<py::ssize_t>(v));
  return true;
}

/// The same from any array, or from what can be made one.
void read_array(py::handle given, std::span<double> point) {
  py::array array;
  if (py::isinstance<py::array>(given))
    array = py::reinterpret_borrow<py::array>(given);
  else
    array = py::array::ensure(given);
  if (!array) PyErr_Clear();
  require_numbers(array, given);
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != point.size())
    throw py::value_error(fmt::format(
        "found an array of shape {}, expected ({},): one number for each variable of the study",
        shape_of(array), point.size()));
  const auto numbers = py::array_t<double, py::array::forcecast>::ensure(array);
  if (!numbers) throw py::error_already_set();
  const auto values = numbers.unchecked<1>();
  for (std::size_t v = 0; v < point.size(); ++v) point[v] = values(static_cast<py::ssize_t>(v));
}

}  // namespace

std::string shape_of(const py::array& array) {
  return py::str(array.attr("shape"));
}

void require_numbers(const py::array& array, py::handle given) {
  if (array &&
      (array.dtype().kind() == 'f' || array.dtype().kind() == 'i' || array.dtype().kind() == 'u'))
    return;
  throw py::type_error("found a " + type_name(given) +
                       (array ? " of " + std::string(py::str(array.dtype())) : std::string()) +
                       ", expected real numbers, one for each variable of the study, or a dict");
}

PointReader::PointReader(const Study& study) : study_(&study) {
  for (const Variable& variable : study.variables) {
    PyObject* name = PyUnicode_InternFromString(variable.name.c_str());
    if (name == nullptr) throw py::error_already_set();
    names_.push_back(py::reinterpret_steal<py::str>(name));
  }
}

double PointReader::coordinate(std::size_t variable, py::handle value) const {
  const Variable& of = study_->variables[variable];
  PyObject* const object = value.ptr();
  if (PyFloat_Check(object)) return coordinate_of(of, PyFloat_AsDouble(object));
  if (PyUnicode_Check(object)) return coordinate_of(of, std::string(py::str(value)));
  if (PyBool_Check(object) || (!PyIndex_Check(object) && !PyNumber_Check(object)))
    throw py::type_error("variable " + of.name + ": found a " + type_name(value) +
                         ", expected a number or a text");
  if (PyIndex_Check(object) && of.kind == VariableKind::catalogue) {
    const long long row =
        PyLong_AsLongLong(py::reinterpret_steal<py::object>(PyNumber_Index(object)).ptr());
    if (row == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return coordinate_of_row(of, row);
  }
  const double number = PyFloat_AsDouble(object);
  if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return coordinate_of(of, number);
}

void PointReader::read_mapping(py::handle given, std::span<double> point,
                               const std::vector<bool>& optional) const {
  const bool dictionary = PyDict_CheckExact(given.ptr()) != 0;
  const py::ssize_t size = dictionary ? PyDict_Size(given.ptr()) : PyMapping_Size(given.ptr());
  if (size < 0) throw py::error_already_set();
  py::ssize_t read = 0;
  for (std::size_t v = 0; v < names_.size(); ++v) {
    py::object held;
    PyObject* value = nullptr;
    if (dictionary) {
      value = PyDict_GetItemWithError(given.ptr(), names_[v].ptr());
      if (value == nullptr && PyErr_Occurred() != nullptr) throw py::error_already_set();
    } else if (given.contains(names_[v])) {
      held = given[names_[v]];
      value = held.ptr();
    }
    if (value != nullptr) {
      point[v] = coordinate(v, value);
      ++read;
    } else if (optional.empty() || !optional[v]) {
      for (const py::handle key : py::iter(given))
        if (std::none_of(names_.begin(), names_.end(),
                         [&](const py::str& name) { return name.equal(key); }))
          refuse_name(*study_, key);
      throw InputError({.file = "point"},
                       fmt::format("variable {} is missing", study_->variables[v].name));
    }
  }
  if (read == size) return;
  for (const py::handle key : py::iter(given))
    if (std::none_of(names_.begin(), names_.end(),
                     [&](const py::str& name) { return name.equal(key); }))
      refuse_name(*study_, key);
}

void PointReader::read_other(py::handle given, std::span<double> point,
                             const std::vector<bool>& optional) const {
  const bool mapping = PyDict_Check(given.ptr()) ||
                       (!py::isinstance<py::array>(given) && PyMapping_Check(given.ptr()) != 0 &&
                        py::hasattr(given, "keys"));
  if (mapping) return read_mapping(given, point, optional);
  if (PyUnicode_Check(given.ptr()) || given.is_none())
    throw py::type_error("found a " + type_name(given) +
                         ", expected a point: a dict, or an array of one number a variable");
  read_array(given, point);
}

void PointReader::read(py::handle given, std::span<double> point,
                       const std::vector<bool>& optional) const {
  if (!read_doubles(given, point)) read_other(given, point, optional);
  if (const auto fault = fault_of_point(*study_, point))
    throw InputError({.file = "point"}, *fault);
}

}  // namespace counterpoise::python
