#pragma once

#include <pybind11/pybind11.h>

namespace counterpoise::python {

/// Each of these adds a part of the extension to the module.
void bind_errors(pybind11::module_& module);
void bind_inputs(pybind11::module_& module);
void bind_mechanics(pybind11::module_& module);
void bind_evaluator(pybind11::module_& module);
void bind_exact(pybind11::module_& module);
void bind_commands(pybind11::module_& module);
void bind_results(pybind11::module_& module);

}  // namespace counterpoise::python
