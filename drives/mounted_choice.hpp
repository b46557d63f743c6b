#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "drives/choice.hpp"

namespace counterpoise {

/// What motions ask of one actuator where drives whose masses are yet to be chosen load it. The
/// load is the affine function of these masses that the samples below span.
struct CarriedSamples {
  ShaftSamples least;        // with the least mass of each drive, without dry friction at rest
  std::vector<double> play;  // by how much that may change the load, to either side; one a sample
  std::vector<std::vector<double>>
      added;  // per mass: what its greatest adds to its least, a sample
};

/// Chooses drives that have to carry themselves and each other: of all combinations of pairs that
/// suffice for the loads which their own masses cause, the one that costs least in all. Cost is
/// that of what is minimised, then the other one. One per thread.
///
/// A mass is counted from 0 for the lightest pair of a drive to 1 for the heaviest. Loads are
/// affine in each, so that a box of masses bounds them.
class MountedChoice {
 public:
  struct Drive {
    const DriveChoice* choice = nullptr;  // has to outlive this object
    bool mounted = false;                 // whether the mechanism carries it
    bool favourable_at_rest = false;      // which end of what dry friction may carry counts
  };
  explicit MountedChoice(const std::vector<Drive>& drives);

  /// How many masses loads depend on: those of mounted drives whose pairs do not all weigh the
  /// same.
  [[nodiscard]] std::size_t masses() const { return box_.size(); }
  /// The drive whose mass it is.
  [[nodiscard]] std::size_t drive_of(std::size_t mass) const { return owners_[mass]; }
  /// The mass of a drive's lightest and heaviest pair [kg].
  [[nodiscard]] double least_mass(std::size_t drive) const { return drives_[drive].lightest; }
  [[nodiscard]] double greatest_mass(std::size_t drive) const { return drives_[drive].heaviest; }

  /// The samples of a drive, to be filled in before choose().
  [[nodiscard]] CarriedSamples& samples(std::size_t drive) { return drives_[drive].samples; }

  /// Returns whether some combination of pairs suffices. Cost: with one drive, some 50 operations
  /// for each pair that comes before the answer, and a pass over the samples for each that bounds
  /// do not decide. Several drives are chosen in turn until they keep. Then boxes of masses are
  /// divided, and left where no pair of some drive may suffice or no combination may cost less, as
  /// long as there are more than a few combinations. Allocates nothing once it has had as many
  /// samples and divisions.
  bool choose();
  /// The pair of a drive in the combination that was chosen; where none suffices, in that which was
  /// reached by taking in turn for each drive the first pair that suffices beside the others, or
  /// the nearest.
  [[nodiscard]] const DrivePair& pair(std::size_t drive) const;

  /// The drive that falls short most in that combination.
  struct Shortfall {
    std::size_t drive = 0;
    DriveUse use;
  };
  /// Where choose() found none.
  [[nodiscard]] const Shortfall& shortfall() const { return shortfall_; }

 private:
  /// Numbers from `low` to `high`.
  struct Range {
    double low = 0.0, high = 0.0;
    /// The number of the range that is nearest to 0.
    [[nodiscard]] double nearest_to_zero() const {
      return low > 0.0 ? low : high < 0.0 ? high : 0.0;
    }
  };
  /// What a pair makes of loads, and what may be asked of it, with the margin and more than
  /// rounding. Torques are multiplied by the ratio, speeds divided by it.
  struct PairNumbers {
    double forward = 1.0, backward = 1.0;             // 1 / eta and eta_b
    double reflected = 0.0;                           // J i^2
    double speed = 0.0, load = 0.0, torque = 0.0;     // |v|, |u|, |i tau|
    double load_mean = 0.0, torque_mean = 0.0;        // rms of u and of i tau
    double speed_per_torque = 0.0, line_speed = 0.0;  // of the line from the rated point to no load
    double share = 0.0;                               // of the mass, from 0 to 1

    /// The torque that a load at a velocity and an acceleration asks for. It never decreases with
    /// the load.
    [[nodiscard]] double asked(double u, double v, double a) const {
      const double work = u * v;
      return u * (work > 0.0 ? forward : work < 0.0 ? backward : 1.0) + reflected * a;
    }
  };
  /// What the samples ask where a drive has some share of its mass, and the others are in the
  /// middle of a box: a bound of what they ask nearby.
  struct Anchor {
    bool known = false;
    SampleSums sums;
  };
  static constexpr std::size_t anchors = 9;  // of shares 0, 1/8 ... 1

  struct Own {
    Drive of;
    int mass = -1;  // the place of its mass in box_; -1: it adds none, or always the same
    double lightest = 0.0, heaviest = 0.0;  // [kg]
    std::vector<PairNumbers> pairs;         // in their order
    std::vector<PairCost> costs;
    CarriedSamples samples;
    ShaftSamples loaded;                  // the samples with the masses that were looked at last
    std::vector<std::size_t> influences;  // masses that change the load
    std::vector<double> sizes;            // per mass: sqrt(sum of w (added load)^2)
    bool continuous = true;               // whether no dry friction turns round where the load does
    std::vector<std::size_t> witnesses;   // samples at which pairs are likely to fall short
    double fastest = 0.0;                 // largest |v|
    std::array<Anchor, anchors> anchored;
    std::vector<double> middle;  // per mass: where the others are in these
    std::size_t picked = 0;
    /// Pairs that may be in a combination that costs less, in their order, by depth of division.
    std::vector<std::vector<std::size_t>> candidates;
  };

  static PairNumbers numbers_of(const DriveChoice& choice, const DrivePair& pair);
  void begin();
  void witness(Own& own);
  void anchor(Own& own);
  [[nodiscard]] Range load_at(const Own& own, std::size_t k) const;
  [[nodiscard]] bool fails_at(const Own& own, std::size_t pair, std::size_t k, double part) const;
  [[nodiscard]] bool fails_surely(const Own& own, std::size_t pair, double part = 1.0) const;
  bool exceeds_means(Own& own, std::size_t pair);
  [[nodiscard]] bool certain(const Own& own) const;
  void load(Own& own, double own_share, const std::vector<double>* others);
  DriveUse use_of(Own& own, std::size_t pair);
  bool suffices(Own& own, std::size_t pair);
  bool possible(Own& own, std::size_t pair);
  bool possible_with_own(Own& own, std::size_t pair);
  void set_mass(const Own& own, std::size_t pair);
  void pick(Own& own, std::size_t pair);
  std::size_t nearest(Own& own);
  bool settle();
  bool all_suffice();
  [[nodiscard]] PairCost total_of_picked() const;
  void keep_if_best(const PairCost& cost);
  bool list_candidates();
  bool narrow(std::size_t depth);
  void divide(std::size_t depth);
  void search(std::size_t depth, std::size_t level, const PairCost& spent);

  std::vector<Own> drives_;
  std::vector<std::size_t> owners_;  // of masses
  std::vector<Range> box_;           // of masses, that loads are looked at for
  std::vector<std::size_t> order_;   // drives, those first whose loads depend on the fewest masses
  std::vector<PairCost> rest_;       // least costs of the drives from a level of order_ on
  std::vector<std::size_t> best_;  // pairs of the best combination so far, the first of equal ones
  std::optional<PairCost> best_cost_;
  Shortfall shortfall_;
};

}  // namespace counterpoise
