#pragma once

#include <functional>

#include "optimizer/dyadic_simplex.hpp"
#include "springs/mounts/mount_problem.hpp"

namespace counterpoise {

/// Weights of sets of multipliers: one per corner of a simplex, or a single set.
using WeightsList = std::span<const MountWeights* const>;

/// Multipliers give an affine function of the unknowns at each geometry. This class computes these
/// functions over one simplex of geometries: the coefficients at each corner, and enclosures of the
/// error of interpolating them in between. One object per thread; `problem` must outlive it.
class SimplexTerms {
 public:
  static constexpr std::size_t most_corners = most_dimensions + 1;

  struct Terms {
    std::array<Coefficients, most_corners> at;            // at each corner
    std::array<Coefficients, SmoothNumber::pairs> bends;  // second derivatives over the simplex
    Coefficients flat;                                    // errors other than quadratic forms
    /// The error of linear interpolation is at least the sum of lambda_v lambda_w errors[edge] over
    /// the edges, plus `flat`.
    std::array<Coefficients, most_corners * most_dimensions / 2> errors;
  };
  /// The place of an edge between two corners.
  static std::size_t edge(std::size_t v, std::size_t w) {
    return v > w ? v * (v - 1) / 2 + w : w * (w - 1) / 2 + v;
  }

  explicit SimplexTerms(const MountProblem& problem);

  [[nodiscard]] std::size_t corners() const { return corners_; }
  void set_simplex(const DyadicSimplex& simplex);
  /// Computes the terms of each of these multipliers. Cost: a microsecond for each sample with a
  /// weight, spring and corner.
  void compute(WeightsList weights);
  [[nodiscard]] const Terms& of(std::size_t multipliers) const { return terms_[multipliers]; }
  enum class Instants { some, all };
  /// Lower bounds of a load's size at up to 24 evenly spaced samples, or at all, over the whole
  /// simplex and all springs within their ranges, by intervals alone; 0 at the other samples. Cost:
  /// a microsecond for each of these, spring and corner; one corner's where springs can carry the
  /// load there.
  [[nodiscard]] std::vector<double> least_sizes(const SeriesOrigin& load, Instants instants);
  /// Whether, all over the simplex, some spring's length is outside what springs within their
  /// ranges allow.
  [[nodiscard]] bool excluded_by_length();
  /// Whether a parameter of the model is beyond its bound all over the simplex.
  [[nodiscard]] bool excluded_by_parameter() const;

 private:
  /// Sums of one function of a spring over all instants, times one corner's multipliers. Instants
  /// whose second derivatives help nothing are "loose": they only have a flat error.
  struct Sums {
    std::array<Interval, most_corners> values;
    MovingSpring::Bend bend;
    Interval flat;
    Interval smooth;                           // values over the simplex, of those not loose
    std::array<Interval, most_corners> loose;  // at each corner
    bool used = false;
  };
  /// The numbers that a factor of a sum needs besides the sum's terms.
  struct Slopes {
    Coefficients smooth;                               // see Sums
    std::array<Coefficients, most_dimensions> slopes;  // of what is smooth
    std::array<Coefficients, most_corners> loose;
  };

  /// A weight of the dense table, or what rounding has left of it.
  struct PlacedWeight {
    std::size_t place;
    std::int32_t sample;
    double weight;
  };

  void place(const MovingSpring& spring);
  enum class Where { simplex, first_corner };
  void find_range(Where where, const MovingSpring& spring, std::size_t actuator, int sample,
                  Interval& e, Interval& f);
  [[nodiscard]] std::vector<double> least_sizes(Where where, const SeriesOrigin& load,
                                                std::span<const int> samples);
  void note(const PlacedWeight& one);
  void list_sums(WeightsList weights);
  void add_spring(std::size_t spring);
  void spread(const MountSum::OfSpring& weights, std::size_t u, const MovingSpring& spring);
  void add_instant(const MovingSpring& spring, int sample, std::size_t count);
  [[nodiscard]] MovingSpring::Lines places_between(
      const MovingSpring& spring, int sample,
      const std::array<MovingSpring::Line, most_corners>& lines);
  [[nodiscard]] static Interval spread_of(const Interval& values,
                                          std::span<const Interval> at_corners);
  [[nodiscard]] double size_of(const MovingSpring::Bend& bend) const;
  void add_bend(double weight, const MovingSpring::Bend& bend, Sums& sums) const;
  void add_values(double weight, bool smooth, const Interval& values,
                  const std::array<Interval, most_corners>& at_corners, Sums& sums) const;
  void add_function(const Sums& sums, std::size_t u,
                    const std::function<void(const Interval&, Coefficients&)>& add);
  void add_slopes(const Sums& sums, Slopes& slopes,
                  const std::function<void(const Interval&, Coefficients&)>& add) const;
  void add_product(const MountWeights::Product& product, std::size_t sum, Terms& to) const;
  void add_addend(const MountWeights::Addend& addend, Terms& to) const;
  [[nodiscard]] std::array<double, most_dimensions> diagonal(const Terms& terms,
                                                             std::size_t coefficient) const;
  void find_errors(Terms& terms) const;

  const MountProblem& problem_;
  std::size_t dimensions_, corners_;
  DyadicSimplex simplex_;
  std::array<double, most_dimensions> extents_{};  // of the simplex along each variable
  // parameters of the model over the simplex and at its corners, per motion
  std::vector<std::vector<SmoothNumber>> parameters_;
  std::vector<std::vector<std::vector<SmoothNumber>>> corner_parameters_;
  // coordinates of the mounts of the spring at work, over the simplex and at its corners
  std::vector<SmoothNumber> coordinates_;
  std::vector<Interval> region_;
  std::array<std::vector<Interval>, most_corners> places_;
  MovingSpring::Line over_;  // of one instant over the simplex, if a coordinate is bent
  bool bent_ = false;        // whether a coordinate is not affine in the variables

  // the numbers that mounts change over the simplex, and at its corners
  std::vector<SmoothNumber> numbers_;
  std::array<std::vector<SmoothNumber>, most_corners> corner_numbers_;

  std::size_t sets_ = 0;               // of multipliers
  std::vector<const MountSum*> sums_;  // of each set of multipliers, then the sums with factors
  std::vector<Terms> terms_;           // of each sum
  std::vector<Slopes> slopes_;         // of each sum with a factor
  bool has_factors_ = false;
  std::vector<double> dense_;  // weights by sum, function and sample
  std::vector<PlacedWeight> left_;
  std::vector<char> active_;
  std::vector<int> active_samples_;
  std::size_t functions_ = 0;          // actuators, then roles of lengths
  std::vector<Sums> e_, f_, lengths_;  // per sum; of lengths, and role
};

}  // namespace counterpoise
