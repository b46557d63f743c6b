#include <algorithm>
#include <cmath>

#include "engine/falls/faller.hpp"

namespace counterpoise {
namespace {

using Rubbing = EquationsOfMotion::Rubbing;

Rubbing along(double v) {
  return v > 0.0 ? Rubbing::ahead : Rubbing::back;
}

/// The sign of the motion that friction opposes; 0 where it opposes none.
double sign_of(Rubbing rubbing) {
  return rubbing == Rubbing::ahead ? 1.0 : rubbing == Rubbing::back ? -1.0 : 0.0;
}

/// Finds accelerations free + slopes * f with friction |f| <= most, such that a joint accelerates
/// only against the whole of its friction: the least of a convex function of f, by projections of
/// one force after the other. `slopes` is positive semidefinite, and singular where loops let
/// joints share what they carry.
Eigen::VectorXd accelerations_under(const Eigen::VectorXd& free, const Eigen::MatrixXd& slopes,
                                    const Eigen::VectorXd& most) {
  constexpr int most_rounds = 20'000;
  constexpr double arrived = 1e-14;  // of the friction, in a round
  Eigen::VectorXd force = Eigen::VectorXd::Zero(free.size());
  Eigen::VectorXd acceleration = free;
  for (int round = 0; round < most_rounds; ++round) {
    double largest = 0.0;
    for (Eigen::Index i = 0; i < free.size(); ++i) {
      if (!(slopes(i, i) > 0.0)) continue;  // it cannot move
      const double next = std::clamp(force(i) - acceleration(i) / slopes(i, i), -most(i), most(i));
      const double change = next - force(i);
      if (change == 0.0) continue;
      force(i) = next;
      acceleration += change * slopes.col(i);
      largest = std::max(largest, std::abs(change) / most(i));
    }
    if (largest <= arrived) break;
  }
  return free + slopes * force;
}

}  // namespace

bool Faller::is_dry(BodyIndex joint) const {
  return equations_.mechanism().bodies[joint].friction.coulomb > 0.0;
}

void Faller::loosen() {
  for (const BodyIndex b : equations_.rubbing()) equations_.rub(b, Rubbing::none);
}

/// Which of some joints that stand still begin to slip, and which way: the sign of each one's
/// acceleration, 0 where its dry friction holds it. The same mechanism is looked at without it.
auto Faller::find_slipping(const std::vector<BodyIndex>& still)
    -> std::variant<std::vector<double>, Result> {
  if (!loose_) loose_.emplace(equations_.mechanism(), scenario_);
  for (std::size_t a = 0; a < scenario_.actuators.size(); ++a)
    if (scenario_.actuators[a].mode == ActuatorMode::held)
      loose_->keep(a, equations_.rule_at(a, time_).position);
  loose_->hold(equations_.held());
  for (const BodyIndex b : equations_.rubbing()) {
    const bool stands = std::find(still.begin(), still.end(), b) != still.end();
    loose_->rub(b, stands ? Rubbing::none : equations_.rubbing(b));
  }
  Result result = loose_->choose(time_, equations_.joints());
  if (result == Result::solved) result = loose_->accelerate();
  if (result != Result::solved) return result;
  std::vector<double> signs(still.size(), 0.0);
  if (loose_->independent().empty()) return signs;
  const auto count = static_cast<Eigen::Index>(still.size());
  Eigen::MatrixXd motions(count, loose_->motions().cols());
  Eigen::VectorXd free(count), most(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const BodyIndex b = still[static_cast<std::size_t>(i)];
    motions.row(i) = loose_->motions().row(int{b});
    free(i) = loose_->state().a[b];
    most(i) = equations_.mechanism().bodies[b].friction.coulomb;
  }
  const Eigen::MatrixXd slopes = motions * loose_->mass().llt().solve(motions.transpose().eval());
  const Eigen::VectorXd acceleration = accelerations_under(free, slopes, most);
  // each has its own scale, so that joints that move together slip together, whatever their ratio
  constexpr double rounding = 1e-9;
  for (Eigen::Index i = 0; i < count; ++i)
    if (std::abs(acceleration(i)) >
        rounding * std::max(std::abs(free(i)), slopes.row(i).cwiseAbs().dot(most.transpose())))
      signs[static_cast<std::size_t>(i)] = acceleration(i) > 0.0 ? 1.0 : -1.0;
  return signs;
}

bool Faller::slips() {
  std::vector<BodyIndex> stuck;
  for (const BodyIndex b : equations_.rubbing()) {
    if (equations_.rubbing(b) == Rubbing::stuck) stuck.push_back(b);
    if (is_dry(b) && equations_.state().v[b] * sign_of(equations_.rubbing(b)) < -Friction::rest)
      return true;
  }
  if (stuck.empty()) return false;
  const auto found = find_slipping(stuck);
  const auto* signs = std::get_if<std::vector<double>>(&found);
  return signs != nullptr &&
         std::any_of(signs->begin(), signs->end(), [](double sign) { return sign != 0.0; });
}

auto Faller::find_slip(const StepStart& from, double t1) -> Stopped {
  double low = from.time, high = t1;
  for (int step = 0; step < 60 && high - low > 1e-14 * std::max(1.0, t1); ++step) {
    const double middle = 0.5 * (low + high);
    if (const Stopped stopped = return_to(from, middle)) return stopped;
    (slips() ? high : low) = middle;
  }
  return return_to(from, high);
}

/// Joints that move rub against their motion. Those that stand still stick, unless friction cannot
/// hold all of them.
auto Faller::settle_friction() -> Stopped {
  std::vector<BodyIndex> still;
  for (const BodyIndex b : equations_.rubbing()) {
    if (!is_dry(b)) continue;
    const double v = equations_.state().v[b];
    if (std::abs(v) > 2.0 * Friction::rest)  // those that have just turned round stand still
      equations_.rub(b, along(v));
    else
      still.push_back(b);
  }
  if (!still.empty()) {
    const auto found = find_slipping(still);
    if (const auto* result = std::get_if<Result>(&found)) return stop_for(*result);
    const auto& signs = std::get<std::vector<double>>(found);
    for (std::size_t i = 0; i < still.size(); ++i)
      equations_.rub(still[i], signs[i] == 0.0 ? Rubbing::stuck : along(signs[i]));
  }
  const bool dry = std::any_of(equations_.rubbing().begin(), equations_.rubbing().end(),
                               [this](BodyIndex b) { return is_dry(b); });
  return dry ? restart() : std::nullopt;
}

auto Faller::slip() -> Stopped {
  if (const Stopped stopped = settle_friction()) return stopped;
  return count_event();
}

}  // namespace counterpoise
