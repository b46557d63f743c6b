#include "studies/springs/affine_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

constexpr std::array number_names = {"rate",       "free_length", "initial_tension",
                                     "min_length", "max_length",  "max_load"};

std::array<AffineNumber*, 6> members(AffineSpring& spring) {
  return {&spring.rate,       &spring.free_length, &spring.initial_tension,
          &spring.min_length, &spring.max_length,  &spring.max_load};
}

constexpr double affine_tolerance = 1e-9;  // of the number's size; expressions round

}  // namespace

bool AffineNumber::fixed() const {
  return std::all_of(slopes.begin(), slopes.end(), [](double slope) { return slope == 0.0; });
}

double AffineNumber::at(const std::vector<double>& u) const {
  double value = constant;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] != 0.0) value += slopes[i] * u[i];
  return value;
}

std::array<double, 6> numbers_of(const Spring& spring) {
  const bool gas = spring.type == SpringType::gas;
  return {gas ? 0.0 : spring.rate, gas ? 0.0 : spring.free_length,
          spring.initial_tension,  spring.min_length,
          spring.max_length,       spring.max_load};
}

std::vector<std::vector<AffineSpring>> affine_springs(const Study& study, const SpringRoles& roles,
                                                      const SpringsAt& springs_at) {
  const std::size_t count = roles.sized.size();
  std::vector<double> low, inside;
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& variable = study.variables[static_cast<std::size_t>(roles.sized[i])];
    low.push_back(variable.low);
    // irrational parts of the ranges, so that no two products happen to agree
    const double part = std::fmod(std::numbers::phi * static_cast<double>(i + 1), 1.0);
    inside.push_back(variable.low + part * (variable.high - variable.low));
  }
  const auto base = springs_at(low);
  std::vector<std::vector<AffineSpring>> found(base.size());
  for (std::size_t m = 0; m < base.size(); ++m) {
    found[m].resize(base[m].size());
    for (std::size_t s = 0; s < base[m].size(); ++s)
      for (std::size_t n = 0; n < number_names.size(); ++n) {
        members(found[m][s])[n]->constant = numbers_of(base[m][s])[n];
        members(found[m][s])[n]->slopes.assign(count, 0.0);
      }
  }
  const auto each = [&](const auto& visit) {
    for (std::size_t m = 0; m < base.size(); ++m)
      for (std::size_t s = 0; s < base[m].size(); ++s)
        for (std::size_t n = 0; n < number_names.size(); ++n) visit(m, s, n);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& variable = study.variables[static_cast<std::size_t>(roles.sized[i])];
    std::vector<double> u = low;
    u[i] = variable.high;
    const auto moved = springs_at(u);
    each([&](std::size_t m, std::size_t s, std::size_t n) {
      const double from = numbers_of(base[m][s])[n], to = numbers_of(moved[m][s])[n];
      if (from == to) return;  // infinite ones too
      AffineNumber& number = *members(found[m][s])[n];
      number.slopes[i] = (to - from) / (variable.high - variable.low);
      number.constant -= number.slopes[i] * variable.low;
    });
  }
  const auto between = springs_at(inside);
  each([&](std::size_t m, std::size_t s, std::size_t n) {
    const AffineNumber& number = *members(found[m][s])[n];
    const double value = numbers_of(between[m][s])[n];
    const double guess = number.at(inside);
    double size = std::abs(value);
    for (std::size_t i = 0; i < count; ++i)
      if (number.slopes[i] != 0.0) size += std::abs(number.slopes[i] * inside[i]);
    if (value == guess || std::abs(value - guess) <= affine_tolerance * size) return;
    for (const int v : roles.sized) {
      const auto& springs = roles.springs[static_cast<std::size_t>(v)];
      if (!std::binary_search(springs.begin(), springs.end(), static_cast<int>(s))) continue;
      throw InputError(
          study.variables[static_cast<std::size_t>(v)].where,
          fmt::format("the {} of spring {} is no affine function (a*x + b) of the variables that "
                      "size it, so its springs cannot be sized exactly",
                      number_names[n], base[m][s].name));
    }
  });
  return found;
}

}  // namespace counterpoise
