#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/inputs.hpp"
#include "python/bindings/points.hpp"
#include "springs/exact.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

/// Sizes the springs of a study at given geometries. Calls from several threads run one after the
/// other.
class Sizer {
 public:
  explicit Sizer(const StudyInput& input) : study_(input.study), reader_(*input.study) {
    Call call;
    sizer_ = call.run(Call::Workers::none, [&] {
      return std::make_unique<GeometrySizer>(*study_, Interruption([this] { return stopped(); }));
    });
    springs_.assign(study_->variables.size(), true);
    for (const int v : sizer_->geometry()) springs_[v] = false;
  }

  SizedGeometry size(const py::handle& given) {
    std::vector<double> point;
    for (const Variable& variable : study_->variables)
      point.push_back(variable.discrete() ? 0.0 : variable.low);
    reader_.read(given, point, springs_);
    Call call;
    return call.run(Call::Workers::none, [&] {
      const std::lock_guard<std::mutex> lock(mutex_);
      asked_ = call.interrupted();
      SizedGeometry sized = sizer_->size(point);
      asked_ = Interruption();
      return sized;
    });
  }

  [[nodiscard]] std::vector<std::string> geometry() const {
    std::vector<std::string> names;
    for (const int v : sizer_->geometry()) names.push_back(study_->variables[v].name);
    return names;
  }

 private:
  [[nodiscard]] bool stopped() const { return asked_.asked(); }

  std::shared_ptr<const Study> study_;
  PointReader reader_;
  std::unique_ptr<GeometrySizer> sizer_;
  std::vector<bool> springs_;  // per variable, whether it is one of springs
  std::mutex mutex_;
  Interruption asked_;  // of the present call
};

py::object number_or_none(const SizedGeometry& self, double number) {
  return self.value ? py::object(py::float_(number)) : py::object(py::none());
}

}  // namespace

void bind_exact(py::module_& module) {
  py::class_<SizedGeometry>(module, "SizedGeometry",
                            "The best springs of one geometry, with the bound that proves them.")
      .def_property_readonly(
          "point",
          [](const py::object& self) {
            return view_of(self.cast<const SizedGeometry&>().point, self);
          },
          "The point of the study with the springs found, shape (variables,).")
      .def_property_readonly(
          "objectives",
          [](const py::object& self) {
            return view_of(self.cast<const SizedGeometry&>().outcome.objectives, self);
          },
          "Shape (objectives,), in SI.")
      .def_property_readonly(
          "feasible",
          [](const SizedGeometry& self) { return self.outcome.status == CaseStatus::feasible; },
          "Whether there is a design that breaks no limit and no constraint.")
      .def_property_readonly(
          "reason",
          [](const SizedGeometry& self) -> py::object {
            if (self.outcome.reason.empty()) return py::none();
            return py::str(self.outcome.reason);
          },
          "Why there is none, in words; None if there is one.")
      .def_property_readonly(
          "violation", [](const SizedGeometry& self) { return self.outcome.violation; },
          "The sum of relative violations, 0 if feasible.")
      .def_property_readonly(
          "value",
          [](const SizedGeometry& self) { return number_or_none(self, self.value.value_or(0.0)); },
          "Of the first objective; None where there is no design.")
      .def_property_readonly(
          "bound", [](const SizedGeometry& self) { return number_or_none(self, self.bound); },
          "No springs do better in this geometry; None where there is no design.")
      .def_property_readonly(
          "gap",
          [](const SizedGeometry& self) {
            return number_or_none(self, self.value.value_or(0.0) - self.bound);
          },
          "value - bound, which is rounding; None where there is no design.")
      .def_readonly("certificate", &SizedGeometry::certificate,
                    "JSON: the multipliers that prove the bound; empty where there is no design.");
  py::class_<Sizer>(module, "Sizer")
      .def(py::init<const StudyInput&>(), py::arg("study"))
      .def("size", &Sizer::size, py::arg("point"))
      .def_property_readonly("geometry", &Sizer::geometry);
}

}  // namespace counterpoise::python
