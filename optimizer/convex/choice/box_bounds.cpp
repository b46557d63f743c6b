#include "optimizer/convex/choice/box_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {

OptionBox whole_box(const ChoiceProblem& problem) {
  OptionBox all;
  for (const ChoiceGroup& group : problem.groups) {
    all.emplace_back(group.options.size());
    std::iota(all.back().begin(), all.back().end(), 0);
  }
  return all;
}

std::size_t size_of(const OptionBox& box) {
  std::size_t count = 0;
  for (const std::vector<int>& left : box) count += left.size();
  return count;
}

BoxBounds::BoxBounds(const ChoiceProblem& problem, const ConvexProblem& at_zero,
                     const PartValues& values, Certificate certificate, const OptionBox& box) {
  certificate.limits.resize(problem.convex.limits.size());
  const std::vector<double> weights = norm_weights(problem.convex, certificate);
  std::erase_if(certificate.witnesses, [&](const Certificate::Witness& witness) {
    return values.group_of(static_cast<std::size_t>(witness.norm)) >= 0;
  });
  add_up(at_zero, certificate);
  constant_ = certificate.bound;
  for (std::size_t g = 0; g < box.size(); ++g) {
    const ChoiceGroup& group = problem.groups[g];
    std::vector<double>& parts = parts_.emplace_back();
    for (const int option : box[g]) {
      double part = 0.0;
      for (std::size_t i = 0; i < group.unknowns.size(); ++i)
        part += certificate.slopes[group.unknowns[i]] * group.options[option][i];
      parts.push_back(part);
    }
  }
  for (std::size_t n = 0; n < weights.size(); ++n) {
    const int g = values.group_of(n);
    if (g < 0 || weights[n] == 0.0) continue;
    for (std::size_t i = 0; i < box[g].size(); ++i)
      parts_[g][i] += weights[n] * values.of_options(n)[box[g][i]];
  }
}

double BoxBounds::least() const {
  double least = constant_;
  for (const std::vector<double>& parts : parts_)
    least += *std::min_element(parts.begin(), parts.end());
  return least;
}

bool BoxBounds::leave_out(const Excludes& excludes, OptionBox& box) {
  const double least = this->least();
  if (excludes(least)) return false;
  for (std::size_t g = 0; g < box.size(); ++g) {
    const double own = *std::min_element(parts_[g].begin(), parts_[g].end());
    std::vector<std::pair<double, int>> kept;
    for (std::size_t i = 0; i < box[g].size(); ++i)
      if (!excludes(least - own + parts_[g][i])) kept.emplace_back(parts_[g][i], box[g][i]);
    if (kept.empty()) return false;
    std::sort(kept.begin(), kept.end());
    parts_[g].clear();
    box[g].clear();
    for (const auto& [part, option] : kept) {
      parts_[g].push_back(part);
      box[g].push_back(option);
    }
  }
  rest_.assign(box.size() + 1, 0.0);
  for (std::size_t g = box.size(); g-- > 0;) rest_[g] = rest_[g + 1] + parts_[g].front();
  return true;
}

std::size_t BoxBounds::count(const Excludes& excludes, std::size_t enough) const {
  return count_from(0, constant_, excludes, enough);
}

std::size_t BoxBounds::count_from(std::size_t group, double bound, const Excludes& excludes,
                                  std::size_t enough) const {
  if (group == parts_.size()) return 1;
  std::size_t count = 0;
  for (const double part : parts_[group]) {
    if (count > enough || excludes(bound + part + rest_[group + 1])) break;
    count += count_from(group + 1, bound + part, excludes, enough - count);
  }
  return count;
}

std::vector<BoxBounds::Listed> BoxBounds::list(const Excludes& excludes,
                                               const OptionBox& box) const {
  std::vector<Listed> listed;
  std::vector<int> options;
  list_from(constant_, excludes, box, options, listed);
  std::sort(listed.begin(), listed.end(), [](const Listed& a, const Listed& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.options < b.options;
  });
  return listed;
}

