#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/output/host.hpp"
#include "cli/output/out_of_memory.hpp"
#include "cli/run_command.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/inputs.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

/// Runs a command of the program in this process. Returns its exit code, the data and the text that
/// it answers, and the messages beside them. Raises what the command ends with as an exception.
py::tuple command(const std::vector<std::string>& words, const std::shared_ptr<Texts>& texts,
                  const py::object& progress) {
  for (const std::string& word : words) {
    require_utf8(word, words.front());
    if (word.find('\0') != std::string::npos)
      throw InputError({.file = words.front()}, "expected a text without the character 0");
  }
  Call call(progress);
  Host host;
  if (texts) host.files = files_of(texts);
  host.interrupted = call.interrupted();
  host.progress = [&](const Progress& at) { call.tell(at); };
  const int code = call.run(Call::Workers::several, [&] {
    const Hosted here(&host);
    return in_memory_for(fmt::format("counterpoise {}", fmt::join(words, " ")),
                         [&] { return run_command(words); });
  });
  if (code == exit_bad_input)
    throw InputError({.file = words.front()}, fmt::format("{}", fmt::join(host.messages, "; ")));
  return py::make_tuple(code, py::bytes(host.data), host.text, host.messages);
}

}  // namespace

void bind_commands(py::module_& module) {
  module.def("command", &command, py::arg("words"), py::arg("texts").none(true),
             py::arg("progress") = py::none());
}

}  // namespace counterpoise::python
