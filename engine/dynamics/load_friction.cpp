#include "engine/dynamics/load_friction.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace counterpoise {

namespace {

/// The size of a force whose square may be out of range.
double size_of(const Vec3d& force) {
  return std::hypot(force.x(), force.y(), force.z());
}

}  // namespace

void LoadFriction::set_design(const Mechanism& mechanism) {
  joints_.clear();
  coefficients_.clear();
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body) {
    const Friction& friction = mechanism.bodies[body].friction;
    if (!mechanism.moves(body)) continue;
    if (friction.load_coefficient == 0.0 && friction.coulomb == 0.0) continue;
    joints_.push_back(body);
    coefficients_.push_back(friction.load_coefficient);
  }
  start_.resize(joints_.size());
  start_sizes_.resize(start_.size());
  changes_.resize(joints_.size() * joints_.size());
  change_sizes_.resize(changes_.size());
}

/// The force through a joint that counts, of the wrenches that were computed last.
Vec3d LoadFriction::counted(std::size_t joint, const DesignGeometry& geometry) const {
  const JointFrame& frame = geometry.frames[joints_[joint]];
  const Vec3d force = reactions_.of_body(joints_[joint]).force;
  if (frame.type == JointType::revolute) return force;
  return force - frame.axis * frame.axis.dot(force);
}

bool LoadFriction::linearise(const Sample& sample, std::span<const double> slopes) {
  const std::size_t count = joints_.size(), actuators = sample.loads.size();
  reactions_.compute(sample.geometry, sample.tree, sample.state, sample.loads, sample.tensions,
                     sample.factors);
  for (std::size_t b = 0; b < count; ++b) start_[b] = counted(b, sample.geometry);
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<const double> own = slopes.subspan(k * actuators, actuators);
    reactions_.respond(sample.geometry, sample.state, joints_[k], own);
    for (std::size_t b = 0; b < count; ++b) changes_[b * count + k] = counted(b, sample.geometry);
  }
  std::transform(start_.begin(), start_.end(), start_sizes_.begin(), size_of);
  std::transform(changes_.begin(), changes_.end(), change_sizes_.begin(), size_of);
  const auto finite = [](double size) { return std::isfinite(size); };
  return std::all_of(start_sizes_.begin(), start_sizes_.end(), finite) &&
         std::all_of(change_sizes_.begin(), change_sizes_.end(), finite);
}

bool LoadFriction::changes_others(std::size_t joint) const {
  constexpr double nothing = 1e-12;
  for (std::size_t b = 0; b < joints_.size(); ++b)
    if (b != joint && coefficients_[b] * change_sizes_[b * joints_.size() + joint] > nothing)
      return true;
  return false;
}

bool LoadFriction::respond_to_spring(const Sample& sample, std::size_t spring,
                                     std::span<const double> slopes, std::vector<Vec3d>& changes) {
  constexpr double nothing = 1e-12;
  pulled_loads_.assign(sample.loads.begin(), sample.loads.end());
  for (std::size_t a = 0; a < slopes.size(); ++a) pulled_loads_[a] += slopes[a];
  pulled_tensions_.assign(sample.tensions.begin(), sample.tensions.end());
  pulled_tensions_[spring] += 1.0;
  reactions_.compute(sample.geometry, sample.tree, sample.state, pulled_loads_, pulled_tensions_,
                     sample.factors);
  changes.resize(joints_.size());
  bool acts = false;
  for (std::size_t b = 0; b < joints_.size(); ++b) {
    changes[b] = counted(b, sample.geometry) - start_[b];
    acts = acts || coefficients_[b] * size_of(changes[b]) > nothing * (1.0 + start_sizes_[b]);
  }
  return acts;
}

Vec3d LoadFriction::force(const Signs& signs, std::size_t joint,
                          const std::vector<double>& phi) const {
  Vec3d sum = start_[joint];
  if (!signs.added.empty()) sum += signs.added[joint];
  for (std::size_t k = 0; k < phi.size(); ++k) sum += changes_[joint * phi.size() + k] * phi[k];
  return sum;
}

