#include "optimizer/convex/problem/independent_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace counterpoise {
namespace {

/// Sets of unknowns that sums tie together.
class Ties {
 public:
  explicit Ties(const ConvexProblem& problem) : problem_(problem), parent_(problem.lower.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  void tie(const ConvexSum& sum) {
    const int one = first_of(sum);
    each_unknown(sum, [&](int other) { parent_[at(root(other))] = root(one); });
  }

  /// The unknown that stands for the set that holds those of a sum; 0 if it has none.
  [[nodiscard]] int root_of(const ConvexSum& sum) const { return root(first_of(sum)); }
  [[nodiscard]] int root(int unknown) const {
    while (parent_[at(unknown)] != unknown) unknown = parent_[at(unknown)];
    return unknown;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  template <class Function>
  void each_unknown(const ConvexSum& sum, const Function& see) const {
    for (const ConvexSum::Term& term : sum.linear) see(term.index);
    for (const ConvexSum::Term& term : sum.norms)
      for (const SeriesNorm::Part& part : problem_.norms[at(term.index)].parts)
        for (const auto& column : problem_.series[at(part.series)].columns) see(column.variable);
  }

  [[nodiscard]] int first_of(const ConvexSum& sum) const {
    int first = -1;
    each_unknown(sum, [&](int unknown) { first = first < 0 ? unknown : first; });
    return std::max(first, 0);
  }

  const ConvexProblem& problem_;
  std::vector<int> parent_;
};

/// The place of each index of the whole among those of a part; -1 if it is not among them.
std::vector<int> places(const std::vector<int>& indices, std::size_t count) {
  std::vector<int> place(count, -1);
  for (std::size_t i = 0; i < indices.size(); ++i)
    place[static_cast<std::size_t>(indices[i])] = static_cast<int>(i);
  return place;
}

}  // namespace

ConvexProblem IndependentPart::problem_of(const ConvexProblem& whole) const {
  const std::vector<int> unknown_at = places(unknowns, whole.lower.size());
  const std::vector<int> norm_at = places(norms, whole.norms.size());
  const auto moved = [](std::vector<ConvexSum::Term> terms, const std::vector<int>& place) {
    for (ConvexSum::Term& term : terms) term.index = place[static_cast<std::size_t>(term.index)];
    return terms;
  };
  const auto own = [&](const ConvexSum& sum) {
    return ConvexSum{sum.constant, moved(sum.norms, norm_at), moved(sum.linear, unknown_at)};
  };
  ConvexProblem part;
  for (const int j : unknowns) {
    part.lower.push_back(whole.lower[static_cast<std::size_t>(j)]);
    part.upper.push_back(whole.upper[static_cast<std::size_t>(j)]);
  }
  std::vector<int> series_at(whole.series.size(), -1);
  for (const int n : norms) {
    SeriesNorm& norm = part.norms.emplace_back(whole.norms[static_cast<std::size_t>(n)]);
    for (SeriesNorm::Part& of : norm.parts) {
      int& place = series_at[static_cast<std::size_t>(of.series)];
      if (place < 0) {
        place = static_cast<int>(part.series.size());
        AffineSeries& series =
            part.series.emplace_back(whole.series[static_cast<std::size_t>(of.series)]);
        for (AffineSeries::Column& column : series.columns)
          column.variable = unknown_at[static_cast<std::size_t>(column.variable)];
      }
      of.series = place;
    }
  }
  for (const int i : pieces)
    part.objective.push_back(own(whole.objective[static_cast<std::size_t>(i)]));
  if (pieces.empty()) part.objective.emplace_back();
  for (const int l : limits) {
    const ConvexLimit& limit = whole.limits[static_cast<std::size_t>(l)];
    part.limits.push_back({own(limit.sum), limit.bound});
  }
  return part;
}

Certificate IndependentPart::certificate_of(const ConvexProblem& whole, Certificate own) const {
  Certificate result = std::move(own);
  const auto spread = [](const std::vector<int>& indices, std::vector<double>& numbers,
                         std::size_t count) {
    std::vector<double> all(count, 0.0);
    for (std::size_t i = 0; i < indices.size(); ++i)
      all[static_cast<std::size_t>(indices[i])] = numbers[i];
    numbers = std::move(all);
  };
  spread(pieces, result.pieces, whole.objective.size());
  spread(limits, result.limits, whole.limits.size());
  for (Certificate::Witness& witness : result.witnesses)
    witness.norm = norms[static_cast<std::size_t>(witness.norm)];
  return result;
}

std::vector<IndependentPart> independent_parts(const ConvexProblem& problem) {
  std::vector<IndependentPart> parts;
  if (problem.lower.empty()) return parts;
  Ties ties(problem);
  for (const ConvexSum& sum : problem.objective) ties.tie(sum);
  for (const ConvexLimit& limit : problem.limits) ties.tie(limit.sum);

  std::vector<int> part_at(problem.lower.size(), -1);  // by root
  const auto part_of = [&](int root) -> IndependentPart& {
    int& place = part_at[static_cast<std::size_t>(root)];
    if (place < 0) {
      place = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    return parts[static_cast<std::size_t>(place)];
  };
  for (int j = 0; j < static_cast<int>(problem.lower.size()); ++j)
    part_of(ties.root(j)).unknowns.push_back(j);
  const auto read_norms = [](const ConvexSum& sum, IndependentPart& part) {
    for (const ConvexSum::Term& term : sum.norms) part.norms.push_back(term.index);
  };
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    IndependentPart& part = part_of(ties.root_of(problem.objective[i]));
    part.pieces.push_back(static_cast<int>(i));
    read_norms(problem.objective[i], part);
  }
  for (std::size_t l = 0; l < problem.limits.size(); ++l) {
    IndependentPart& part = part_of(ties.root_of(problem.limits[l].sum));
    part.limits.push_back(static_cast<int>(l));
    read_norms(problem.limits[l].sum, part);
  }
  for (IndependentPart& part : parts) {
    std::sort(part.norms.begin(), part.norms.end());
    part.norms.erase(std::unique(part.norms.begin(), part.norms.end()), part.norms.end());
  }
  return parts;
}

}  // namespace counterpoise
