#pragma once

#include <string>
#include <vector>

#include "studies/pages/sheet/drawing.hpp"

namespace counterpoise {

/// The pages below each other as one SVG in true scale.
std::string sheet_svg(const std::vector<SheetPage>& pages);

/// The pages as PDF 1.4 in true scale, with the fonts that every reader of PDF has. Letters beyond
/// Windows code page 1252 become question marks.
std::string sheet_pdf(const std::vector<SheetPage>& pages);
/// Whether a page has such letters.
bool has_letters_beyond_pdf(const std::vector<SheetPage>& pages);

}  // namespace counterpoise
