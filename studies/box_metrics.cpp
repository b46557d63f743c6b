#include "studies/box_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/math/pack.hpp"
#include "input/definition/model.hpp"
#include "input/expressions/affine.hpp"

namespace counterpoise {
namespace {

/// Sums and maxima over a series of sizes of loads; of as many series at once as S has lanes.
template <class S>
struct Sums {
  S max = 0.0, peak_power = 0.0, sum = 0.0, squares = 0.0, work = 0.0;
};

/// Those of series whose sizes are each times `scale`.
template <class S, class Size>
Sums<S> sums_of(const AffineLoads& loads, const std::vector<double>& velocity, const Size& size,
                double scale) {
  Sums<S> sums;
  for (std::size_t k = 0; k < static_cast<std::size_t>(loads.samples); ++k) {
    const double weight = loads.weight(k);
    const S load = size(k) * scale;
    const S power = loads.poses ? S(0.0) : S(load * std::abs(velocity[k]));
    sums.max = larger(sums.max, load);
    sums.peak_power = larger(sums.peak_power, power);
    sums.sum += weight * load;
    sums.squares += weight * load * load;
    sums.work += weight * power;
  }
  return sums;
}

ActuatorMetrics metrics_of(const Sums<double>& sums, const AffineLoads& loads, double scale) {
  const double weights = loads.all_weights();
  ActuatorMetrics metrics;
  metrics.max = sums.max / scale;
  metrics.peak_power = sums.peak_power / scale;
  metrics.mean = sums.sum / weights / scale;
  metrics.rms = std::sqrt(sums.squares / weights) / scale;
  metrics.energy = loads.samples > 1 ? sums.work * loads.step / scale : 0.0;
  return metrics;
}

/// Metrics of a series of sizes of loads.
template <class Size>
ActuatorMetrics summed(const AffineLoads& loads, const std::vector<double>& velocity,
                       const Size& size) {
  const Sums<double> sums = sums_of<double>(loads, velocity, size, 1.0);
  if (!lost_in_sum(sums.squares, sums.max)) return metrics_of(sums, loads, 1.0);
  const double scale = scale_of(sums.max);
  return metrics_of(sums_of<double>(loads, velocity, size, scale), loads, scale);
}

void keep_largest(const ActuatorMetrics& other, ActuatorMetrics& largest) {
  largest.max = std::max(largest.max, other.max);
  largest.mean = std::max(largest.mean, other.mean);
  largest.rms = std::max(largest.rms, other.rms);
  largest.energy = std::max(largest.energy, other.energy);
  largest.peak_power = std::max(largest.peak_power, other.peak_power);
}

SpringMetrics spring_metrics(const AffineLoads::SpringShape& shape, const Spring& spring) {
  const double first = tension_of(spring, shape.shortest);
  const double last = tension_of(spring, shape.longest);
  return {shape.shortest, shape.longest, std::max(std::abs(first), std::abs(last)),
          std::min(first, last),
          shape.distance.empty() ? 0.0 : shape.least_distance - spring.radius};
}

/// Advances to the next combination of one index per size, the last index fastest; false after the
/// last.
template <class SizeOf>
bool advance(std::span<const std::size_t> places, const SizeOf& size_of,
             std::vector<std::size_t>& choice) {
  for (std::size_t i = places.size(); i-- > 0;) {
    if (++choice[places[i]] < size_of(places[i])) return true;
    choice[places[i]] = 0;
  }
  return false;
}

}  // namespace

ActuatorMetrics metrics_of(const AffineLoads& loads, std::size_t actuator,
                           std::span<const SpringLaw> laws) {
  const AffineLoads::ActuatorLoad& load = loads.actuators[actuator];
  std::vector<double> series = load.bare;
  for (const AffineLoads::Influence& influence : load.influences) {
    const auto s = static_cast<std::size_t>(influence.spring);
    const std::vector<double>& length = loads.springs[s].length;
    for (std::size_t k = 0; k < series.size(); ++k)
      series[k] += influence.per_tension[k] * (laws[s].rate * length[k] + laws[s].offset);
  }
  return summed(loads, load.velocity, [&](std::size_t k) { return std::abs(series[k]); });
}

void add_metrics(const AffineLoads& loads, std::size_t actuator,
                 std::span<const std::vector<SpringLaw>> laws, std::vector<ActuatorMetrics>& out) {
  struct Term {
    const double *per_tension, *length;
    Pack rate, offset;
  };
  const AffineLoads::ActuatorLoad& load = loads.actuators[actuator];
  std::vector<Term> terms;
  for (std::size_t first = 0; first < laws.size(); first += lanes<Pack>) {
    const std::size_t count = std::min<std::size_t>(lanes<Pack>, laws.size() - first);
    terms.clear();
    for (const AffineLoads::Influence& influence : load.influences) {
      const auto s = static_cast<std::size_t>(influence.spring);
      Term& term = terms.emplace_back();
      term.per_tension = influence.per_tension.data();
      term.length = loads.springs[s].length.data();
      for (std::size_t i = 0; i < count; ++i) {
        set_lane(term.rate, static_cast<int>(i), laws[first + i][s].rate);
        set_lane(term.offset, static_cast<int>(i), laws[first + i][s].offset);
      }
    }
    const auto size = [&](std::size_t k) {
      Pack sum(load.bare[k]);
      for (const Term& term : terms)
        sum += term.per_tension[k] * (term.rate * term.length[k] + term.offset);
      return abs(sum);
    };
    const Sums<Pack> sums = sums_of<Pack>(loads, load.velocity, size, 1.0);
    for (std::size_t i = 0; i < count; ++i) {
      const auto own = [i](const Pack& pack) { return lane(pack, static_cast<int>(i)); };
      const Sums<double> one = {own(sums.max), own(sums.peak_power), own(sums.sum),
                                own(sums.squares), own(sums.work)};
      out.push_back(lost_in_sum(one.squares, one.max) ? metrics_of(loads, actuator, laws[first + i])
                                                      : metrics_of(one, loads, 1.0));
    }
  }
}

BoxMetrics::BoxMetrics(std::span<const BoxMotion> motions, std::span<const MotionMetrics> parts,
                       const Metrics& base, std::size_t most_corners)
    : current_(base) {
  find_distinct(motions);
  find_tables(motions, most_corners);
  std::vector<Metrics> by_motion(motions.size());
  std::vector<MotionMetrics> shares(parts.begin(), parts.end());
  for (std::size_t m = 0; m < motions.size(); ++m) {
    fill(motions[m], by_motion[m]);
    shares[m].metrics = &by_motion[m];
  }
  combine(shares, all_);
  choice_.assign(distinct_.size(), 0);
  if (!every_corner_) take_worst();
}

/// Keeps one of all corners with the same law and radius: corners may differ in limits only, or not
/// at all.
void BoxMetrics::find_distinct(std::span<const BoxMotion> motions) {
  const std::size_t springs = motions.front().corners.size();
  distinct_.resize(springs);
  for (std::size_t s = 0; s < springs; ++s)
    for (std::size_t c = 0; c < motions.front().corners[s].laws.size(); ++c) {
      const auto same = [&](std::size_t other) {
        return std::all_of(motions.begin(), motions.end(), [&](const BoxMotion& motion) {
          const SpringLaw &a = motion.corners[s].laws[c], &b = motion.corners[s].laws[other];
          return a.rate == b.rate && a.offset == b.offset &&
                 motion.corners[s].springs[c].radius == motion.corners[s].springs[other].radius;
        });
      };
      if (std::none_of(distinct_[s].begin(), distinct_[s].end(), same)) distinct_[s].push_back(c);
    }
}

void BoxMetrics::find_tables(std::span<const BoxMotion> motions, std::size_t most_corners) {
  for (const std::vector<std::size_t>& corners : distinct_) {
    every_corner_ = every_corner_ && count_ <= most_corners / corners.size();
    if (every_corner_) count_ *= corners.size();
  }
  if (!every_corner_) count_ = 1;
  std::size_t next = 0;
  for (const AffineLoads::ActuatorLoad& load : motions.front().loads.actuators) {
    Table& table = tables_.emplace_back();
    table.first = next;
    table.count = 1;
    for (const AffineLoads::Influence& influence : load.influences) {
      const auto s = static_cast<std::size_t>(influence.spring);
      if (distinct_[s].size() == 1) continue;
      table.bounded = table.bounded || table.count > most_corners / distinct_[s].size();
      table.count *= table.bounded ? 1 : distinct_[s].size();
      table.springs.push_back(s);
    }
    if (table.bounded) table.count = 1;
    if (table.springs.empty()) table.count = 0;
    next += table.count;
  }
  next = 0;
  for (const std::vector<std::size_t>& corners : distinct_) {
    spring_first_.push_back(next);
    next += corners.size();
  }
}

/// Fills in every entry of every table for one motion.
void BoxMetrics::fill(const BoxMotion& motion, Metrics& out) const {
  const AffineLoads& loads = motion.loads;
  std::vector<std::size_t> choice(distinct_.size(), 0);
  std::vector<std::vector<SpringLaw>> laws;  // per corner, per spring
  LoadRange range;
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    const Table& table = tables_[a];
    if (table.count == 0) continue;
    if (table.bounded) {
      load_range(loads, a, motion.corners, range);
      const auto size = [&](std::size_t k) { return std::max(-range.least[k], range.greatest[k]); };
      out.actuators.push_back(summed(loads, loads.actuators[a].velocity, size));
      continue;
    }
    laws.clear();
    do {
      std::vector<SpringLaw>& own = laws.emplace_back(distinct_.size());
      for (std::size_t s = 0; s < own.size(); ++s)
        own[s] = motion.corners[s].laws[distinct_[s][choice[s]]];
    } while (advance(
        table.springs, [&](std::size_t s) { return distinct_[s].size(); }, choice));
    add_metrics(loads, a, laws, out.actuators);
  }
  for (std::size_t s = 0; s < distinct_.size(); ++s)
    for (const std::size_t c : distinct_[s])
      out.springs.push_back(spring_metrics(loads.springs[s], motion.corners[s].springs[c]));
}

