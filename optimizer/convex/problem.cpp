#include "optimizer/convex/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(what);
}

/// The place of a number in a problem, put into words only for a message.
struct Place {
  const char* list;
  std::size_t index = 0;
  bool counted = true;
  const char* part = "";

  [[nodiscard]] Place of(const char* its_part) const { return {list, index, counted, its_part}; }
  [[nodiscard]] std::string words() const {
    return counted ? fmt::format("{} {}{}", list, index, part) : std::string(list);
  }
};

Place whole(const char* list) {
  return {list, 0, false, ""};
}

bool all_finite(const std::vector<double>& numbers) {
  constexpr double largest = std::numeric_limits<double>::max();
  int others = 0;
  for (const double number : numbers) others |= std::abs(number) <= largest ? 0 : 1;
  return others == 0;
}

void check_finite(double number, const Place& what) {
  if (!std::isfinite(number))
    refuse(fmt::format("{}: found {}, expected a number", what.words(), number));
}

void check_finite(const std::vector<double>& numbers, const Place& what) {
  if (all_finite(numbers)) return;
  for (const double number : numbers) check_finite(number, what);
}

void check_index(int index, std::size_t count, const Place& what) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    refuse(fmt::format("{}: found index {}, expected one of {}", what.words(), index, count));
  }
}

void check_size(std::size_t found, std::size_t expected, const Place& what) {
  if (found != expected)
    refuse(fmt::format("{}: found {}, expected {}", what.words(), found, expected));
}

void check_not_negative(double number, const Place& what) {
  check_finite(number, what);
  if (number < 0.0) refuse(fmt::format("{}: found {}, expected one >= 0", what.words(), number));
}

void check_bounds(const ConvexProblem& problem) {
  const std::size_t unknowns = problem.lower.size();
  check_size(problem.upper.size(), unknowns, whole("upper bounds"));
  check_finite(problem.lower, whole("lower bound"));
  check_finite(problem.upper, whole("upper bound"));
  for (std::size_t j = 0; j < unknowns; ++j) {
    if (problem.lower[j] > problem.upper[j]) {
      refuse(fmt::format("bounds of unknown {}: {} is above {}", j, problem.lower[j],
                         problem.upper[j]));
    }
  }
}

void check_series(const AffineSeries& series, std::size_t unknowns, const Place& what) {
  check_finite(series.constant, what.of(", constant"));
  std::vector<bool> seen(unknowns, false);
  for (const AffineSeries::Column& column : series.columns) {
    check_index(column.variable, unknowns, what.of(", variable"));
    const auto variable = static_cast<std::size_t>(column.variable);
    if (seen[variable]) refuse(fmt::format("{}: variable {} twice", what.words(), variable));
    seen[variable] = true;
    check_size(column.coefficients.size(), series.constant.size(), what.of(", coefficients"));
    check_finite(column.coefficients, what.of(", coefficient"));
  }
}

void check_norm(const ConvexProblem& problem, const SeriesNorm& norm, const Place& what) {
  for (const SeriesNorm::Part& part : norm.parts) {
    check_index(part.series, problem.series.size(), what.of(", series"));
    if (part.weights.empty()) continue;
    const AffineSeries& series = problem.series[part.series];
    check_size(part.weights.size(), series.constant.size(), what.of(", weights"));
    for (const double weight : part.weights) check_not_negative(weight, what.of(", weight"));
  }
}

void check_sum(const ConvexProblem& problem, const ConvexSum& sum, const Place& what) {
  check_finite(sum.constant, what.of(", constant"));
  for (const ConvexSum::Term& term : sum.norms) {
    check_index(term.index, problem.norms.size(), what.of(", norm"));
    check_not_negative(term.weight, what.of(", weight of a norm"));
  }
  for (const ConvexSum::Term& term : sum.linear) {
    check_index(term.index, problem.lower.size(), what.of(", variable"));
    check_finite(term.weight, what.of(", weight of a variable"));
  }
}

/// Calls `use` with |r_k(x)| times its weight for every sample of a norm, a block of them at a
/// time.
template <class Use>
void for_blocks(const ConvexProblem& problem, const SeriesNorm& norm, const std::vector<double>& x,
                const Use& use) {
  constexpr std::size_t longest = 256;
  std::array<double, longest> r;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = problem.series[part.series];
    for (std::size_t first = 0; first < series.constant.size(); first += longest) {
      const std::size_t count = std::min(longest, series.constant.size() - first);
      std::copy_n(series.constant.data() + first, count, r.data());
      for (const AffineSeries::Column& column : series.columns) {
        const double value = x[column.variable];
        const double* const coefficients = column.coefficients.data() + first;
        for (std::size_t k = 0; k < count; ++k) r[k] += coefficients[k] * value;
      }
      for (std::size_t k = 0; k < count; ++k)
        r[k] = std::abs(r[k]) * (part.weights.empty() ? 1.0 : part.weights[first + k]);
      use(std::span<const double>(r.data(), count));
    }
  }
}

double largest_of(const ConvexProblem& problem, const SeriesNorm& norm,
                  const std::vector<double>& x) {
  double largest = 0.0;
  for_blocks(problem, norm, x, [&](std::span<const double> block) {
    for (const double r : block) largest = std::max(largest, r);
  });
  return largest;
}

double sum_of(const ConvexProblem& problem, const SeriesNorm& norm, const std::vector<double>& x) {
  double sum = 0.0;
  for_blocks(problem, norm, x, [&](std::span<const double> block) {
    for (const double r : block) sum += r;
  });
  return sum;
}

