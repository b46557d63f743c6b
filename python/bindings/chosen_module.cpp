#include <Python.h>

#include <exception>

#include "cli/variants/chosen.hpp"

/// What `import counterpoise` loads: the extension of the variant for this processor takes its
/// place.
PyMODINIT_FUNC PyInit__core() {  // a name that Python looks for
  try {
    const counterpoise::VariantFunction found = counterpoise::load_variant(
        COUNTERPOISE_VARIANTS_FOLDER, "libcounterpoise_python.so", "PyInit__core");
    return reinterpret_cast<PyObject* (*)()>(found.address)();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ImportError, error.what());
    return nullptr;
  }
}