/// Computes the residuals. Returns the largest as a share of the terms that it is made of.
double LoadFriction::misfit(const Signs& signs, const std::vector<double>& phi) {
  const std::size_t count = phi.size();
  residual_.resize(static_cast<Eigen::Index>(count));
  double worst = 0.0;
  for (std::size_t b = 0; b < count; ++b) {
    double& residual = residual_(static_cast<Eigen::Index>(b));
    residual = phi[b];
    if (signs.sign[b] == 0.0) continue;
    residual -= signs.sign[b] * (signs.dry[b] + coefficients_[b] * size_of(force(signs, b, phi)));
    double terms = start_sizes_[b] + (signs.added.empty() ? 0.0 : size_of(signs.added[b]));
    for (std::size_t k = 0; k < count; ++k)
      terms += change_sizes_[b * count + k] * std::abs(phi[k]);
    const double size = std::abs(phi[b]) + signs.dry[b] + coefficients_[b] * terms;
    if (residual != 0.0) worst = std::max(worst, std::abs(residual) / size);
  }
  return worst;
}

/// A step of Newton's method from the residuals last computed.
void LoadFriction::step(const Signs& signs, std::vector<double>& phi) {
  const auto count = static_cast<Eigen::Index>(phi.size());
  jacobian_.setIdentity(count, count);
  for (Eigen::Index b = 0; b < count; ++b) {
    const auto joint = static_cast<std::size_t>(b);
    const Vec3d at = force(signs, joint, phi);
    const double size = size_of(at), weight = signs.sign[joint] * coefficients_[joint];
    if (weight == 0.0 || size == 0.0) continue;
    for (Eigen::Index k = 0; k < count; ++k)
      jacobian_(b, k) -=
          weight * at.dot(changes_[joint * phi.size() + static_cast<std::size_t>(k)]) / size;
  }
  const Eigen::VectorXd change = jacobian_.partialPivLu().solve(residual_);
  for (std::size_t b = 0; b < phi.size(); ++b) phi[b] -= change(static_cast<Eigen::Index>(b));
}

/// The largest eigenvalue of the feedback is below 1 where elimination of 1 - K without pivoting
/// meets positive pivots alone (1 - K is an M-matrix).
auto LoadFriction::find_lock(const Signs& signs) -> std::optional<Lock> {
  const auto count = static_cast<Eigen::Index>(joints_.size());
  feedback_.setZero(count, count);
  for (Eigen::Index b = 0; b < count; ++b)
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto of = static_cast<std::size_t>(b), by = static_cast<std::size_t>(k);
      if (signs.sign[of] != 0.0 && signs.sign[by] != 0.0)
        feedback_(b, k) = coefficients_[of] * change_sizes_[of * joints_.size() + by];
    }
  jacobian_ = Eigen::MatrixXd::Identity(count, count) - feedback_;
  bool below = true;
  for (Eigen::Index p = 0; p < count && below; ++p) {
    below = jacobian_(p, p) > 0.0;
    for (Eigen::Index row = p + 1; row < count && below; ++row)
      jacobian_.row(row) -= jacobian_(row, p) / jacobian_(p, p) * jacobian_.row(p);
  }
  if (below) return std::nullopt;
  // powers of K + 1, whose largest eigenvalue is larger by 1 and alone of its size
  Eigen::VectorXd part = Eigen::VectorXd::Ones(count);
  double eigenvalue = 1.0;
  for (int i = 0; i < 1000; ++i) {
    part += feedback_ * part;
    eigenvalue = part.maxCoeff();
    part /= eigenvalue;
  }
  Eigen::Index most = 0;
  part.maxCoeff(&most);
  return Lock{joints_[static_cast<std::size_t>(most)], std::max(eigenvalue - 1.0, 1.0)};
}

auto LoadFriction::solve(const Signs& signs, std::vector<double>& phi) -> std::optional<Lock> {
  constexpr int most_steps = 50, most_rounds = 10000;
  // of sums with so many terms, and what follows them
  const double rounding =
      static_cast<double>(joints_.size() + 8) * std::numeric_limits<double>::epsilon();
  phi.assign(joints_.size(), 0.0);
  if (const auto lock = find_lock(signs)) return lock;
  const auto substitute = [&] {  // a contraction
    for (std::size_t b = 0; b < phi.size(); ++b) phi[b] -= residual_(static_cast<Eigen::Index>(b));
  };
  misfit(signs, phi);
  substitute();
  for (int i = 0; i < most_steps; ++i) {
    if (misfit(signs, phi) <= rounding) return std::nullopt;
    step(signs, phi);
  }
  for (int i = 0; i < most_rounds; ++i) {  // where steps go round in circles
    if (misfit(signs, phi) <= rounding) return std::nullopt;
    substitute();
  }
  return Lock{joints_.front(), 1.0};
}

}  // namespace counterpoise
