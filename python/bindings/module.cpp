#include "cases/provenance.hpp"
#include "python/bindings/bindings.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace counterpoise::python;
  module.doc() = "What the package counterpoise is made of; use the package.";
  const counterpoise::BuildInfo info = counterpoise::build_info();
  pybind11::dict build;
  build["version"] = pybind11::str(info.version.data(), info.version.size());
  build["commit"] = pybind11::str(info.commit.data(), info.commit.size());
  build["compiler"] = pybind11::str(info.compiler.data(), info.compiler.size());
  build["flags"] = pybind11::str(info.flags.data(), info.flags.size());
  build["instruction_set"] =
      pybind11::str(info.instruction_set.data(), info.instruction_set.size());
  module.attr("build_info") = build;
  bind_errors(module);
  bind_inputs(module);
  bind_mechanics(module);
  bind_evaluator(module);
  bind_exact(module);
  bind_commands(module);
  bind_results(module);
}
