#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/text/cells.hpp"

namespace counterpoise {

/// Throws InputError, which names the way out, where the program was built without pages. Call it
/// before any work whose result a page would show.
void require_pages(std::string_view command);

/// The page of a command with its data, which its scripts read as JSON, and with the still picture
/// that it shows before they run. Whatever the data, no part of it is markup; the picture is what
/// still_picture() wrote, or nothing. Cost: a few copies of the text.
std::string page_with(std::string_view page, const Json& data, const std::string& still);

/// The same data with the names of these files alone wherever a text names them by a path: a page
/// is sent to others, whom the folders of its sender do not concern. Cost: a pass over all texts
/// for each file.
Json with_names_alone(Json data, const std::vector<std::filesystem::path>& files);

}  // namespace counterpoise
