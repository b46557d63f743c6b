#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "drives/catalogue.hpp"
#include "drives/shaft.hpp"

namespace counterpoise {

/// The shaft of a motor with a gearbox; `transmission` is the turn of the gearbox's output per unit
/// of the coordinate [rad/rad or rad/m].
Shaft shaft_of(const Motor& motor, const Gearbox& gearbox, double transmission);

/// What motions demand of a drive, in the order in which a drive that falls short is told. With m a
/// margin on torques, tau and n torque and speed of the motor, u the load at the coordinate, and r
/// the turn of the gearbox's output per unit of the coordinate:
enum class DriveDemand {
  peak_torque,    // m |tau| <= peak torque of the motor
  rated_torque,   // m rms(tau) <= rated torque of the motor
  speed,          // |n| <= no-load speed of the motor
  torque_speed,   // where tau n > 0: m |tau| at most on the line through the rated torque at the
                  // rated speed and 0 at the no-load speed
  gearbox_peak,   // m |u| / r <= peak torque of the gearbox
  gearbox_rated,  // m rms(u) / r <= rated torque of the gearbox
  gearbox_speed,  // |n| <= input speed of the gearbox
};
inline constexpr std::size_t drive_demand_count = 7;
/// "peak torque", "torque at speed", "input speed of the gearbox".
std::string_view words_of(DriveDemand demand);

/// A motor and a gearbox by their places in the catalogues.
struct DrivePair {
  int motor = -1;
  int gearbox = -1;  // -1: none

  bool operator==(const DrivePair&) const = default;
};

/// How much of what a drive can do is asked of it, for each demand; 1 is all of it.
struct DriveUse {
  std::array<double, drive_demand_count> shares{};

  /// The demand that asks most; the first of equal ones.
  [[nodiscard]] DriveDemand hardest() const;
  [[nodiscard]] double largest() const { return shares[static_cast<std::size_t>(hardest())]; }
};

/// A drive that was chosen, what it has to do, and the largest share of what it can do, without the
/// margin.
struct ChosenDrive {
  DrivePair pair;
  DriveLoad load;
  double utilisation = 0.0;
};

/// What a pair costs: of what is minimised, then of the other one. The order is lexicographic, also
/// that of sums.
struct PairCost {
  double first = 0.0, second = 0.0;

  auto operator<=>(const PairCost&) const = default;
  friend PairCost operator+(const PairCost& a, const PairCost& b) {
    return {a.first + b.first, a.second + b.second};
  }
};

/// Chooses among all pairs of a motor and a gearbox the first that suffices, in the order of what
/// is minimised, then of the other cost, then of the catalogues. One per thread.
class DriveChoice {
 public:
  /// Without gearboxes the motors drive the coordinate themselves. `transmission` is the turn of
  /// the gearbox's output, or of the motor, per unit of the coordinate [rad/rad or rad/m].
  DriveChoice(std::vector<Motor> motors, std::vector<Gearbox> gearboxes, double transmission,
              double margin, DriveCost minimise);

  /// The first pair that suffices, or nothing. The answer is that of looking at each pair with each
  /// sample. Cost: about 30 operations a sample, some 20 for each pair that comes before the
  /// answer, and a pass over the samples for each of those that sums and bounds do not decide: most
  /// often one. Allocates nothing once it has had as many samples.
  std::optional<ChosenDrive> choose(const ShaftSamples& samples, double recuperated);

  /// The pair that comes nearest: the least largest share, with the margin, and the first of equal
  /// ones. The samples must be those of the last `choose`. Cost: some 50 operations a pair, and a
  /// pass over the samples for each that bounds do not decide.
  DrivePair nearest(const ShaftSamples& samples);
  /// For each demand how many pairs break it and none of those before it.
  [[nodiscard]] std::array<std::int64_t, drive_demand_count> excluded(
      const ShaftSamples& samples) const;

  /// How much a design asks of a pair, its torques multiplied by the margin.
  [[nodiscard]] DriveUse use_of(const DrivePair& pair, const ShaftSamples& samples) const;

  /// A pair as a choice for these samples, whether or not it suffices.
  [[nodiscard]] ChosenDrive chosen(const DrivePair& pair, const ShaftSamples& samples,
                                   double recuperated) const;

  [[nodiscard]] Shaft shaft_of(const DrivePair& pair) const;
  [[nodiscard]] PairCost cost_of(const DrivePair& pair) const;
  [[nodiscard]] double price_of(const DrivePair& pair) const;
  [[nodiscard]] double mass_of(const DrivePair& pair) const;
  [[nodiscard]] const Motor& motor(const DrivePair& pair) const { return motors_[at(pair.motor)]; }
  /// The gearbox of a pair; one that does nothing where there is none.
  [[nodiscard]] const Gearbox& gearbox(const DrivePair& pair) const;
  [[nodiscard]] double transmission() const { return transmission_; }
  [[nodiscard]] double margin() const { return margin_; }
  /// All pairs in their order.
  [[nodiscard]] const std::vector<DrivePair>& pairs() const { return pairs_; }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  void summarise(const ShaftSamples& samples);
  void pass_sums(std::size_t first);
  void bound_shares(const ShaftSamples& samples);
  [[nodiscard]] bool fails_at(std::size_t pair, const ShaftSamples& samples, std::size_t k) const;
  [[nodiscard]] DriveLoad load_of(const DrivePair& pair, const ShaftSamples& samples,
                                  double recuperated) const;
  [[nodiscard]] DriveUse shares_of(const DrivePair& pair, const DriveLoad& load,
                                   double margin) const;

  static constexpr std::size_t block = 8;  // of pairs that are looked at together

  std::vector<Motor> motors_;
  std::vector<Gearbox> gearboxes_;
  Gearbox no_gearbox_;
  double transmission_, margin_;
  DriveCost minimise_;
  std::vector<DrivePair> pairs_;
  std::vector<Shaft> shafts_;  // of the pairs

  /// Of each pair, in their order, filled up to whole blocks with pairs that never pass: factors of
  /// the load, and what may be asked, with the margin and rounding. Torques are multiplied by the
  /// ratio.
  struct Columns {
    std::vector<double> forward, backward;           // 1 / eta and eta_b
    std::vector<double> reflected;                   // J i^2
    std::vector<double> speed, load, torque;         // |v|, |u|, |i tau|
    std::vector<double> load_square, torque_square;  // mean squares of u and of i tau
  } columns_;

  SampleSums sums_;
  std::vector<std::size_t> witnesses_;  // samples at which pairs are likely to fall short
  std::array<bool, block> passes_{};
  std::vector<double> least_shares_;  // of the pairs, bounds from below
};

/// Whether what is asked keeps a limit, up to rounding.
[[nodiscard]] inline bool keeps(double asked, double limit) {
  return asked <= limit * (1.0 + 1e-9);
}

}  // namespace counterpoise
