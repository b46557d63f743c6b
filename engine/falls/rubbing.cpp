#include <algorithm>
#include <cmath>

#include "engine/falls/faller.hpp"

namespace counterpoise {
namespace {

using Rubbing = EquationsOfMotion::Rubbing;

Rubbing along(double v) {
  return v > 0.0 ? Rubbing::ahead : Rubbing::back;
}

/// Whether a slide moves; one that has just turned round stands still.
bool moves(double v) {
  return std::abs(v) > 2.0 * Friction::rest;
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

bool Faller::is_dry(std::size_t slide) const {
  return equations_.slides()[slide].friction.coulomb > 0.0;
}

void Faller::loosen() {
  for (std::size_t i = 0; i < equations_.slides().size(); ++i) equations_.rub(i, Rubbing::none);
}

/// How some slides that stand still go on: those whose dry friction holds them stick, and others
/// slip the way they accelerate. What could not move without its friction either, in a loop that is
/// held or on a stop, has none: any share up to its friction would do, and nothing has to exceed it
/// then. The same mechanism is looked at without the friction of all of them.
auto Faller::find_slipping(const std::vector<std::size_t>& still)
    -> std::variant<std::vector<Rubbing>, Result> {
  if (!loose_) loose_.emplace(equations_.mechanism(), scenario_);
  loose_->stand_as(equations_);
  loose_->hold(equations_.held());
  for (const std::size_t slide : still) loose_->rub(slide, Rubbing::none);
  Result result = loose_->choose(time_, equations_.joints());
  if (result == Result::solved) result = loose_->accelerate();
  if (result != Result::solved) return result;
  std::vector<Rubbing> found(still.size(), Rubbing::none);
  if (loose_->independent().empty()) return found;
  const auto count = static_cast<Eigen::Index>(still.size());
  Eigen::MatrixXd motions(count, loose_->motions().cols());
  Eigen::VectorXd free(count), most(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t slide = still[at(static_cast<int>(i))];
    free(i) = loose_->slide_value(slide).acceleration;
    motions.row(i) = loose_->slide_motions(slide);
    most(i) = equations_.slides()[slide].friction.coulomb;
  }
  const Eigen::MatrixXd slopes = motions * loose_->mass().llt().solve(motions.transpose().eval());
  const Eigen::VectorXd acceleration = accelerations_under(free, slopes, most);
  // each has its own scale, so that slides that move together slip together, whatever their ratio
  constexpr double rounding = 1e-9, blocked = 1e-10;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (motions.row(i).lpNorm<Eigen::Infinity>() <= blocked) continue;
    const double size = std::max(std::abs(free(i)), slopes.row(i).cwiseAbs().dot(most.transpose()));
    found[static_cast<std::size_t>(i)] =
        std::abs(acceleration(i)) > rounding * size ? along(acceleration(i)) : Rubbing::stuck;
  }
  return found;
}

bool Faller::slips() {
  std::vector<std::size_t> stuck;
  for (std::size_t i = 0; i < equations_.slides().size(); ++i) {
    if (!is_dry(i)) continue;
    const Rubbing rubbing = equations_.rubbing(i);
    if (rubbing == Rubbing::stuck) {
      stuck.push_back(i);
      continue;
    }
    const double v = equations_.slide_value(i).velocity;
    if (rubbing == Rubbing::none ? moves(v) : v * sign_of(rubbing) < -Friction::rest) return true;
  }
  if (stuck.empty()) return false;
  const auto found = find_slipping(stuck);
  const auto* now = std::get_if<std::vector<Rubbing>>(&found);
  return now != nullptr &&
         std::any_of(now->begin(), now->end(), [](Rubbing one) { return sign_of(one) != 0.0; });
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

/// Slides that move rub against their motion. Those that stand still stick, unless friction cannot
/// hold all of them.
auto Faller::settle_friction() -> Stopped {
  std::vector<std::size_t> still;
  bool dry = false;
  for (std::size_t i = 0; i < equations_.slides().size(); ++i) {
    if (!is_dry(i)) continue;
    dry = true;
    const double v = equations_.slide_value(i).velocity;
    if (moves(v))
      equations_.rub(i, along(v));
    else
      still.push_back(i);
  }
  if (!still.empty()) {
    const auto found = find_slipping(still);
    if (const auto* result = std::get_if<Result>(&found)) return stop_for(*result);
    const auto& now = std::get<std::vector<Rubbing>>(found);
    for (std::size_t i = 0; i < still.size(); ++i) equations_.rub(still[i], now[i]);
  }
  return dry ? restart() : std::nullopt;
}

auto Faller::slip() -> Stopped {
  if (const Stopped stopped = settle_friction()) return stopped;
  return count_event();
}

}  // namespace counterpoise
