#include "optimizer/convex/choice/part_values.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr int no_group = -1, several_groups = -2;

/// The group that a norm reads, or one of the two numbers above.
int group_read_by(const ConvexProblem& problem, const SeriesNorm& norm,
                  const std::vector<int>& group_of_unknown) {
  int group = no_group;
  for (const SeriesNorm::Part& part : norm.parts)
    for (const AffineSeries::Column& column : problem.series[part.series].columns) {
      const int own = group_of_unknown[column.variable];
      if (group != no_group && group != own) return several_groups;
      group = own;
    }
  return group;
}

void set_option(const ChoiceGroup& group, int option, std::vector<double>& x) {
  const std::vector<double>& values = group.options[option];
  for (std::size_t i = 0; i < values.size(); ++i) x[group.unknowns[i]] = values[i];
}

}  // namespace

PartValues::PartValues(const ChoiceProblem& problem) : problem_(problem) {
  std::vector<double> x(problem.convex.lower.size(), 0.0);
  std::vector<int> group_of_unknown(x.size(), several_groups);
  for (std::size_t g = 0; g < problem.groups.size(); ++g)
    for (const int unknown : problem.groups[g].unknowns)
      group_of_unknown[unknown] = static_cast<int>(g);
  for (const SeriesNorm& norm : problem.convex.norms) {
    const int own = group_read_by(problem.convex, norm, group_of_unknown);
    group_of_.push_back(own >= 0 ? own : -1);
    std::vector<double>& values = of_options_.emplace_back();
    if (own < 0) continue;
    const ChoiceGroup& group = problem.groups[own];
    for (int o = 0; o < static_cast<int>(group.options.size()); ++o) {
      set_option(group, o, x);
      values.push_back(counterpoise::value_of(problem.convex, norm, x));
    }
  }
}

std::optional<double> PartValues::value_of(const std::vector<int>& options,
                                           Scratch& scratch) const {
  std::vector<double>&x = scratch.x, &norms = scratch.norms;
  x.assign(problem_.convex.lower.size(), 0.0);
  norms.resize(problem_.convex.norms.size());
  for (std::size_t g = 0; g < options.size(); ++g) set_option(problem_.groups[g], options[g], x);
  for (std::size_t n = 0; n < norms.size(); ++n)
    norms[n] = group_of_[n] >= 0
                   ? of_options_[n][options[group_of_[n]]]
                   : counterpoise::value_of(problem_.convex, problem_.convex.norms[n], x);
  const auto sum_of = [&](const ConvexSum& sum) {
    double value = sum.constant;
    for (const ConvexSum::Term& term : sum.norms) value += term.weight * norms[term.index];
    for (const ConvexSum::Term& term : sum.linear) value += term.weight * x[term.index];
    return value;
  };
  for (const ConvexLimit& limit : problem_.convex.limits) {
    double size = std::abs(limit.bound);
    for (const ConvexSum::Term& term : limit.sum.linear)
      size = std::max(size, std::abs(term.weight * x[term.index]));
    if (sum_of(limit.sum) > limit.bound + ConvexTolerances::agreement * size) return std::nullopt;
  }
  double largest = sum_of(problem_.convex.objective.front());
  for (const ConvexSum& sum : problem_.convex.objective) largest = std::max(largest, sum_of(sum));
  return largest;
}

}  // namespace counterpoise
