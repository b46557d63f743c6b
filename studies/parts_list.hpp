#pragma once

#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/evaluation/structure.hpp"
#include "results/results_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// A spring to be ordered. Numbers in SI; for a torsion spring in rad, N*m and N*m/rad.
struct SpringPart {
  std::string spring;
  int pieces = 1;  // of the same part side by side; the numbers below are for one
  bool torsion = false, gas = false;
  bool turns = false;  // whether its lengths are angles and its loads torques: those of a torsion
                       // spring, unless its joint slides
  std::string side;    // of its free angle on which it acts, as side_of()
  std::string part;    // of a catalogue, or empty: to be made to these numbers
  std::string catalogue;                    // its file
  int row = 0;                              // of the file, from 1
  std::vector<std::string> columns, cells;  // that row, as the file has it
  std::vector<std::string> made;            // what is not as the part has it, in words
  double rate = 0.0, free_length = 0.0, initial_tension = 0.0;  // of a group: of all of it, and the
                                                                // rate where it begins to yield
  /// One of the springs of a group.
  struct Member {
    std::string part, catalogue;  // as above
    int row = 0;
    double rate = 0.0, free_length = 0.0, initial_tension = 0.0;
  };
  std::vector<Member> members;  // of a group, in the order of the model
  std::string joined;           // how they hang together, as words_of()
  double friction = 0.0, mass = 0.0;
  double shortest = 0.0, longest = 0.0;  // working lengths over all motions
  double largest_load = 0.0;             // over all motions, |tension| of one piece
  /// What it is like where it is shortest or longest: the first sample of all motions at which it
  /// is.
  struct End {
    double length = 0.0, load = 0.0;  // load of one piece, positive where it pulls
    std::string motion;
    double time = 0.0;  // [s], or the number of a pose at rest, from 0
    bool pose = false;
    std::vector<StraightPart> straight;  // of its cable
  };
  End at_shortest, at_longest, at_largest_load;
  struct Cycles {
    std::string motion;
    int count = 0;          // times it is stretched and let go again, if it is repeated
    double duration = 0.0;  // of the motion [s]
  };
  std::vector<Cycles> cycles;
};

/// A point to be drilled, where a spring, an actuator or a loop is held.
struct PartPoint {
  std::string point;  // "trunk.anchor"
  std::vector<std::string> holds;
  Vec3d in_body = Vec3d::Zero();   // in the axes of its body [m]
  Vec3d in_world = Vec3d::Zero();  // in the zero configuration [m]
};

/// A body whose mass the study varies: a counterweight to be made.
struct WeightPart {
  std::string body, on;         // the body to which it is fixed; itself where it moves
  double mass = 0.0;            // [kg]
  Vec3d place = Vec3d::Zero();  // of its centre of mass, in the axes of `on` [m]
};

/// The drive that was chosen for an actuator.
struct DrivePart {
  std::string actuator, motor, motors_file;
  std::string gearbox, gearboxes_file;  // empty: none
  double price = 0.0, mass = 0.0;       // of both
};

/// What a design is built from.
struct PartsList {
  std::vector<SpringPart> springs;
  std::vector<WeightPart> weights;
  std::vector<DrivePart> drives;
  std::vector<PartPoint> points;
  Mechanism mechanism;  // of the design itself
};

/// The springs of a group as JSON: [{"part", "catalogue", "row", "rate", "free_length",
/// "initial_tension"}], in SI; the first three null where they are made to order.
Json members_json(const SpringPart& part);

/// `outcome` is that of the point. Springs and geometry are those of the design itself, whatever
/// motions set: the forces of gas springs, for example, those at the temperature of the model.
/// Cost: a simulation of each motion. Throws InputError for a design that cannot follow a motion.
PartsList parts_of(const Study& study, const std::vector<double>& point, const CaseOutcome& outcome,
                   CaseEvaluator& evaluator);

/// The row of the catalogue that a variable chose: its columns and cells as the file has them.
struct CatalogueChoice {
  std::string variable, file, part;
  int row = 0;  // of the file, from 1
  std::vector<std::string> columns, cells;
  std::vector<std::string> made;  // "rate = 2 * k": what the study does not take as it is
};
std::vector<CatalogueChoice> catalogue_choices(const Study& study,
                                               const std::vector<double>& point);

/// The motions that a case runs, by their indices in the study.
std::vector<std::size_t> motions_of(const Study& study, const std::vector<double>& point);

}  // namespace counterpoise
