#include "studies/cams/cam_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

constexpr double mm = 1e3;

/// The bottom of the groove in mm.
std::vector<Vec2<double>> groove(std::span<const CamProfile::Knot> knots, double diameter) {
  std::vector<Vec2<double>> places;
  for (CamProfile::Knot knot : knots) {
    knot.lever -= 0.5 * diameter;
    places.emplace_back(mm * CamProfile::place(knot));
  }
  return places;
}

}  // namespace

std::string cam_csv(std::span<const CamProfile::Knot> knots) {
  std::string text;
  append_csv_row(text, std::vector<std::string>{"angle [rad]", "lever [mm]", "offset [mm]",
                                                "radius [mm]", "x [mm]", "y [mm]"});
  for (const CamProfile::Knot& knot : knots) {
    const Vec2<double> place = CamProfile::place(knot);
    append_csv_row(text, std::vector<double>{knot.angle, mm * knot.lever, mm * knot.offset,
                                             mm * knot.radius, mm * place(0), mm * place(1)});
  }
  return text;
}

std::string cam_dxf(std::span<const CamProfile::Knot> knots, double diameter) {
  std::string text = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n0\nENDSEC\n";
  const auto to = std::back_inserter(text);
  text += "0\nSECTION\n2\nENTITIES\n0\nPOLYLINE\n8\nPROFILE\n66\n1\n10\n0\n20\n0\n30\n0\n";
  double size = 0.0;
  for (const Vec2<double>& place : groove(knots, diameter)) {
    fmt::format_to(to, "0\nVERTEX\n8\nPROFILE\n10\n{:.9f}\n20\n{:.9f}\n30\n0\n", place(0),
                   place(1));
    size = std::max(size, place.norm());
  }
  text += "0\nSEQEND\n8\nPROFILE\n0\nCIRCLE\n8\nAXIS\n10\n0\n20\n0\n30\n0\n40\n0.5\n";
  fmt::format_to(to, "0\nLINE\n8\nZERO\n10\n0\n20\n0\n30\n0\n11\n{:.9f}\n21\n0\n31\n0\n", size);
  text += "0\nENDSEC\n0\nEOF\n";
  return text;
}

std::string cam_svg(std::span<const CamProfile::Knot> knots, double diameter) {
  const std::vector<Vec2<double>> places = groove(knots, diameter);
  Vec2<double> low(0.0, 0.0), high(0.0, 0.0);
  double size = 0.0;
  for (const Vec2<double>& place : places) {
    low = low.cwiseMin(place);
    high = high.cwiseMax(place);
    size = std::max(size, place.norm());
  }
  high(0) = std::max(high(0), size);
  constexpr double margin = 5.0;
  const double wide = high(0) - low(0) + 2.0 * margin, tall = high(1) - low(1) + 2.0 * margin;
  std::string text;
  const auto to = std::back_inserter(text);
  fmt::format_to(to,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.3f}mm\" "
                 "height=\"{1:.3f}mm\" viewBox=\"{2:.3f} {3:.3f} {0:.3f} {1:.3f}\" fill=\"none\" "
                 "stroke=\"#000\" stroke-width=\"0.25\">\n",
                 wide, tall, low(0) - margin, -high(1) - margin);
  text += "<path id=\"profile\" d=\"";
  for (std::size_t i = 0; i < places.size(); ++i)
    fmt::format_to(to, "{}{:.6f} {:.6f}", i == 0 ? "M" : " L", places[i](0), -places[i](1));
  text += "\"/>\n<path id=\"axis\" d=\"M-3 0 L3 0 M0 -3 L0 3\"/>\n";
  fmt::format_to(
      to, "<path id=\"zero\" stroke-dasharray=\"4 1 1 1\" d=\"M0 0 L{:.6f} 0\"/>\n</svg>\n", size);
  return text;
}

}  // namespace counterpoise
