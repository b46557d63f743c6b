#pragma once

#include <string>

#include "results/text/cells.hpp"
#include "studies/pages/sheet/workshop_sheet.hpp"

namespace counterpoise {

/// All that the sheet says, as data in SI: study, model, case, status, reason, objectives, springs,
/// weights, cams, bodies with their mounts, tolerances or in words how to get them. Loads are
/// positive where a spring pulls. What is not known is null.
Json sheet_data(const WorkshopSheet& sheet, const std::string& results);

}  // namespace counterpoise
