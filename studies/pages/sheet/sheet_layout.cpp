#include "studies/pages/sheet/sheet_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"
#include "studies/pages/sheet/body_drawing.hpp"
#include "studies/pages/sheet/page_flow.hpp"

namespace counterpoise {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// How a number may be as rounding leaves it: "0" for 1e-17.
std::string plain_number(double number) {
  constexpr double rounding = 1e-12;
  return fmt::format("{:.6g}", std::abs(number) < rounding ? 0.0 : number);
}

std::string direction(const Vec3d& axis) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(axis[i]) - 1.0) < 1e-12)
      return fmt::format("{}{}", axis[i] < 0.0 ? "-" : "", "xyz"[i]);
  return fmt::format("({}, {}, {})", plain_number(axis.x()), plain_number(axis.y()),
                     plain_number(axis.z()));
}

/// Where the origin of a body is in its parent's axes where its joint is at 0, and how its axes are
/// turned there, in words.
std::string place_in_parent(const Body& body, const WorkshopUnits& units) {
  const Vec3d& at = body.joint.origin;
  std::string words =
      fmt::format("there at ({}, {}, {}) {}", units.length_number(at.x()),
                  units.length_number(at.y()), units.length_number(at.z()), units.length_name());
  const Eigen::AngleAxisd turned(body.joint.rotation);
  constexpr double rounding = 1e-9;
  if (turned.angle() > rounding)
    words += fmt::format(", its axes turned by {} about {} of that body",
                         units.angle(turned.angle()), direction(turned.axis()));
  return words;
}

/// Where the frame of a body is, in words.
std::string frame_of(const Mechanism& mechanism, BodyIndex index, const WorkshopUnits& units) {
  if (index == world_body)
    return fmt::format(
        "the base; gravity acts along {}",
        mechanism.gravity.norm() > 0.0 ? direction(mechanism.gravity.normalized()) : "nothing");
  const Body& body = mechanism.bodies[index];
  const std::string parent = name_of_body(mechanism, body.parent);
  switch (body.joint.type) {
    case JointType::revolute:
      return fmt::format("turns on {} about its axis {}, on which its origin is; that is {}",
                         parent, direction(body.joint.axis), place_in_parent(body, units));
    case JointType::prismatic:
      return fmt::format("slides on {} along its axis {}; pushed in, its origin is {}", parent,
                         direction(body.joint.axis), place_in_parent(body, units));
    case JointType::fixed:
      break;
  }
  return fmt::format("fixed to {}; its origin is {}", parent, place_in_parent(body, units));
}

/// What a spring does at a load: "12.5 N, pulls".
/// Of a load that is nothing but rounding beside the largest, "0 N".
std::string with_sense(double load, double largest, bool torsion) {
  constexpr double rounding = 1e-9;
  if (!(std::abs(load) > rounding * largest)) return WorkshopUnits::load(0.0, torsion);
  const std::string words = WorkshopUnits::load(std::abs(load), torsion);
  if (torsion)
    return words + (load > 0.0 ? ", against the joint's axis" : ", along the joint's axis");
  return words + (load > 0.0 ? ", pulls" : ", pushes");
}

std::string instant_text(const SpringPart::End& end) {
  if (end.pose) return fmt::format("pose {} of {}", std::lround(end.time) + 1, end.motion);
  return fmt::format("{:.6g} s of {}", end.time, end.motion);
}

class SheetWriter {
 public:
  SheetWriter(const WorkshopSheet& sheet, const WorkshopUnits& units, std::string results)
      : sheet_(sheet),
        mechanism_(sheet.parts.mechanism),
        units_(units),
        results_(std::move(results)),
        flow_(
            "Workshop sheet: " + sheet.study,
            fmt::format("case {} of {}, model {}. Lengths in {}, loads in N or N*m. Places are in "
                        "each body's own frame.",
                        sheet.id, results_, sheet.model, units.length_name())) {}

