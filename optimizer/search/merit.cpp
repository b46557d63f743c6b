#include "optimizer/search/merit.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr double weight_growth = 10.0;
constexpr double largest_weight = 1e12;
constexpr double largest = 1e300;  // of the values NLopt gets, so that it can add a few
constexpr double room = 10.0;      // between a typical value and the ceiling, in typical values

// From [0, inf] to [0, 1], rising; what is not a number counts as far away.
double squeezed(double x) {
  if (!(x >= 0.0)) return 1.0;
  return std::isinf(x) ? 1.0 : x / (1.0 + x);
}

double positive_part(double violation) {
  return violation < 0.0 ? 0.0 : violation;
}

}  // namespace

bool has_value(const Evaluation& evaluation) {
  return evaluation.computable && std::isfinite(evaluation.objective);
}

bool is_feasible(const Evaluation& evaluation) {
  return has_value(evaluation) && evaluation.violation <= 0.0;
}

void Merit::tune(double typical) {
  typical = std::clamp(typical, -largest, largest);
  scale_ = std::max(std::abs(typical), 1e-9);
  ceiling_ = typical + room * scale_;
}

void Merit::raise_weight() {
  weight_ = std::min(weight_ * weight_growth, largest_weight);
}

double Merit::operator()(const Evaluation& evaluation) const {
  const double violation = positive_part(evaluation.violation);
  if (!has_value(evaluation)) return ceiling_ + scale_ * (1.0 + squeezed(violation));
  const double value = evaluation.objective + weight_ * scale_ * violation;
  if (value <= ceiling_) return std::max(value, -largest);
  return ceiling_ + scale_ * squeezed((value - ceiling_) / scale_);
}

}  // namespace counterpoise
