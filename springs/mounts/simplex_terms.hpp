#pragma once

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
    std::array<Coefficients, SmoothNumber::pairs> bends;  // second derivatives, of products alone
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
  [[nodiscard]] const DyadicSimplex& simplex() const { return simplex_; }
  /// Computes the terms of each of these multipliers. Functions that springs of several motions
  /// share are weighed together, so that what cancels does. Cost: a microsecond for each sample
  /// with a weight, spring and corner.
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
  /// A length of MountProblem::length_ranges() at the instant where it is longest or shortest.
  struct BrokenLength {
    std::size_t range;
    std::int32_t sample;
    bool too_long;
  };
  /// Where a spring may be too long or too short somewhere in the simplex, by intervals; found by
  /// excluded_by_length() where that is false.
  [[nodiscard]] const std::vector<BrokenLength>& broken_lengths() const { return broken_lengths_; }
  /// Whether a parameter of the model is beyond its bound all over the simplex.
  [[nodiscard]] bool excluded_by_parameter() const;

 private:
  /// e or f of an actuator, or the length, of a moving spring at one instant. Where the second
  /// derivatives help nothing the function is loose: its error of interpolation is only flat.
  struct Function {
    std::array<Interval, most_corners> at;  // at each corner
    /// The error of linear interpolation, as in Terms.
    std::array<Interval, most_corners * most_dimensions / 2> errors;
    Interval flat;
    bool loose = false;
    // what factors need
    Interval value;                                   // over the simplex
    std::array<Interval, most_dimensions> slopes;     // by the variables, unless it is loose
    std::array<Interval, SmoothNumber::pairs> bends;  // second derivatives, unless it is loose
  };
  /// A function times a weight, which a sum adds to one of its coefficients. Weights are added up
  /// in twice the precision, so that large ones may cancel.
  struct Share {
    std::size_t sum = 0, coefficient = 0;
    std::size_t place = 0;  // of the function
    double weight = 0.0;
    Interval rest;  // of the weight

    void add(const Share& other);
  };
  /// The numbers that a factor of a sum needs besides the sum's terms.
  struct Slopes {
    Coefficients smooth;  // values over the simplex, of the functions that are not loose
    std::array<Coefficients, most_dimensions> slopes;  // of the same
    std::array<Coefficients, most_corners> loose;      // values at each corner of the others
  };

  /// The place of a function among those of all springs: of each instant e of all actuators, then
  /// their f, then the length.
  [[nodiscard]] std::size_t place_of(std::size_t spring, std::int32_t sample,
                                     std::size_t function) const {
    return first_places_[spring] + static_cast<std::size_t>(sample) * functions_of(spring) +
           function;
  }
  [[nodiscard]] std::size_t functions_of(std::size_t spring) const {
    return 2 * problem_.springs()[spring].actuators().size() + 1;
  }
  void place(const MovingSpring& spring);
  enum class Where { simplex, first_corner };
  void find_range(Where where, const MovingSpring& spring, std::size_t actuator, int sample,
                  Interval& e, Interval& f);
  [[nodiscard]] std::vector<double> least_sizes(Where where, const SeriesOrigin& load,
                                                std::span<const int> samples);
  void list_sums(WeightsList weights);
  void list_shares();
  void list_functions();
  void find_functions(std::size_t spring, int sample, std::size_t first, std::size_t last);
  using Curvatures = std::array<MovingSpring::Curvature, most_corners * most_dimensions / 2>;
  void find_errors(const MovingSpring::Bend& bend, const Curvatures& edges,
                   Function& function) const;
  void loosen(const Interval& over, bool smooth, Function& function) const;
  [[nodiscard]] MovingSpring::Lines places_between(
      const MovingSpring& spring, int sample,
      const std::array<MovingSpring::Line, most_corners>& lines);
  void add_share(const Share& share);
  template <class Weight>
  void add_share(const Share& share, const Weight& weight);
  void add_product(const MountWeights::Product& product, std::size_t sum, Terms& to) const;
  void add_addend(const MountWeights::Addend& addend, Terms& to) const;
  using Errors = std::array<Interval, most_corners * most_dimensions / 2>;
  void find_errors(std::span<const Interval> bends, Errors& errors) const;

  const MountProblem& problem_;
  std::size_t dimensions_, corners_;
  bool has_factors_;  // whether some multipliers may have products
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

  std::vector<std::size_t> first_places_;  // of each spring's functions
  std::size_t sets_ = 0;                   // of multipliers
  std::vector<const MountSum*> sums_;      // of each set of multipliers, then the sums with factors
  std::vector<Terms> terms_;               // of each sum
  std::vector<Slopes> slopes_;             // of each sum with a factor
  std::vector<BrokenLength> broken_lengths_;
  std::vector<Share> shares_;
  std::vector<std::int32_t> known_;  // per place: index in functions_, or -1
  std::vector<std::size_t> used_;    // place of each function
  std::vector<Function> functions_;  // over this simplex
};

}  // namespace counterpoise
