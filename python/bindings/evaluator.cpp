#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "cases/point_evaluator.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/inputs.hpp"
#include "python/bindings/points.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What an evaluation found, in memory of its own.
struct Outcome {
  CaseStatus status = CaseStatus::failed;
  bool computable = false;
  double violation = 0.0;
  std::string reason;
  std::vector<double> objectives, constraints;
};

/// What the evaluations of many points found: a row each.
struct Batch {
  std::size_t count = 0, objective_count = 0, constraint_count = 0;
  std::vector<double> objectives, constraints, violations;
  std::vector<std::uint8_t> statuses;
  std::vector<std::string> reasons;
};

/// Marks an evaluator as at work.
class Busy {
 public:
  explicit Busy(std::atomic_flag& flag) : flag_(flag) {
    if (flag_.test_and_set(std::memory_order_acquire))
      throw Misuse(
          "this evaluator is at work in another thread: make one for each thread, by "
          "study.evaluator()");
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

/// Lets Python handle signals now and then in a long loop that runs without the interpreter's lock.
class Turns {
 public:
  void take() {
    constexpr std::uint32_t often = 16;
    if (++steps_ % often != 0) return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(20)) return;
    last_ = now;
    const py::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::uint32_t steps_ = 0;
  Clock::time_point last_ = Clock::now();
};

class StudyEvaluator {
 public:
  explicit StudyEvaluator(PointEvaluator evaluator)
      : evaluator_(std::move(evaluator)),
        reader_(evaluator_.study()),
        point_(evaluator_.study().variables.size()) {}

  [[nodiscard]] const Study& study() const { return evaluator_.study(); }

  Outcome call(const py::handle& given) {
    const Busy busy(busy_);
    reader_.read(given, point_);
    {
      const py::gil_scoped_release released;
      evaluator_.evaluate(point_, last_);
    }
    Outcome out;
    out.status = last_.status;
    out.computable = last_.computable;
    out.violation = last_.violation;
    out.reason = last_.reason;
    out.objectives.resize(study().objectives.size(), unknown);
    if (last_.computable) out.objectives = last_.objectives;
    out.constraints.resize(study().constraints.size());
    evaluator_.constraint_values(last_, out.constraints);
    return out;
  }

  Batch batch(const py::handle& given) {
    const Busy busy(busy_);
    const py::array_t<double> points = matrix_of(given);
    const auto rows = points.unchecked<2>();
    const auto count = static_cast<std::size_t>(rows.shape(0));
    const std::size_t objectives = study().objectives.size();
    const std::size_t constraints = study().constraints.size();
    Batch found;
    found.count = count;
    found.objective_count = objectives;
    found.constraint_count = constraints;
    const py::gil_scoped_release released;
    found.objectives.assign(count * objectives, unknown);
    found.constraints.resize(count * constraints);
    found.violations.resize(count);
    found.statuses.resize(count);
    found.reasons.resize(count);
    Turns turns;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t v = 0; v < point_.size(); ++v)
        point_[v] = rows(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(v));
      if (const auto fault = fault_of_point(study(), point_))
        throw InputError({.file = "point " + std::to_string(i)}, *fault);
      turns.take();
      evaluator_.evaluate(point_, last_);
      found.statuses[i] = static_cast<std::uint8_t>(last_.status);
      found.violations[i] = last_.violation;
      if (last_.computable)
        std::copy(last_.objectives.begin(), last_.objectives.end(),
                  found.objectives.begin() + static_cast<std::ptrdiff_t>(i * objectives));
      evaluator_.constraint_values(
          last_, std::span(found.constraints).subspan(i * constraints, constraints));
      if (!last_.reason.empty()) found.reasons[i].swap(last_.reason);
    }
    return found;
  }

  py::dict metrics(const py::handle& given) {
    const Outcome outcome = call(given);
    const Busy busy(busy_);
    py::dict named;
    for (const MetricName& name : study().metrics)
      named[py::str(name.name)] = outcome.computable ? value_of(last_.metrics, name) : unknown;
    return named;
  }

  py::array_t<double> point(const py::handle& given) {
    std::vector<double> values(point_.size());
    reader_.read(given, values);
    return array_of(std::move(values));
  }

  [[nodiscard]] py::list baselines() const {
    py::list list;
    for (const Baselines::Pair& pair : evaluator_.baselines().pairs)
      list.append(
          py::make_tuple(objectives_of(pair.baseline), objectives_of(pair.without_springs)));
    return list;
  }

 private:
  static py::object objectives_of(const CaseOutcome& outcome) {
    if (!outcome.computable) return py::none();
    return array_of(std::vector<double>(outcome.objectives));
  }

