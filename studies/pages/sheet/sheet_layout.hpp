#pragma once

#include <string>
#include <vector>

#include "studies/pages/sheet/drawing.hpp"
#include "studies/pages/sheet/workshop_sheet.hpp"
#include "studies/pages/sheet/workshop_words.hpp"

namespace counterpoise {

/// The sheet on pages of A4: the design, what the spring maker is to quote, a drawing of each body
/// with mounts or weights, cams, and tolerances. `results` is the file's name, for commands that
/// the sheet names. The same input gives the same pages. There is at least one.
std::vector<SheetPage> sheet_pages(const WorkshopSheet& sheet, const WorkshopUnits& units,
                                   const std::string& results);

/// How to get tolerances onto the sheet of a study without any, in words.
std::string how_to_get_tolerances(const std::string& results);

}  // namespace counterpoise
