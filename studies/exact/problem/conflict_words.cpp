#include "studies/exact/problem/conflict_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimizer/convex/conflict.hpp"

namespace counterpoise {
namespace {

void add_once(std::vector<std::string>& names, std::string name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > most ? ", ..." : "");
}

}  // namespace

std::string conflict_text(const std::string& names) {
  return "no springs can meet all of: " + names +
         "; without any one of these the others can be met";
}

std::string proved_conflict(const WrittenProblem& written, const ConvexSolution& solution) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < written.limits.size(); ++i)
    if (solution.certificate.limits[i] > 0.0) add_once(names, written.limits[i].name);
  return "no springs within bounds meet all limits: " + listed(names, most_named);
}

std::string whole_conflict(const WrittenProblem& written, const ConvexOptions& options) {
  constexpr double widened = 10.0;
  ConvexProblem problem = written.problem;
  for (std::size_t at = 0; at < written.rates.size(); ++at) {
    if (written.rates[at] < 0) continue;
    const double size = std::max(std::abs(problem.lower[at]), std::abs(problem.upper[at]));
    problem.lower[at] = -widened * size;
    problem.upper[at] = widened * size;
  }
  const Conflict conflict = smallest_conflict(problem, options);
  std::vector<std::string> names;
  for (const int limit : conflict.limits)
    add_once(names, written.limits[static_cast<std::size_t>(limit)].name);
  for (const Conflict::Bound& bound : conflict.bounds) {
    const auto at = static_cast<std::size_t>(bound.variable);
    add_once(names,
             fmt::format("{} at {} {:.6g}", written.names[at], bound.upper ? "most" : "least",
                         bound.upper ? problem.upper[at] : problem.lower[at]));
  }
  if (names.size() == 1) return "no springs can meet " + names.front();
  return conflict_text(listed(names, names.size()));
}

}  // namespace counterpoise
