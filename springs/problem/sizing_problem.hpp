#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/evaluator.hpp"
#include "engine/mechanism/elements.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "optimizer/convex/choice/choose.hpp"
#include "springs/problem/metric_form.hpp"
#include "springs/problem/unknowns.hpp"

namespace counterpoise {

/// A limit of the convex problem in words, for explanations of a result.
struct LimitWords {
  std::string name;  // "min_length of lean_spring in motion reach"
  std::string unit;  // SI, of what is limited; empty: none
  bool at_least = false;
  /// Whether the problem's bound is the limit's own number (its negative if at_least), or only a
  /// number of the same size, or neither.
  enum class Bound { own, size, other };
  Bound bound = Bound::other;
  int times = -1;       // the unknown that it was multiplied by to be linear; -1: none
  int product = -1;     // the free length, among SpringRoles::sized, whose bound this is; -1: none
  int constraint = -1;  // index of Study::constraints; -1: none
  int sum = -1;         // of the constraint's form, or of its negative if at_least
};

/// The possible springs made to order in place of a catalogue's: any rate, free length and initial
/// tension between the least and the largest of all rows, under the largest load of any.
struct CustomSpring {
  int unknown =
      -1;  // its rate; the next is its offset; -1: springs of several laws on one variable
  std::array<double, 2> rate = {no_limit, -no_limit};
  std::array<double, 2> free_length = {no_limit, -no_limit};
  std::array<double, 2> initial_tension = {no_limit, -no_limit};
  double max_load = 0.0;
  bool coils_close = true;                          // every row's min_length is its free length
  double shortest = no_limit, longest = -no_limit;  // over its springs and motions
  /// A length at which sign * tension is at least 0, of a spring that only pulls or only pushes.
  struct Sense {
    double length, sign;
  };
  std::vector<Sense> senses;
  double least_free = -no_limit, most_free = no_limit;  // lengths, by the sense in which it acts
};

/// The levels of one chosen variable at one geometry, and which of them fit.
struct StockGroup {
  int variable = -1;                 // index of Study::variables
  std::vector<int> levels;           // of each option
  std::vector<int> refused;          // levels whose own limits the geometry breaks
  std::vector<std::string> reasons;  // of each refused level
  CustomSpring custom;
};

/// The chosen springs of one geometry: the levels that may be chosen, and the same as options of a
/// choice.
struct Stock {
  std::vector<StockGroup> groups;  // one per SpringRoles::chosen, in their order
  std::vector<ChoiceGroup> options;
};

/// The motion and actuator of a series of the problem. The series of a spring's tension has
/// actuator -1 and the spring's index.
struct SeriesOrigin {
  std::size_t motion;
  int actuator;
  int spring;
};

/// A limit of a sized spring, before lengths are put in. With L the shortest or longest length in
/// one motion, T(L) the tension there and x the unknowns it says
///   sign * T(L) + fixed(x) <= 0, or
///   fixed(x) - sign * L * x[times] <= 0, without x[times] where times is -1.
/// It holds if the same is true at every instant of the motion.
struct SpringLimit {
  std::size_t motion, spring;
  bool longest = false;
  bool of_tension = false;
  double sign = 1.0;
  LinearInUnknowns fixed;
  int times = -1;
  int limit = -1;  // index of ConvexProblem::limits; -1: always met at this geometry
};

/// A limit that keeps a spring from tension where its ends meet.
struct MeetingEnds {
  std::size_t spring;
  int limit;   // index of ConvexProblem::limits
  bool moves;  // an outer variable moves its mounts, so that other geometries may not have it
};

/// A sum with least tensions, before lengths are put in: with L the shortest or longest length in
/// one motion and T(L) the tension there it is
/// rest(x) - sum over terms of weight * T(L), and at any instant at most the same expression with
/// that instant's length.
struct TensionSum {
  struct Term {
    std::size_t motion, spring;
    bool longest = false;
    double weight = 0.0;
  };
  std::vector<Term> terms;
  ConvexSum rest;
  bool of_limit = false;  // belongs to a limit, else to the objective
  int index = -1;         // of ConvexProblem::limits or objective
};

/// The convex problem of one geometry, with its parts described in words.
struct WrittenProblem {
  ConvexProblem problem;
  std::vector<std::string> names;          // of its unknowns
  std::vector<int> form_sums;              // of each objective: which sum of its form it is
  std::vector<LimitWords> limits;          // of its limits
  std::vector<SpringLimit> spring_limits;  // limits of sized springs, the same for every geometry
  std::vector<MeetingEnds> meeting_ends;
  std::vector<TensionSum> tension_sums;  // in the order of objective and limits
  std::vector<SeriesOrigin> origins;     // of its series
  std::vector<int> norm_metrics;         // metric of each norm, index of Study::metrics; -1: none
  std::vector<int> rates;  // per sized variable: of a product, the unknown of its rate; else -1
  Stock stock;             // of chosen springs; its options are empty where nothing fits
  std::string conflict;    // limits of free lengths that no spring can meet, or empty
  std::vector<std::string> beside;  // bounds that are not linear in springs, and so no limits

