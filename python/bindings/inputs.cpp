#include "python/bindings/inputs.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "cli/arguments.hpp"
#include "cli/output/out_of_memory.hpp"
#include "input/reading/read.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/errors.hpp"
#include "results/sqlite/output_file.hpp"
#include "studies/applied_model.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

std::string key_of(const std::filesystem::path& path) {
  return path.lexically_normal().string();
}

py::str text(std::string_view view) {
  return {view.data(), view.size()};
}

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

ModelInput read_model_input(const std::string& path, const std::shared_ptr<Texts>& texts) {
  require_utf8(path, "path");
  Call call;
  return call.run(Call::Workers::none, [&] {
    return in_memory_for(path, [&] {
      auto model = std::make_shared<const Model>(read_model(path, files_of(texts)));
      examine_model(*model);
      return ModelInput{path, texts, std::move(model)};
    });
  });
}

StudyInput read_study_input(const std::string& path, const std::shared_ptr<Texts>& texts) {
  require_utf8(path, "path");
  Call call;
  return call.run(Call::Workers::none, [&] {
    return in_memory_for(path + " and the files that it names", [&] {
      return StudyInput{path, texts,
                        std::make_shared<const Study>(read_study(path, files_of(texts)))};
    });
  });
}

/// name, unit, SI unit, value in SI of the model's own design, source, note.
py::list parameters_of(const ModelInput& input) {
  py::list list;
  for (std::size_t p = 0; p < input.model->parameters.size(); ++p) {
    const Parameter& parameter = input.model->parameters[p];
    list.append(py::make_tuple(parameter.name, text(parameter.unit.name),
                               text(si_unit(parameter.unit)), input.model->nominal_values[p],
                               parameter.source, parameter.note));
  }
  return list;
}

const char* kind_of(VariableKind kind) {
  switch (kind) {
    case VariableKind::values:
      return "values";
    case VariableKind::levels:
      return "levels";
    case VariableKind::continuous:
      return "continuous";
    case VariableKind::catalogue:
      return "catalogue";
    case VariableKind::motion:
      return "motion";
  }
  return "values";
}

/// name, kind, unit, low, high, values, labels, rows; numbers in SI.
py::list variables_of(const StudyInput& input) {
  py::list list;
  for (const Variable& variable : input.study->variables)
    list.append(py::make_tuple(variable.name, kind_of(variable.kind), text(variable.unit.name),
                               variable.low, variable.high, variable.values, variable.labels,
                               variable.rows));
  return list;
}

py::list constraints_of(const StudyInput& input) {
  py::list list;
  for (const Constraint& constraint : input.study->constraints)
    list.append(py::make_tuple(constraint.name, constraint.unit, constraint.min, constraint.max));
  return list;
}

py::list sources_of(const StudyInput& input) {
  py::list list;
  for (const SourceText& source : input.study->sources)
    list.append(py::make_tuple(source.role, source.path));
  return list;
}

void bind_model(py::module_& module) {
  py::class_<ModelInput>(module, "Model")
      .def(py::init(&read_model_input), py::arg("path"), py::arg("texts"))
      .def_readonly("path", &ModelInput::path)
      .def_readonly("texts", &ModelInput::texts)
      .def_property_readonly("name", [](const ModelInput& self) { return self.model->name; })
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly(
          "bodies", [](const ModelInput& self) { return names_of(self.model->nominal.bodies); })
      .def_property_readonly(
          "springs", [](const ModelInput& self) { return names_of(self.model->nominal.springs); })
      .def_property_readonly("actuators", [](const ModelInput& self) {
        return names_of(self.model->nominal.actuators);
      });
}

void bind_study(py::module_& module) {
  py::class_<StudyInput>(module, "Study")
      .def(py::init(&read_study_input), py::arg("path"), py::arg("texts"))
      .def_readonly("path", &StudyInput::path)
      .def_readonly("texts", &StudyInput::texts)
      .def_property_readonly("name", [](const StudyInput& self) { return self.study->name; })
      .def_property_readonly("model_name",
                             [](const StudyInput& self) { return self.study->model->name; })
      .def_property_readonly("variables", &variables_of)
      .def_property_readonly("objectives",
                             [](const StudyInput& self) {
                               py::list list;
                               for (const Objective& objective : self.study->objectives)
                                 list.append(py::make_tuple(objective.name, objective.unit));
                               return list;
                             })
      .def_property_readonly("constraints", &constraints_of)
      .def_property_readonly("motions",
                             [](const StudyInput& self) { return names_of(self.study->motions); })
      .def_property_readonly("scenarios",
                             [](const StudyInput& self) { return names_of(self.study->scenarios); })
      .def_property_readonly("metrics",
                             [](const StudyInput& self) { return names_of(self.study->metrics); })
      .def_property_readonly("case_count",
                             [](const StudyInput& self) { return self.study->case_count(); })
      .def_property_readonly("is_search",
                             [](const StudyInput& self) { return self.study->search() != nullptr; })
      .def_property_readonly("warnings",
                             [](const StudyInput& self) { return self.study->warnings; })
      .def_property_readonly("sources", &sources_of);
}

}  // namespace

void Texts::put(const std::string& path, std::string text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  texts_[key_of(path)] = std::move(text);
}

std::string Texts::get(const std::filesystem::path& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = texts_.find(key_of(path));
  if (known != texts_.end()) return known->second;
  return texts_.emplace(key_of(path), read_text_file(path)).first->second;
}

std::map<std::string, std::string> Texts::all() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return texts_;
}

std::shared_ptr<Texts> Texts::joined(Texts& other) {
  auto both = std::make_shared<Texts>();
  both->texts_ = all();
  for (auto& [path, text] : other.all()) both->texts_[path] = text;
  return both;
}

FileProvider files_of(const std::shared_ptr<Texts>& texts) {
  return [texts](const std::filesystem::path& path) { return texts->get(path); };
}

void bind_inputs(py::module_& module) {
  py::class_<Texts, std::shared_ptr<Texts>>(module, "Texts")
      .def(py::init<>())
      .def(
          "put",
          [](Texts& self, const std::string& path, const std::string& content) {
            self.put(path, content);
          },
          py::arg("path"), py::arg("text"))
      .def(
          "get", [](Texts& self, const std::string& path) { return py::bytes(self.get(path)); },
          py::arg("path"))
      .def("joined", &Texts::joined, py::arg("other"))
      .def("all", [](Texts& self) {
        py::dict texts;
        for (const auto& [path, content] : self.all()) texts[py::str(path)] = py::bytes(content);
        return texts;
      });
  bind_model(module);
  bind_study(module);
  module.def(
      "text_with_values",
      [](const ModelInput& model, const std::vector<std::string>& set, const std::string& source) {
        return text_with_values(*model.model, model.texts->get(model.path),
                                with_settings({}, set, *model.model), source);
      },
      py::arg("model"), py::arg("set"), py::arg("source"));
  module.def(
      "write_file",
      [](const std::string& path, const std::string& content) { write_file(path, content); },
      py::arg("path"), py::arg("text"));
}

}  // namespace counterpoise::python
