#include "studies/reports/robustness/tolerance_box.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "input/definition/model.hpp"
#include "input/expressions/affine.hpp"

namespace counterpoise {
namespace {

double Spring::*number_of(Field field) {
  switch (field) {
    case Field::spring_rate:
      return &Spring::rate;
    case Field::spring_free_length:
      return &Spring::free_length;
    case Field::spring_initial_tension:
      return &Spring::initial_tension;
    case Field::spring_min_length:
      return &Spring::min_length;
    case Field::spring_max_length:
      return &Spring::max_length;
    default:
      return &Spring::max_load;
  }
}

/// Everything that follows one parameter of a model.
class Followers {
 public:
  Followers(const Study& study, const Tolerances& tolerances, int parameter)
      : study_(study),
        model_(*study.model),
        reach_(reach_of(model_, std::span(&parameter, 1), set_by_variables(study))),
        scale_(model_.parameters.size()),
        changes_(set_by_variables(study)) {
    for (const LoadCase& load_case : study.motions)
      for (const ParameterSetting& setting : load_case.settings)
        changes_[static_cast<std::size_t>(setting.parameter)] = true;
    for (const Tolerance& tolerance : tolerances.of)
      changes_[static_cast<std::size_t>(tolerance.parameter)] = true;
    scale_[static_cast<std::size_t>(parameter)] = 1.0;
    follow_parameters(parameter);
  }

  /// The spring parts that the parameter is; empty where it is anything else too.
  [[nodiscard]] std::vector<ToleranceBox::SpringPart> parts(std::size_t tolerance) const {
    std::vector<ToleranceBox::SpringPart> parts;
    if (elsewhere_ || !reach_.bounds.empty() || moves()) return parts;
    for (const int f : reach_.fields) {
      const FieldNumbers& field = model_.varying[static_cast<std::size_t>(f)];
      const auto scale = scale_of(field.numbers[0]);
      if (owner_of(field.field) != FieldOwner::spring || !scale) return {};
      const auto spring = static_cast<std::size_t>(field.element);
      auto at = std::find_if(parts.begin(), parts.end(),
                             [&](const auto& part) { return part.spring == spring; });
      if (at == parts.end()) at = parts.insert(at, {tolerance, spring, {}});
      at->followers.push_back({number_of(field.field), *scale});
    }
    return parts;
  }

 private:
  [[nodiscard]] const Expression& expression_of(const Number& number) const {
    return model_.expressions[static_cast<std::size_t>(number.expression)];
  }
  [[nodiscard]] bool set_by_motion(int parameter) const {
    return std::any_of(study_.motions.begin(), study_.motions.end(), [&](const LoadCase& own) {
      return std::any_of(own.settings.begin(), own.settings.end(),
                         [&](const auto& setting) { return setting.parameter == parameter; });
    });
  }
  [[nodiscard]] bool moves() const {
    return std::any_of(study_.motions.begin(), study_.motions.end(), [&](const LoadCase& own) {
      const auto& expressions = own.motion.expressions;
      return std::any_of(expressions.begin(), expressions.end(),
                         [&](const Expression& e) { return reach_.changes(e); });
    });
  }

  /// The factor of a number that is another name of a follower: by algebra it is the follower
  /// itself, whatever the values of the others.
  [[nodiscard]] std::optional<double> scale_of(const Number& number) const {
    if (number.fixed()) return std::nullopt;
    const Expression& expression = expression_of(number);
    for (const int used : expression.used())
      if (scale_[static_cast<std::size_t>(used)] && is_other_name(expression, used))
        return scale_[static_cast<std::size_t>(used)];
    return std::nullopt;
  }
  [[nodiscard]] bool is_other_name(const Expression& expression, int named) const {
    const AffineAnalysis analysis({NumberRange::all()});
    std::vector<AffineValue> values(model_.parameters.size());
    for (const int used : expression.used()) {
      const Number& number = model_.parameters[static_cast<std::size_t>(used)].value;
      const bool constant = number.fixed() && !changes_[static_cast<std::size_t>(used)];
      values[static_cast<std::size_t>(used)] = used == named ? analysis.unknown(0)
                                               : constant
                                                   ? AffineAnalysis::constant(number.value)
                                                   : AffineAnalysis::other(1.0, NumberRange::all());
    }
    const AffineValue value = analysis.of(expression, values);
    if (value.refusal || !value.varies) return false;
    constexpr double rounding = 1e-14;
    const auto is = [](const NumberRange& range, double number) {
      return std::abs(range.low - number) <= rounding && std::abs(range.high - number) <= rounding;
    };
    return is(value.slopes.front(), 1.0) && is(value.constant, 0.0);
  }

