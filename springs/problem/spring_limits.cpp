#include "springs/problem/spring_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "input/definition/mechanism_units.hpp"

namespace counterpoise {
namespace {

ConvexSum sum_of(const LinearInUnknowns& linear, double sign) {
  ConvexSum sum;
  sum.constant = sign * linear.constant;
  for (std::size_t i = 0; i < linear.weights.size(); ++i)
    if (linear.weights[i] != 0.0)
      sum.linear.push_back({static_cast<int>(i), sign * linear.weights[i]});
  return sum;
}

/// The sum without its constant, which goes to the bound; a limit that is always met is left out.
/// `term` is the size of the terms that add up to the limited quantity (see slack_of()).
void add_limit(LimitWords words, ConvexSum sum, double bound, SpringLimit origin, double term,
               WrittenProblem& out) {
  const double slack = slack_of(bound, std::max(std::abs(sum.constant), term));
  bound -= sum.constant;
  sum.constant = 0.0;
  const bool always_met = sum.linear.empty() && bound >= -slack;
  origin.limit = always_met ? -1 : static_cast<int>(out.limits.size());
  out.spring_limits.push_back(std::move(origin));
  if (!always_met) out.add_limit(std::move(words), std::move(sum), bound);
}

LinearInUnknowns times(double factor, LinearInUnknowns linear) {
  linear.constant *= factor;
  for (double& weight : linear.weights) weight *= factor;
  return linear;
}

/// A spring in one motion and one end of its lengths.
struct LengthEnd {
  std::size_t motion, spring;
  bool longest;
  double length;
  double term;  // the size of the terms whose difference is the length
};

/// length <= number (words.at_least: what makes the number less loosens it), or number <= length,
/// in the unknowns, multiplied by the rate where that makes it linear. Returns false where it is
/// not linear.
bool add_length_limit(LimitWords words, const SpringUnknowns& unknowns, const AffineNumber& number,
                      const LengthEnd& end, WrittenProblem& out) {
  const double length = end.length;
  const double sign = words.at_least ? 1.0 : -1.0;  // sign * (number - length) <= 0
  const auto linear = unknowns.times_rate(number, words.times);
  if (!linear) return false;
  SpringLimit origin{end.motion, end.spring,           end.longest, false,
                     sign,       times(sign, *linear), words.times};
  ConvexSum sum = sum_of(*linear, sign);
  if (words.times < 0) {
    add_limit(std::move(words), std::move(sum), sign * length, std::move(origin), end.term, out);
    return true;
  }
  const auto at = std::find_if(sum.linear.begin(), sum.linear.end(),
                               [&](const auto& term) { return term.index == words.times; });
  if (at == sum.linear.end())
    sum.linear.push_back({words.times, -sign * length});
  else
    at->weight -= sign * length;
  add_limit(std::move(words), std::move(sum), 0.0, std::move(origin), 0.0, out);
  return true;
}

/// sign * tension <= most, at this length of the spring.
void add_tension_limit(LimitWords words, const TensionLaw& law, const LengthEnd& end, double sign,
                       const LinearInUnknowns& most, WrittenProblem& out) {
  const double length = end.length;
  LinearInUnknowns tension{sign * law.known_at(end.longest, length), most.weights};
  for (double& weight : tension.weights) weight = -weight;
  for (const TensionLaw::Term& term : law.terms)
    tension.weights[term.unknown] += sign * (term.offset + term.rate * length);
  add_limit(std::move(words), sum_of(tension, 1.0), most.constant,
            {end.motion, end.spring, end.longest, true, sign, times(-1.0, most)},
            std::abs(law.offset) + std::abs(law.rate) * end.term, out);
}

/// Whether an outer variable moves a point that a spring hangs on.
bool moves(const Study& study, const SpringRoles& roles, const Spring& spring) {
  return std::any_of(roles.outer.begin(), roles.outer.end(), [&](int v) {
    const std::vector<int>& fields = study.reach[v].design.fields;
    return std::any_of(fields.begin(), fields.end(), [&](int f) {
      const FieldNumbers& field = study.model->varying[f];
      return describe(field.field).owner == FieldOwner::point && is_on_point(spring, field.element);
    });
  });
}

struct MeetingSpring {
  std::size_t spring;
  double meeting;  // the length up to which its ends meet
  bool moves;
};

/// No tension where the ends of a spring meet and nothing says which way it pulls (see
/// lacks_direction()).
void add_no_tension(const std::string& name, const TensionLaw& law, const MeetingSpring& of,
                    WrittenProblem& out) {
  for (const double sign : {1.0, -1.0}) {
    const auto beyond = [&](const auto& part) {
      return sign * part.offset - of.meeting * part.rate;
    };
    LinearInUnknowns tension{beyond(law), std::vector<double>(out.problem.lower.size(), 0.0)};
    for (const TensionLaw::Term& term : law.terms) tension.weights[term.unknown] += beyond(term);
    ConvexSum sum = sum_of(tension, 1.0);
    const double bound = -sum.constant;
    sum.constant = 0.0;
    if (sum.linear.empty() && bound >= 0.0) continue;
    out.meeting_ends.push_back({of.spring, static_cast<int>(out.limits.size()), of.moves});
    out.add_limit({"no tension where the ends of " + name + " meet", "N", sign < 0.0},
                  std::move(sum), bound);
  }
}

/// A name for the limit that a spring's key "acts" sets: "tension (acts: pull) of lean_spring".
std::string acting_name(const char* what, const Spring& spring, const std::string& of) {
  const char* sense = spring.acts == SpringActs::pull ? "pull" : "push";
  return fmt::format("{} (acts: {}) of {}", what, sense, of);
}

bool is_chosen(const SpringRoles& roles, int spring) {
  return std::any_of(roles.chosen.begin(), roles.chosen.end(), [&](int variable) {
    const auto& springs = roles.springs[variable];
    return std::binary_search(springs.begin(), springs.end(), spring);
  });
}

/// A spring in the names of its limits.
std::string limit_of(const Study& study, const Mechanism& mechanism, std::size_t spring,
                     std::size_t motion) {
  const std::string in =
      study.motions.size() > 1 ? " in motion " + study.motions[motion].name : std::string();
  return mechanism.springs[spring].name + in;
}

std::string bound_name(const Variable& variable, bool upper) {
  return fmt::format("{} at {} {:.6g}", variable.name, upper ? "most" : "least",
                     upper ? variable.high : variable.low);
}

const Location& first_variable_of(const Study& study, const SpringRoles& roles, int spring) {
  for (const int v : roles.sized) {
    const auto& springs = roles.springs[v];
    if (std::binary_search(springs.begin(), springs.end(), spring)) return study.variables[v].where;
  }
  return study.search()->where;
}

}  // namespace

void limit_springs(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                   const MotionLoads& motion, const std::vector<AffineSpring>& springs,
                   std::size_t motion_index, WrittenProblem& out) {
  for (std::size_t s = 0; s < springs.size(); ++s) {
    if (is_chosen(roles, static_cast<int>(s))) continue;
    const AffineSpring& spring = springs[s];
    const TensionLaw& law = motion.laws[s];
    const std::string name = limit_of(study, *motion.mechanism, s, motion_index);
    const bool torsion = motion.mechanism->springs[s].type == SpringType::torsion;
    const bool angular = turns(*motion.mechanism, motion.mechanism->springs[s]);
    const char* const unit = angular ? "rad" : "m";
    const AffineLoads::SpringShape& shape = motion.loads->springs[s];
    const double size = torsion ? 1.0 : shape.longest;
    const LengthEnd shortest{motion_index, s, false, shape.shortest, size};
    const LengthEnd longest{motion_index, s, true, shape.longest, size};
    const auto refuse = [&](const char* limit) {
      throw InputError(first_variable_of(study, roles, static_cast<int>(s)),
                       fmt::format("the {} of spring {} depends on what sizes it in a way that no "
                                   "linear limit can say; let it depend on the free length alone, "
                                   "or give max_load",
                                   limit, name));
    };
    if (std::isfinite(spring.min_length.constant) &&
        !add_length_limit({"min_length of " + name, unit, true}, unknowns, spring.min_length,
                          shortest, out))
      refuse("min_length");
    if (std::isfinite(spring.max_length.constant) &&
        !add_length_limit({"max_length of " + name, unit, false}, unknowns, spring.max_length,
                          longest, out))
      refuse("max_length");
    if (std::isfinite(spring.min_clearance.constant)) {
      AffineNumber apart = spring.min_clearance;  // of the axis from obstacles
      apart.constant += spring.radius.constant;
      for (std::size_t i = 0; i < apart.slopes.size(); ++i)
        apart.slopes[i] += spring.radius.slopes[i];
      if (!add_length_limit({"min_clearance of " + name, unit, true}, unknowns, apart,
                            {motion_index, s, false, shape.least_distance, size}, out))
        refuse("min_clearance");
    }
    if (std::isfinite(spring.max_load.constant)) {
      int rate = -1;
      const auto most = unknowns.times_rate(spring.max_load, rate);
      if (!most || rate >= 0) refuse("max_load");
      for (const LengthEnd& end : {shortest, longest})
        for (const double sign : {1.0, -1.0})
          add_tension_limit(
              {"max_load of " + name, angular ? "N*m" : "N", false, LimitWords::Bound::size}, law,
              end, sign, *most, out);
    }
    const Spring& own = motion.mechanism->springs[s];
    if (law.terms.empty() ? lacks_direction(own, shape.shortest, shape.meeting)
                          : shape.shortest <= shape.meeting)
      add_no_tension(name, law, {s, shape.meeting, moves(study, roles, own)}, out);
    const bool pulls = own.acts == SpringActs::pull;
    if (!pulls && own.acts != SpringActs::push) continue;
    const LinearInUnknowns none{0.0, std::vector<double>(unknowns.count(), 0.0)};
    for (const LengthEnd& end : {shortest, longest})
      add_tension_limit({acting_name("tension", own, name), "N", pulls}, law, end,
                        pulls ? -1.0 : 1.0, none, out);
    if (own.type != SpringType::gas &&
        !add_length_limit({acting_name("free_length", own, name), unit, pulls}, unknowns,
                          spring.free_length, pulls ? shortest : longest, out))
      refuse("free_length");
  }
}

void bound_products(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns,
                    WrittenProblem& out) {
  for (std::size_t i = 0; i < unknowns.count(); ++i) {
    const int rate = unknowns.all()[i].rate;
    if (rate < 0) continue;
    const Variable& variable = study.variables[roles.sized[i]];
    const int product = static_cast<int>(i);
    LimitWords words{bound_name(variable, true), "m"};
    words.times = rate;
    words.product = product;
    out.add_limit(words, {0.0, {}, {{product, 1.0}, {rate, -variable.high}}}, 0.0);
    words.name = bound_name(variable, false);
    words.at_least = true;
    out.add_limit(words, {0.0, {}, {{product, -1.0}, {rate, variable.low}}}, 0.0);
  }
}

std::vector<std::string> bound_parameters(const std::vector<ParameterBound>& bounds,
                                          const SpringUnknowns& unknowns, WrittenProblem& out) {
  std::vector<std::string> beside;
  for (const ParameterBound& one : bounds) {
    if (one.kept_by_ranges) continue;
    LimitWords words = one.words;
    auto linear = unknowns.times_rate(one.beyond, words.times);
    if (!linear) {
      beside.push_back(words.name);
      continue;
    }
    const bool own = one.bound != 0.0 && words.times < 0;
    if (own) words.bound = LimitWords::Bound::own;
    const double bound = own ? (words.at_least ? -one.bound : one.bound) : 0.0;
    ConvexSum sum = sum_of(*linear, 1.0);
    sum.constant += bound;
    out.add_limit(std::move(words), std::move(sum), bound);
  }
  return beside;
}

std::vector<IdleLength> idle_lengths(const Study& study, const SpringRoles& roles,
                                     const SpringUnknowns& unknowns,
                                     const std::vector<MotionLoads>& motions,
                                     const std::vector<std::vector<AffineSpring>>& springs,
                                     const std::vector<ParameterBound>& bounds,
                                     std::string& conflict) {
  constexpr double rounding = 1e-12;
  std::vector<IdleLength> lengths(unknowns.count());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (unknowns.all()[i].rate < 0) continue;
    const Variable& variable = study.variables[roles.sized[i]];
    double low = variable.low, high = variable.high;
    std::string least = bound_name(variable, false), most = bound_name(variable, true);
    // number(L0) <= length or >= length
    const auto narrow = [&](const AffineNumber& number, double length, bool at_most,
                            const std::string& name) {
      const double slope = number.slopes[i];
      if (!std::isfinite(number.constant) || slope == 0.0) return;
      const double at = (length - number.constant) / slope;
      if (at_most == (slope > 0.0) && at < high) {
        high = at;
        most = name;
      } else if (at_most != (slope > 0.0) && at > low) {
        low = at;
        least = name;
      }
    };
    for (std::size_t m = 0; m < motions.size(); ++m)
      for (std::size_t s = 0; s < springs[m].size(); ++s) {
        const std::string of = limit_of(study, *motions[m].mechanism, s, m);
        const AffineLoads::SpringShape& shape = motions[m].loads->springs[s];
        narrow(springs[m][s].min_length, shape.shortest, true, "min_length of " + of);
        narrow(springs[m][s].max_length, shape.longest, false, "max_length of " + of);
        const Spring& own = motions[m].mechanism->springs[s];
        if (own.type == SpringType::gas) continue;
        const std::string acting = acting_name("free_length", own, of);
        if (own.acts == SpringActs::pull)
          narrow(springs[m][s].free_length, shape.shortest, true, acting);
        else if (own.acts == SpringActs::push)
          narrow(springs[m][s].free_length, shape.longest, false, acting);
      }
    for (const ParameterBound& bound : bounds) {
      int rate = -1;
      if (!bound.kept_by_ranges && unknowns.times_rate(bound.beyond, rate) && rate >= 0)
        narrow(bound.beyond, 0.0, true, bound.words.name);
    }
    if (low > high + rounding * std::abs(high) && conflict.empty())
      conflict = least == most ? least : least + ", " + most;
    const auto own = static_cast<std::size_t>(variable.targets.front().parameter);
    high = std::max(low, high);
    lengths[i] = {low, high, std::clamp(study.model->nominal_values[own], low, high)};
  }
  return lengths;
}

}  // namespace counterpoise
