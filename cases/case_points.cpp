#include "cases/case_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engine/evaluation/plan.hpp"
#include "engine/mechanism/finding.hpp"
#include "input/text/input_error.hpp"
#include "optimizer/sampling/latin_hypercube.hpp"
#include "optimizer/sampling/random_bits.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {
namespace {

// Cases in a window at most: with ids in rising order, with only springs changing, and of samples.
constexpr std::int64_t largest_rising = 2048;    // the last one is written when all else is done
constexpr std::int64_t largest_quick = 16'384;   // where storing a row takes longer than springs do
constexpr std::int64_t largest_sorted = 65'536;  // its points are kept, and made by one thread

/// Variables ordered by how seldom they should change: the choice of a motion first, then stage by
/// stage.
std::vector<std::size_t> slowest_first(const Study& study, const std::vector<Stage>& stages) {
  const auto place = [&](std::size_t v) {
    return static_cast<int>(v) == study.motion_variable ? -1 : static_cast<int>(stages[v]);
  };
  std::vector<std::size_t> order(stages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

}  // namespace

CaseOrder::CaseOrder(const Study& study, std::int64_t largest)
    : study_(study), largest_(std::max<std::int64_t>(largest, 1)), source_(study) {
  if (std::get<Sampling>(study.method).method == SamplingMethod::grid)
    order_grid();
  else
    order_samples();
  if (rising()) largest_ = std::min(largest_, largest_rising);
}

void CaseOrder::order_grid() {
  std::vector<Digit> digits;  // by variable
  for (const Variable& variable : study_.variables) digits.push_back({variable.level_count(), 1});
  for (std::size_t v = digits.size(); v-- > 1;)
    digits[v - 1].stride = digits[v].stride * digits[v].levels;

  const std::vector<Stage> stages = first_stages(study_);
  bool springs_alone = true;  // except for the choice of a motion
  for (std::size_t v = 0; v < stages.size(); ++v)
    springs_alone = springs_alone && (stages[v] >= Stage::spring_geometry ||
                                      static_cast<int>(v) == study_.motion_variable);
  if (springs_alone) largest_ = std::min(largest_, largest_quick);

  // as many digits below as fit, and an even share of the next
  std::size_t first = digits.size();  // the first digit that a window has any levels of
  while (first > 0 && below_ * digits[first - 1].levels <= largest_)
    below_ *= digits[--first].levels;
  if (first > 0) {
    levels_ = digits[--first].levels;
    const std::int64_t most = largest_ / below_;
    const std::int64_t windows = (levels_ + most - 1) / most;
    range_ = (levels_ + windows - 1) / windows;
  }

  std::vector<std::size_t> order = slowest_first(study_, stages);
  std::erase_if(order, [&](std::size_t v) { return v < first; });
  if (std::is_sorted(order.begin(), order.end())) return;
  for (const std::size_t v : order) {
    if (v == first) ranged_ = box_.size();
    box_.push_back(digits[v]);
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const bool last_stage =
        stages[order[i]] == Stage::loads && static_cast<int>(order[i]) != study_.motion_variable;
    if (!last_stage) break;
    run_length_ *= order[i] == first && levels_ > 1 ? range_ : digits[order[i]].levels;
  }
}

void CaseOrder::order_samples() {
  const std::vector<Stage> stages = first_stages(study_);
  Stage earliest = Stage::loads;  // of a variable that changes in every case
  for (std::size_t v = 0; v < stages.size(); ++v)
    if (!study_.variables[v].discrete()) earliest = std::min(earliest, stages[v]);
  std::vector<std::size_t> order = slowest_first(study_, stages);
  bool reuse = false;
  for (const std::size_t v : order) {
    const bool motion = static_cast<int>(v) == study_.motion_variable;
    if (!motion && stages[v] >= earliest) break;
    reuse = reuse || !motion;
    keys_.push_back(v);
  }
  if (!reuse) keys_.clear();
  largest_ = std::min(largest_, largest_sorted);
}

IdRange CaseOrder::box_at(std::int64_t id) const {
  const std::int64_t number = id - 1;
  const std::int64_t level = number / below_ % levels_;
  const std::int64_t from = level - level % range_;
  const std::int64_t first = (number / below_ - (level - from)) * below_;
  return {first + 1, first + std::min(range_, levels_ - from) * below_};
}

IdRange CaseOrder::window(std::int64_t first, std::int64_t last) const {
  const std::int64_t end = box_.empty() ? first + largest_ - 1 : box_at(first).last;
  return {first, std::min(last, end)};
}

IdRange CaseOrder::ids_around(const IdRange& places) const {
  if (box_.empty()) return places;
  return {box_at(places.first).first, box_at(places.last).last};
}

std::int64_t CaseOrder::arrange(const IdRange& window, std::vector<std::uint32_t>& offsets,
                                std::vector<double>& points) {
  offsets.clear();
  points.clear();
  if (!box_.empty()) {
    arrange_box(window, offsets);
    return box_at(window.first).first;
  }
  if (!keys_.empty()) {
    arrange_samples(window, offsets, points);
  } else {
    offsets.resize(static_cast<std::size_t>(window.size()));
    std::iota(offsets.begin(), offsets.end(), 0u);
  }
  return window.first;
}

void CaseOrder::arrange_box(const IdRange& window, std::vector<std::uint32_t>& offsets) const {
  const IdRange box = box_at(window.first);
  std::vector<Digit> digits = box_;
  if (levels_ > 1) digits[ranged_].levels = box.size() / below_;
  std::vector<std::int64_t> at(digits.size(), 0);
  const Digit inner = digits.back();
  std::int64_t id = box.first;
  std::int64_t place = box.first;  // in the order, counted as ids are
  while (place <= window.last) {
    for (std::int64_t k = 0; k < inner.levels; ++k, id += inner.stride, ++place)
      if (place >= window.first && place <= window.last)
        offsets.push_back(static_cast<std::uint32_t>(id - box.first));
    id -= inner.levels * inner.stride;
    // count on outside the innermost digit
    std::size_t d = digits.size() - 1;
    for (; d > 0; --d) {
      id += digits[d - 1].stride;
      if (++at[d - 1] < digits[d - 1].levels) break;
      id -= digits[d - 1].levels * digits[d - 1].stride;
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

void CaseOrder::arrange_samples(const IdRange& window, std::vector<std::uint32_t>& offsets,
                                std::vector<double>& points) {
  const std::size_t width = study_.variables.size();
  std::vector<double> by_id(static_cast<std::size_t>(window.size()) * width);
  std::vector<std::uint64_t> sorted;  // the levels' number, then the offset
  for (std::int64_t id = window.first; id <= window.last; ++id) {
    const auto offset = static_cast<std::uint64_t>(id - window.first);
    const auto point = std::span(by_id).subspan(static_cast<std::size_t>(offset) * width, width);
    source_.point(id, point);
    std::uint64_t number = 0;
    for (const std::size_t v : keys_) {
      const auto levels = static_cast<std::uint64_t>(study_.variables[v].level_count());
      if (number * levels + levels > (std::uint64_t{1} << 32)) break;
      number = number * levels + static_cast<std::uint64_t>(point[v]);
    }
    sorted.push_back(number << 32 | offset);
  }
  std::sort(sorted.begin(), sorted.end());
  for (const std::uint64_t entry : sorted) {
    const auto offset = static_cast<std::uint32_t>(entry);
    offsets.push_back(offset);
    const auto from = by_id.begin() + static_cast<std::ptrdiff_t>(offset * width);
    points.insert(points.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
}

namespace {

/// Without a seed there is no shift: the sequence is that of the literature.
std::vector<std::uint64_t> shifts_of(std::size_t dimensions, std::uint64_t seed) {
  std::vector<std::uint64_t> shifts(dimensions, 0);
  for (std::size_t d = 0; seed != 0 && d < dimensions; ++d) shifts[d] = mixed_together(seed, d, 2);
  return shifts;
}

}  // namespace

double coordinate_at(const Variable& variable, double u) {
  if (!variable.discrete()) return variable.low + u * (variable.high - variable.low);
  const auto levels = static_cast<double>(variable.level_count());
  return std::min(std::floor(u * levels), levels - 1.0);
}

struct PointSource::Impl {
  const Study& study;
  const Sampling& sampling;
  std::optional<SobolSequence> sobol;
  std::optional<LatinHypercube> latin;

  explicit Impl(const Study& s) : study(s), sampling(std::get<Sampling>(s.method)) {
    const std::size_t dimensions = study.variables.size();
    if (sampling.method == SamplingMethod::sobol)
      sobol.emplace(dimensions, shifts_of(dimensions, sampling.seed));
    if (sampling.method == SamplingMethod::latin_hypercube)
      latin.emplace(dimensions, sampling.count, sampling.seed);
  }

  void grid(std::int64_t id, std::span<double> out) const {
    std::int64_t rest = id - 1;
    for (std::size_t i = out.size(); i-- > 0;) {
      const std::int64_t levels = study.variables[i].level_count();
      out[i] = static_cast<double>(rest % levels);
      rest /= levels;
    }
  }

  /// From shares of their ranges to coordinates.
  void spread(std::span<double> shares) const {
    for (std::size_t d = 0; d < shares.size(); ++d)
      shares[d] = coordinate_at(study.variables[d], shares[d]);
  }
};

PointSource::PointSource(const Study& study) : impl_(new Impl(study)) {}
PointSource::~PointSource() = default;
PointSource::PointSource(PointSource&&) noexcept = default;

void PointSource::point(std::int64_t id, std::span<double> out) {
  const Sampling& sampling = impl_->sampling;
  const auto number = static_cast<std::uint64_t>(id - 1);
  switch (sampling.method) {
    case SamplingMethod::grid:
      impl_->grid(id, out);
      return;
    case SamplingMethod::sobol:
      impl_->sobol->point(id, out);
      break;
    case SamplingMethod::latin_hypercube:
      impl_->latin->point(number, out);
      break;
    case SamplingMethod::random:
      for (std::size_t d = 0; d < out.size(); ++d)
        out[d] = unit_interval(mixed_together(sampling.seed, number, d));
      break;
    case SamplingMethod::list:
      for (std::size_t d = 0; d < out.size(); ++d) out[d] = sampling.points[number][d];
      return;
  }
  impl_->spread(out);
}

namespace {

/// The units of an evaluation of the study's designs over one of its motions. A body whose inertia
/// varies is taken to have mass, which it has in some design. Throws InputError at the load case
/// where its motion and the model's actuators do not fit.
StageUnits stage_units_of(const Model& model, const LoadCase& load_case) try {
  Mechanism nominal = model.nominal;
  for (const FieldNumbers& field : model.varying)
    if (describe(field.field).quantity == Quantity::inertia) {
      double& mass = nominal.bodies[field.element].mass;
      mass = std::max(mass, 1.0);
    }
  return EvaluationPlan(nominal, load_case.motion.nominal, Closure::closed_form).stage_units;
} catch (const MechanismError& error) {
  throw InputError(load_case.where, error.what());
}

}  // namespace

std::vector<Stage> first_stages(const Study& study) {
  const Model& model = *study.model;
  std::vector<Stage> stages(study.reach.size(), Stage::loads);
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    const StageUnits units = stage_units_of(model, study.motions[m]);
    for (std::size_t v = 0; v < stages.size(); ++v) {
      const Reach& reach = study.reach[v].load_cases[m];
      if (reach.motion) stages[v] = Stage::coordinates;
      for (const int f : reach.fields) {
        const FieldNumbers& field = model.varying[f];
        const NumberGroup numbers{describe(field.field).quantity, field.element};
        stages[v] = std::min(stages[v], units.first_reader(numbers));
      }
    }
  }
  return stages;
}

}  // namespace counterpoise
