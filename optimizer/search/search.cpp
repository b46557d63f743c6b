#include "optimizer/search/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <nlopt.hpp>
#include <random>
#include <stdexcept>

#include "optimizer/sampling/random_bits.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"
#include "optimizer/search/algorithm.hpp"
#include "optimizer/search/nlopt_algorithm.hpp"

namespace counterpoise {
namespace {

// Sizes of the steps of successive descents, as parts of the initial step.
constexpr std::array step_cycle{1.0, 0.1, 0.3, 0.03, 0.003};

constexpr double foothold_share = 0.1;  // of the evaluations, to find a computable point
constexpr double gain = 1e-9;           // relative; less does not count as improvement

class Search {
 public:
  Search(const SearchOptions& options, const Evaluate& evaluate, std::stop_token stop)
      : options_(options),
        evaluate_(evaluate),
        stop_(std::move(stop)),
        random_(mixed_seed(options.seed, static_cast<std::uint64_t>(options.start), 1)) {}

  SearchSummary run() {
    find_foothold();
    double shares = 0.0;
    for (const SearchStage& stage : options_.stages) shares += stage.share;
    double share = 0.0;
    for (const SearchStage& stage : options_.stages) {
      share += stage.share;
      limit_ = &stage == &options_.stages.back()
                   ? options_.max_evaluations
                   : static_cast<int>(options_.max_evaluations * (share / shares));
      run_stage(find_algorithm(stage.algorithm));
    }
    summary_.why = stop_.stop_requested()                            ? Stopped::cancelled
                   : summary_.evaluations < options_.max_evaluations ? Stopped::converged
                                                                     : Stopped::max_evaluations;
    return std::move(summary_);
  }

 private:
  bool over() const { return summary_.evaluations >= limit_ || stop_.stop_requested(); }

  // Evaluates a point of the unit cube and remembers the best.
  double visit(std::span<const double> u) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double lower = options_.lower[i];
      const double upper = options_.upper[i];
      x_[i] = std::clamp(lower + u[i] * (upper - lower), lower, upper);
    }
    const Evaluation evaluation = evaluate_(x_);
    ++summary_.evaluations;
    if (!is_feasible(evaluation)) {
      ++summary_.infeasible;
    } else if (evaluation.objective < summary_.objective) {
      summary_.found = true;
      summary_.objective = evaluation.objective;
      summary_.evaluation = summary_.evaluations;
      summary_.x = x_;
      feasible_u_.assign(u.begin(), u.end());
    }
    const double value = merit_(evaluation);
    if (best_u_.empty() || value < best_value_) {
      best_u_.assign(u.begin(), u.end());
      best_value_ = value;
      best_ = evaluation;
    }
    return value;
  }

  // Begins at the start point; looks around at random while nothing can be computed.
  void find_foothold() {
    const std::vector<double> start = start_point(options_);
    std::vector<double> u(start.size());
    x_.resize(start.size());
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = (start[i] - options_.lower[i]) / (options_.upper[i] - options_.lower[i]);
      u[i] = std::clamp(u[i], 0.0, 1.0);
    }
    limit_ = std::max(1, static_cast<int>(foothold_share * options_.max_evaluations));
    while (!over()) {
      visit(u);
      if (has_value(best_)) break;
      for (double& coordinate : u) coordinate = unit_interval(random_());
    }
    retune();
  }

  void retune() {
    if (!has_value(best_)) return;
    merit_.tune(best_.objective);
    best_value_ = merit_(best_);
    // With a larger weight a feasible point may have become the better one.
    const Evaluation feasible{summary_.objective, 0.0, true};
    if (!summary_.found || merit_(feasible) >= best_value_) return;
    best_ = feasible;
    best_u_ = feasible_u_;
    best_value_ = merit_(feasible);
  }

  void run_stage(const NloptAlgorithm& algorithm) {
    if (!algorithm.local) {
      if (!over()) descend(algorithm, best_u_, options_.initial_step);
      settle();
      return;
    }
    int idle = 0;
    for (int descent = 0; !over() && idle < options_.idle_restarts; ++descent) {
      const std::size_t turn = static_cast<std::size_t>(descent) % step_cycle.size();
      const double step = options_.initial_step * step_cycle[turn];
      std::vector<double> from = best_u_;
      if (descent % 2 == 1) {
        for (double& u : from) {
          u = std::clamp(u + step * (2.0 * unit_interval(random_()) - 1.0), 0.0, 1.0);
        }
      }
      const double before = best_value_;
      descend(algorithm, from, step);
      const bool better = best_value_ < before - gain * std::abs(before);
      idle = settle() || better ? 0 : idle + 1;
    }
  }

  // Called between descents: raises the weight if the result violates a limit. Returns whether
  // anything changed.
  bool settle() {
    if (!has_value(best_) || best_.violation <= 0.0 || raised_ >= most_raises) return false;
    ++raised_;
    merit_.raise_weight();
    retune();
    return true;
  }

  // One run of NLopt, with its random numbers reseeded: they belong to the thread, not to the run.
  void descend(const NloptAlgorithm& algorithm, std::vector<double> u, double step) {
    const auto n = static_cast<unsigned>(u.size());
    nlopt::srand(static_cast<unsigned long>(random_() & 0xffffffffU));
    nlopt::opt optimizer(algorithm.id, n);
    configure(optimizer, step);
    if (algorithm.nested) {
      nlopt::opt local(nlopt::LN_SBPLX, n);
      configure(local, step);
      local.set_xtol_abs(1e-4);  // MLSL starts many; the best is refined by a later stage
      optimizer.set_local_optimizer(local);
    }
    optimizer.set_min_objective(call, this);
    optimizer.set_maxeval(limit_ - summary_.evaluations);
    running_ = &optimizer;
    try {
      double value = 0.0;
      optimizer.optimize(u, value);
    } catch (const nlopt::roundoff_limited&) {  // as good as it gets; visit() kept the best
    } catch (const nlopt::forced_stop&) {
    } catch (const std::runtime_error&) {  // some algorithms report so that they cannot go on
    }
    running_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
  }

  void configure(nlopt::opt& optimizer, double step) const {
    optimizer.set_lower_bounds(0.0);
    optimizer.set_upper_bounds(1.0);
    optimizer.set_initial_step(step);
    if (options_.population > 0)
      optimizer.set_population(static_cast<unsigned>(options_.population));
    optimizer.set_xtol_abs(options_.tolerance);
    optimizer.set_ftol_rel(1e-12);
  }

  static double call(unsigned n, const double* u, double*, void* self) {
    return static_cast<Search*>(self)->value_for_nlopt({u, n});
  }

  // NLopt may continue to ask after it was told to stop; then it gets a number, but no evaluation.
  // The same is done if it asks for NaN, as LN_PRAXIS can.
  double value_for_nlopt(std::span<const double> u) {
    const bool lost = std::any_of(u.begin(), u.end(), [](double x) { return std::isnan(x); });
    if (failure_ || lost || over()) {
      running_->force_stop();
      return merit_.worst();
    }
    try {
      return visit(u);
    } catch (...) {
      failure_ = std::current_exception();
      running_->force_stop();
      return merit_.worst();
    }
  }

  static constexpr int most_raises = 12;

  const SearchOptions& options_;
  const Evaluate& evaluate_;
  std::stop_token stop_;
  std::mt19937_64 random_;
  Merit merit_;
  SearchSummary summary_;
  std::vector<double> x_;
  std::vector<double> best_u_;  // by merit, not necessarily feasible
  std::vector<double> feasible_u_;
  double best_value_ = 0.0;
  Evaluation best_;
  int limit_ = 0;
  int raised_ = 0;
  nlopt::opt* running_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace

