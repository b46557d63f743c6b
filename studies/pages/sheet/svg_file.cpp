#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "studies/pages/sheet/page_files.hpp"
#include "studies/pages/still_picture.hpp"

namespace counterpoise {
namespace {

std::string svg_grey(double grey) {
  const auto level = std::lround(255.0 * grey);
  return fmt::format("#{0:02x}{0:02x}{0:02x}", level);
}

std::string svg_line(const SheetLine& line) {
  std::string text = line.filled
                         ? fmt::format("<path fill=\"{}\" stroke=\"none\"", svg_grey(line.grey))
                         : fmt::format("<path stroke=\"{}\" stroke-width=\"{:.3g}\"",
                                       svg_grey(line.grey), line.width);
  if (line.dashed) text += " stroke-dasharray=\"2 0.8 0.5 0.8\"";
  text += " d=\"";
  for (std::size_t i = 0; i < line.places.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{:.4f} {:.4f}", i == 0 ? "M" : " L",
                   line.places[i].x(), line.places[i].y());
  return text + (line.filled ? "Z\"/>\n" : "\"/>\n");
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string svg_text(const SheetText& of) {
  constexpr std::array<const char*, 3> anchors = {"start", "middle", "end"};
  std::string text = fmt::format("<text x=\"{:.4f}\" y=\"{:.4f}\" font-size=\"{:.3g}\"", of.at.x(),
                                 of.at.y(), of.size);
  if (of.anchor != SheetText::Anchor::start)
    text += fmt::format(" text-anchor=\"{}\"", anchors[static_cast<std::size_t>(of.anchor)]);
  if (of.bold) text += " font-weight=\"bold\"";
  if (of.upwards)
    text += fmt::format(" transform=\"rotate(-90 {:.4f} {:.4f})\"", of.at.x(), of.at.y());
  if (of.grey > 0.0) text += fmt::format(" fill=\"{}\"", svg_grey(of.grey));
  // where no font has Helvetica's measures, others are stretched to them
  if (is_ascii(of.text))
    text += fmt::format(" textLength=\"{:.4f}\" lengthAdjust=\"spacingAndGlyphs\"",
                        text_width(of.text, of.size, of.bold));
  return text + ">" + escaped(of.text) + "</text>\n";
}

}  // namespace

std::string sheet_svg(const std::vector<SheetPage>& pages) {
  const double tall = sheet_height * static_cast<double>(pages.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}mm\" height=\"{1:g}mm\" "
      "viewBox=\"0 0 {0:g} {1:g}\" fill=\"none\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\">\n<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#fff\"/>\n",
      sheet_width, tall);
  for (std::size_t p = 0; p < pages.size(); ++p) {
    text += fmt::format("<g class=\"page\" transform=\"translate(0 {:g})\">\n",
                        sheet_height * static_cast<double>(p));
    if (p > 0)
      text += svg_line({.places = {{0.0, 0.0}, {sheet_width, 0.0}}, .width = 0.2, .grey = 0.8});
    for (const SheetLine& line : pages[p].lines) text += svg_line(line);
    text += "<g fill=\"#000\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n";
    for (const SheetText& line : pages[p].texts) text += svg_text(line);
    text += "</g>\n</g>\n";
  }
  return text + "</svg>\n";
}

}  // namespace counterpoise
