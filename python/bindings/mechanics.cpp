#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/mechanics.hpp"
#include "cli/text/fall_text.hpp"
#include "input/reading/read.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/inputs.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

/// Columns over time, with notes about them.
struct Columns {
  std::vector<Series> series;
  std::vector<std::string> notes;
  bool at_rest = false;  // samples are poses at rest, which "t" only numbers

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Series& one : series) names.push_back(one.name);
    return names;
  }
};

struct FallColumns : Columns {
  std::string stopped;  // why the fall ended early; empty if it did not
  std::string json, text;
};

py::array_t<double> column(const py::object& self, const std::string& name) {
  const Columns& columns = self.cast<const Columns&>();
  const auto found = std::find_if(columns.series.begin(), columns.series.end(),
                                  [&](const Series& series) { return series.name == name; });
  if (found == columns.series.end()) {
    const std::vector<std::string> names = columns.names();
    throw py::key_error("found " + in_quotes(name) + ", expected a column" +
                        did_you_mean(name, names));
  }
  return view_of(found->values, self);
}

Columns simulate_motion(const ModelInput& model, const std::string& motion_path,
                        const std::shared_ptr<Texts>& motion_texts,
                        const std::vector<std::string>& set, bool springs, bool reactions) {
  Call call;
  const Interruption interrupted = call.interrupted();
  return call.run(Call::Workers::none, [&] {
    const ParametricMotion motion = read_motion(motion_path, *model.model, files_of(motion_texts));
    MotionRun run(*model.model, model.path, motion, {set, springs, reactions});
    Columns found;
    const auto reason = run.follow([&](std::span<Series> columns, int first) {
      interrupted.poll();
      found.series.resize(columns.size());
      const auto samples = static_cast<std::size_t>(run.motion().sample_count());
      for (std::size_t c = 0; c < columns.size(); ++c) {
        Series& series = found.series[c];
        if (first == 0) {
          series.name = columns[c].name;
          series.values.clear();
          series.values.reserve(samples);
        }
        series.values.insert(series.values.end(), columns[c].values.begin(),
                             columns[c].values.end());
      }
    });
    if (reason) throw Infeasible(*reason);
    found.notes = run.notes();
    found.at_rest = run.motion().poses;
    return found;
  });
}

FallColumns let_go(const ModelInput& model, const std::string& scenario_path,
                   const std::shared_ptr<Texts>& scenario_texts,
                   const std::vector<std::string>& set) {
  Call call;
  const Interruption interrupted = call.interrupted();
  return call.run(Call::Workers::none, [&] {
    const ParametricScenario scenario =
        read_scenario(scenario_path, *model.model, files_of(scenario_texts));
    require_one_instant(scenario);
    FallRun run(*model.model, scenario, scenario_path, set);
    FallOptions options;
    options.between_steps = [&] { interrupted.poll(); };
    if (const auto reason = run.let_go(options)) throw Infeasible(*reason);
    FallColumns found;
    found.notes = scenario.warnings;
    for (std::string& note : run.notes()) found.notes.push_back(std::move(note));
    found.json = json_text(summary_json(run.fall(), run.mechanism(), run.scenario()));
    found.text = summary_text(run.fall(), run.mechanism(), run.scenario(), {});
    found.stopped = why_it_ended(run.fall()).value_or("");
    found.series = std::move(run.fall().columns);
    return found;
  });
}

}  // namespace

void bind_mechanics(py::module_& module) {
  py::class_<Columns>(module, "Columns")
      .def_property_readonly("names", &Columns::names)
      .def_readonly("notes", &Columns::notes)
      .def_readonly("at_rest", &Columns::at_rest)
      .def("column", &column, py::arg("name"));
  py::class_<FallColumns, Columns>(module, "FallColumns")
      .def_readonly("stopped", &FallColumns::stopped)
      .def_readonly("json", &FallColumns::json)
      .def_readonly("text", &FallColumns::text);
  module.def("simulate", &simulate_motion, py::arg("model"), py::arg("motion_path"),
             py::arg("motion_texts"), py::arg("set"), py::arg("springs"), py::arg("reactions"));
  module.def("forward", &let_go, py::arg("model"), py::arg("scenario_path"),
             py::arg("scenario_texts"), py::arg("set"));
  module.def(
      "check_motion",
      [](const std::string& path, const std::shared_ptr<Texts>& texts) {
        const Motion motion = check_motion(path, files_of(texts)).nominal;
        return py::make_tuple(motion.name, motion.duration, motion.step, motion.sample_count());
      },
      py::arg("path"), py::arg("texts"));
  module.def(
      "check_scenario",
      [](const std::string& path, const std::shared_ptr<Texts>& texts) {
        const Scenario scenario = check_scenario(path, files_of(texts)).nominal;
        return py::make_tuple(scenario.name, scenario.duration, scenario.step);
      },
      py::arg("path"), py::arg("texts"));
}

}  // namespace counterpoise::python