  [[nodiscard]] py::array_t<double> matrix_of(const py::handle& given) const {
    if (PyUnicode_Check(given.ptr()) || given.is_none())
      throw py::type_error("found " + std::string(py::repr(given)) +
                           ", expected an array of points: a row for each");
    const py::array array = py::array::ensure(given);
    if (!array) PyErr_Clear();
    require_numbers(array, given);
    if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(1)) != point_.size())
      throw py::value_error("found an array of shape " + shape_of(array) + ", expected (n, " +
                            std::to_string(point_.size()) +
                            "): a row for each point, a column for each variable of the study");
    auto numbers = py::array_t<double, py::array::forcecast>::ensure(array);
    if (!numbers) throw py::error_already_set();
    return numbers;
  }

  PointEvaluator evaluator_;
  PointReader reader_;
  std::vector<double> point_;
  CaseOutcome last_;
  std::atomic_flag busy_;
};

std::unique_ptr<StudyEvaluator> make_evaluator(const StudyInput& input, bool first_reason_only) {
  Call call;
  auto made = call.run(Call::Workers::none, [&] {
    return std::make_unique<PointEvaluator>(input.study, first_reason_only);
  });
  return std::make_unique<StudyEvaluator>(std::move(*made));
}

py::object reason_or_none(const std::string& reason) {
  return reason.empty() ? py::object(py::none()) : py::object(py::str(reason));
}

template <class Number>
py::array view(const std::vector<Number>& values, std::vector<py::ssize_t> shape,
               const py::handle& owner) {
  return py::array_t<Number>(std::move(shape), values.data(), owner);
}

py::ssize_t size(std::size_t count) {
  return static_cast<py::ssize_t>(count);
}

void bind_outcomes(py::module_& module) {
  py::class_<Outcome>(module, "Outcome", "What the evaluation of one point found.")
      .def_property_readonly(
          "objectives",
          [](const py::object& self) {
            return view_of(self.cast<const Outcome&>().objectives, self);
          },
          "Shape (objectives,), in SI, to be minimised; NaN where they are not known.")
      .def_property_readonly(
          "constraints",
          [](const py::object& self) {
            return view_of(self.cast<const Outcome&>().constraints, self);
          },
          "Shape (constraints,), the values that the bounds of `Study.constraints` hold for; NaN "
          "where they are not known.")
      .def_property_readonly(
          "feasible", [](const Outcome& self) { return self.status == CaseStatus::feasible; },
          "Whether no limit and no constraint is broken.")
      .def_readonly("computable", &Outcome::computable,
                    "Whether objectives are known; of a design that breaks a limit they may be.")
      .def_readonly("violation", &Outcome::violation,
                    "The sum of relative violations, 0 if feasible: to steer a search by.")
      .def_property_readonly(
          "status",
          [](const Outcome& self) {
            const std::string_view name = status_name(self.status);
            return py::str(name.data(), name.size());
          },
          "\"feasible\", \"infeasible\" or \"failed\".")
      .def_property_readonly(
          "reason", [](const Outcome& self) { return reason_or_none(self.reason); },
          "In words, what the design breaks first; None if it is feasible.")
      .def("__repr__", [](const Outcome& self) {
        std::string text = "<Outcome " + std::string(status_name(self.status));
        for (const double objective : self.objectives)
          text += " " + std::string(py::repr(py::float_(objective)));
        return text + (self.reason.empty() ? ">" : ": " + self.reason + ">");
      });
  py::class_<Batch>(module, "Batch")
      .def("__len__", [](const Batch& self) { return self.count; })
      .def_property_readonly(
          "objectives",
          [](const py::object& self) {
            const Batch& batch = self.cast<const Batch&>();
            return view(batch.objectives, {size(batch.count), size(batch.objective_count)}, self);
          })
      .def_property_readonly(
          "constraints",
          [](const py::object& self) {
            const Batch& batch = self.cast<const Batch&>();
            return view(batch.constraints, {size(batch.count), size(batch.constraint_count)}, self);
          })
      .def_property_readonly("violations",
                             [](const py::object& self) {
                               const Batch& batch = self.cast<const Batch&>();
                               return view(batch.violations, {size(batch.count)}, self);
                             })
      .def_property_readonly("statuses",
                             [](const py::object& self) {
                               const Batch& batch = self.cast<const Batch&>();
                               return view(batch.statuses, {size(batch.count)}, self);
                             })
      .def("reason", [](const Batch& self, py::ssize_t i) {
        const auto count = static_cast<py::ssize_t>(self.count);
        if (i < 0) i += count;
        if (i < 0 || i >= count)
          throw py::index_error("found point " + std::to_string(i) + " of " +
                                std::to_string(count));
        return reason_or_none(self.reasons[i]);
      });
}

}  // namespace

void bind_evaluator(py::module_& module) {
  bind_outcomes(module);
  py::class_<StudyEvaluator>(module, "Evaluator")
      .def(py::init(&make_evaluator), py::arg("study"), py::arg("first_reason_only"))
      .def("__call__", &StudyEvaluator::call, py::arg("point"), py::pos_only())
      .def("batch", &StudyEvaluator::batch, py::arg("points"))
      .def("metrics", &StudyEvaluator::metrics, py::arg("point"))
      .def("point", &StudyEvaluator::point, py::arg("point"))
      .def_property_readonly("baselines", &StudyEvaluator::baselines);
}

}  // namespace counterpoise::python
