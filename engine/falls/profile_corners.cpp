#include "engine/falls/profile_corners.hpp"

#include <variant>

namespace counterpoise {
namespace {

struct CornersOf {
  double duration;

  std::vector<double> operator()(const Hold&) const { return {}; }
  std::vector<double> operator()(const Sine&) const { return {}; }
  std::vector<double> operator()(const BangBang&) const { return {0.5 * duration}; }
  std::vector<double> operator()(const PointToPoint& move) const {
    const double ramp = move.ramp * (move.end_time - move.start_time);
    if (move.shape == MoveShape::quintic) return {move.start_time, move.end_time};
    return {move.start_time, move.start_time + ramp, move.end_time - ramp, move.end_time};
  }
  std::vector<double> operator()(const Moves& moves) const {
    std::vector<double> corners;
    for (const Moves::Piece& piece : moves.pieces) corners.push_back(piece.start);
    return corners;
  }
  std::vector<double> operator()(const CubicSpline& spline) const { return spline.times; }
  std::vector<double> operator()(const PathCourse& path) const { return (*this)(path.along); }
  std::vector<double> operator()(const PoseLevels&) const { return {}; }
};

}  // namespace

std::vector<double> corners_of(const Profile& profile, double duration) {
  return std::visit(CornersOf{duration}, profile);
}

}  // namespace counterpoise
