#include "drives/shaft.hpp"

#include <cmath>
#include <cstring>

#include "engine/math/extremes.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// The samples from k on, as many as S has lanes.
template <class S>
S samples_at(const std::vector<double>& of, std::size_t k) {
  S samples;
  static_assert(sizeof samples == lanes<S> * sizeof(double));
  std::memcpy(static_cast<void*>(&samples), &of[k], sizeof samples);
  return samples;
}

double sum_of(const Pack& x) {
  double sum = 0.0;
  for (int i = 0; i < lanes<Pack>; ++i) sum += lane(x, i);
  return sum;
}
double sum_of(double x) {
  return x;
}

/// What turns loads and accelerations into torques, and torques into heat.
struct Factors {
  Factors(const Shaft& shaft, const DriveView& looked_at)
      : view(looked_at),
        ratio(shaft.ratio),
        inertia(shaft.inertia * shaft.ratio),
        heat(shaft.heat(1.0)),
        ahead(1.0 / (shaft.ratio * shaft.efficiency)),
        back(shaft.back_efficiency / shaft.ratio),
        still(1.0 / shaft.ratio) {}

  DriveView view;
  double ratio, inertia, heat, ahead, back, still;
};

/// Largest numbers and sums over samples.
template <class S>
struct Totals {
  S torque{0.0}, speed{0.0}, power{0.0}, holding{0.0}, load{0.0}, voltage{0.0}, with_margin{0.0};
  S torque_square{0.0}, load_square{0.0}, energy{0.0}, time{0.0};

  void add(const Factors& by, const ShaftSamples& samples, std::size_t k) {
    const S none(0.0), u = samples_at<S>(samples.load, k), v = samples_at<S>(samples.velocity, k);
    const S a = samples_at<S>(samples.acceleration, k), w = samples_at<S>(samples.weight, k);
    const S work = u * v;
    const S share = select(work > none, S(by.ahead), select(work < none, S(by.back), S(by.still)));
    const S tau = u * share + a * by.inertia, n = v * by.ratio, given = tau * n;
    const S size = abs(tau), fast = abs(n), lost = tau * tau * by.heat, taken = given + lost;
    const S slower = size * by.view.droop;
    torque = larger(torque, size);
    speed = larger(speed, fast);
    power = larger(power, abs(given));
    holding = larger(holding, select(abs(v) + abs(a) > none, none, lost));
    load = larger(load, abs(u));
    voltage = larger(voltage, select(given > none, S(slower + fast), none));
    with_margin =
        larger(with_margin, select(given > none, S(slower * by.view.margin + fast), none));
    torque_square += w * tau * tau;
    load_square += w * u * u;
    energy += w * select(taken > none, taken, S(taken * by.view.recuperated));
    time += w;
  }
};

}  // namespace

DriveLoad load_of(const Shaft& shaft, const DriveView& view, const ShaftSamples& samples) {
  const Factors factors(shaft, view);
  Totals<Pack> packs;
  Totals<double> rest;
  std::size_t k = 0;
  for (; k + lanes<Pack> <= samples.size(); k += lanes<Pack>) packs.add(factors, samples, k);
  for (; k < samples.size(); ++k) rest.add(factors, samples, k);
  const auto sum = [&](auto of_pack, auto of_rest) {
    return sum_of(packs.*of_pack) + sum_of(rest.*of_rest);
  };
  const auto largest = [&](auto of_pack, auto of_rest) {
    return std::max(largest_lane(packs.*of_pack), rest.*of_rest);
  };
  using P = Totals<Pack>;
  using R = Totals<double>;
  const double time = sum(&P::time, &R::time);
  const auto rms = [time](double squares) { return time > 0.0 ? std::sqrt(squares / time) : 0.0; };
  DriveLoad found;
  found.torque = largest(&P::torque, &R::torque);
  found.rms = rms(sum(&P::torque_square, &R::torque_square));
  found.speed = largest(&P::speed, &R::speed);
  found.power = largest(&P::power, &R::power);
  found.energy = sum(&P::energy, &R::energy);
  found.holding_power = largest(&P::holding, &R::holding);
  found.load = largest(&P::load, &R::load);
  found.load_rms = rms(sum(&P::load_square, &R::load_square));
  found.voltage_speed = largest(&P::voltage, &R::voltage);
  found.voltage_speed_with_margin = largest(&P::with_margin, &R::with_margin);
  return found;
}

namespace {

template <class S>
struct Sums {
  S ahead_square{0.0}, ahead_product{0.0}, back_square{0.0}, back_product{0.0};
  S still_square{0.0}, still_product{0.0}, inertia_square{0.0}, weights{0.0};
  S load{0.0}, speed{0.0}, power{0.0}, turn{0.0};

  void add(const ShaftSamples& samples, std::size_t k) {
    const S none(0.0), u = samples_at<S>(samples.load, k), v = samples_at<S>(samples.velocity, k);
    const S a = samples_at<S>(samples.acceleration, k), w = samples_at<S>(samples.weight, k);
    const S work = u * v, all = w * u;
    const S ahead = select(work > none, all, none), back = select(work < none, all, none);
    const S still = select(abs(work) > none, none, all);
    ahead_square += ahead * u;
    ahead_product += ahead * a;
    back_square += back * u;
    back_product += back * a;
    still_square += still * u;
    still_product += still * a;
    inertia_square += w * a * a;
    weights += w;
    load = larger(load, abs(u));
    speed = larger(speed, abs(v));
    power = larger(power, abs(work));
    turn = larger(turn, abs(a));
  }
};

}  // namespace

SampleSums sums_of(const ShaftSamples& samples) {
  Sums<Pack> packs;
  Sums<double> rest;
  std::size_t k = 0;
  for (; k + lanes<Pack> <= samples.size(); k += lanes<Pack>) packs.add(samples, k);
  for (; k < samples.size(); ++k) rest.add(samples, k);
  const auto sum = [&](auto of_pack, auto of_rest) {
    return sum_of(packs.*of_pack) + sum_of(rest.*of_rest);
  };
  const auto largest = [&](auto of_pack, auto of_rest) {
    return std::max(largest_lane(packs.*of_pack), rest.*of_rest);
  };
  using P = Sums<Pack>;
  using R = Sums<double>;
  SampleSums sums;
  sums.ahead = {sum(&P::ahead_square, &R::ahead_square), sum(&P::ahead_product, &R::ahead_product)};
  sums.back = {sum(&P::back_square, &R::back_square), sum(&P::back_product, &R::back_product)};
  sums.still = {sum(&P::still_square, &R::still_square), sum(&P::still_product, &R::still_product)};
  sums.inertia_square = sum(&P::inertia_square, &R::inertia_square);
  sums.weights = sum(&P::weights, &R::weights);
  sums.load = largest(&P::load, &R::load);
  sums.speed = largest(&P::speed, &R::speed);
  sums.power = largest(&P::power, &R::power);
  sums.acceleration = largest(&P::turn, &R::turn);
  return sums;
}

double least_square(const SampleSums& sums, double forward, double backward, double reflected) {
  const double carried = forward * forward * sums.ahead.square +
                         backward * backward * sums.back.square + sums.still.square;
  const double both =
      forward * sums.ahead.product + backward * sums.back.product + sums.still.product;
  const double turned = reflected * reflected * sums.inertia_square;
  return carried + 2.0 * reflected * both + turned - sum_rounding * (carried + turned);
}

}  // namespace counterpoise
