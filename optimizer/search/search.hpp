#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace counterpoise {

/// What the caller knows about a point. A point is feasible if it is computable, its objective is
/// finite and its violation is 0.
struct Evaluation {
  double objective = 0.0;  // to be minimised; any value where not computable
  double violation =
      0.0;  // how far the point is from feasible, about 1 where that is far; 0 if feasible
  bool computable = true;  // false: the objective has no value here
};

using Evaluate = std::function<Evaluation(std::span<const double> x)>;

struct SearchStage {
  std::string algorithm = "LN_SBPLX";
  double share = 1.0;  // of the evaluations, relative to the other stages
};

struct SearchOptions {
  std::vector<SearchStage> stages;  // each starts from the best point so far
  int max_evaluations = 1000;       // never exceeded
  std::uint64_t seed = 1;           // same seed and start: same points, on any number of threads
  int start = 0;                    // start 0 begins at `nominal`, others at start_point()
  std::vector<double> lower, upper, nominal;  // lower < upper
  double tolerance = 1e-7;  // a local descent ends when its steps are below this part of the range
  double initial_step = 0.2;  // first step of a local descent, as a fraction of the range
  int population = 0;         // population of algorithms that have one; 0 leaves it to NLopt
  int idle_restarts = 12;     // a local stage ends after so many descents without gain
};

enum class Stopped {
  max_evaluations,  // all evaluations were used
  converged,        // further restarts found nothing better
  cancelled,
};

struct SearchSummary {
  Stopped why = Stopped::max_evaluations;
  int evaluations = 0;
  int infeasible = 0;  // evaluations of points that are not feasible
  bool found = false;  // a feasible point; the rest describes the best one
  int evaluation = 0;  // number of the evaluation that found it, from 1
  double objective = std::numeric_limits<double>::infinity();
  std::vector<double> x;
};

/// Throws std::invalid_argument if the options do not fit together.
void check(const SearchOptions& options);

/// Minimises `evaluate` within the bounds. NLopt sees the unit cube and finite numbers only:
///  - objective + weight * violation where that can be computed (the exact penalty; the weight
///    grows between descents while their result violates);
///  - a value above every computable one, growing with the violation, elsewhere.
/// A local descent that ends early is started again from the best point, smaller or larger, moved
/// by a random step or not, while that gains anything. If the first point is not computable, up to
/// a tenth of the evaluations look for one that is.
/// Calls `evaluate` in this thread only, with points inside the bounds. What it throws ends the
/// search and passes through.
SearchSummary search(const SearchOptions& options, const Evaluate& evaluate,
                     const std::stop_token& stop = {});

/// One finite number for any evaluation. The order of evaluations stays the same until the merit is
/// tuned again.
///
/// A computable point has objective + weight * violation; above a ceiling this value is compressed
/// into one `scale`. A point that is not computable lies above that, within another `scale`, and
/// the higher the larger its violation.
class Merit {
 public:
  /// Sets scale and ceiling from a typical value of the objective.
  void tune(double typical);
  void raise_weight();

  double operator()(const Evaluation& evaluation) const;

  /// A number above every value of operator().
  double worst() const { return ceiling_ + 3.0 * scale_; }

 private:
  double weight_ = 10.0;
  double scale_ = 1.0;
  double ceiling_ = 0.0;
};

bool has_value(const Evaluation& evaluation);
bool is_feasible(const Evaluation& evaluation);

/// Where a search begins: `nominal` (moved into the bounds) for start 0, for start k the k-th Sobol
/// point shifted by a vector drawn from the seed, so that the starts together cover the box.
std::vector<double> start_point(const SearchOptions& options);

/// A seed for one use of one start: different arguments give unrelated numbers.
std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t start, std::uint64_t use);

}  // namespace counterpoise