  std::vector<SheetPage> written() {
    write_design();
    if (!sheet_.parts.springs.empty()) flow_.heading("Springs", 40.0);
    for (std::size_t s = 0; s < sheet_.parts.springs.size(); ++s) write_spring(s);
    write_weights();
    write_cams();
    if (!sheet_.bodies.empty())
      flow_.heading("Where to drill", 30.0 + drawing_of(sheet_.bodies.front()).height);
    for (const SheetBody& body : sheet_.bodies) write_body(body);
    write_tolerances();
    return flow_.finished();
  }

 private:
  void write_design() {
    if (sheet_.status != "feasible")
      flow_.paragraph(fmt::format("NOT TO BE BUILT AS IT IS: the design is {}: {}", sheet_.status,
                                  sheet_.reason));
    Facts facts;
    for (const WorkshopSheet::Result& result : sheet_.objectives)
      facts.emplace_back(result.name,
                         fmt::format("{:.6g}{}{}", without_rounding(result.value, result.size),
                                     result.unit.empty() ? "" : " ", result.unit));
    flow_.facts(facts);
    for (const std::string& warning : sheet_.warnings) flow_.paragraph(warning);
    if (sheet_.parts.springs.empty() && sheet_.parts.weights.empty())
      flow_.paragraph("The design has neither springs nor weights that the study varies.");
  }

  [[nodiscard]] std::string place(const Vec3d& at) const {
    return fmt::format("({}, {}, {})", units_.length_number(at.x()), units_.length_number(at.y()),
                       units_.length_number(at.z()));
  }

  [[nodiscard]] std::string mount_words(PointIndex index) const {
    const Point& point = mechanism_.points[index];
    std::string words =
        fmt::format("{} {} {}", mark_of(sheet_, index), point.name, place(point.position));
    if (point.is_cam)
      words += ", a cam";
    else if (point.is_pulley)
      words += fmt::format(", a pulley of radius {}", units_.length_number(point.radius));
    return words;
  }

  void write_spring(std::size_t index) {
    const SpringPart& part = sheet_.parts.springs[index];
    const Spring& spring = mechanism_.springs[index];
    const bool torsion = part.turns;
    std::string what = kind_of(mechanism_, spring);
    if (part.pieces > 1) what += fmt::format(", {} side by side, each as told here", part.pieces);
    what += !part.members.empty() ? ", " + part.joined
            : part.part.empty()
                ? ", made to order"
                : fmt::format(", {} (row {} of {})", part.part, part.row, part.catalogue);
    flow_.name(part.spring, what, 60.0);
    Facts facts;
    const auto add = [&](const std::string& name, const std::string& value) {
      facts.emplace_back(name, value);
    };
    if (!part.part.empty()) add("catalogue", catalogue_words(part));
    for (const std::string& made : part.made) add("not as the part has it", made);
    for (std::size_t m = 0; m < part.members.size(); ++m)
      add(fmt::format("spring {}", m + 1), member_words(part.members[m]));
    if (part.members.empty()) add("rate", units_.rate(part.rate, torsion));
    add_law(part, spring, facts);
    if (part.friction > 0.0) add("friction", WorkshopUnits::load(part.friction, torsion));
    if (part.mass > 0.0) add("mass in the model", fmt::format("{:.6g} kg", part.mass));
    if (part.part.empty() && !part.gas) add("wire, coils, ends", "left to the maker");
    const double stroke = part.longest - part.shortest;
    add(torsion ? "working range" : "working stroke", units_.stretch(stroke, torsion));
    add(torsion ? "largest torque" : "largest load",
        fmt::format("{}, {}", WorkshopUnits::load(part.largest_load, torsion),
                    instant_text(part.at_largest_load)));
    add_limits(part, spring, facts);
    add("cycles", cycles_words(part));
    add_mounts(part, spring, facts);
    flow_.facts(facts);
    SheetTable ends{{"end of the stroke", torsion ? "angle" : "length", "load", "first at"}, {}, 4};
    ends.rows.push_back({torsion ? "least angle" : "shortest",
                         units_.stretch(part.at_shortest.length, torsion),
                         with_sense(part.at_shortest.load, part.largest_load, torsion),
                         instant_text(part.at_shortest)});
    ends.rows.push_back({torsion ? "greatest angle" : "longest",
                         units_.stretch(part.at_longest.length, torsion),
                         with_sense(part.at_longest.load, part.largest_load, torsion),
                         instant_text(part.at_longest)});
    flow_.space(0.8);
    flow_.table(ends);
  }