/// The table's entry for the corners chosen in choice_, in the order of fill().
std::size_t BoxMetrics::entry(const Table& table) const {
  std::size_t index = 0;
  for (const std::size_t s : table.springs) index = index * distinct_[s].size() + choice_[s];
  return table.first + index;
}

void BoxMetrics::take_worst() {
  for (std::size_t a = 0; a < tables_.size(); ++a)
    for (std::size_t i = 0; i < tables_[a].count; ++i)
      keep_largest(all_.actuators[tables_[a].first + i], current_.actuators[a]);
  for (std::size_t s = 0; s < distinct_.size(); ++s)
    for (std::size_t c = 0; c < distinct_[s].size(); ++c) {
      const SpringMetrics& own = all_.springs[spring_first_[s] + c];
      SpringMetrics& worst = current_.springs[s];
      worst.max_tension = std::max(worst.max_tension, own.max_tension);
      worst.min_tension = std::min(worst.min_tension, own.min_tension);
      worst.clearance = std::min(worst.clearance, own.clearance);
    }
}

const Metrics& BoxMetrics::at(std::size_t corner) {
  if (!every_corner_) return current_;
  for (std::size_t s = distinct_.size(); s-- > 0;) {
    choice_[s] = corner % distinct_[s].size();
    corner /= distinct_[s].size();
  }
  for (std::size_t a = 0; a < tables_.size(); ++a)
    if (tables_[a].count > 0) current_.actuators[a] = all_.actuators[entry(tables_[a])];
  for (std::size_t s = 0; s < distinct_.size(); ++s)
    if (distinct_[s].size() > 1) current_.springs[s] = all_.springs[spring_first_[s] + choice_[s]];
  return current_;
}

