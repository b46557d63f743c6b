#include "optimizer/convex/independent_parts.hpp"

#include <algorithm>
#include <utility>

namespace counterpoise {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

template <class Function>
void each_unknown(const ConvexProblem& problem, const ConvexSum& sum, const Function& see) {
  for (const ConvexSum::Term& term : sum.linear) see(at(term.index));
  for (const ConvexSum::Term& term : sum.norms)
    for (const SeriesNorm::Part& part : problem.norms[at(term.index)].parts)
      for (const auto& column : problem.series[at(part.series)].columns) see(at(column.variable));
}

/// One of a sum's unknowns; the first of all if it has none.
std::size_t unknown_of(const ConvexProblem& problem, const ConvexSum& sum) {
  std::size_t one = 0;
  each_unknown(problem, sum, [&](std::size_t unknown) { one = unknown; });
  return one;
}

/// The place in a part of each index of the whole; -1 if the part does not have it.
std::vector<int> places(const std::vector<int>& indices, std::size_t count) {
  std::vector<int> place(count, -1);
  for (std::size_t i = 0; i < indices.size(); ++i) place[at(indices[i])] = static_cast<int>(i);
  return place;
}

}  // namespace

ConvexProblem IndependentPart::problem_of(const ConvexProblem& whole) const {
  const std::vector<int> unknown_at = places(unknowns, whole.lower.size());
  const std::vector<int> norm_at = places(norms, whole.norms.size());
  const auto moved = [](std::vector<ConvexSum::Term> terms, const std::vector<int>& place) {
    for (ConvexSum::Term& term : terms) term.index = place[at(term.index)];
    return terms;
  };
  const auto own = [&](const ConvexSum& sum) {
    return ConvexSum{sum.constant, moved(sum.norms, norm_at), moved(sum.linear, unknown_at)};
  };
  ConvexProblem part;
  for (const int j : unknowns) {
    part.lower.push_back(whole.lower[at(j)]);
    part.upper.push_back(whole.upper[at(j)]);
  }
  std::vector<int> series_at(whole.series.size(), -1);
  for (const int n : norms) {
    SeriesNorm& norm = part.norms.emplace_back(whole.norms[at(n)]);
    for (SeriesNorm::Part& of : norm.parts) {
      int& place = series_at[at(of.series)];
      if (place < 0) {
        place = static_cast<int>(part.series.size());
        AffineSeries& series = part.series.emplace_back(whole.series[at(of.series)]);
        for (AffineSeries::Column& column : series.columns)
          column.variable = unknown_at[at(column.variable)];
      }
      of.series = place;
    }
  }
  for (const int i : pieces) part.objective.push_back(own(whole.objective[at(i)]));
  if (pieces.empty()) part.objective.emplace_back();
  for (const int l : limits) {
    const ConvexLimit& limit = whole.limits[at(l)];
    part.limits.push_back({own(limit.sum), limit.bound});
  }
  return part;
}

Certificate IndependentPart::certificate_of(const ConvexProblem& whole, Certificate own) const {
  Certificate result = std::move(own);
  const auto spread = [](const std::vector<int>& indices, std::vector<double>& numbers,
                         std::size_t count) {
    std::vector<double> all(count, 0.0);
    for (std::size_t i = 0; i < indices.size(); ++i) all[at(indices[i])] = numbers[i];
    numbers = std::move(all);
  };
  spread(pieces, result.pieces, whole.objective.size());
  spread(limits, result.limits, whole.limits.size());
  for (Certificate::Witness& witness : result.witnesses) witness.norm = norms[at(witness.norm)];
  return result;
}

std::vector<IndependentPart> independent_parts(const ConvexProblem& problem) {
  std::vector<IndependentPart> parts;
  if (problem.lower.empty()) return parts;
  DisjointSets ties(problem.lower.size());
  const auto tie = [&](const ConvexSum& sum) {
    const std::size_t one = unknown_of(problem, sum);
    each_unknown(problem, sum, [&](std::size_t unknown) { ties.join(one, unknown); });
  };
  for (const ConvexSum& sum : problem.objective) tie(sum);
  for (const ConvexLimit& limit : problem.limits) tie(limit.sum);

  std::vector<int> part_at(problem.lower.size(), -1);  // by the set's representative
  const auto part_of = [&](std::size_t unknown) -> IndependentPart& {
    int& place = part_at[ties.find(unknown)];
    if (place < 0) {
      place = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    return parts[at(place)];
  };
  for (std::size_t j = 0; j < problem.lower.size(); ++j)
    part_of(j).unknowns.push_back(static_cast<int>(j));
  const auto read_norms = [](const ConvexSum& sum, IndependentPart& part) {
    for (const ConvexSum::Term& term : sum.norms) part.norms.push_back(term.index);
  };
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    IndependentPart& part = part_of(unknown_of(problem, problem.objective[i]));
    part.pieces.push_back(static_cast<int>(i));
    read_norms(problem.objective[i], part);
  }
  for (std::size_t l = 0; l < problem.limits.size(); ++l) {
    IndependentPart& part = part_of(unknown_of(problem, problem.limits[l].sum));
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
