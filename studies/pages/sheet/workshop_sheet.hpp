#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "studies/parts_list.hpp"
#include "studies/robustness.hpp"

namespace counterpoise {

/// A place where springs or their cables are held, under a letter of its own.
struct SheetMount {
  std::string mark;  // "A"
  PointIndex point = -1;
  std::vector<std::string> holds;  // the springs
};

/// A body, or the world, on which there are mounts or weights.
struct SheetBody {
  BodyIndex body = world_body;
  std::vector<SheetMount> mounts;
  std::vector<std::size_t> weights;  // of PartsList::weights
};

/// A cam that a cable is fixed to.
struct SheetCam {
  struct Range {
    double least = 0.0, greatest = 0.0;
  };
  std::string mark;  // of its mount
  PointIndex point = -1;
  std::string profile;  // the file, as the model names it; empty where the model does not say
  Range radius;         // of curvature                                                [m]
  Range distance;       // of the edge from the axis                                   [m]
  Range lever;          // of the tangents                                             [m]
  Range angle;          // of the tangents' normals                                    [rad]
};

/// A number that may deviate from the design's by as much as the tolerances say.
struct SheetTolerance {
  std::string parameter, unit;  // the unit is SI
  double nominal = 0.0, low = 0.0, high = 0.0;
};

struct SheetTolerances {
  std::vector<SheetTolerance> of;
  double percentile = 95.0;
  std::string objective, unit;         // the first of the study
  std::optional<RobustDesign> design;  // what deviations do to it
  std::string why_not;                 // in words, where that is not known
};

/// What a workshop and a spring maker need to know of a design.
struct WorkshopSheet {
  std::string study, model;  // the names
  std::int64_t id = -1;      // of the case
  std::string status, reason;
  std::vector<std::string> warnings;  // of the program, about this design
  struct Result {
    std::string name, unit;
    double value = 0.0;  // in SI
    double size = 0.0;   // beside which rounding is to be seen as such
  };
  std::vector<Result> objectives;
  double cycles_per_year = 0.0;  // how often all motions are gone through; 0: not known
  PartsList parts;
  std::vector<SheetBody> bodies;  // the world first
  std::vector<SheetCam> cams;
  std::optional<SheetTolerances> tolerances;  // none where the study has none
};

/// `row` and `outcome` are those of the case, whose parts are `parts`; `sizes` are those of its
/// objectives (Explanation::objective_sizes). Tolerances, where there are
/// any, cost about as much as five thousand cases: see robust_design(). Throws Interrupted.
WorkshopSheet workshop_sheet(const Study& study, const CaseRow& row, const CaseOutcome& outcome,
                             const std::vector<double>& sizes, PartsList parts,
                             const Tolerances* tolerances, const Interruption& interrupted);

/// The mark of a mount. There is one.
const std::string& mark_of(const WorkshopSheet& sheet, PointIndex point);
/// "world", or the name of the body.
std::string name_of_body(const Mechanism& mechanism, BodyIndex body);
/// The mounts of a spring: its points and what its cable runs over, in their order; none of a
/// torsion spring.
std::vector<PointIndex> mounts_of_spring(const Spring& spring);
/// What kind of spring it is, in words: "extension spring", "spring of constant force".
std::string kind_of(const Mechanism& mechanism, const Spring& spring);

}  // namespace counterpoise
