#include "python/bindings/errors.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <system_error>

#include "cli/output/out_of_memory.hpp"
#include "cli/run_command.hpp"
#include "engine/mechanism/finding.hpp"
#include "optimizer/interruption.hpp"
#include "python/bindings/bindings.hpp"
#include "results/rows/rows.hpp"
#include "results/text/printable.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

/// Text of a file or a name may hold bytes that are no UTF-8; they are escaped as in a terminal.
py::str text_of(const std::string& text) {
  return py::str(printable(text));
}

/// Raises an exception of the package, whose classes are written in Python.
template <class... Arguments>
void raise(const char* name, const Arguments&... arguments) {
  const py::object type = py::module_::import("counterpoise.errors").attr(name);
  const py::object error = type(arguments...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void raise_input_error(const InputError& error) {
  py::list lines;
  for (const std::string& line : lines_of(error)) lines.append(text_of(line));
  const Location& where = error.where();
  raise("InputError", text_of(error.message()), text_of(where.file), where.line, where.column,
        text_of(where.pointer), lines);
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise_input_error(error);
  } catch (const StoreError& error) {
    raise("StoreError", text_of(error.what()));
  } catch (const Infeasible& error) {
    raise("Infeasible", text_of(error.what()));
  } catch (const Misuse& error) {
    raise("Error", text_of(error.what()));
  } catch (const MechanismError& error) {
    raise("Error", text_of(error.what()));
  } catch (const OutOfMemory& error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const std::length_error&) {
    PyErr_SetString(PyExc_MemoryError, "more than there are addresses for");
  } catch (const std::system_error& error) {
    raise("Error", text_of(error.what()));
  } catch (const Interrupted&) {
    PyErr_SetString(PyExc_KeyboardInterrupt, "interrupted");
  }
}

}  // namespace

void require_utf8(const std::string& text, const std::string& what) {
  for (std::string_view rest = text; !rest.empty();) {
    const Character next = first_character(rest);
    if (!next.valid) throw InputError({.file = what}, "expected a text in UTF-8");
    rest.remove_prefix(next.size);
  }
}

void bind_errors(py::module_&) {
  py::register_exception_translator(&translate);
}

}  // namespace counterpoise::python