/// Scaled by the largest, so that no square leaves the range of a double.
double length_of(const ConvexProblem& problem, const SeriesNorm& norm,
                 const std::vector<double>& x) {
  const double largest = largest_of(problem, norm, x);
  if (largest == 0.0) return 0.0;
  double sum = 0.0;
  for_blocks(problem, norm, x, [&](std::span<const double> block) {
    for (const double r : block) sum += (r / largest) * (r / largest);
  });
  return largest * std::sqrt(sum);
}

}  // namespace

void check(const ConvexProblem& problem) {
  check_bounds(problem);
  for (std::size_t i = 0; i < problem.series.size(); ++i) {
    check_series(problem.series[i], problem.lower.size(), {"series", i});
  }
  for (std::size_t i = 0; i < problem.norms.size(); ++i) {
    check_norm(problem, problem.norms[i], {"norm", i});
  }
  if (problem.objective.empty()) refuse("objective: found no sum, expected at least one");
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    check_sum(problem, problem.objective[i], {"objective", i});
  }
  for (std::size_t i = 0; i < problem.limits.size(); ++i) {
    check_sum(problem, problem.limits[i].sum, {"limit", i});
    check_finite(problem.limits[i].bound, {"limit", i, true, ", bound"});
  }
}

bool is_finite(const ConvexProblem& problem) {
  const auto is_finite_sum = [](const ConvexSum& sum) {
    const auto finite = [](const ConvexSum::Term& term) { return std::isfinite(term.weight); };
    return std::isfinite(sum.constant) && std::all_of(sum.norms.begin(), sum.norms.end(), finite) &&
           std::all_of(sum.linear.begin(), sum.linear.end(), finite);
  };
  const auto is_finite_series = [](const AffineSeries& series) {
    return all_finite(series.constant) &&
           std::all_of(series.columns.begin(), series.columns.end(),
                       [](const auto& column) { return all_finite(column.coefficients); });
  };
  return all_finite(problem.lower) && all_finite(problem.upper) &&
         std::all_of(problem.series.begin(), problem.series.end(), is_finite_series) &&
         std::all_of(problem.objective.begin(), problem.objective.end(), is_finite_sum) &&
         std::all_of(problem.limits.begin(), problem.limits.end(), [&](const ConvexLimit& limit) {
           return is_finite_sum(limit.sum) && std::isfinite(limit.bound);
         });
}

double value_of(const ConvexProblem& problem, const SeriesNorm& norm,
                const std::vector<double>& x) {
  if (norm.kind == NormKind::max) return largest_of(problem, norm, x);
  return norm.kind == NormKind::l1 ? sum_of(problem, norm, x) : length_of(problem, norm, x);
}

double value_of(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x) {
  double value = sum.constant;
  for (const ConvexSum::Term& term : sum.norms) {
    value += term.weight * value_of(problem, problem.norms[term.index], x);
  }
  for (const ConvexSum::Term& term : sum.linear) {
    value += term.weight * x[term.index];
  }
  return value;
}

double objective_of(const ConvexProblem& problem, const std::vector<double>& x) {
  double largest = value_of(problem, problem.objective.front(), x);
  for (const ConvexSum& sum : problem.objective) {
    largest = std::max(largest, value_of(problem, sum, x));
  }
  return largest;
}

namespace {

/// The largest sum of the sizes of a sum's linear terms within the bounds.
double reach_of(const ConvexProblem& problem, const ConvexSum& sum) {
  double reach = 0.0;
  for (const ConvexSum::Term& term : sum.linear) {
    const auto j = static_cast<std::size_t>(term.index);
    const double end = std::max(std::abs(problem.lower[j]), std::abs(problem.upper[j]));
    reach += std::abs(term.weight) * end;
  }
  return reach;
}

}  // namespace

bool agree(double a, double b, double size) {
  return std::abs(a - b) <=
         ConvexTolerances::agreement * std::max({std::abs(a), std::abs(b), size});
}

double size_without_springs(const ConvexProblem& problem) {
  const std::vector<double> nothing(problem.lower.size(), 0.0);
  double size = 0.0;
  for (ConvexSum piece : problem.objective) {
    piece.constant = std::abs(piece.constant);
    size = std::max(size, value_of(problem, piece, nothing));
  }
  return size;
}

double allowed_gap(const ConvexProblem& problem, double value) {
  double reach = 0.0;
  for (const ConvexSum& piece : problem.objective)
    reach = std::max(reach, reach_of(problem, piece));
  return ConvexTolerances::worth_having * std::abs(value) +
         ConvexTolerances::agreement * size_without_springs(problem) +
         ConvexTolerances::reach * reach;
}

double size_of_terms(ConvexProblem problem, std::vector<double> x) {
  if (x.size() != problem.lower.size()) return 0.0;
  const auto make_positive = [](std::vector<double>& numbers) {
    for (double& number : numbers) number = std::abs(number);
  };
  make_positive(x);
  for (AffineSeries& series : problem.series) {
    make_positive(series.constant);
    for (AffineSeries::Column& column : series.columns) make_positive(column.coefficients);
  }
  for (ConvexSum& sum : problem.objective) {
    sum.constant = std::abs(sum.constant);
    for (ConvexSum::Term& term : sum.linear) term.weight = std::abs(term.weight);
  }
  return objective_of(problem, x);
}

}  // namespace counterpoise