namespace {

/// A bound with its sign (+1 for an upper one), and the size of the terms whose sum it bounds.
struct Bound {
  double value, sign, term;

  /// How far a number lies beyond the bound, relative to its size; 0 where it keeps it.
  [[nodiscard]] double excess(double number) const {
    if (std::isinf(value)) return 0.0;
    const double beyond = (number - value) * sign;
    if (!(beyond > slack_of(value, term))) return 0.0;
    return value == 0.0 ? beyond : beyond / std::abs(value);
  }
};

/// Whether a sample is a pose that is left out, in whose place another one stands.
bool is_left_out(const AffineLoads& loads, std::size_t k) {
  return loads.weight(k) == 0.0;
}

/// The first sample of a series beyond a bound, or nothing.
template <class Value>
std::optional<Finding> first_beyond(FindingKind kind, std::size_t element, const Bound& bound,
                                    const AffineLoads& loads, const Value& value) {
  if (std::isinf(bound.value)) return std::nullopt;
  for (int k = 0; k < loads.samples; ++k) {
    const double x = value(static_cast<std::size_t>(k));
    if (is_left_out(loads, static_cast<std::size_t>(k))) continue;
    if (const double beyond = bound.excess(x); beyond > 0.0)
      return Finding{kind, static_cast<int>(element), k * loads.step, x, bound.value, beyond};
  }
  return std::nullopt;
}

std::optional<Finding> broken_by_spring(std::size_t s, const AffineLoads::SpringShape& shape,
                                        const AffineLoads& loads, const Spring& spring) {
  const auto length = [&](std::size_t k) { return shape.length[k]; };
  const auto tension = [&](std::size_t k) { return tension_of(spring, shape.length[k]); };
  const auto size = [&](std::size_t k) { return std::abs(tension(k)); };
  const double first = tension_of(spring, shape.shortest);
  const double last = tension_of(spring, shape.longest);
  const ActingLimits acting = acting_limits(spring);
  const double terms = size_of_tension(spring, shape.longest);
  const double way = std::abs(shape.longest);
  if (lacks_direction(spring, shape.shortest, shape.meeting)) {
    std::size_t k = 0;
    while (shape.length[k] > shape.meeting || is_left_out(loads, k)) ++k;
    return Finding{FindingKind::spring_without_direction, static_cast<int>(s),
                   static_cast<double>(k) * loads.step, shape.length[k], shape.meeting};
  }
  std::optional<Finding> found;
  const auto check = [&](FindingKind kind, double extreme, const Bound& bound, const auto& value) {
    if (!found && bound.excess(extreme) > 0.0) found = first_beyond(kind, s, bound, loads, value);
  };
  using Kind = FindingKind;
  check(Kind::spring_too_short, shape.shortest, {spring.min_length, -1.0, way}, length);
  check(Kind::spring_too_long, shape.longest, {spring.max_length, 1.0, way}, length);
  const auto clearance = [&](std::size_t k) { return shape.distance[k] - spring.radius; };
  check(Kind::spring_too_near, shape.least_distance - spring.radius,
        {spring.min_clearance, -1.0, way}, clearance);
  if (found && found->kind == Kind::spring_too_near)
    found->obstacle = static_cast<int>(
        shape.nearest[static_cast<std::size_t>(std::lround(found->time / loads.step))]);
  check(Kind::spring_overloaded, std::max(std::abs(first), std::abs(last)),
        {spring.max_load, 1.0, terms}, size);
  check(Kind::spring_pushes, std::min(first, last), {acting.min_tension, -1.0, terms}, tension);
  check(Kind::spring_pulls, std::max(first, last), {acting.max_tension, 1.0, terms}, tension);
  check(Kind::spring_below_free_length, shape.shortest, {acting.min_length, -1.0, way}, length);
  check(Kind::spring_above_free_length, shape.longest, {acting.max_length, 1.0, way}, length);
  return found;
}

}  // namespace

