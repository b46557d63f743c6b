#pragma once

#include <array>

#include "studies/pages/sheet/drawing.hpp"
#include "studies/pages/sheet/workshop_sheet.hpp"
#include "studies/pages/sheet/workshop_words.hpp"

namespace counterpoise {

/// The two axes of a body's frame that a drawing shows, to the right and upwards: 0 is x, 1 y, 2 z.
struct SheetPlane {
  std::array<int, 2> axes = {0, 2};
  const char* name = "x and z";
  const char* seen = "along y";  // from where it is looked at
};

/// The plane in which mounts, pulleys, cams and weights of a body lie farthest apart; of planes
/// that are as good, the one across the body's joint.
SheetPlane plane_of(const WorkshopSheet& sheet, const SheetBody& body);

/// A drawing of the places on a body in that plane, and how it is to be read.
struct BodyDrawing {
  SheetPage part;       // its upper left corner at the origin
  double height = 0.0;  // [mm]
  std::string caption;  // the plane, and the scale
};

/// Draws a body's own frame with its mounts, pulleys, cams and weights under their marks, the
/// joints of the bodies that it carries, and running dimensions from the frame's origin to mounts
/// and weights, in at most this width [mm].
BodyDrawing draw_body(const WorkshopSheet& sheet, const SheetBody& body, const WorkshopUnits& units,
                      double width);

/// Under which mark a weight is in drawings and tables: "W1".
std::string mark_of_weight(std::size_t weight);

}  // namespace counterpoise
