#include "input/definition/cam_shape.hpp"

#include <cmath>

#include "input/expressions/expression_slopes.hpp"

namespace counterpoise {
namespace {

std::variant<std::vector<CamProfile::Knot>, std::string> knots_of(
    const CamShape& shape, double from, double to, std::span<const double> parameters) {
  if (!shape.is_curve) return CamProfile::part(shape.table, from, to);
  const int angle_at = static_cast<int>(parameters.size());
  std::vector<double> values(parameters.begin(), parameters.end());
  values.push_back(0.0);
  return CamProfile::along(
      [&](double angle) {
        if (!shape.curve) return CamProfile::CurvePoint{shape.constant, 0.0, 0.0};
        values.back() = angle;
        const ExpressionSlopes at = slopes_of(*shape.curve, values.data(), angle_at);
        return CamProfile::CurvePoint{at.value, at.first, at.second};
      },
      shape.measure, from, to);
}

}  // namespace

void make_cam(const CamShape& shape, std::span<const double> numbers,
              std::span<const double> parameters, Mechanism& mechanism) {
  Point& point = mechanism.points[shape.point];
  point.cam = nullptr;
  point.no_cam.clear();
  const double from = numbers[0], to = numbers[1], start = numbers[2];
  if (!std::isfinite(from + to + start)) {
    point.no_cam = "its profile begins, ends or starts at an angle that is not finite";
    return;
  }
  if (shape.has_start) point.start = start;
  if (shape.missing) return;
  auto found = knots_of(shape, from, to, parameters);
  if (auto* reason = std::get_if<std::string>(&found)) {
    point.no_cam = *reason;
    return;
  }
  auto& knots = std::get<std::vector<CamProfile::Knot>>(found);
  std::size_t at = 0;
  if (auto reason = CamProfile::check(knots, at, shape.has_start)) {
    point.no_cam = "found " + *reason;
    return;
  }
  point.cam = std::make_shared<const CamProfile>(std::move(knots));
}

}  // namespace counterpoise