void check(const SearchOptions& options) {
  const std::size_t n = options.lower.size();
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(n > 0, "a search needs at least one continuous variable");
  require(options.upper.size() == n && options.nominal.size() == n,
          "bounds and start of a search differ in size");
  for (std::size_t i = 0; i < n; ++i) {
    require(std::isfinite(options.lower[i]) && std::isfinite(options.upper[i]) &&
                options.lower[i] < options.upper[i] && std::isfinite(options.nominal[i]),
            "a search needs finite bounds, the lower below the upper, and a finite start");
  }
  require(options.max_evaluations > 0, "a search needs at least one evaluation");
  require(!options.stages.empty(), "a search needs an algorithm");
  for (const SearchStage& stage : options.stages) {
    check_algorithm(stage.algorithm, n);
    require(stage.share > 0.0, "the share of a stage must be positive");
  }
}

SearchSummary search(const SearchOptions& options, const Evaluate& evaluate,
                     const std::stop_token& stop) {
  check(options);
  return Search(options, evaluate, stop).run();
}

namespace {

constexpr double weight_growth = 10.0;
constexpr double largest_weight = 1e12;
constexpr double largest = 1e300;  // of the values NLopt gets, so that it can add a few
constexpr double room = 10.0;      // between a typical value and the ceiling, in typical values

// From [0, inf] to [0, 1], rising; what is not a number counts as far away.
double squeezed(double x) {
  if (!(x >= 0.0)) return 1.0;
  return std::isinf(x) ? 1.0 : x / (1.0 + x);
}

double positive_part(double violation) {
  return violation < 0.0 ? 0.0 : violation;
}

}  // namespace

bool has_value(const Evaluation& evaluation) {
  return evaluation.computable && std::isfinite(evaluation.objective);
}

bool is_feasible(const Evaluation& evaluation) {
  return has_value(evaluation) && evaluation.violation <= 0.0;
}

void Merit::tune(double typical) {
  typical = std::clamp(typical, -largest, largest);
  scale_ = std::max(std::abs(typical), 1e-9);
  ceiling_ = typical + room * scale_;
}

void Merit::raise_weight() {
  weight_ = std::min(weight_ * weight_growth, largest_weight);
}

double Merit::operator()(const Evaluation& evaluation) const {
  const double violation = positive_part(evaluation.violation);
  if (!has_value(evaluation)) return ceiling_ + scale_ * (1.0 + squeezed(violation));
  const double value = evaluation.objective + weight_ * scale_ * violation;
  if (value <= ceiling_) return std::max(value, -largest);
  return ceiling_ + scale_ * squeezed((value - ceiling_) / scale_);
}

std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t start, std::uint64_t use) {
  std::seed_seq sequence{seed & 0xffffffffU, seed >> 32U, start & 0xffffffffU, start >> 32U, use};
  std::mt19937_64 engine(sequence);
  return engine();
}

std::vector<double> start_point(const SearchOptions& options) {
  const std::size_t n = options.lower.size();
  std::vector<double> x = options.nominal;
  if (options.start > 0) {
    constexpr std::uint64_t shift_use = 0;
    std::mt19937_64 shift(mixed_seed(options.seed, 0, shift_use));
    std::vector<double> point(n);
    SobolSequence(n).point(std::int64_t{options.start} + 1, point);
    for (std::size_t i = 0; i < n; ++i) {
      double u = point[i] + unit_interval(shift());
      u -= std::floor(u);
      x[i] = options.lower[i] + u * (options.upper[i] - options.lower[i]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(x[i], options.lower[i], options.upper[i]);
  return x;
}

}  // namespace counterpoise
