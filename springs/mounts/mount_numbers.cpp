#include "springs/mounts/mount_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace counterpoise {
namespace {

constexpr int most_boxes = 4096;  // that a sign is looked for in

/// The term of a metric in a sum; -1 if it has none.
int term_of(const SmoothMetricSum& sum, int metric) {
  const auto at = std::find_if(sum.metrics.begin(), sum.metrics.end(),
                               [metric](const auto& term) { return term.index == metric; });
  return at == sum.metrics.end() ? -1 : static_cast<int>(at - sum.metrics.begin());
}

/// The axis along which a number may vary the most in a box.
std::size_t widest(const SmoothNumber& number, std::span<const Interval> box) {
  const auto width = [&](std::size_t i) {
    return number.slopes[i].size() * (box[i].high - box[i].low);
  };
  std::size_t axis = 0;
  for (std::size_t i = 1; i < box.size(); ++i)
    if (width(i) > width(axis)) axis = i;
  return axis;
}

[[noreturn]] void refuse_factor(const PositiveFactor& factor) {
  factor.expression->refuse(
      factor.at,
      fmt::format("{} is multiplied by a number that is not shown to be above 0 at all mounts, "
                  "which a proof over geometry needs; narrow the ranges of the variables that the "
                  "number reads, or search with \"algorithm\" in place of \"geometry\"",
                  factor.what));
}

}  // namespace

std::vector<int> MountNumbers::OfSum::all() const {
  std::vector<int> all = {constant, tension};
  all.insert(all.end(), norms.begin(), norms.end());
  all.insert(all.end(), unknowns.begin(), unknowns.end());
  std::erase(all, -1);
  return all;
}

void SumTerms::take(const ConvexSum& sum, bool with_constant) {
  constant = constant || with_constant;
  for (const ConvexSum::Term& term : sum.norms) norms[term.index] = true;
  for (const ConvexSum::Term& term : sum.linear) unknowns[term.index] = true;
}

ConvexSum SumTerms::of(ConvexSum sum) const {
  if (!constant) sum.constant = 0.0;
  std::erase_if(sum.norms, [&](const auto& term) { return !norms[term.index]; });
  std::erase_if(sum.linear, [&](const auto& term) { return !unknowns[term.index]; });
  return sum;
}

MountNumbers::MountNumbers(const Study& study, const ProblemWriter& writer,
                           const WrittenProblem& written, const MountFunctions& functions)
    : weighed_(written.problem.norms.size(), false) {
  for (const double value : writer.values()) fixed_.push_back(SmoothNumber::constant(value));
  const std::vector<Interval> box(static_cast<std::size_t>(functions.count()), Interval(0.0, 1.0));
  const std::vector<SmoothNumber> values = values_over(functions, box);
  std::vector<PositiveFactor> positive;
  std::vector<Found> found;
  const auto found_at = [&](const MetricExpression* expression) -> Found& {
    const auto at = std::find_if(found.begin(), found.end(),
                                 [&](const Found& one) { return one.expression == expression; });
    if (at != found.end()) return *at;
    return found.emplace_back(Found{expression, expression->form(values, positive)});
  };
  const auto take = [&](const MetricExpression* expression, const ConvexSum& sum, int index) {
    if (expression == nullptr || index < 0)
      return OfSum{-1, -1, std::vector<int>(sum.norms.size(), -1),
                   std::vector<int>(sum.linear.size(), -1)};
    return numbers_of(study, written, sum, found_at(expression), index);
  };
  for (std::size_t i = 0; i < written.problem.objective.size(); ++i)
    objectives_.push_back(
        take(writer.objective(0), written.problem.objective[i], written.form_sums[i]));
  for (std::size_t l = 0; l < written.limits.size(); ++l) {
    const LimitWords& words = written.limits[l];
    const MetricExpression* of =
        words.constraint < 0
            ? nullptr
            : writer.constraint(static_cast<std::size_t>(words.constraint), words.at_least);
    limits_.push_back(take(of, written.problem.limits[l].sum, words.sum));
  }
  if (!positive.empty()) require_positive(functions);
}

void MountNumbers::keep(const SumTerms& terms, std::size_t sum, const ConvexSum& whole) {
  OfSum& own = objectives_[sum];
  OfSum kept;
  if (terms.constant) kept.constant = own.constant;
  for (std::size_t i = 0; i < own.norms.size(); ++i)
    if (terms.norms[whole.norms[i].index]) kept.norms.push_back(own.norms[i]);
  for (std::size_t i = 0; i < own.unknowns.size(); ++i)
    if (terms.unknowns[whole.linear[i].index]) kept.unknowns.push_back(own.unknowns[i]);
  own = std::move(kept);
}

