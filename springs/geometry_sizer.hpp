#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case_outcome.hpp"
#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "results/results_file.hpp"
#include "springs/spring_optimum.hpp"

namespace counterpoise {

/// The best springs of one geometry, and how far they are from the proved bound.
struct SizedGeometry {
  std::vector<double> point;    // of the study, with the springs found
  CaseOutcome outcome;          // as the engine evaluates the point
  std::optional<double> value;  // the minimised objective; nothing where there is no design
  double bound = 0.0;           // no springs do better in this geometry; valid with a value
  std::string certificate;  // JSON: the multipliers that prove the bound; empty without a value,
                            // and where drives decide which springs are best
};

/// Sizes and chooses the springs of one geometry after the other, as a run of a study with
/// `"method": "exact-springs"` does, for searches over the geometry that others make. One per
/// thread; the study must outlive it.
class GeometrySizer {
 public:
  /// Throws InputError where the study asks for no exact springs or is not convex in them, and
  /// Interrupted here and below.
  explicit GeometrySizer(const Study& study, const Interruption& interrupted = {});
  ~GeometrySizer();
  GeometrySizer(GeometrySizer&&) noexcept;

  /// The variables that move more than springs, by their index in the study.
  [[nodiscard]] const std::vector<int>& geometry() const;
  /// What the other variables size: "springs", "masses" or "springs and masses".
  [[nodiscard]] const char* sized() const;
  /// `point` holds a number per variable of the study (see PointSource); numbers of spring
  /// variables are not read. The first objective is minimised, then the others among designs that
  /// are as good; for a trade-off its first objective.
  SizedGeometry size(std::span<const double> point);
  /// The same value at less cost: springs that are as good for it, without making further
  /// objectives least, and without a certificate.
  SizedGeometry reach(std::span<const double> point);
  /// The optimum that size() has just found, with its shadow prices; nothing where there is no
  /// design.
  std::optional<SpringOptimum> optimum();
  /// The objective that is minimised, by its index in the study.
  [[nodiscard]] int objective() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sizes the springs of a case again and returns the outcome. An exact search stores a geometry
/// without springs that meet all limits as a case whose reason names those limits; its sized
/// variables hold the lower ends of their ranges, which are not a design to evaluate.
///
/// Returns nothing if the study is not an exact search, the case is feasible, or sizing finds
/// springs that are not the case's own. Cost: one convex problem; several if the study has only one
/// geometry.
std::optional<CaseOutcome> sized_again(const Study& study, const ResultsFile& results,
                                       const CaseRow& row, std::span<const double> point,
                                       const std::shared_ptr<const Baselines>& baselines);

}  // namespace counterpoise
