#include "springs/problem/unknowns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

std::vector<int> used_by(const AffineNumber& number) {
  std::vector<int> used;
  for (std::size_t i = 0; i < number.slopes.size(); ++i)
    if (number.slopes[i] != 0.0) used.push_back(static_cast<int>(i));
  return used;
}

}  // namespace

SpringUnknowns::SpringUnknowns(const Study& study, const SpringRoles& roles,
                               const std::vector<std::vector<AffineSpring>>& springs) {
  const auto variable_of = [&](int i) -> const Variable& {
    const auto at = static_cast<std::size_t>(roles.sized[i]);
    return study.variables[at];
  };
  for (std::size_t i = 0; i < roles.sized.size(); ++i) {
    const Variable& variable = variable_of(static_cast<int>(i));
    unknowns_.push_back({static_cast<int>(i), -1});
    low_.push_back(variable.low);
    high_.push_back(variable.high);
  }
  std::vector<bool> is_rate(unknowns_.size(), false), is_plain(unknowns_.size(), false);
  for (const auto& of_motion : springs)
    for (const AffineSpring& spring : of_motion)
      for (const int i : used_by(spring.rate)) is_rate[i] = true;

  for (const auto& of_motion : springs)
    for (const AffineSpring& spring : of_motion) {
      const std::vector<int> rates = used_by(spring.rate);
      for (const int length : used_by(spring.free_length)) {
        const auto at = static_cast<std::size_t>(length);
        const Variable& variable = variable_of(length);
        if (is_rate[at])
          throw InputError(variable.where,
                           fmt::format("variable {} is a rate and a free length at once; an exact "
                                       "search needs a variable for each",
                                       variable.name));
        if (rates.empty()) {
          if (spring.rate.constant != 0.0) is_plain[at] = true;
          continue;
        }
        const bool alone = rates.size() == 1 && spring.rate.constant == 0.0;
        SpringUnknown& unknown = unknowns_[at];
        if (!alone || (unknown.rate >= 0 && unknown.rate != rates.front()))
          throw InputError(variable.where,
                           fmt::format("free length {} goes with more than one rate; an exact "
                                       "search needs one variable for the rate of its springs, "
                                       "in proportion",
                                       variable.name));
        unknown.rate = rates.front();
      }
    }
  for (const auto& of_motion : springs)
    for (const AffineSpring& spring : of_motion)
      for (const int i : used_by(spring.initial_tension))
        if (unknowns_[i].rate >= 0)
          throw InputError(variable_of(i).where,
                           fmt::format("free length {} goes with a rate that is sized, and enters "
                                       "an initial tension too; an exact search knows it only as "
                                       "their product: give the initial tension a variable of its "
                                       "own",
                                       variable_of(i).name));
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (is_plain[i] && unknowns_[i].rate >= 0)
      throw InputError(variable_of(static_cast<int>(i)).where,
                       fmt::format("free length {} goes with a rate that is sized and with one "
                                   "that is not; an exact search needs a variable for each",
                                   variable_of(static_cast<int>(i)).name));
}

TensionLaw SpringUnknowns::law_of(const AffineSpring& spring) const {
  const AffineNumber &rate = spring.rate, &free = spring.free_length;
  TensionLaw law;
  law.rate = rate.constant;
  law.offset = spring.initial_tension.constant - rate.constant * free.constant;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    TensionLaw::Term term{static_cast<int>(i), 0.0, rate.slopes[i]};
    term.offset = spring.initial_tension.slopes[i] - rate.slopes[i] * free.constant;
    if (free.slopes[i] != 0.0) {
      const int product = unknowns_[i].rate;
      term.offset -= free.slopes[i] * (product < 0 ? rate.constant : rate.slopes[product]);
    }
    if (term.offset != 0.0 || term.rate != 0.0) law.terms.push_back(term);
  }
  return law;
}

std::optional<LinearInUnknowns> SpringUnknowns::times_rate(const AffineNumber& number,
                                                           int& rate) const {
  LinearInUnknowns linear;
  linear.weights.assign(unknowns_.size(), 0.0);
  const std::vector<int> used = used_by(number);
  rate = -1;
  for (const int i : used) {
    const int product = unknowns_[i].rate;
    if (product < 0) continue;
    if (rate >= 0 && rate != product) return std::nullopt;
    rate = product;
  }
  for (const int i : used) {
    const auto at = static_cast<std::size_t>(i);
    if (rate >= 0 && unknowns_[at].rate < 0) return std::nullopt;
    linear.weights[at] = number.slopes[at];
  }
  if (rate < 0)
    linear.constant = number.constant;
  else
    linear.weights[rate] += number.constant;
  return linear;
}