  /// Parameters that are another name of a follower follow it; what else reads one is elsewhere.
  void follow_parameters(int parameter) {
    for (const int p : model_.evaluation_order) {
      const auto i = static_cast<std::size_t>(p);
      if (p == parameter || !reach_.parameters[i]) continue;
      scale_[i] = scale_of(model_.parameters[i].value);
      if (!scale_[i] || set_by_motion(p)) elsewhere_ = true;
      if (scale_[i]) scale_[i] = model_.parameters[i].unit.to_si(*scale_[i]);
    }
  }

  const Study& study_;
  const Model& model_;
  Reach reach_;
  std::vector<std::optional<double>> scale_;  // per parameter: its value over the first one's
  std::vector<bool> changes_;                 // per parameter: it has no value of its own for all
  bool elsewhere_ = false;
};

bool never_negative(const ToleranceBox::SpringPart& part, const Mechanism& mechanism) {
  const bool torsion = mechanism.springs[part.spring].type == SpringType::torsion;
  return std::any_of(part.followers.begin(), part.followers.end(), [&](const auto& follower) {
    return follower.number == &Spring::rate ||
           (follower.number == &Spring::free_length && !torsion);
  });
}

}  // namespace

ToleranceBox::ToleranceBox(const Study& study, const Tolerances& tolerances)
    : study_(&study), tolerances_(&tolerances) {
  for (std::size_t t = 0; t < tolerances.of.size(); ++t) {
    const auto parts = Followers(study, tolerances, tolerances.of[t].parameter).parts(t);
    if (parts.empty()) sampled_.push_back(t);
    not_negative_.push_back(std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
      return never_negative(part, study.model->nominal);
    }));
    parts_.insert(parts_.end(), parts.begin(), parts.end());
  }
  std::stable_sort(parts_.begin(), parts_.end(),
                   [](const SpringPart& a, const SpringPart& b) { return a.spring < b.spring; });
}

std::vector<ToleranceInterval> ToleranceBox::intervals(std::span<const double> point,
                                                       std::span<const double> parameters) const {
  std::vector<ToleranceInterval> intervals;
  for (std::size_t t = 0; t < tolerances_->of.size(); ++t) {
    const Tolerance& tolerance = tolerances_->of[t];
    const auto p = static_cast<std::size_t>(tolerance.parameter);
    const double value = parameters[p];
    const double half = tolerance.half_width(value, point);
    ToleranceInterval interval{value, value - half, value + half};
    const Parameter& parameter = study_->model->parameters[p];
    if (parameter.min && parameter.min->fixed())
      interval.low = std::max(interval.low, parameter.min->value);
    if (parameter.max && parameter.max->fixed())
      interval.high = std::min(interval.high, parameter.max->value);
    if (not_negative_[t]) interval.low = std::max(interval.low, 0.0);
    intervals.push_back(interval);
  }
  return intervals;
}

void ToleranceBox::settings(std::span<const ToleranceInterval> intervals,
                            std::span<const double> shares,
                            std::vector<ParameterSetting>& out) const {
  out.clear();
  for (std::size_t i = 0; i < sampled_.size(); ++i)
    out.push_back({tolerances_->of[sampled_[i]].parameter, intervals[sampled_[i]].at(shares[i])});
}

void ToleranceBox::deviate(const SpringPart& part, const ToleranceInterval& interval, double share,
                           Spring& spring) {
  const double deviation = interval.at(share) - interval.nominal;
  for (const SpringPart::Follower& follower : part.followers)
    spring.*follower.number += follower.scale * deviation;
  // a rate cut off at 0 may come out below it by rounding
  spring.rate = std::max(spring.rate, 0.0);
  if (spring.type != SpringType::torsion) spring.free_length = std::max(spring.free_length, 0.0);
}

}  // namespace counterpoise