  void add_unknown(std::string name, double lower, double upper) {
    names.push_back(std::move(name));
    problem.lower.push_back(lower);
    problem.upper.push_back(upper);
  }
  void add_limit(LimitWords words, ConvexSum sum, double bound) {
    limits.push_back(std::move(words));
    problem.limits.push_back({std::move(sum), bound});
  }
};

/// The loads in one motion per unit of an unknown that masses and inertias follow. Loads are affine
/// in these as long as the centres of mass stay in their bodies.
struct MassLoads {
  int unknown = -1;
  double present = 0.0;                       // the unknown's value in AffineLoads
  std::vector<std::vector<double>> per_unit;  // of each actuator, one number per sample
};

/// One motion of a design, ready to have its springs and masses sized.
struct MotionLoads {
  const AffineLoads* loads = nullptr;
  const Mechanism* mechanism = nullptr;
  double share = 1.0;            // duration * weight over the sum of all motions'
  std::vector<TensionLaw> laws;  // one per spring
  std::span<const MassLoads> masses = {};
};

/// The load of an actuator in a motion as a series of a problem with that many unknowns.
AffineSeries series_of_load(const MotionLoads& motion, std::size_t actuator, std::size_t unknowns);

/// The share of each motion in metrics that are integrals; see combine().
std::vector<double> shares_of_motions(const Study& study);

/// Writes a convex problem: loads as series, metrics as norms of series, forms as sums.
///
/// A metric over several motions is one norm of all their samples, so that minima and certificates
/// refer to the metrics of any other run, with their trapezoid rule and weights.
class SizingProblem {
 public:
  /// `out` already has its unknowns and their bounds. `motions` and `out` must outlive this object.
  SizingProblem(const Study& study, const std::vector<MotionLoads>& motions, WrittenProblem& out);

  /// Adds the sums of a form to the objective, which is the largest of all sums. A sum with a least
  /// tension becomes several: one for each motion and end of the spring's lengths.
  void add_to_objective(const MetricForm& form);
  /// Adds the limit form <= bound.
  void limit(LimitWords words, const MetricForm& form, double bound);
  /// Adds a limit on the largest |load| of each actuator that has one.
  void limit_actuators();

  /// Sets the unknown that stands for a parameter of the model, for forms that name parameters.
  void set_parameter(int parameter, int unknown);

 private:
  /// A sum of a form, and the same sum before lengths are put in.
  struct OwnSum {
    ConvexSum sum;
    TensionSum tensions;
  };
  [[nodiscard]] std::vector<OwnSum> sums_of(const MetricSum& sum);
  void subtract_least_tension(std::size_t spring, double weight, std::vector<OwnSum>& sums) const;
  void note(TensionSum tensions, bool of_limit, std::size_t index);
  int norm_of(int metric);
  int load_series(std::size_t motion, std::size_t actuator);
  int tension_series(std::size_t motion, std::size_t spring);
  [[nodiscard]] std::vector<double> weights_of(const MetricName& metric, std::size_t motion) const;

  const Study& study_;
  const std::vector<MotionLoads>& motions_;
  WrittenProblem& out_;
  ConvexProblem& problem_;  // of `out_`
  std::vector<int> unknown_of_parameter_;
};

}  // namespace counterpoise