std::vector<SpringCorners> corners_of(const Mechanism& mechanism, const ToleranceBox& box,
                                      std::span<const ToleranceInterval> intervals) {
  std::vector<SpringCorners> corners(mechanism.springs.size());
  for (std::size_t s = 0; s < corners.size(); ++s) corners[s].springs = {mechanism.springs[s]};
  for (const ToleranceBox::SpringPart& part : box.spring_parts()) {
    std::vector<Spring>& springs = corners[part.spring].springs;
    const std::size_t before = springs.size();
    for (std::size_t c = 0; c < before; ++c) {
      springs.push_back(springs[c]);
      ToleranceBox::deviate(part, intervals[part.tolerance], 0.0, springs[c]);
      ToleranceBox::deviate(part, intervals[part.tolerance], 1.0, springs.back());
    }
  }
  for (SpringCorners& own : corners)
    for (const Spring& spring : own.springs) own.laws.push_back(law_of(spring));
  return corners;
}

void load_range(const AffineLoads& loads, std::size_t actuator,
                std::span<const SpringCorners> corners, LoadRange& out) {
  const AffineLoads::ActuatorLoad& load = loads.actuators[actuator];
  out.least = load.bare;
  out.greatest = load.bare;
  for (const AffineLoads::Influence& influence : load.influences) {
    const auto s = static_cast<std::size_t>(influence.spring);
    const std::vector<double>& length = loads.springs[s].length;
    for (std::size_t k = 0; k < length.size(); ++k) {
      double least = std::numeric_limits<double>::infinity(), greatest = -least;
      for (const SpringLaw& law : corners[s].laws) {
        const double part = influence.per_tension[k] * (law.rate * length[k] + law.offset);
        least = std::min(least, part);
        greatest = std::max(greatest, part);
      }
      out.least[k] += least;
      out.greatest[k] += greatest;
    }
  }
}

