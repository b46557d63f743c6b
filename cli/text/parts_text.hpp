#pragma once

#include <string>

#include "cases/case_outcome.hpp"
#include "cli/text/text_style.hpp"
#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"
#include "studies/pages/sheet/workshop_words.hpp"
#include "studies/parts_list.hpp"

namespace counterpoise {

/// Lengths in mm and angles in this unit where no others were asked for.
WorkshopUnits workshop_units(const ShownUnits& units, const std::string& angle);

/// A parts list for a workshop: lengths in mm and rates in N/mm where no other units are asked for.
std::string to_text(const PartsList& parts, const TextStyle& style);
/// The same in SI, with the units in the headings.
Table springs_table(const PartsList& parts);
Table points_table(const PartsList& parts);
Json json_of(const PartsList& parts);

/// What the drives of a case have to do and cost, beside those of the baseline and of the robot
/// without springs: what the balancing is worth. Empty where the study has no drives.
std::string drives_text(const Study& study, const CaseMetrics& metrics,
                        const Baselines::Pair& robots, const TextStyle& style);
Json drives_json(const Study& study, const CaseMetrics& metrics, const Baselines::Pair& robots);

}  // namespace counterpoise