double SpringUnknowns::without_rounding(std::size_t i, double number) const {
  constexpr double rounding = 1e-12;  // of the range
  const bool nothing = low_[i] < 0.0 && high_[i] > 0.0 &&
                       std::abs(number) <= rounding * std::max(-low_[i], high_[i]);
  return nothing ? 0.0 : number;
}

std::vector<double> SpringUnknowns::variables_at(const std::vector<double>& x,
                                                 const std::vector<IdleLength>& lengths) const {
  std::vector<double> u(unknowns_.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const int rate = unknowns_[i].rate;
    u[i] = x[i];
    if (rate >= 0) {
      const double by = x[rate];
      u[i] = by > 0.0 ? std::clamp(x[i] / by, lengths[i].low, lengths[i].high) : lengths[i].idle;
    }
    u[i] = without_rounding(i, std::clamp(u[i], low_[i], high_[i]));
  }
  return u;
}

void SpringUnknowns::tidy(std::vector<double>& x, const std::vector<IdleLength>& lengths) const {
  for (std::size_t i = 0; i < x.size() && i < unknowns_.size(); ++i) {
    const int rate = unknowns_[i].rate;
    if (rate < 0) {
      x[i] = without_rounding(i, x[i]);
      continue;
    }
    const double by = x[rate];
    x[i] = std::clamp(x[i], lengths[i].low * by, lengths[i].high * by);
  }
}

namespace {

/// The numbers of a spring as a field and as an affine function.
struct SpringNumber {
  Field field;
  AffineNumber AffineSpring::*affine;
};
constexpr std::array<SpringNumber, 8> spring_numbers = {
    {{Field::spring_rate, &AffineSpring::rate},
     {Field::spring_free_length, &AffineSpring::free_length},
     {Field::spring_initial_tension, &AffineSpring::initial_tension},
     {Field::spring_min_length, &AffineSpring::min_length},
     {Field::spring_max_length, &AffineSpring::max_length},
     {Field::spring_max_load, &AffineSpring::max_load},
     {Field::spring_radius, &AffineSpring::radius},
     {Field::spring_min_clearance, &AffineSpring::min_clearance}}};

std::vector<NumberRange> ranges_of_sized(const Study& study, const SpringRoles& roles) {
  std::vector<NumberRange> ranges;
  for (const int v : roles.sized) {
    const Variable& variable = study.variables[v];
    ranges.push_back({variable.low, variable.high});
  }
  return ranges;
}

/// The numbers of springs as constants: no number follows a sized variable.
std::vector<AffineSpring> fixed_springs(const std::vector<Spring>& springs, std::size_t count) {
  std::vector<AffineSpring> fixed(springs.size());
  for (std::size_t s = 0; s < springs.size(); ++s)
    for (const SpringNumber& number : spring_numbers) {
      AffineNumber& affine = fixed[s].*number.affine;
      affine.constant = springs[s].*describe(number.field).spring_number;
      affine.slopes.assign(count, 0.0);
    }
  return fixed;
}

/// 0 for a coefficient that can only be 0, else 1.
double structure_of(const NumberRange& coefficient) {
  return coefficient.low == 0.0 && coefficient.high == 0.0 ? 0.0 : 1.0;
}

NumberRange range_of_levels(const VariableTarget& target) {
  const auto [low, high] = std::minmax_element(target.by_level.begin(), target.by_level.end());
  return {*low, *high};
}

}  // namespace

SpringLaws::SpringLaws(const Study& study, const SpringRoles& roles)
    : study_(study),
      roles_(roles),
      analysis_(ranges_of_sized(study, roles)),
      parameters_(study.motions.size()),
      computed_(study.motions.size()),
      laws_(study.motions.size()) {
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    follow_parameters(m);
    find_laws(m);
  }
}

/// The value of a parameter that a variable sets.
AffineValue SpringLaws::set_value(const Variable& variable, std::size_t index,
                                  const VariableTarget& target) const {
  if (variable.discrete())
    return AffineAnalysis::other(target.by_level.front(), range_of_levels(target));
  const auto sized = std::find(roles_.sized.begin(), roles_.sized.end(), static_cast<int>(index));
  const AffineValue value =
      sized == roles_.sized.end()
          ? AffineAnalysis::other(variable.low, {variable.low, variable.high})
          : analysis_.unknown(static_cast<std::size_t>(sized - roles_.sized.begin()));
  return target.expression ? analysis_.of(*target.expression, std::span(&value, 1)) : value;
}