void BoxBounds::list_from(double bound, const Excludes& excludes, const OptionBox& box,
                          std::vector<int>& options, std::vector<Listed>& listed) const {
  const std::size_t group = options.size();
  if (group == box.size()) {
    listed.push_back({bound, options});
    return;
  }
  for (std::size_t i = 0; i < box[group].size(); ++i) {
    const double next = bound + parts_[group][i];
    if (excludes(next + rest_[group + 1])) return;
    options.push_back(box[group][i]);
    list_from(next, excludes, box, options, listed);
    options.pop_back();
  }
}

std::vector<double> unknown_sizes(const ConvexProblem& problem) {
  std::vector<double> sizes(problem.lower.size(), 0.0);
  const auto add = [&](const ConvexSum& sum) {
    for (const ConvexSum::Term& term : sum.linear)
      sizes[term.index] = std::max(sizes[term.index], std::abs(term.weight));
    for (const ConvexSum::Term& term : sum.norms)
      for (const SeriesNorm::Part& part : problem.norms[term.index].parts)
        for (const AffineSeries::Column& column : problem.series[part.series].columns) {
          double& size = sizes[column.variable];
          for (std::size_t k = 0; k < column.coefficients.size(); ++k)
            size = std::max(size, std::abs(term.weight * column.coefficients[k]) *
                                      (part.weights.empty() ? 1.0 : part.weights[k]));
        }
  };
  for (const ConvexSum& sum : problem.objective) add(sum);
  for (const ConvexLimit& limit : problem.limits) add(limit.sum);
  return sizes;
}

namespace {

/// Where the options of a group can be split.
struct Cut {
  std::size_t group = 0, place = 0;  // of the unknown in the group
  double value = 0.0;                // options with this number or a smaller one are a branch
  bool between = false;              // whether the relaxed value is between two options
  double reach = -1.0;  // how far from the nearer of them, or of all, in terms of the objective
};

/// `size` is that of the unknown, `left` the options of its group g.
Cut cut_of(const ChoiceGroup& group, std::size_t g, std::size_t place, double size,
           const std::vector<int>& left, double x) {
  double below = -infinity, above = infinity, low = infinity, high = -infinity;
  for (const int option : left) {
    const double own = group.options[option][place];
    low = std::min(low, own);
    high = std::max(high, own);
    if (own <= x) below = std::max(below, own);
    if (own >= x) above = std::min(above, own);
  }
  if (!(low < high)) return {};
  const bool inside = below >= low && above <= high;  // else x is beyond the options left
  const double nearer = std::min(x - below, above - x);
  if (inside && nearer > ConvexTolerances::agreement * (high - low))
    return {g, place, below, true, size * nearer};
  return {g, place, std::min(low + 0.5 * (high - low), std::nextafter(high, low)), false,
          size * (high - low)};
}

}  // namespace

std::pair<OptionBox, OptionBox> split_box(const ChoiceProblem& problem,
                                          const std::vector<double>& sizes, const OptionBox& box,
                                          const std::vector<double>& x) {
  Cut cut;
  for (std::size_t g = 0; g < box.size(); ++g)
    for (std::size_t i = 0; i < problem.groups[g].unknowns.size(); ++i) {
      const int unknown = problem.groups[g].unknowns[i];
      const Cut own = cut_of(problem.groups[g], g, i, sizes[unknown], box[g], x[unknown]);
      if (own.between != cut.between ? own.between : own.reach > cut.reach) cut = own;
    }
  std::pair<OptionBox, OptionBox> both{box, box};
  const auto is_low = [&](int option) {
    return problem.groups[cut.group].options[option][cut.place] <= cut.value;
  };
  std::erase_if(both.first[cut.group], [&](int option) { return !is_low(option); });
  std::erase_if(both.second[cut.group], is_low);
  return both;
}

}  // namespace counterpoise
