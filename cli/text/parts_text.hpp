#pragma once

#include <string>

#include "cli/text/text_style.hpp"
#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"
#include "studies/parts_list.hpp"

namespace counterpoise {

/// A parts list for a workshop: lengths in mm and rates in N/mm where no other units are asked for.
std::string to_text(const PartsList& parts, const TextStyle& style);
/// The same in SI, with the units in the headings.
Table springs_table(const PartsList& parts);
Table points_table(const PartsList& parts);
Json json_of(const PartsList& parts);

}  // namespace counterpoise