MountNumbers::OfSum MountNumbers::numbers_of(const Study& study, const WrittenProblem& written,
                                             const ConvexSum& sum, Found& in, int index) {
  using Kind = Place::Kind;
  const auto own = static_cast<std::size_t>(index);
  const SmoothMetricSum& smooth = in.form[own];
  OfSum of;
  of.constant = number_at(in, {0, own, Kind::constant, 0}, smooth.constant);
  const auto metric_at = [&](int term) {
    if (term < 0) return -1;
    const auto t = static_cast<std::size_t>(term);
    return number_at(in, {0, own, Kind::metric, t}, smooth.metrics[t].weight);
  };
  for (const ConvexSum::Term& norm : sum.norms) {
    const auto n = static_cast<std::size_t>(norm.index);
    of.norms.push_back(metric_at(term_of(smooth, written.norm_metrics[n])));
    if (of.norms.back() >= 0) weighed_[n] = true;
  }
  for (const SmoothMetricSum::Term& term : smooth.metrics)
    if (is_least_tension(study.metrics[term.index]))
      of.tension = std::max(of.tension, metric_at(term_of(smooth, term.index)));
  for (std::size_t t = 0; t < smooth.parameters.size(); ++t)
    of.unknowns.push_back(number_at(in, {0, own, Kind::parameter, t}, smooth.parameters[t].weight));
  return of;
}

/// The index of the function that stands at a place; -1 where mounts do not change it.
int MountNumbers::number_at(Found& in, Place place, const SmoothNumber& value) {
  if (!value.varies) return -1;
  if (in.index < 0) {
    in.index = static_cast<int>(forms_.size());
    forms_.push_back(*in.expression);
  }
  place.form = static_cast<std::size_t>(in.index);
  const auto at = std::find(places_.begin(), places_.end(), place);
  if (at != places_.end()) return static_cast<int>(at - places_.begin());
  places_.push_back(place);
  return static_cast<int>(places_.size()) - 1;
}

std::vector<SmoothNumber> MountNumbers::values_over(const MountFunctions& functions,
                                                    std::span<const Interval> box) const {
  std::vector<SmoothNumber> values = fixed_;
  functions.vary(box, values);
  return values;
}

std::vector<SmoothNumber> MountNumbers::over(const MountFunctions& functions,
                                             std::span<const Interval> box) const {
  using Kind = Place::Kind;
  std::vector<SmoothNumber> numbers;
  if (places_.empty()) return numbers;
  const std::vector<SmoothNumber> values = values_over(functions, box);
  std::vector<PositiveFactor> positive;  // for all of the box, as is known
  std::vector<SmoothMetricForm> forms;
  for (const MetricExpression& form : forms_) forms.push_back(form.form(values, positive));
  for (const Place& place : places_) {
    const SmoothMetricSum& sum = forms[place.form][place.sum];
    numbers.push_back(place.kind == Kind::constant ? sum.constant
                      : place.kind == Kind::metric ? sum.metrics[place.term].weight
                                                   : sum.parameters[place.term].weight);
  }
  return numbers;
}

/// Halves boxes in which a factor is not seen to be above 0, until all are, or too many are left.
void MountNumbers::require_positive(const MountFunctions& functions) const {
  std::vector<std::vector<Interval>> waiting = {
      std::vector<Interval>(static_cast<std::size_t>(functions.count()), Interval(0.0, 1.0))};
  for (int looked_at = 0; !waiting.empty(); ++looked_at) {
    std::vector<Interval> box = std::move(waiting.back());
    waiting.pop_back();
    const std::vector<SmoothNumber> values = values_over(functions, box);
    std::vector<PositiveFactor> positive;
    for (const MetricExpression& form : forms_) static_cast<void>(form.form(values, positive));
    const auto unsure = std::find_if(positive.begin(), positive.end(),
                                     [](const auto& one) { return !(one.factor.value.low > 0.0); });
    if (unsure == positive.end()) continue;
    if (looked_at >= most_boxes || unsure->factor.value.high <= 0.0) refuse_factor(*unsure);
    const std::size_t axis = widest(unsure->factor, box);
    const double middle = box[axis].middle();
    waiting.push_back(box);
    waiting.back()[axis].low = middle;
    box[axis].high = middle;
    waiting.push_back(std::move(box));
  }
}

}  // namespace counterpoise