  [[nodiscard]] std::string member_words(const SpringPart::Member& member) const {
    return fmt::format("{}: rate {}, free length {}, initial tension {}",
                       member.part.empty() ? std::string("made to order")
                                           : fmt::format("{} (row {} of {})", member.part,
                                                         member.row, member.catalogue),
                       units_.rate(member.rate, false), units_.stretch(member.free_length, false),
                       WorkshopUnits::load(member.initial_tension, false));
  }

  static std::string catalogue_words(const SpringPart& part) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < part.columns.size(); ++i)
      cells.push_back(part.columns[i] + " " + part.cells[i]);
    return fmt::format("{}", fmt::join(cells, ", "));
  }

  /// What the force is without stretch.
  void add_law(const SpringPart& part, const Spring& spring, Facts& facts) const {
    const bool torsion = part.turns;
    if (spring.type == SpringType::gas) {
      facts.emplace_back("force where extended",
                         WorkshopUnits::load(std::abs(part.initial_tension), false));
      if (part.rate != 0.0)
        facts.emplace_back("extended length", units_.stretch(part.free_length, false));
      return;
    }
    if (part.torsion || part.rate != 0.0 || !part.members.empty())
      facts.emplace_back(torsion             ? "free angle of the joint"
                         : spring.is_cable() ? "free length with its cable"
                                             : "free length",
                         units_.stretch(part.free_length, torsion));
    facts.emplace_back(torsion                ? "preload at the free angle"
                       : part.members.empty() ? "initial tension"
                                              : "initial tension of all",
                       WorkshopUnits::load(part.initial_tension, torsion));
    if (!part.side.empty())
      facts.emplace_back(
          "acts", fmt::format("{} that only: its leg lies on a stop on the other side", part.side));
  }

  void add_limits(const SpringPart& part, const Spring& spring, Facts& facts) const {
    const bool torsion = part.turns;
    if (spring.radius > 0.0)
      facts.emplace_back("outer diameter", units_.stretch(2.0 * spring.radius, false));
    if (std::isfinite(spring.min_length))
      facts.emplace_back(torsion ? "no angle below" : "no length below",
                         units_.stretch(spring.min_length, torsion));
    if (std::isfinite(spring.max_length))
      facts.emplace_back(torsion ? "no angle above" : "no length above",
                         units_.stretch(spring.max_length, torsion));
    if (std::isfinite(spring.min_clearance))
      facts.emplace_back("clear of obstacles by", units_.stretch(spring.min_clearance, false));
    if (std::isfinite(spring.max_load))
      facts.emplace_back("no load above",
                         WorkshopUnits::load(spring.max_load / part.pieces, torsion));
  }

  [[nodiscard]] std::string cycles_words(const SpringPart& part) const {
    std::string words = cycles_text(part);
    double runs = 0.0;
    for (const SpringPart::Cycles& cycles : part.cycles) runs += cycles.count;
    if (sheet_.cycles_per_year > 0.0 && !part.cycles.empty())
      words += fmt::format("; {:.6g} a year", runs * sheet_.cycles_per_year);
    return words;
  }

  void add_mounts(const SpringPart& part, const Spring& spring, Facts& facts) const {
    const std::vector<PointIndex> points = mounts_of_spring(spring);
    if (points.empty()) {
      const Body& body = mechanism_.bodies[spring.joint];
      const bool turns = body.joint.type == JointType::revolute;
      facts.emplace_back(
          "mounts", fmt::format("on the joint between {} and {}, {} {} of {}",
                                name_of_body(mechanism_, body.parent), body.name,
                                turns ? "about" : "along", direction(body.joint.axis), body.name));
      return;
    }
    std::vector<std::string> words;
    for (const PointIndex point : points) words.push_back(mount_words(point));
    facts.emplace_back("mounts",
                       fmt::format("{}", fmt::join(words, spring.is_cable() ? "; " : " and ")));
    if (!spring.is_cable()) return;
    for (const auto& [end, name] : {std::pair(&part.at_shortest, "straight parts, shortest"),
                                    {&part.at_longest, "longest"}}) {
      std::vector<std::string> lengths;
      for (const StraightPart& straight : end->straight)
        lengths.push_back(fmt::format("{} to {} {}", mark_of(sheet_, points[straight.from]),
                                      mark_of(sheet_, points[straight.to]),
                                      units_.stretch(straight.length, false)));
      if (!lengths.empty()) facts.emplace_back(name, fmt::format("{}", fmt::join(lengths, ", ")));
    }
    facts.emplace_back(
        "cable",
        "all lengths above are those of spring and cable together, along the middle of "
        "the cable on its way over all mounts");
    facts.emplace_back(
        "free rope length",
        spring.rate != 0.0
            ? fmt::format("{} less the free length of the spring itself, between its eyes; what is "
                          "needed to fasten it comes on top",
                          units_.stretch(spring.free_length, false))
            : std::string("by the spring of constant force: the way above less its length"));
  }

  void write_weights() {
    if (sheet_.parts.weights.empty()) return;
    flow_.heading("Weights that the study sizes", 20.0);
    SheetTable table{{"", "weight", "fixed to", "mass [kg]"}, {}, 3};
    for (const char* name : {"x", "y", "z"})
      table.columns.push_back(fmt::format("{} [{}]", name, units_.length_name()));
    for (std::size_t w = 0; w < sheet_.parts.weights.size(); ++w) {
      const WeightPart& part = sheet_.parts.weights[w];
      table.rows.push_back({mark_of_weight(w), part.body, part.on == part.body ? "itself" : part.on,
                            fmt::format("{:.6g}", part.mass), units_.length_number(part.place.x()),
                            units_.length_number(part.place.y()),
                            units_.length_number(part.place.z())});
    }
    flow_.table(table);
    flow_.paragraph(
        "x, y and z are those of the centre of mass, in the frame of the body that the weight is "
        "fixed "
        "to.");
  }

  void write_cams() {
    if (sheet_.cams.empty()) return;
    flow_.heading("Cams", 30.0);
    for (const SheetCam& cam : sheet_.cams) {
      const Point& point = mechanism_.points[cam.point];
      const auto range = [&](SheetCam::Range of) {
        return fmt::format("{} to {} {}", units_.length_number(of.least),
                           units_.length_number(of.greatest), units_.length_name());
      };
      flow_.name(cam.mark + " " + point.name, cam.profile.empty() ? "" : "profile: " + cam.profile,
                 25.0);
      flow_.facts({{"radius of curvature", range(cam.radius)},
                   {"edge from the axis", range(cam.distance)},
                   {"lever of the cable", range(cam.lever)},
                   {"normals of the edge",
                    fmt::format("from {} to {}, from {} about {}", units_.angle(cam.angle.least),
                                units_.angle(cam.angle.greatest), direction(point.zero),
                                direction(point.axis))}});
    }
    flow_.paragraph(
        "All are to the middle of the cable: the bottom of the groove is half a cable's diameter "
        "inside. "
        "counterpoise cam --draw writes the edge point by point, and draws it as DXF and SVG in "
        "true "
        "scale.");
  }

  [[nodiscard]] BodyDrawing drawing_of(const SheetBody& body) const {
    return draw_body(sheet_, body, units_, PageFlow::right - PageFlow::left);
  }

  void write_body(const SheetBody& body) {
    const BodyDrawing drawing = drawing_of(body);
    constexpr double most = 230.0;  // of a page, beside the words themselves
    flow_.name(name_of_body(mechanism_, body.body), frame_of(mechanism_, body.body, units_),
               std::min(most, drawing.height + 5.0 +
                                  4.5 * static_cast<double>(body.mounts.size() +
                                                            body.weights.size() + 2)));
    flow_.drawing(drawing.part, drawing.height);
    flow_.paragraph(drawing.caption);
    flow_.space(1.5);
    SheetTable table{{"", "point", "holds"}, {}, 3};
    for (const char* name : {"x", "y", "z"})
      table.columns.push_back(fmt::format("{} [{}]", name, units_.length_name()));
    const auto add = [&](const std::string& mark, const std::string& point,
                         const std::string& holds, const Vec3d& at) {
      table.rows.push_back({mark, point, holds, units_.length_number(at.x()),
                            units_.length_number(at.y()), units_.length_number(at.z())});
    };
    for (const SheetMount& mount : body.mounts) {
      const Point& point = mechanism_.points[mount.point];
      std::string holds = fmt::format("{}", fmt::join(mount.holds, ", "));
      if (point.is_cam)
        holds += fmt::format("; cam about {}", direction(point.axis));
      else if (point.is_pulley)
        holds += fmt::format("; pulley about {}, radius {}", direction(point.axis),
                             units_.length_number(point.radius));
      add(mount.mark, point.name, holds, point.position);
    }
    for (const std::size_t w : body.weights) {
      const WeightPart& part = sheet_.parts.weights[w];
      add(mark_of_weight(w), part.body,
          fmt::format("a weight of {:.6g} kg, its centre of mass", part.mass), part.place);
    }
    flow_.table(table);
    for (const SheetMount& mount : body.mounts)
      if (mechanism_.points[mount.point].is_pulley && !mechanism_.points[mount.point].is_cam) {
        flow_.paragraph("Radii of pulleys are to the middle of the cable.");
        break;
      }
  }

  void write_tolerances() {
    flow_.heading("Tolerances", 25.0);
    if (!sheet_.tolerances) return flow_.paragraph(how_to_get_tolerances(results_));
    const SheetTolerances& tolerances = *sheet_.tolerances;
    SheetTable table{{"parameter", "nominal", "least", "greatest"}, {}};
    for (const SheetTolerance& of : tolerances.of)
      table.rows.push_back({of.parameter, quantity(of.nominal, of.unit), quantity(of.low, of.unit),
                            quantity(of.high, of.unit)});
    flow_.table(table);
    flow_.paragraph(robust_words(tolerances));
  }

  /// A number in SI with its unit, as the sheet has numbers of this kind.
  [[nodiscard]] std::string quantity(double si, const std::string& unit) const {
    if (unit == "m" || unit == "rad") return units_.stretch(si, unit == "rad");
    if (unit == "N/m" || unit == "N*m/rad") return units_.rate(si, unit == "N*m/rad");
    return fmt::format("{}{}{}", plain_number(si), unit.empty() ? "" : " ", unit);
  }

  [[nodiscard]] static std::string robust_words(const SheetTolerances& tolerances) {
    if (!tolerances.design)
      return fmt::format("What these deviations do is not known: {}.", tolerances.why_not);
    const RobustDesign& design = *tolerances.design;
    const auto value = [&](double si) {
      return fmt::format("{:.6g}{}{}", si, tolerances.unit.empty() ? "" : " ", tolerances.unit);
    };
    std::string words =
        fmt::format("Where all stay within these, the objective {} is {} as designed",
                    printable(tolerances.objective), value(design.nominal));
    if (!design.worst.infeasible)
      words += fmt::format(", and at most {} in {}", value(design.worst.value),
                           design.worst.sampled ? "all that were tried" : "the worst case");
    if (std::isfinite(design.percentile.value))
      words += fmt::format("; at most {} in {:g} % of robots as built",
                           value(design.percentile.value), tolerances.percentile);
    if (design.worst.infeasible)
      words += fmt::format(". Some of them break a limit: {}", printable(design.worst.reason));
    if (design.broken_share > 0.0)
      words += fmt::format(" ({:.2g} % of robots as built)", 100.0 * design.broken_share);
    return words + ".";
  }

  const WorkshopSheet& sheet_;
  const Mechanism& mechanism_;
  const WorkshopUnits& units_;
  std::string results_;
  PageFlow flow_;
};

}  // namespace

std::vector<SheetPage> sheet_pages(const WorkshopSheet& sheet, const WorkshopUnits& units,
                                   const std::string& results) {
  return SheetWriter(sheet, units, results).written();
}

std::string how_to_get_tolerances(const std::string& results) {
  return fmt::format(
      "The study has no tolerances. Write them into the study as \"tolerances\", or into a file "
      "and give "
      "it with --tolerances; this sheet then lists them and says what they cost, and counterpoise "
      "robustness {} compares the best designs.",
      printable(results));
}

}  // namespace counterpoise