/// All parameters of the model in one motion, over the ranges of everything.
void SpringLaws::follow_parameters(std::size_t motion) {
  std::vector<AffineValue>& values = parameters_[motion];
  for (const Parameter& parameter : study_.model->parameters)
    values.push_back(AffineAnalysis::constant(parameter.value.value));
  std::vector<bool> set(values.size(), false);
  const auto give = [&](int parameter, AffineValue value) {
    values[parameter] = std::move(value);
    set[parameter] = true;
  };
  for (std::size_t v = 0; v < study_.variables.size(); ++v)
    for (const VariableTarget& target : study_.variables[v].targets)
      give(target.parameter, set_value(study_.variables[v], v, target));
  for (const ParameterSetting& setting : study_.motions[motion].settings)
    give(setting.parameter, AffineAnalysis::constant(setting.value));
  for (const int p : study_.model->evaluation_order) {
    if (set[p]) continue;
    values[p] = computed(motion, p);
    if (values[p].varies) computed_[motion].push_back(p);
  }
}

/// A parameter's expression from the values of those it reads.
AffineValue SpringLaws::computed(std::size_t motion, int index) const {
  const Model& model = *study_.model;
  const Parameter& parameter = model.parameters[index];
  const auto e = static_cast<std::size_t>(parameter.value.expression);
  return analysis_.scaled(analysis_.of(model.expressions[e], parameters_[motion]),
                          parameter.unit.times, parameter.unit.over);
}

void SpringLaws::find_laws(std::size_t motion) {
  const Model& model = *study_.model;
  structure_.push_back(fixed_springs(model.nominal.springs, roles_.sized.size()));
  for (const FieldNumbers& field : model.varying) {
    if (describe(field.field).owner != FieldOwner::spring) continue;
    const Number& number = field.numbers.front();
    if (number.fixed()) continue;
    const auto spring = static_cast<std::size_t>(field.element);
    const auto own = std::find_if(spring_numbers.begin(), spring_numbers.end(),
                                  [&](const SpringNumber& n) { return n.field == field.field; });
    if (own == spring_numbers.end()) continue;  // friction, mass or a group, which are known
    const AffineValue value =
        analysis_.of(model.expressions[number.expression], parameters_[motion]);
    if (value.refusal)
      refuse(*value.refusal, describe(field.field).key.sliding, model.nominal.springs[spring].name);
    AffineNumber& structure = structure_[motion][spring].*own->affine;
    structure.constant = structure_of(value.constant);
    if (!value.varies) continue;
    std::transform(value.slopes.begin(), value.slopes.end(), structure.slopes.begin(),
                   structure_of);
    laws_[motion].push_back({spring, own->affine, number.expression});
  }
}

void SpringLaws::refuse(const AffineRefusal& refusal, std::string_view number,
                        const std::string& spring) {
  refusal.expression.refuse(
      refusal.at,
      fmt::format("{}; so the {} of spring {} is no affine function (a*x + b) of the variables "
                  "that size it over their whole ranges, and its springs cannot be sized exactly; "
                  "narrow the ranges, or search with the method \"nlopt\"",
                  refusal.why, number, spring));
}

/// Parameters that do not depend on sized variables have the values of the design; the others are
/// computed from them.
void SpringLaws::take_present(std::size_t motion, std::span<const double> parameters) {
  std::vector<AffineValue>& values = parameters_[motion];
  for (std::size_t p = 0; p < values.size(); ++p)
    if (!values[p].varies) values[p] = AffineAnalysis::constant(parameters[p]);
  for (const int p : computed_[motion]) values[p] = computed(motion, p);
}

std::vector<std::vector<AffineSpring>> SpringLaws::of(const CaseDesign& design) {
  const std::size_t count = roles_.sized.size();
  std::vector<std::vector<AffineSpring>> found(study_.motions.size());
  for (std::size_t m = 0; m < found.size(); ++m) {
    const std::vector<Spring>& springs = design.mechanism(m).springs;
    found[m] = fixed_springs(springs, count);
    take_present(m, design.parameters(m));
    for (const Law& law : laws_[m]) {
      const auto e = static_cast<std::size_t>(law.expression);
      found[m][law.spring].*law.number =
          analysis_.of(study_.model->expressions[e], parameters_[m]).number;
    }
  }
  return found;
}

}  // namespace counterpoise