std::optional<Finding> first_broken_limit(const Mechanism& mechanism, const AffineLoads& loads,
                                          std::span<const SpringCorners> corners) {
  for (std::size_t s = 0; s < corners.size(); ++s)
    for (std::size_t c = 0; c < corners[s].springs.size(); ++c)
      if (auto finding = broken_by_spring(s, loads.springs[s], loads, corners[s].springs[c]))
        return finding;
  LoadRange range;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const double bound = mechanism.actuators[a].max_load;
    if (std::isinf(bound)) continue;
    load_range(loads, a, corners, range);
    const auto size = [&](std::size_t k) { return std::max(-range.least[k], range.greatest[k]); };
    if (auto finding =
            first_beyond(FindingKind::actuator_overloaded, a, {bound, 1.0, 0.0}, loads, size))
      return finding;
  }
  return std::nullopt;
}

namespace {

/// Finds every number that follows one parameter of a model, and whether only springs do.
class Followers {
 public:
  Followers(const Study& study, const Tolerances& tolerances, int parameter)
      : study_(study),
        model_(*study.model),
        reach_(reach_of(model_, std::span(&parameter, 1), set_by_variables(study))),
        scale_(model_.parameters.size()),
        changes_(set_by_variables(study)) {
    for (const LoadCase& load_case : study.motions)
      for (const ParameterSetting& setting : load_case.settings) changes_[setting.parameter] = true;
    for (const Tolerance& tolerance : tolerances.of) changes_[tolerance.parameter] = true;
    scale_[parameter] = 1.0;
    follow_parameters(parameter);
  }

  /// The spring parts that follow the parameter; empty if anything else reads it too.
  [[nodiscard]] std::vector<ToleranceBox::SpringPart> parts(std::size_t tolerance) const {
    std::vector<ToleranceBox::SpringPart> parts;
    if (elsewhere_ || !reach_.bounds.empty() || moves()) return parts;
    if (model_.load_friction_joint() >= 0) return parts;  // not affine
    for (const int f : reach_.fields) {
      const FieldNumbers& field = model_.varying[f];
      const auto scale = scale_of(field.numbers[0]);
      if (describe(field.field).owner != FieldOwner::spring || !scale) return {};
      if (field.field == Field::spring_friction || field.field == Field::spring_mass)
        return {};  // no part of the law
      const auto spring = static_cast<std::size_t>(field.element);
      if (!model_.nominal.springs[spring].is_straight()) return {};  // not affine
      auto at = std::find_if(parts.begin(), parts.end(),
                             [&](const auto& part) { return part.spring == spring; });
      if (at == parts.end()) at = parts.insert(at, {tolerance, spring, {}});
      at->followers.push_back({describe(field.field).spring_number, *scale});
    }
    return parts;
  }

 private:
  [[nodiscard]] const Expression& expression_of(const Number& number) const {
    return model_.expressions[number.expression];
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

  /// The factor of a number that is a follower under another name: by algebra equal to it, whatever
  /// values the other parameters have.
  [[nodiscard]] std::optional<double> scale_of(const Number& number) const {
    if (number.fixed()) return std::nullopt;
    const Expression& expression = expression_of(number);
    for (const int used : expression.used())
      if (scale_[used] && is_other_name(expression, used)) return scale_[used];
    return std::nullopt;
  }
  [[nodiscard]] bool is_other_name(const Expression& expression, int named) const {
    const AffineAnalysis analysis({NumberRange::all()});
    std::vector<AffineValue> values(model_.parameters.size());
    for (const int used : expression.used()) {
      const Number& number = model_.parameters[used].value;
      const bool constant = number.fixed() && !changes_[used];
      values[used] = used == named ? analysis.unknown(0)
                     : constant    ? AffineAnalysis::constant(number.value)
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

  /// Parameters that are another name of a follower follow it; any other use of a follower counts
  /// as elsewhere.
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
